//! The KEPs of a repository by their directories.

use crate::kep::number;
use crate::repository::Repository;

/// The file that says what a KEP is.
pub const METADATA: &str = "kep.yaml";

pub fn directories(repository: &Repository) -> impl Iterator<Item = &str> {
    let paths = repository.paths.iter().flat_map(|paths| paths.iter());
    paths.filter_map(|path| path.strip_suffix(METADATA)?.strip_suffix('/'))
}

/// The number that a directory of a KEP has in its name.
pub fn number_of(directory: &str) -> Option<&str> {
    number::of_directory(directory.rsplit('/').next()?)
}
