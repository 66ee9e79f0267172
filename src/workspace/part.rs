//! The part of a walk that is in one tree of KEPs.

use super::paths::{RealPath, joined, shown};
use super::walk::Walk;
use crate::kep::directory::{PROD_READINESS, review};
use crate::repository::paths::by_parts;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The part of a walk that is in a tree.
pub struct Part {
    walk: Arc<Walk>,
    /// From the walk's root to the tree's.
    way: PathBuf,
    name: PathBuf,
}

impl Part {
    /// The part of a walk that is in the tree at `root`.
    pub fn of(walk: Arc<Walk>, root: &RealPath) -> Option<Self> {
        let way = root.strip_prefix(&walk.root).ok()?.to_owned();
        Some(Self { walk, way, name: root.file_name().unwrap_or_default().into() })
    }

    /// The PRR files of the tree, which is `given`, in order; `None` if others may not be listed.
    pub fn reviews(&self, given: &Path) -> Option<Vec<ReviewPath>> {
        let (start, directory) = (self.way.join(PROD_READINESS), given.join(PROD_READINESS));
        let first = self.walk.paths.partition_point(|path| *path < start);
        let inside = self.walk.paths.iter().skip(first).map_while(|path| path.strip_prefix(&start).ok());
        if self.walk.is_cut { None } else { Some(inside.filter_map(|way| ReviewPath::of(&directory, way)).collect()) }
    }

    /// All paths, from the name of the tree's root on.
    pub fn paths(&self) -> Vec<String> {
        // The paths are in order, so that those of one directory are neighbours.
        let first = self.walk.paths.partition_point(|path| *path < self.way);
        self.walk.paths.iter().skip(first).map_while(|path| self.path(path)).collect()
    }

    pub fn has(&self, path: &str) -> bool {
        // A name that is not UTF-8 is shown with this letter.
        if path.contains(char::REPLACEMENT_CHARACTER) {
            return self.paths().iter().any(|known| known == path);
        }
        let Ok(way) = Path::new(path).strip_prefix(&self.name) else { return false };
        let way = joined(&self.way, way);
        let found = self.walk.paths.binary_search_by(|known| by_parts(known, &way)).ok();
        // The same path may be written in several ways.
        found.and_then(|at| self.path(self.walk.paths.get(at)?)).as_deref() == Some(path)
    }

    /// All paths in order, from below the tree's root on.
    pub fn ways(&self) -> impl Iterator<Item = &Path> {
        let first = self.walk.paths.partition_point(|path| *path < self.way);
        let ways = self.walk.paths.iter().skip(first).map_while(|path| path.strip_prefix(&self.way).ok());
        ways.filter(|way| !way.as_os_str().is_empty())
    }

    fn path(&self, path: &Path) -> Option<String> {
        let way = if self.way.as_os_str().is_empty() { path } else { path.strip_prefix(&self.way).ok()? };
        Some(shown(&joined(&self.name, way)))
    }
}

pub struct ReviewPath {
    pub sig: String,
    pub name: String,
    pub path: PathBuf,
}

impl ReviewPath {
    /// The PRR file at `way` from `directory` on.
    pub fn of(directory: &Path, way: &Path) -> Option<Self> {
        let (sig, name) = review(way)?;
        Some(Self { sig, name, path: directory.join(way) })
    }
}
