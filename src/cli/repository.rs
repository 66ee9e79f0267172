//! Reads what is known of the repositories of the KEPs, once per run: PRR files, aliases, groups, paths.

use super::bounds;
use super::directory::KepDirectory;
use super::edge::{Edge, Unresolved};
use super::error;
use super::files::{self, Opened};
use super::path::{leads_out, shown};
use super::walk::Walk;
use crate::diagnostic::Failure;
use crate::kep::directory::{PROD_READINESS, review};
use crate::repository::Repository;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The trees of a run, by their directory `keps` without symlinks.
pub struct Repositories {
    known: BTreeMap<PathBuf, Repository>,
    /// For KEPs in no tree.
    other: Repository,
    /// Files that could not be read.
    pub failures: Vec<Failure>,
}

impl Repositories {
    /// The tree that `kep` lies in.
    pub fn of(&self, kep: &KepDirectory) -> &Repository {
        kep.tree().and_then(|(keps, _)| self.known.get(keps)).unwrap_or(&self.other)
    }

    /// The trees that KEPs lie in.
    pub fn iter(&self) -> impl Iterator<Item = &Repository> {
        self.known.values()
    }
}

/// Reads the trees that `keps` lie in.
pub fn collect(keps: &[KepDirectory], walks: &[Walk]) -> Repositories {
    let mut trees: BTreeMap<PathBuf, Vec<&KepDirectory>> = BTreeMap::new();
    for kep in keps {
        if let Some((root, _)) = kep.tree() {
            trees.entry(root.to_owned()).or_default().push(kep);
        }
    }
    let mut known = BTreeMap::new();
    let mut failures = Vec::new();
    let walked = Walked::new(walks);
    for (root, keps) in trees {
        let Some((first, (_, way))) = keps.first().and_then(|first| Some((first, first.tree()?))) else { continue };
        let mut repository = read(&root, &as_given(first, &root, way), &first.edge, &mut failures);
        if let Some(walk) = walked.around(&root) {
            repository.set_keps(keps.iter().filter_map(|kep| Some(kep.tree()?.1)));
            let name = Path::new(root.file_name().unwrap_or_default());
            if let Ok(way) = root.strip_prefix(&walk.root) {
                let part = Part { walk, way, name };
                (repository.paths, repository.links) = (Some(part.paths()), part.links());
            }
        }
        known.insert(root, repository);
    }
    Repositories { known, other: Repository::default(), failures }
}

/// Walks by their roots.
struct Walked<'a>(HashMap<&'a Path, &'a Walk>);

impl<'a> Walked<'a> {
    fn new(walks: &'a [Walk]) -> Self {
        // Of several walks over one directory the first counts.
        Self(walks.iter().rev().map(|walk| (walk.root.as_path(), walk)).collect())
    }

    /// The walk that `root` was looked through by.
    fn around(&self, root: &Path) -> Option<&'a Walk> {
        root.ancestors().find_map(|around| self.0.get(around).copied())
    }
}

/// The directory `keps` as the command line spells it.
fn as_given(kep: &KepDirectory, root: &Path, way: &Path) -> PathBuf {
    let given = &kep.given;
    if given.ends_with(way) {
        return given.ancestors().nth(way.components().count()).unwrap_or(root).to_owned();
    }
    match given == Path::new(".") {
        true => way.iter().map(|_| "..").collect(),
        false => root.to_owned(),
    }
}

fn read(root: &Path, given: &Path, edge: &Edge, failures: &mut Vec<Failure>) -> Repository {
    let mut repository = Repository {
        reviews_directory: shown(&given.join(PROD_READINESS)),
        reviews: Some(BTreeMap::new()),
        ..Repository::default()
    };
    let reviews = review_paths(&given.join(PROD_READINESS), edge, failures);
    let reviews: Vec<_> = reviews
        .into_par_iter()
        .map(|(sig, name, path)| (sig, name, files::read(&path, edge, bounds::LIST_BYTES)))
        .collect();
    let mut left = bounds::REVIEW_BYTES;
    for (sig, name, opened) in reviews {
        match opened {
            Ok(Opened { file, .. }) => match left.checked_sub(file.text.len() as u64) {
                Some(rest) => {
                    left = rest;
                    repository.add_review(sig, name, file);
                }
                None => {
                    let size = bounds::size(bounds::REVIEW_BYTES);
                    let reason = format!("the PRR files have more than {size}");
                    failures.push(Failure::of("read all of", given.join(PROD_READINESS), &reason));
                    break;
                }
            },
            Err(failure) => failures.push(failure),
        }
    }
    // Where the path as given has `..` or is `.`, what it names as its parent is another directory.
    let around = given.parent().map(|parent| if parent.as_os_str().is_empty() { Path::new(".") } else { parent });
    let is_same = around.and_then(|around| around.canonicalize().ok()).as_deref() == root.parent();
    let around = if is_same { given.parent() } else { root.parent() }.unwrap_or(Path::new(""));
    let beside = |name: &str| around.join(name);
    let is_there = |path: &PathBuf| path.symlink_metadata().is_ok();
    let above = |name: &str| {
        let directories = root.ancestors().skip(1).take_while(|directory| edge.holds(directory));
        directories.map(|directory| directory.join(name)).find(is_there)
    };
    let mut list = |name: &str| {
        let path = Some(beside(name)).filter(is_there).or_else(|| above(name))?;
        let opened = files::read(&path, edge, bounds::LIST_BYTES);
        opened.map_err(|failure| failures.push(failure)).ok().map(|opened| opened.file)
    };
    repository.set_aliases(list("OWNERS_ALIASES"), &shown(&beside("OWNERS_ALIASES")));
    if let Some(file) = list("sigs.yaml") {
        repository.read_groups(&file.text);
    }
    repository
}

/// `prod-readiness/<sig>/<name>.yaml`, in order.
fn review_paths(directory: &Path, edge: &Edge, failures: &mut Vec<Failure>) -> Vec<(String, String, PathBuf)> {
    let mut entries = 0;
    let mut unread = Vec::new();
    let mut list = |directory: &Path| {
        let inside = match edge.resolve(directory) {
            Ok(real) if real.is_dir() => fs::read_dir(real)
                .map_err(|error| unread.push(error::io("read", directory, &error).help("make it readable")))
                .ok(),
            Err(Unresolved::Outside(root)) => {
                unread.push(leads_out(directory, &root));
                None
            }
            Ok(_) | Err(Unresolved::Broken(_)) => None,
        };
        let left = bounds::WALK_ENTRIES.saturating_sub(entries);
        let names = inside.into_iter().flatten().flatten().take(left).map(|entry| entry.file_name());
        let mut paths: Vec<PathBuf> = names.map(|name| directory.join(name)).collect();
        entries += paths.len();
        paths.sort();
        paths
    };
    let mut reviews = Vec::new();
    for sig in list(directory) {
        for path in list(&sig) {
            let review = path.strip_prefix(directory).ok().and_then(review);
            reviews.extend(review.map(|(sig, name)| (sig, name, path)));
        }
    }
    failures.extend(unread);
    if entries >= bounds::WALK_ENTRIES {
        let reason = format!("it has more than {} files and directories", bounds::WALK_ENTRIES);
        failures.push(Failure::of("look through all of", directory, &reason));
    }
    reviews
}

/// What of a walk lies in a tree.
struct Part<'a> {
    walk: &'a Walk,
    /// From the walk's root to the tree's.
    way: &'a Path,
    /// The name of the tree's root.
    name: &'a Path,
}

impl Part<'_> {
    /// Every path, from the name of the tree's root on.
    fn paths(&self) -> HashSet<String> {
        // The paths are in order, so that those of one directory are neighbours.
        let first = self.walk.paths.partition_point(|path| path.as_path() < self.way);
        self.walk.paths.iter().skip(first).map_while(|path| self.path(path)).collect()
    }

    /// The links to directories.
    fn links(&self) -> HashMap<String, String> {
        let first = self.walk.aliases.partition_point(|(link, _)| link.as_path() < self.way);
        let inside = self.walk.aliases.iter().skip(first).map_while(|(link, target)| Some((self.path(link)?, target)));
        inside.filter_map(|(link, target)| Some((link, self.path(target)?))).collect()
    }

    fn path(&self, path: &Path) -> Option<String> {
        path.strip_prefix(self.way).ok().map(|path| shown(&self.name.join(path)))
    }
}
