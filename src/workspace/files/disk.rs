//! The files on disk.

use super::{Source, Tree, laid_out};
use crate::kep::layout::Layout;
use std::path::Path;
use std::sync::Arc;

/// The files of the repository around a path of the command line.
pub fn around(path: &Path) -> Source {
    Arc::new(Tree::around(path))
}

/// The same for a repository whose proposals lie like this.
pub fn with_layout(layout: &Layout) -> impl Fn(&Path) -> Source {
    let layout = layout.clone();
    move |path| laid_out(around(path), &layout)
}
