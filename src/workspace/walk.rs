//! All that is in a directory: each real directory once, even if several links lead to it.

use super::paths::{RealPath, joined};
use crate::bounds;
use crate::diagnostic::Failure;
use crate::repository::paths::by_parts;
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What a walk found.
#[derive(Debug, Default)]
pub struct Walk {
    /// Where the directory is.
    pub root: RealPath,
    /// All that is in it, as paths from the root on. If a link leads to a directory that is in it anyway, the files of
    /// that directory are listed once.
    pub paths: Vec<PathBuf>,
    /// Those links: where they are, and the directories that they lead to, both from the root on.
    pub aliases: Vec<(PathBuf, PathBuf)>,
    /// Where each directory is that was listed, by its path as the user would write it.
    pub places: HashMap<OsString, RealPath>,
    /// Paths that could not be read.
    pub failures: Vec<Failure>,
    /// Whether there are links, so that what is in a directory may be listed under another name.
    pub has_links: bool,
    /// How many entries there were.
    pub entries: usize,
}

impl Walk {
    /// Whether all that is in the directory is listed, and under its own path.
    pub fn is_plain(&self) -> bool {
        !self.has_links && self.entries.max(self.paths.len()) < bounds::WALK_ENTRIES
    }

    /// `files` and their directories, by their paths from `root` on, which is at `real`; none of them is a link.
    pub fn of<'a>(root: &Path, real: RealPath, files: impl Iterator<Item = &'a Path>) -> Self {
        let paths: BTreeSet<&Path> =
            files.flat_map(Path::ancestors).filter(|path| !path.as_os_str().is_empty()).collect();
        let directories = paths.iter().filter_map(|path| path.parent());
        let place = |directory: &Path| (joined(root, directory).into(), real.below(directory));
        let places = directories.map(place).collect();
        let paths = paths.into_iter().map(Path::to_owned).collect();
        Self { root: real, paths, places, ..Self::default() }
    }

    /// Puts the paths in order, so that what is in a directory comes right after it.
    pub fn sort(&mut self) {
        self.paths.sort_by(|one, other| by_parts(one, other));
        self.aliases.sort();
    }

    /// Adds the file that is at `way` from `root` on, with the directories around it.
    pub fn insert(&mut self, root: &Path, way: &Path) {
        for path in way.ancestors().filter(|path| !path.as_os_str().is_empty()) {
            if !self.paths.iter().any(|known| known == path) {
                self.paths.push(path.to_owned());
            }
        }
        for directory in way.ancestors().skip(1) {
            let real = self.root.below(directory);
            self.places.entry(joined(root, directory).into()).or_insert(real);
        }
        self.sort();
    }
}
