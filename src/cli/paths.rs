//! The paths that arguments of the command line mean.

use crate::kep::layout::Layout;
use crate::workspace::config_file::{self, Wanted};
use crate::workspace::files::disk;
use crate::workspace::{discover, meant};
use std::path::{Path, PathBuf};

pub const STDIN: &str = "-";

pub fn meant(argument: &Path) -> PathBuf {
    let is_laid_out = argument.is_dir() && !layout(argument, &Wanted::Nearest).is_of_keps();
    if is_laid_out { argument.to_owned() } else { meant::meant(argument, &disk::around(argument)) }
}

pub fn here() -> PathBuf {
    here_in(&layout(Path::new("."), &Wanted::Nearest))
}

/// How proposals lie around a path.
fn layout(path: &Path, wanted: &Wanted) -> Layout {
    let config = config_file::find(&[path.to_owned()], wanted, &disk::around).ok().flatten();
    config.map(|file| file.config.layout).unwrap_or_default()
}

/// What is checked if no path is given, where proposals lie like this.
pub fn here_in(layout: &Layout) -> PathBuf {
    discover::here(&disk::with_layout(layout)(Path::new(".")))
}

pub fn all(arguments: &[PathBuf], wanted: &Wanted) -> Vec<PathBuf> {
    if arguments.is_empty() {
        vec![here_in(&layout(Path::new("."), wanted))]
    } else {
        arguments.iter().map(|argument| meant(argument)).collect()
    }
}

/// The configuration file of a run over `paths`, and the files that it names, as they are on disk.
pub fn of_configuration(paths: &[PathBuf], wanted: &Wanted) -> Vec<PathBuf> {
    let Ok(Some(config)) = config_file::find(paths, wanted, &disk::around) else { return Vec::new() };
    let named = config.templates().unwrap_or_default().into_iter().chain(config.gates().ok().flatten());
    named.chain([PathBuf::from(&config.path)]).collect()
}
