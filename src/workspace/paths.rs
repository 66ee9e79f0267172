//! Paths without links, which are not to be taken for those that the user would write. Also paths as reports show them, and
//! as git prints them.

use crate::kep::layout::Layout;
use std::borrow::Borrow;
use std::ops::Deref;
use std::path::{Component, Path, PathBuf, is_separator};

/// A path without links, by which a file or directory is known. It is absolute, but for files in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RealPath(PathBuf);

impl RealPath {
    /// Takes `path` for one without links, which only who calls this can know. To find out, there is
    /// [`Tree::real`](super::files::Tree::real).
    pub fn assume(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// What is at `way` from here on, no part of which is a link.
    pub fn below(&self, way: &Path) -> Self {
        Self(joined(&self.0, way))
    }

    /// The way from here on to a path without links; `None` if it is not inside.
    pub fn way_to<'p>(&self, inner: &'p Self) -> Option<&'p Path> {
        way(self, inner)
    }

    pub fn as_path(&self) -> &Path {
        &self.0
    }

    pub fn parent(&self) -> Option<Self> {
        self.0.parent().map(Self::assume)
    }

    /// The path, and the directories around it, the nearest one first.
    pub fn ancestors(&self) -> impl Iterator<Item = Self> {
        self.0.ancestors().map(Self::assume)
    }
}

impl Deref for RealPath {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl AsRef<Path> for RealPath {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl Borrow<Path> for RealPath {
    fn borrow(&self) -> &Path {
        &self.0
    }
}

impl From<RealPath> for PathBuf {
    fn from(path: RealPath) -> Self {
        path.0
    }
}

/// The way from one path to another; `None` if it is not inside. As both have no superfluous parts, it is
/// enough to compare the texts.
pub fn way<'p>(root: &Path, inner: &'p Path) -> Option<&'p Path> {
    let (Some(text), Some(own)) = (inner.to_str(), root.to_str()) else { return inner.strip_prefix(root).ok() };
    let rest = text.strip_prefix(own)?;
    let is_root = own.is_empty() || own.ends_with(is_separator);
    let way = if rest.is_empty() || is_root { Some(rest) } else { rest.strip_prefix(is_separator) };
    way.map(Path::new)
}

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

#[cfg(not(unix))]
pub fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// What is at `way` from `root` on; the root itself has no `/` at its end.
pub fn joined(root: &Path, way: &Path) -> PathBuf {
    // `Path::join` reserves too little room, and then more.
    let mut path = PathBuf::with_capacity(root.as_os_str().len() + 1 + way.as_os_str().len());
    path.push(root);
    if !way.as_os_str().is_empty() {
        path.push(way);
    }
    path
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

/// The tree of KEPs, a directory `keps` or that of the layout, that a directory is in or is itself: the
/// outermost one below the root of its repository, because a directory in a tree may be named `keps` too. If
/// there is none, the nearest one: the root may be the tree, or be inside of it. `holds` tells which
/// directories are in the repository, its root included.
pub fn tree_of(directory: &RealPath, layout: &Layout, holds: impl Fn(&RealPath) -> bool) -> Option<RealPath> {
    let last = layout.tree().rsplit('/').next().unwrap_or_default();
    // A comparison by parts takes longer.
    let is_tree = |around: &&Path| {
        around.as_os_str().as_encoded_bytes().ends_with(last.as_bytes()) && around.ends_with(layout.tree())
    };
    let trees = || directory.as_path().ancestors().filter(is_tree).map(RealPath::assume);
    trees().take_while(|tree| tree.parent().is_some_and(|around| holds(&around))).last().or_else(|| trees().next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_to_a_path_begins_after_a_whole_part() {
        let way = |from: &str, to: &str| {
            let (from, to) = (RealPath::assume(from), RealPath::assume(to));
            let way = from.way_to(&to).map(Path::to_owned);
            assert_eq!(way.as_deref(), to.strip_prefix(&from).ok(), "{from:?} {to:?}");
            way
        };
        assert_eq!(way("/r", "/r/keps/1-x"), Some("keps/1-x".into()));
        assert_eq!(way("/r/keps", "/r/keps"), Some("".into()));
        assert_eq!(way("/", "/r"), Some("r".into()));
        assert_eq!(way("", "r/keps"), Some("r/keps".into()));
        assert_eq!(way("/r/kep", "/r/keps"), None);
        assert_eq!(way("/r/keps", "/r"), None);
    }
}
