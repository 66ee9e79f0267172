//! What `new` leaves if it is killed: the directory of a KEP without kep.yaml, which is written last. The same command
//! completes it, and another one says how to remove it.

use crate::bounds;
use crate::cli::write::is_unfinished;
use crate::cli::write::together::Change;
use crate::diagnostic::{Failure, named};
use crate::workspace::files::Source;
use crate::workspace::paths::shown;
use std::path::Path;

/// Whether `directory` has nothing but what `new` may have left: a README.md, and unfinished files.
pub fn is_at(directory: &Path, source: &Source) -> bool {
    let is_directory = directory.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
    is_directory && source.names(directory).iter().all(|name| name == "README.md" || is_unfinished(name))
}

/// Those of `files` that are not there yet. All others must have the text that `new` writes.
pub fn missing(number: &str, directory: &Path, files: Vec<Change>, source: &Source) -> Result<Vec<Change>, Failure> {
    let (present, missing): (Vec<Change>, Vec<Change>) =
        files.into_iter().partition(|file| file.given.symlink_metadata().is_ok());
    match present.iter().find(|file| !is_written(file, source)) {
        Some(_) => Err(failure(number, directory, &present, source)),
        None => Ok(missing),
    }
}

/// The failure for a half-made KEP that is not the one to write, with those of the new files that are there already.
pub fn failure(number: &str, directory: &Path, present: &[Change], source: &Source) -> Failure {
    let failure =
        Failure::new(format!("KEP {number} is half made: {} has no kep.yaml", named(directory))).at(directory);
    let outside = present.iter().filter(|file| !file.given.starts_with(directory) && is_written(file, source));
    let paths = std::iter::once(directory).chain(outside.map(|file| file.given.as_path()));
    let paths: Vec<String> = paths.map(|path| quoted(&shown(path))).collect();
    failure.help(format!(
        "see whether its files are needed, remove it with `rm -r {}`, and run kep-lint again",
        paths.join(" ")
    ))
}

fn is_written(file: &Change, source: &Source) -> bool {
    let opened = source.read(&file.given, bounds::FILE_BYTES);
    opened.is_ok_and(|opened| opened.file.invalid_utf8.is_none() && opened.file.text == file.after)
}

fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-".contains(letter);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}
