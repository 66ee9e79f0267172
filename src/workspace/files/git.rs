//! The files of a commit, or of git's index.

use super::{Files, Kind, Opened, or_here};
use crate::diagnostic::Failure;
use crate::workspace::edge::{self, Edge};
use crate::workspace::failure::too_large;
use crate::workspace::git::revision::Revision;
use crate::workspace::paths::RealPath;
use crate::workspace::walk::Walk;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Files for Revision {
    fn kind(&self, path: &Path) -> Option<Kind> {
        Some(if self.is_directory(or_here(path))? { Kind::Directory } else { Kind::Other })
    }

    fn list(&self, root: &Path) -> Walk {
        Self::list(self, root)
    }

    fn names(&self, directory: &Path) -> Vec<OsString> {
        let mut names = Self::names(self, or_here(directory));
        names.sort();
        names.dedup();
        names
    }

    fn real(&self, path: &Path) -> RealPath {
        Self::real(self, or_here(path))
    }

    fn real_in(&self, real: &RealPath, path: &Path) -> RealPath {
        Self::real_in(self, real, path)
    }

    fn link(&self, path: &Path) -> Option<PathBuf> {
        Self::link(self, path.strip_prefix(self.root()).ok()?).map(Path::to_owned)
    }

    fn holds(&self, real: &RealPath) -> bool {
        Self::holds(self, real)
    }

    fn read(&self, path: &Path, most: u64) -> Result<Opened, Failure> {
        let (file, place) = Self::read(self, path, most)?.map_err(|size| too_large(path, size, most))?;
        Ok(Opened { file: Arc::new(file), place })
    }

    fn read_in(&self, real: &RealPath, path: &Path, most: u64) -> Result<Opened, Failure> {
        let (file, place) = Self::read_in(self, real, path, most)?.map_err(|size| too_large(path, size, most))?;
        Ok(Opened { file: Arc::new(file), place })
    }

    fn tree_around(&self) -> Option<PathBuf> {
        edge::tree_around(&Self::real(self, Path::new(".")))
    }

    fn is_clone_in(&self, tree: &RealPath, directory: &RealPath) -> bool {
        edge::is_clone_in(tree, directory)
    }

    fn root_around(&self, real: &RealPath) -> RealPath {
        Edge::around(real).root().clone()
    }
}
