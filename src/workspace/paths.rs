//! Paths as reports show them, as git prints them, and as they are without links.

use crate::kep::directory::{TREE, is_named};
use std::path::{Component, Path, PathBuf};

/// A path as reports show it: with `/` on every system.
pub fn shown(path: &Path) -> String {
    let path = path.to_string_lossy();
    if cfg!(windows) { path.replace('\\', "/") } else { path.into_owned() }
}

/// A path as git prints it with `-z`.
#[cfg(unix)]
pub fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

/// A path as git prints it with `-z`.
#[cfg(not(unix))]
pub fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// `path` without `.` and `..`, as if no part of it were a link.
pub fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(normal.pop()),
            Component::CurDir => {}
            _ => normal.push(component),
        }
    }
    normal
}

/// The tree of KEPs, a directory `keps`, that a directory without links is in or is itself: the outermost one below the
/// root of its repository, because a directory in a tree may be named `keps` too. If there is none, the nearest one: the
/// root may be the tree, or be inside of it. `holds` tells which directories are in the repository, its root included.
pub fn tree_of(directory: &Path, holds: impl Fn(&Path) -> bool) -> Option<&Path> {
    let trees = || directory.ancestors().filter(|around| is_named(around, TREE));
    trees().take_while(|tree| tree.parent().is_some_and(&holds)).last().or_else(|| trees().next())
}
