//! Failures about files.

use crate::bounds;
use crate::diagnostic::{Failure, named};
use std::io;
use std::path::Path;

/// What to do about a file that the system does not let grow.
pub const SIZE_LIMIT: &str = "raise the limit for the size of files, such as with `ulimit -f unlimited`";

pub fn io(operation: &str, path: &Path, error: &io::Error) -> Failure {
    let reason = error.to_string();
    let reason = reason.split(" (os error").next().unwrap_or(&reason).to_lowercase();
    let failure = Failure::of(operation, path, &reason);
    match error.kind() {
        io::ErrorKind::FileTooLarge => failure.help(SIZE_LIMIT),
        _ => failure,
    }
}

/// The failure for a file of `size` bytes where at most `most` are read.
pub fn too_large(path: &Path, size: u64, most: u64) -> Failure {
    let failure = Failure::of("read", path, &format!("it has {}", bounds::size(size)));
    failure.help(format!("reduce it to at most {}", bounds::size(most)))
}

/// The failure for a link that leads out of the repository at `root`.
pub fn leads_out(path: &Path, root: &Path) -> Failure {
    let failure = Failure::of("read", path, &format!("it is outside of {}", named(root)));
    failure.help("replace the link with the file: links are followed only inside the repository")
}

pub fn dangling(path: &Path) -> Failure {
    Failure::of("read", path, "dangling symlink").help("fix the link, or put the file in its place")
}

/// The failure for a KEP that is too large to be checked completely.
pub fn too_many(kep: &Path, most: usize, what: &str) -> Failure {
    let failure = Failure::of("check all of", kep, &format!("it has more than {most} {what}"));
    failure.help("move files that are not part of the KEP out of its directory")
}
