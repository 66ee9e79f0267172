//! The paths that arguments of the command line mean.

use crate::workspace::files::disk;
use crate::workspace::{discover, meant};
use std::path::{Path, PathBuf};

/// The path that stands for standard input.
pub const STDIN: &str = "-";

/// The path that an argument means.
pub fn meant(argument: &Path) -> PathBuf {
    meant::meant(argument, &disk::around(argument))
}

/// The file that the name of a text on standard input means.
pub fn meant_file(name: &Path) -> PathBuf {
    meant::meant_file(name, &disk::around(name))
}

/// What is meant if no path is given.
pub fn here() -> PathBuf {
    discover::here(&disk::around(Path::new(".")))
}

/// The paths that several arguments mean.
pub fn all(arguments: &[PathBuf]) -> Vec<PathBuf> {
    if arguments.is_empty() { vec![here()] } else { arguments.iter().map(|argument| meant(argument)).collect() }
}
