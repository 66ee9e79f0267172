//! What is at a path, and what is read there.

use crate::source::SourceFile;
use crate::workspace::paths::RealPath;
use std::path::Path;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Directory,
    /// A file, or anything else, such as a dangling link.
    Other,
}

/// A file that was read. Clones share the text.
#[derive(Clone, Debug)]
pub struct Opened {
    pub file: Arc<SourceFile>,
    /// Where it is.
    pub place: RealPath,
}

/// The directory; the empty path, which is the parent of a bare file name, is the current one.
pub fn or_here(directory: &Path) -> &Path {
    if directory.as_os_str().is_empty() { Path::new(".") } else { directory }
}
