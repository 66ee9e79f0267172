//! The KEPs of a directory that is looked through.

use super::directory::{KepDirectory, around, is_root};
use super::files::Source;
use super::paths::{RealPath, joined, way};
use super::walk::Walk;
use crate::diagnostic::Failure;
use crate::kep::directory::{self, KepFiles};
use crate::kep::visited::{Visited, visited};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Debug)]
pub struct Walked {
    pub keps: Vec<KepDirectory>,
    /// The root itself if it has a README; it counts if there is no other KEP.
    pub root: Option<KepDirectory>,
    pub walk: Arc<Walk>,
    pub failures: Vec<Failure>,
    /// The tree that the root is in, and all that is below.
    tree: Option<RealPath>,
}

/// What was looked through to find KEPs, so that it is not looked through again to read what is around them.
#[derive(Clone, Debug, Default)]
pub struct Looked {
    /// Directories of which all KEPs are meant.
    pub walks: Vec<Arc<Walk>>,
    /// Directories in which a few KEPs were looked up.
    pub trees: Vec<Arc<Walked>>,
    /// The same of an earlier run, since which no file came or went, as far as is known.
    pub earlier: Vec<Arc<Walked>>,
}

impl Walked {
    pub fn walk(root: &Path, source: &Source) -> Self {
        let (mut walked, directories) = Self::over(root, source);
        walked.choose(directories, source);
        walked
    }

    /// Looks through `root` for all that upstream's scripts look at.
    pub fn visit(root: &Path, source: &Source) -> Self {
        let (mut walked, directories) = Self::over(root, source);
        let around = around(&walked.walk.root, source);
        for Visited { directory, files, is_kep } in visited(around.chain(directories.iter().cloned()).collect()) {
            if let Some(mut found) = walked.found(files, RealPath::assume(directory), source) {
                found.is_loose = !is_kep;
                walked.keps.push(found);
            }
        }
        if walked.keps.is_empty() {
            walked.choose(directories, source);
        }
        walked
    }

    /// What is in `root`, and the directories in it with files that matter.
    fn over(root: &Path, source: &Source) -> (Self, Vec<(PathBuf, KepFiles)>) {
        let walk = source.list(root);
        let directories = walk.directories(source.layout());
        let links = walk.links.iter().map(|link| walk.failure(link));
        let failures = walk.failures.iter().cloned().chain(links).collect();
        // A tree that is no directory of a repository is the nearest one, which another may be.
        let tree = source.tree_of(&walk.root).filter(|tree| tree.parent().is_some_and(|around| source.holds(&around)));
        (Self { keps: Vec::new(), root: None, walk: Arc::new(walk), failures, tree }, directories)
    }

    fn choose(&mut self, mut directories: Vec<(PathBuf, KepFiles)>, source: &Source) {
        let Walk { given, root, .. } = &*self.walk;
        directories.retain(|(directory, _)| !way(root, directory).is_some_and(directory::is_test_data));
        let own = directories.first().filter(|(directory, files)| {
            *directory == **root && files.is_named_kep(root, source.layout()) && !is_root(given, source)
        });
        self.root = own.map(|(_, files)| KepDirectory::new(files.clone(), given, root.clone(), source));
        let found = directory::keps(directories, source.layout()).into_iter();
        self.keps =
            found.filter_map(|(directory, files)| self.found(files, RealPath::assume(directory), source)).collect();
    }

    /// The KEP with these files in the directory at `real`, if that was looked through.
    fn found(&self, files: KepFiles, real: RealPath, source: &Source) -> Option<KepDirectory> {
        let Walk { given, root, .. } = &*self.walk;
        let way = root.way_to(&real)?.to_owned();
        let tree = self.tree.clone().or_else(|| source.tree_of(&real));
        let mut found = KepDirectory::in_tree(tree, files, &joined(given, &way), real, source);
        found.is_searched = !way.as_os_str().is_empty();
        Some(found)
    }
}
