//! The files on disk.

use super::{Source, Tree};
use std::path::Path;
use std::sync::Arc;

/// The files of the repository around a path of the command line.
pub fn around(path: &Path) -> Source {
    Arc::new(Tree::around(path))
}
