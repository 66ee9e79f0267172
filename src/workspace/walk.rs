//! All that is in a directory. No link to a directory is followed.

use super::paths::{RealPath, joined, tree_of, way};
use crate::diagnostic::{Failure, named};
use crate::kep::directory::{KepFiles, is_inside, matters};
use crate::kep::layout::Layout;
use crate::repository::paths::by_parts;
use std::path::{Path, PathBuf};

/// What a walk found. All paths in it are from the directory on.
#[derive(Debug, Default)]
pub struct Walk {
    /// The directory, as the user would write it.
    pub given: PathBuf,
    pub root: RealPath,
    pub paths: Vec<PathBuf>,
    /// The links to directories that may hide KEPs.
    pub links: Vec<PathBuf>,
    pub failures: Vec<Failure>,
    /// Whether there is more in it than may be listed.
    pub is_cut: bool,
}

impl Walk {
    /// Nothing yet of the directory `given`, which is at `root`.
    pub fn new(given: &Path, root: RealPath) -> Self {
        Self { given: given.to_owned(), root, ..Self::default() }
    }

    /// Puts the paths in order, so that what is in a directory comes right after it.
    pub fn sort(&mut self) {
        self.paths.sort_by(|one, other| by_parts(one, other));
    }

    /// Adds the file that is at `way`, with the directories around it.
    pub fn insert(&mut self, way: &Path) {
        for path in way.ancestors().filter(|path| !path.as_os_str().is_empty()) {
            if !self.paths.iter().any(|known| known == path) {
                self.paths.push(path.to_owned());
            }
        }
    }

    /// Adds the link at `way` to the directory `target`, which is `None` outside of the repository; `holds`
    /// tells what is in that. A link that is in no tree of KEPs hides nothing if it leads to what is listed
    /// anyway.
    pub fn add_link(&mut self, way: &Path, target: Option<&RealPath>, holds: impl Fn(&RealPath) -> bool) {
        let around = self.root.below(way.parent().unwrap_or(Path::new("")));
        if tree_of(&around, &Layout::default(), holds).is_some()
            || target.is_none_or(|target| !target.starts_with(&self.root))
        {
            self.links.push(way.to_owned());
        }
    }

    /// What is told of one of the links.
    pub fn failure(&self, link: &Path) -> Failure {
        let path = joined(&self.given, link);
        let failure = Failure::new(format!("{} is a link to a directory", named(&path))).at(path);
        failure.help("put the directory itself there, or leave the link out")
    }

    /// All that is below a directory, from there on.
    pub fn below<'a>(&'a self, directory: &'a Path) -> impl Iterator<Item = &'a Path> {
        let first = self.paths.partition_point(|path| by_parts(path, directory).is_lt());
        let inside = self.paths.iter().skip(first).map_while(move |path| way(directory, path));
        inside.filter(|rest| !rest.as_os_str().is_empty())
    }

    pub fn has(&self, way: &Path) -> bool {
        self.paths.binary_search_by(|path| by_parts(path, way)).is_ok()
    }

    /// The directories with files that may be those of KEPs, in order and without links.
    pub fn directories(&self, layout: &Layout) -> Vec<(PathBuf, KepFiles)> {
        if let Some(documents) = layout.documents().filter(|documents| documents.file.is_none()) {
            // Each is a proposal of its own, in the place of a directory.
            let mut found = Vec::new();
            for path in &self.paths {
                let real = self.root.below(path);
                if documents.has(&real) {
                    let mut files = KepFiles::default();
                    files.add(joined(&self.given, path), layout);
                    found.push((real.into(), files));
                }
            }
            return found;
        }
        let mut found = vec![(Path::new(""), KepFiles::default())];
        // What may be a directory around the next path, by its place in what is found.
        let mut around = vec![0];
        for path in &self.paths {
            // What is in a directory comes right after it.
            let is_elsewhere = |at: &mut usize| found.get(*at).is_none_or(|(outer, _)| !is_inside(path, outer));
            while around.pop_if(is_elsewhere).is_some() {}
            if path.file_name().is_some_and(|name| matters(name, layout))
                && let Some((_, files)) = around.last().and_then(|at| found.get_mut(*at))
            {
                files.add(joined(&self.given, path), layout);
            }
            around.push(found.len());
            found.push((path, KepFiles::default()));
        }
        found.retain(|(_, files)| *files != KepFiles::default());
        found.into_iter().map(|(way, files)| (self.root.below(way).into(), files)).collect()
    }
}
