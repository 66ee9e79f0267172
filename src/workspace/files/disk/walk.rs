//! Lists all that is in a directory on disk: each real directory once, even if several links lead to it, and nothing outside
//! of the repository.

use super::listing::{self, Listed};
use crate::bounds;
use crate::diagnostic::{Failure, counted};
use crate::span::tail;
use crate::workspace::edge::{Edge, Unresolved};
use crate::workspace::failure::{self, leads_out};
use crate::workspace::paths::{GivenPath, RealPath, joined};
use crate::workspace::walk::Walk;
use std::collections::{HashMap, VecDeque};
use std::io;
use std::path::{Path, PathBuf};

/// A walk that has not ended.
struct Walking {
    walk: Walk,
    /// Links to directories outside of the repository.
    outside: Vec<PathBuf>,
}

/// A directory that is still to be listed.
struct Start {
    given: GivenPath,
    real: RealPath,
}

/// Something that was listed; its way is from the walk's root on.
enum Entry {
    Directory { way: PathBuf, given: GivenPath, real: RealPath },
    Link(PathBuf),
    File { way: PathBuf },
    Unreadable(Failure),
}

/// Lists `root`, as far as it is within `edge`.
pub fn over(root: &Path, edge: &Edge) -> Walk {
    let mut walk = Walk::default();
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
    // The directories that were listed.
    let mut listed: Vec<(GivenPath, RealPath)> = Vec::new();
    // The same by their places, which only links ask for.
    let mut seen: HashMap<RealPath, GivenPath> = HashMap::new();
    let mut starts = VecDeque::from([Start { given: GivenPath::new(root), real: walk.root.clone() }]);
    let mut links: VecDeque<PathBuf> = VecDeque::new();
    let mut walking = Walking { walk, outside: Vec::new() };
    loop {
        // What can be reached without a link comes first, so that it is listed under its own path.
        if let Some(start) = starts.pop_front() {
            walking.directory(root, &start, &seen, &mut listed, &mut links);
        } else if let Some(link) = links.pop_front() {
            seen.extend(tail(&listed, seen.len()).iter().map(|(given, real)| (real.clone(), given.clone())));
            starts.extend(walking.link(root, link, edge, &seen));
        } else {
            break;
        }
    }
    walking.walk.places = listed.into_iter().map(|(given, real)| (PathBuf::from(given).into(), real)).collect();
    walking.walk.failures.extend(outside(&walking.outside, edge));
    walking.walk
}

impl Walking {
    fn directory(
        &mut self,
        root: &Path,
        start: &Start,
        seen: &HashMap<RealPath, GivenPath>,
        directories: &mut Vec<(GivenPath, RealPath)>,
        links: &mut VecDeque<PathBuf>,
    ) {
        let is_git = |way: &Path| way.file_name().is_some_and(|name| name == ".git");
        let is_left_out = |way: &Path| is_git(way) || (!seen.is_empty() && seen.contains_key(&start.real.below(way)));
        let to_start = start.given.strip_prefix(root).unwrap_or(&start.given);
        let from_root = |way: PathBuf| if to_start.as_os_str().is_empty() { way } else { to_start.join(way) };
        let entry_of = |listed: Listed| match listed {
            Listed::Directory(way) => {
                let (given, real) = (GivenPath::new(start.given.join(&way)), start.real.below(&way));
                Entry::Directory { way: from_root(way), given, real }
            }
            Listed::Link(way) => Entry::Link(start.given.join(way)),
            Listed::File(way) => Entry::File { way: from_root(way) },
            Listed::Unreadable(way, error) => Entry::Unreadable(unreadable(&joined(&start.given, &way), &error)),
        };
        let entries = listing::below(&start.given, &is_left_out, &entry_of, bounds::WALK_ENTRIES - self.walk.entries);
        directories.push((start.given.clone(), start.real.clone()));
        self.walk.paths.reserve(entries.len());
        for entry in entries {
            if self.walk.entries == bounds::WALK_ENTRIES {
                return self.stop(root);
            }
            self.walk.entries += 1;
            match entry {
                Entry::Directory { way, given, real } => {
                    self.walk.paths.push(way);
                    directories.push((given, real));
                }
                Entry::Link(path) => {
                    self.walk.has_links = true;
                    links.push_back(path);
                }
                Entry::File { way } => self.walk.paths.push(way),
                Entry::Unreadable(failure) => self.walk.failures.push(failure),
            }
        }
    }

    /// Where to go on if `link` leads to a directory that is not known yet.
    fn link(&mut self, root: &Path, link: PathBuf, edge: &Edge, seen: &HashMap<RealPath, GivenPath>) -> Option<Start> {
        self.walk.paths.extend(link.strip_prefix(root).map(Path::to_owned));
        match edge.resolve(&link) {
            Ok(real) if !real.is_dir() => None,
            Ok(real) => match seen.get(&real) {
                Some(given) => {
                    let from_root = |path: &Path| path.strip_prefix(root).map(Path::to_owned).ok();
                    self.walk.aliases.extend(from_root(&link).zip(from_root(given)));
                    None
                }
                // A link out of the tree and around it again.
                None if self.walk.root.starts_with(&real) => None,
                None => Some(Start { given: GivenPath::new(link), real }),
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
        if !self.walk.failures.contains(&failure) {
            self.walk.failures.push(failure);
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
