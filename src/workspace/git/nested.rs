//! Other repositories inside of one, such as submodules. git knows nothing of the files in them, so that
//! what they have is in no comparison and in no commit.

use super::place::has_mark;
use crate::diagnostic::Failure;
use crate::kep::directory::is_named;
use crate::kep::layout::TREE;
use crate::workspace::edge::from_root;
use crate::workspace::paths::RealPath;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The others inside the repository at `root`, as one of its versions names them.
pub struct Nested<'a> {
    pub root: &'a RealPath,
    /// What cannot be done with them, such as "compare with git".
    pub operation: &'a str,
}

impl Nested<'_> {
    /// Fails if one of `others` is at, above or below one of the `checked` paths or the directory `keps`
    /// around it; all are from the root on.
    pub fn refuse<'o>(
        &self,
        mut others: impl Iterator<Item = &'o Path>,
        checked: impl Iterator<Item = PathBuf>,
    ) -> Result<(), Failure> {
        let checked: Vec<PathBuf> = with_trees(checked).collect();
        let is_in_the_way = |other: &&Path| {
            let meets = |path: &PathBuf| {
                if path.as_os_str().is_empty() {
                    // The root is around all repositories, of which those without KEPs do not matter.
                    other.iter().any(|name| name == TREE)
                } else {
                    path.starts_with(other) || other.starts_with(path)
                }
            };
            checked.iter().any(meets)
        };
        others.find(is_in_the_way).map_or(Ok(()), |other| Err(self.failure(other)))
    }

    pub fn named(&self, paths: &[PathBuf]) -> impl Iterator<Item = PathBuf> {
        paths.iter().filter_map(|path| from_root(self.root, path))
    }

    /// Fails if there is another repository on disk between the root and one of these directories.
    pub fn refuse_marked<'d>(&self, mut directories: impl Iterator<Item = &'d RealPath>) -> Result<(), Failure> {
        // What is around a directory that was looked at was looked at, too.
        let mut seen: HashSet<&OsStr> = HashSet::new();
        let marked = directories.find_map(|directory| {
            let new = directory.as_path().ancestors().take_while(|around| seen.insert(around.as_os_str()));
            let mut below =
                new.map_while(|around| around.strip_prefix(self.root).ok()).filter(|way| *way != Path::new(""));
            below.find(|way| has_mark(&self.root.join(way)))
        });
        marked.map_or(Ok(()), |other| Err(self.failure(other)))
    }

    fn failure(&self, other: &Path) -> Failure {
        let failure = Failure::of(self.operation, other, "it is a repository of its own");
        failure.help("run kep-lint in it, or name the other directories to check")
    }
}

/// The paths, and the directories `keps` around them and in the root, where KEPs are looked up by number.
pub fn with_trees(paths: impl Iterator<Item = PathBuf>) -> impl Iterator<Item = PathBuf> {
    let tree = |path: &PathBuf| path.ancestors().filter(|around| is_named(around, TREE)).last().map(Path::to_owned);
    paths.flat_map(move |path| tree(&path).into_iter().chain([path])).chain([PathBuf::from(TREE)])
}
