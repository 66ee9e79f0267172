//! Paths as reports show them, and what is said of those that lead astray.

use crate::diagnostic::{Failure, named};
use std::path::Path;

/// A path as reports show it: with `/` on every system.
pub fn shown(path: &Path) -> String {
    let path = path.to_string_lossy();
    if cfg!(windows) { path.replace('\\', "/") } else { path.into_owned() }
}

/// What is said of a link that leads out of the repository at `root`.
pub fn leads_out(path: &Path, root: &Path) -> Failure {
    let failure = Failure::of("read", path, &format!("it leads out of {}", named(root)));
    failure.help("put the file itself there: links are followed within the repository only")
}

/// What is said of a KEP that is too large to be checked whole.
pub fn too_many(kep: &Path, most: usize, what: &str) -> Failure {
    let failure = Failure::of("check all of", kep, &format!("it has more than {most} {what}"));
    failure.help("move what is no part of the KEP out of its directory")
}
