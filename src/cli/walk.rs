//! Lists all that is in a directory: each real directory once, even if several links lead to it, and nothing outside of
//! the repository.

use super::bounds;
use super::edge::{Edge, Unresolved};
use super::error;
use super::listing::{self, Listed};
use super::path::leads_out;
use crate::diagnostic::Failure;
use crate::report::counted;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::io;
use std::path::{Path, PathBuf};

/// What a walk found.
#[derive(Debug, Default)]
pub struct Walk {
    /// The directory without links.
    pub root: PathBuf,
    /// All that is in it, as paths from the root on. If a link leads to a directory that is in it anyway, the files of
    /// that directory are listed once.
    pub paths: Vec<PathBuf>,
    /// Those links: where they are, and the directories that they lead to, both from the root on.
    pub aliases: Vec<(PathBuf, PathBuf)>,
    /// The real place of each directory that was listed, by its path as given.
    pub places: HashMap<PathBuf, PathBuf>,
    /// Paths that could not be read.
    pub failures: Vec<Failure>,
    /// Links to directories outside of the repository.
    outside: Vec<PathBuf>,
    /// How many entries there were.
    entries: usize,
}

/// A directory that is still to be listed.
struct Start {
    given: PathBuf,
    real: PathBuf,
}

impl Walk {
    /// Lists `root`, as far as it is within `edge`.
    pub fn over(root: &Path, edge: &Edge) -> Self {
        let mut walk = Self::default();
        match edge.resolve(root) {
            Ok(real) => walk.root = real,
            Err(Unresolved::Outside(repository)) => {
                walk.failures.push(leads_out(root, &repository).help("name the directory that it leads to"));
                return walk;
            }
            Err(Unresolved::Broken(error)) => {
                walk.failures.push(error::io("read", root, &error));
                return walk;
            }
        }
        // By its real place, the path as given of each directory that was listed.
        let mut seen: HashMap<PathBuf, PathBuf> = HashMap::new();
        let mut starts = VecDeque::from([Start { given: root.to_owned(), real: walk.root.clone() }]);
        let mut links: VecDeque<PathBuf> = VecDeque::new();
        loop {
            // What can be reached without a link comes first, so that it is listed under its own path.
            if let Some(start) = starts.pop_front() {
                walk.directory(root, &start, &mut seen, &mut links);
            } else if let Some(link) = links.pop_front() {
                starts.extend(walk.link(root, link, edge, &seen));
            } else {
                break;
            }
        }
        walk.places = seen.into_iter().map(|(real, given)| (given, real)).collect();
        walk.failures.extend(outside(&walk.outside, edge));
        walk
    }

    /// `files` and their directories, by their paths from `root` on; none of them is a link.
    pub fn of<'a>(root: &Path, files: impl Iterator<Item = &'a Path>) -> Self {
        let paths: BTreeSet<&Path> =
            files.flat_map(Path::ancestors).filter(|path| !path.as_os_str().is_empty()).collect();
        let directories = paths.iter().filter_map(|path| path.parent()).map(|directory| root.join(directory));
        let places = directories.map(|directory| (directory.clone(), directory)).collect();
        let paths = paths.into_iter().map(Path::to_owned).collect();
        Self { root: root.to_owned(), paths, places, ..Self::default() }
    }

    /// Adds the file that is at `way` from `root` on, with the directories around it.
    pub fn insert(&mut self, root: &Path, way: &Path) {
        for path in way.ancestors().filter(|path| !path.as_os_str().is_empty()) {
            if !self.paths.iter().any(|known| known == path) {
                self.paths.push(path.to_owned());
            }
        }
        for directory in way.ancestors().skip(1) {
            let real = self.root.join(directory);
            self.places.entry(root.join(directory)).or_insert(real);
        }
        self.paths.sort();
    }

    fn directory(
        &mut self,
        root: &Path,
        start: &Start,
        seen: &mut HashMap<PathBuf, PathBuf>,
        links: &mut VecDeque<PathBuf>,
    ) {
        let real = |path: &Path| start.real.join(path.strip_prefix(&start.given).unwrap_or(Path::new("")));
        let is_left_out = |path: &Path| path.ends_with(".git") || seen.contains_key(&real(path));
        let listed = listing::below(&start.given, &is_left_out, bounds::WALK_ENTRIES - self.entries);
        seen.insert(start.real.clone(), start.given.clone());
        for listed in listed {
            if self.entries == bounds::WALK_ENTRIES {
                return self.stop(root);
            }
            self.entries += 1;
            match listed {
                Listed::Directory(path) => {
                    self.add(root, &path);
                    seen.insert(real(&path), path);
                }
                Listed::Link(path) => links.push_back(path),
                Listed::File(path) => self.add(root, &path),
                Listed::Unreadable(path, error) => self.failures.push(unreadable(&path, &error)),
            }
        }
    }

    /// Where to go on if `link` leads to a directory that is not known yet.
    fn link(&mut self, root: &Path, link: PathBuf, edge: &Edge, seen: &HashMap<PathBuf, PathBuf>) -> Option<Start> {
        self.add(root, &link);
        match edge.resolve(&link) {
            Ok(real) if !real.is_dir() => None,
            Ok(real) => match seen.get(&real) {
                Some(given) => {
                    let from_root = |path: &Path| path.strip_prefix(root).map(Path::to_owned).ok();
                    self.aliases.extend(from_root(&link).zip(from_root(given)));
                    None
                }
                // A link out of the tree and around it again.
                None if self.root.starts_with(&real) => None,
                None => Some(Start { given: link, real }),
            },
            // A dangling link, or one that should be a file, is reported where it is read.
            Err(Unresolved::Broken(_)) => None,
            Err(Unresolved::Outside(_)) => {
                self.outside.extend(link.is_dir().then_some(link));
                None
            }
        }
    }

    fn add(&mut self, root: &Path, path: &Path) {
        self.paths.extend(path.strip_prefix(root).map(Path::to_owned));
    }

    fn stop(&mut self, root: &Path) {
        let reason = format!("it has more than {} files and directories", bounds::WALK_ENTRIES);
        let failure = Failure::of("look through all of", root, &reason);
        let failure = failure.help("name the directories to check, or move other files elsewhere");
        if !self.failures.contains(&failure) {
            self.failures.push(failure);
        }
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    error::io("read", path, error).help("make it readable, or name the directories beside it")
}

/// One failure for all links to directories outside.
fn outside(links: &[PathBuf], edge: &Edge) -> Option<Failure> {
    let first = links.first()?;
    let failure = leads_out(first, edge.root());
    Some(match links.len() {
        1 => failure,
        count => failure.help(format!("remove it and {} like it", counted(count - 1, "other link", "other links"))),
    })
}
