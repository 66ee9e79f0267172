//! Files for a program that checks the same KEPs again and again: each is read once in a check, and one that has the text
//! that it had in the check before is not decoded into another one, so that what was made of it can be kept.

use super::{Files, Kind, Opened, Source};
use crate::diagnostic::Failure;
#[cfg(feature = "cli")]
use crate::workspace::edge::Edge;
use crate::workspace::paths::RealPath;
use crate::workspace::walk::Walk;
use std::collections::HashMap;
use std::ffi::OsString;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The files that were read, by their paths as they were asked for.
#[derive(Debug, Default)]
pub struct Shelf {
    files: Mutex<Checks>,
}

#[derive(Debug, Default)]
struct Checks {
    before: HashMap<PathBuf, Opened>,
    now: HashMap<PathBuf, Opened>,
}

/// Files that are kept on a shelf.
#[derive(Debug)]
struct Kept {
    files: Source,
    shelf: Arc<Shelf>,
}

impl Shelf {
    /// Begins a check: whatever was read before may have changed.
    pub fn begin(&self) {
        let mut checks = self.checks();
        checks.before = mem::take(&mut checks.now);
    }

    /// These files, which must not be written during a check.
    pub fn keep(self: &Arc<Self>, files: Source) -> Source {
        Arc::new(Kept { files, shelf: Arc::clone(self) })
    }

    fn checks(&self) -> MutexGuard<'_, Checks> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file at `path`, which is read if it was not yet.
    fn open(&self, path: &Path, most: u64, read: impl Fn() -> Result<Opened, Failure>) -> Result<Opened, Failure> {
        let known = self.checks().now.get(path).cloned();
        // Files of different kinds may be of different sizes.
        if let Some(known) = known.filter(|known| known.file.text.len() as u64 <= most) {
            return Ok(known);
        }
        let opened = read()?;
        let mut checks = self.checks();
        let before =
            checks.before.get(path).filter(|before| before.place == opened.place && before.file == opened.file);
        let opened = before.cloned().unwrap_or(opened);
        checks.now.insert(path.to_owned(), opened.clone());
        Ok(opened)
    }
}

impl Files for Kept {
    fn kind(&self, path: &Path) -> Option<Kind> {
        self.files.kind(path)
    }

    fn list(&self, root: &Path) -> Walk {
        self.files.list(root)
    }

    fn names(&self, directory: &Path) -> Vec<OsString> {
        self.files.names(directory)
    }

    fn real(&self, path: &Path) -> RealPath {
        self.files.real(path)
    }

    fn real_in(&self, real: &RealPath, path: &Path) -> RealPath {
        self.files.real_in(real, path)
    }

    fn link(&self, path: &Path) -> Option<PathBuf> {
        self.files.link(path)
    }

    fn holds(&self, real: &RealPath) -> bool {
        self.files.holds(real)
    }

    fn read(&self, path: &Path, most: u64) -> Result<Opened, Failure> {
        self.shelf.open(path, most, || self.files.read(path, most))
    }

    fn read_in(&self, real: &RealPath, path: &Path, most: u64) -> Result<Opened, Failure> {
        self.shelf.open(path, most, || self.files.read_in(real, path, most))
    }

    fn tree_around(&self) -> Option<PathBuf> {
        self.files.tree_around()
    }

    fn is_clone_in(&self, tree: &RealPath, directory: &RealPath) -> bool {
        self.files.is_clone_in(tree, directory)
    }

    fn root_around(&self, real: &RealPath) -> RealPath {
        self.files.root_around(real)
    }

    #[cfg(feature = "cli")]
    fn edge(&self) -> Option<&Edge> {
        self.files.edge()
    }
}

#[cfg(feature = "cli")]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::files::disk;
    use std::fs;

    #[test]
    fn a_text_is_kept_until_it_changes() {
        let directory = tempfile::tempdir().expect("a directory");
        let (one, other) = (directory.path().join("a.md"), directory.path().join("b.md"));
        fs::write(&one, "one").expect("a file");
        fs::write(&other, "other").expect("a file");
        let shelf = Arc::new(Shelf::default());
        let files = shelf.keep(disk::around(directory.path()));
        let read = |path: &Path| files.read(path, 10).expect("it is there").file;
        let (first, second) = (read(&one), read(&other));
        fs::write(&one, "new").expect("a file");
        assert_eq!(read(&one).text, "one", "in one check a file has one text");
        shelf.begin();
        assert_eq!(read(&one).text, "new");
        assert!(Arc::ptr_eq(&read(&other), &second) && !Arc::ptr_eq(&read(&one), &first));
        assert!(files.read(&other, 4).is_err(), "it is larger than what is wanted");
    }
}
