//! The KEPs of a directory that is looked through.

use super::directory::{KepDirectory, around, is_root};
use super::files::Source;
use super::paths::{RealPath, joined, tree_of};
use super::pool::each;
use super::walk::Walk;
use crate::diagnostic::Failure;
use crate::kep::directory::{self, Found, KepFiles};
use crate::kep::visited::{Visited, visited};
use crate::repository::paths::by_parts;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a walk over a directory finds.
#[derive(Debug)]
pub struct Walked {
    pub keps: Vec<KepDirectory>,
    /// The root itself if it has a README; it counts if there is no other KEP.
    pub root: Option<KepDirectory>,
    pub walk: Arc<Walk>,
    pub failures: Vec<Failure>,
    /// The tree that all of it is in.
    tree: Option<RealPath>,
}

/// What was looked through to find KEPs, so that it is not looked through again to read what is around them.
#[derive(Clone, Debug, Default)]
pub struct Looked {
    /// Directories of which all KEPs are meant.
    pub walks: Vec<Arc<Walk>>,
    /// Directories in which a few KEPs were looked up.
    pub trees: Vec<Arc<Walked>>,
}

impl Looked {
    pub fn walks(&self) -> Walks<'_> {
        // Of several walks over one directory the first counts.
        Walks(self.walks.iter().rev().map(|walk| (&walk.root, walk)).collect())
    }
}

pub struct Walks<'a>(HashMap<&'a RealPath, &'a Arc<Walk>>);

impl Walks<'_> {
    pub fn around(&self, root: &RealPath) -> Option<Arc<Walk>> {
        root.ancestors().find_map(|around| self.0.get(&around).copied()).cloned()
    }
}

/// Which of the directories with files of KEPs count.
type Choice = fn(&mut Walked, &Path, BTreeMap<PathBuf, KepFiles>, &Source);

impl Walked {
    pub fn walk(root: &Path, source: &Source) -> Self {
        Self::over(root, source, Self::choose)
    }

    /// Looks through `root` for all that upstream's scripts look at.
    pub fn visit(root: &Path, source: &Source) -> Self {
        Self::over(root, source, Self::choose_visited)
    }

    fn over(root: &Path, source: &Source, choose: Choice) -> Self {
        let mut walk = source.list(root);
        let named = walk.paths.iter().filter(|path| path.file_name().is_some_and(directory::matters));
        let mut named: Vec<(&Path, &Path)> = named.filter_map(|path| Some((path.parent()?, path.as_path()))).collect();
        // What is in a directory in it may be between its files.
        named.sort_by(|(one, _), (other, _)| by_parts(one, other));
        let by_directory: Vec<_> = named.chunk_by(|(one, _), (other, _)| one == other).collect();
        let files = each(&by_directory, |files| {
            let directory = joined(root, files.first()?.0);
            let mut found = KepFiles::default();
            files.iter().for_each(|(_, file)| found.add(root.join(file)));
            Some((directory, found))
        });
        let directories: BTreeMap<PathBuf, KepFiles> = files.into_iter().flatten().collect();
        let mut failures = std::mem::take(&mut walk.failures);
        failures.extend(walk.links.iter().map(|link| walk.failure(link)));
        // The outermost tree in the repository around the root is that of all below it.
        let tree = tree_of(&walk.root, |around| source.holds(around));
        let tree = tree.filter(|tree| tree.parent().is_some_and(|around| source.holds(&around)));
        let mut walked = Self { keps: Vec::new(), root: None, walk: Arc::new(walk), failures, tree };
        choose(&mut walked, root, directories, source);
        walked
    }

    fn choose_visited(&mut self, root: &Path, directories: BTreeMap<PathBuf, KepFiles>, source: &Source) {
        let real = |directory: &Path| place(&self.walk, directory, source);
        let entry = |Visited { directory, files, is_kep }: Visited| {
            let mut found = self.found(files, &directory, source);
            (found.is_searched, found.is_loose) = (directory != root, !is_kep);
            found
        };
        let mut own = directories.clone();
        own.extend(around(&self.walk.root, source).into_iter().map(|(directory, files)| (directory.into(), files)));
        let found = visited(own, &|directory| real(directory).into())
            .into_iter()
            .filter(|found| directories.contains_key(&found.directory));
        self.keps = found.map(entry).collect();
        if self.keps.is_empty() {
            self.choose(root, directories, source);
        }
    }

    fn choose(&mut self, root: &Path, mut directories: BTreeMap<PathBuf, KepFiles>, source: &Source) {
        directories.retain(|directory, _| !directory.strip_prefix(root).is_ok_and(directory::is_test_data));
        let real = |directory: &Path| place(&self.walk, directory, source);
        let own =
            directories.get(root).filter(|files| files.is_named_kep(&real(root)) && !is_root(root, source)).cloned();
        let own = own.map(|files| KepDirectory::new(files, root, real(root), source));
        let mut keps = Vec::new();
        for Found { directory, files, .. } in directory::keps(directories, &|directory| real(directory).into()) {
            let mut found = self.found(files, &directory, source);
            found.is_searched = directory != root;
            keps.push(found);
        }
        (self.keps, self.root) = (keps, own);
    }

    fn found(&self, files: KepFiles, directory: &Path, source: &Source) -> KepDirectory {
        let found = KepDirectory::new(files, directory, place(&self.walk, directory, source), source);
        match &self.tree {
            Some(tree) => found.in_tree(tree),
            None => found,
        }
    }
}

/// Where a directory is, which was listed or is around those that were.
fn place(walk: &Walk, directory: &Path, source: &Source) -> RealPath {
    walk.place(directory).unwrap_or_else(|| source.real(directory))
}
