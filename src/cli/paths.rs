//! The paths that arguments of the command line mean.

use crate::workspace::config_file::{self, Wanted};
use crate::workspace::files::disk;
use crate::workspace::{discover, meant};
use std::path::{Path, PathBuf};

pub const STDIN: &str = "-";

pub fn meant(argument: &Path) -> PathBuf {
    meant::meant(argument, &disk::around(argument))
}

/// The file that the name of a text on standard input means.
pub fn meant_file(name: &Path) -> PathBuf {
    meant::meant_file(name, &disk::around(name))
}

pub fn here() -> PathBuf {
    discover::here(&disk::around(Path::new(".")))
}

pub fn all(arguments: &[PathBuf]) -> Vec<PathBuf> {
    if arguments.is_empty() { vec![here()] } else { arguments.iter().map(|argument| meant(argument)).collect() }
}

/// The configuration file of a run over `paths`, and the files that it names, as they are on disk.
pub fn of_configuration(paths: &[PathBuf], wanted: &Wanted) -> Vec<PathBuf> {
    let Ok(Some(config)) = config_file::find(paths, wanted, &disk::around) else { return Vec::new() };
    let named = [config.template(), config.gates()].into_iter().filter_map(|file| file.ok().flatten());
    let named = named.chain(config.more_templates().unwrap_or_default());
    named.chain([PathBuf::from(&config.path)]).collect()
}
