//! The KEPs of a directory that is looked through.

use super::directory::{KepDirectory, is_root};
use super::path::too_many;
use super::source::{Source, or_here};
use super::walk::Walk;
use crate::diagnostic::Failure;
use crate::kep::directory::{self, Found, KepFiles, MOST_DIRECTORIES};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a walk over a directory finds.
pub struct Walked {
    /// The KEPs below it.
    pub keps: Vec<KepDirectory>,
    /// The root itself if it has a README; it counts if there is no other KEP.
    pub root: Option<KepDirectory>,
    /// All that is in it.
    pub walk: Walk,
    /// What could not be read.
    pub failures: Vec<Failure>,
}

impl Walked {
    /// Looks through `root`.
    pub fn walk(root: &Path, source: &Source) -> Self {
        let mut walk = source.list(root);
        walk.paths.sort();
        walk.aliases.sort();
        let mut directories: BTreeMap<PathBuf, KepFiles> = BTreeMap::new();
        for path in &walk.paths {
            let given = root.join(path);
            let Some((parent, name)) = given.parent().zip(given.file_name()) else { continue };
            if directory::matters(name) && walk.places.contains_key(parent) {
                directories.entry(parent.to_owned()).or_default().add(given);
            }
        }
        let failures = std::mem::take(&mut walk.failures);
        let mut tree = Self { keps: Vec::new(), root: None, walk, failures };
        tree.choose(root, directories, source);
        tree
    }

    fn choose(&mut self, root: &Path, directories: BTreeMap<PathBuf, KepFiles>, source: &Source) {
        let real =
            |directory: &Path| self.walk.places.get(directory).cloned().unwrap_or_else(|| source.real(directory));
        let own =
            directories.get(root).filter(|files| files.is_named_kep(&real(root)) && !is_root(root, source)).cloned();
        let own = own.map(|files| KepDirectory::new(files, root, real(root), source));
        let mut keps = Vec::new();
        for Found { directory, files, inner, .. } in directory::keps(directories, &real) {
            if inner > MOST_DIRECTORIES {
                let what = "directories of Markdown files";
                self.failures.push(too_many(or_here(&directory), MOST_DIRECTORIES, what));
            }
            let found = KepDirectory::new(files, &directory, real(&directory), source);
            keps.push(KepDirectory { is_searched: directory != root, ..found });
        }
        (self.keps, self.root) = (keps, own);
    }
}
