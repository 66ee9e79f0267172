//! Lists all that is in a directory: each real directory once, even if several links lead to it, and nothing outside of
//! the repository.

use super::bounds;
use super::edge::{Edge, Unresolved};
use super::failure::{self, leads_out};
use super::listing::{self, Listed};
use crate::diagnostic::{Failure, counted};
use crate::span::tail;
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
    /// Whether there are links, so that what is in a directory may be listed under another name.
    pub has_links: bool,
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

/// Something that was listed; its way is from the walk's root on.
enum Entry {
    Directory { way: PathBuf, given: PathBuf, real: PathBuf },
    Link(PathBuf),
    File { way: PathBuf },
    Unreadable(Failure),
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
                walk.failures.push(failure::io("read", root, &error));
                return walk;
            }
        }
        // The directories that were listed: as given, and their real places.
        let mut listed: Vec<(PathBuf, PathBuf)> = Vec::new();
        // The same by their real places, which only links ask for.
        let mut seen: HashMap<PathBuf, PathBuf> = HashMap::new();
        let mut starts = VecDeque::from([Start { given: root.to_owned(), real: walk.root.clone() }]);
        let mut links: VecDeque<PathBuf> = VecDeque::new();
        loop {
            // What can be reached without a link comes first, so that it is listed under its own path.
            if let Some(start) = starts.pop_front() {
                walk.directory(root, &start, &seen, &mut listed, &mut links);
            } else if let Some(link) = links.pop_front() {
                seen.extend(tail(&listed, seen.len()).iter().map(|(given, real)| (real.clone(), given.clone())));
                starts.extend(walk.link(root, link, edge, &seen));
            } else {
                break;
            }
        }
        walk.places = listed.into_iter().collect();
        walk.failures.extend(outside(&walk.outside, edge));
        walk
    }

    /// Whether all that is in the directory is listed, and under its own path.
    pub fn is_plain(&self) -> bool {
        !self.has_links && self.entries.max(self.paths.len()) < bounds::WALK_ENTRIES
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
        seen: &HashMap<PathBuf, PathBuf>,
        directories: &mut Vec<(PathBuf, PathBuf)>,
        links: &mut VecDeque<PathBuf>,
    ) {
        let real = |path: &Path| start.real.join(path.strip_prefix(&start.given).unwrap_or(Path::new("")));
        let is_left_out = |path: &Path| path.ends_with(".git") || (!seen.is_empty() && seen.contains_key(&real(path)));
        let from_root = |path: &Path| path.strip_prefix(root).unwrap_or(path).to_owned();
        let entry = |listed: Listed| match listed {
            Listed::Directory(path) => Entry::Directory { way: from_root(&path), real: real(&path), given: path },
            Listed::Link(path) => Entry::Link(path),
            Listed::File(path) => Entry::File { way: from_root(&path) },
            Listed::Unreadable(path, error) => Entry::Unreadable(unreadable(&path, &error)),
        };
        let entries = listing::below(&start.given, &is_left_out, &entry, bounds::WALK_ENTRIES - self.entries);
        directories.push((start.given.clone(), start.real.clone()));
        self.paths.reserve(entries.len());
        for entry in entries {
            if self.entries == bounds::WALK_ENTRIES {
                return self.stop(root);
            }
            self.entries += 1;
            match entry {
                Entry::Directory { way, given, real } => {
                    self.paths.push(way);
                    directories.push((given, real));
                }
                Entry::Link(path) => {
                    self.has_links = true;
                    links.push_back(path);
                }
                Entry::File { way } => self.paths.push(way),
                Entry::Unreadable(failure) => self.failures.push(failure),
            }
        }
    }

    /// Where to go on if `link` leads to a directory that is not known yet.
    fn link(&mut self, root: &Path, link: PathBuf, edge: &Edge, seen: &HashMap<PathBuf, PathBuf>) -> Option<Start> {
        self.paths.extend(link.strip_prefix(root).map(Path::to_owned));
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
    failure::io("read", path, error).help("make it readable, or name the directories beside it")
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
