//! Finds the repository that a path is in, by its `.git`, without asking git. Git takes every directory with a `HEAD`,
//! `objects` and `refs` for a repository, and a pull request can add one; a `.git` it cannot add.

use crate::bounds;
use crate::workspace::edge::followed;
use crate::workspace::paths::{RealPath, normal, path_of};
use std::env;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub root: RealPath,
    pub own: RealPath,
}

/// The entry by which a repository is known: a directory, or a file that names one.
const MARK: &str = ".git";

impl Place {
    /// The repository around the working directory, if `path` is in it by its name or without links; else the one around
    /// `path`. `None` if there is none.
    pub fn around(path: &Path) -> Option<Self> {
        let here = env::current_dir().and_then(|here| RealPath::canonical(&here)).ok()?;
        let named = normal(&here.join(path));
        let real = named.ancestors().find_map(|around| RealPath::canonical(around).ok())?;
        let own = Self::above(&here);
        let is_inside = |place: &Self| named.starts_with(&place.root) || real.starts_with(&place.root);
        own.filter(is_inside).or_else(|| Self::above(&real))
    }

    /// The repository that has the file or directory at `path`, also if it is inside another one. `None` if there is none.
    pub fn nearest(path: &Path) -> Option<Self> {
        let path = env::current_dir().ok()?.join(path);
        Self::above(&path.ancestors().find_map(|around| RealPath::canonical(around).ok())?)
    }

    /// The nearest one: `directory`, or a directory above it.
    fn above(directory: &RealPath) -> Option<Self> {
        let root = directory.ancestors().find(|around| has_mark(around))?;
        let mark = root.join(MARK);
        let own = target(&mark).map_or(mark, |target| root.join(target));
        Some(Self { root, own: followed(&own) })
    }
}

/// Whether a directory is a repository, or looks like one.
pub fn has_mark(directory: &Path) -> bool {
    directory.join(MARK).symlink_metadata().is_ok()
}

/// The directory that a file `.git` names.
fn target(mark: &Path) -> Option<PathBuf> {
    if !mark.is_file() {
        return None;
    }
    let mut text = Vec::new();
    File::open(mark).ok()?.take(bounds::PATH_BYTES).read_to_end(&mut text).ok()?;
    let named = text.strip_prefix(b"gitdir: ")?;
    let end = named.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r'))?;
    Some(path_of(named.get(..=end)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_repository_is_known_by_its_mark_alone() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = RealPath::canonical(directory.path()).expect("it is there");
        let place = |way: &str, own: &str| Place { root: root.below(way.as_ref()), own: root.below(own.as_ref()) };
        for path in ["r/.git/worktrees/w", "r/keps/objects", "r/keps/refs", "w/keps"] {
            fs::create_dir_all(root.join(path)).expect("a directory");
        }
        fs::write(root.join("r/keps/HEAD"), "ref: refs/heads/main\n").expect("a file");
        let main = place("r", "r/.git");
        for path in ["r", "r/keps", "r/keps/objects", "r/keps/sig-new/1-x/kep.yaml"] {
            assert_eq!(Place::around(&root.join(path)), Some(main.clone()), "{path}");
        }
        fs::write(root.join("w/.git"), "gitdir: ../r/.git/worktrees/w\n").expect("a file");
        let linked = place("w", "r/.git/worktrees/w");
        assert_eq!(Place::around(&root.join("w/keps")), Some(linked));
        fs::write(root.join("w/.git"), "something else").expect("a file");
        let broken = place("w", "w/.git");
        assert_eq!(Place::around(&root.join("w")), Some(broken));
    }
}
