//! What is known of the trees that KEPs lie in, read once a run: production readiness reviews, aliases, groups, paths.

use super::discover::{KepDirectory, Walk};
use super::error::Failure;
use super::files::{self, shown};
use crate::kep::number;
use crate::tree::Tree;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The trees of a run, by their directory `keps` without symlinks.
pub struct Trees {
    known: Vec<(PathBuf, Tree)>,
    /// For KEPs in no tree.
    other: Tree,
    /// Files that could not be read.
    pub failures: Vec<Failure>,
}

impl Trees {
    /// The tree that `kep` lies in.
    pub fn of(&self, kep: &KepDirectory) -> &Tree {
        let keps = kep.tree().map(|(keps, _)| keps);
        self.known.iter().find(|(root, _)| Some(root.as_path()) == keps).map_or(&self.other, |(_, tree)| tree)
    }

    /// The trees that KEPs lie in.
    pub fn iter(&self) -> impl Iterator<Item = &Tree> {
        self.known.iter().map(|(_, tree)| tree)
    }
}

/// Reads the trees that `keps` lie in.
pub fn collect(keps: &[KepDirectory], walks: &[Walk]) -> Trees {
    let mut known: Vec<(PathBuf, Tree)> = Vec::new();
    let mut failures = Vec::new();
    for kep in keps {
        let Some((root, way)) = kep.tree() else { continue };
        if known.iter().any(|(other, _)| other == root) {
            continue;
        }
        let walk = walks.iter().find(|walk| root.starts_with(&walk.root));
        let mut tree = read(root, &as_given(kep, root, way), &mut failures);
        tree.numbers = walk.map(|_| numbers(keps, root));
        tree.paths = walk.map(|walk| paths(walk, root));
        known.push((root.to_owned(), tree));
    }
    Trees { known, other: Tree::default(), failures }
}

/// The directory `keps` as the command line spells it.
fn as_given(kep: &KepDirectory, root: &Path, way: &Path) -> PathBuf {
    let given = Path::new(&kep.shown);
    if given.ends_with(way) {
        return given.ancestors().nth(way.components().count()).unwrap_or(root).to_owned();
    }
    match given == Path::new(".") {
        true => way.iter().map(|_| "..").collect(),
        false => root.to_owned(),
    }
}

fn read(root: &Path, given: &Path, failures: &mut Vec<Failure>) -> Tree {
    let mut tree = Tree {
        reviews_directory: shown(&given.join("prod-readiness")),
        reviews: Some(BTreeMap::new()),
        ..Tree::default()
    };
    let reviews = review_paths(&given.join("prod-readiness"));
    let reviews: Vec<_> = reviews.into_par_iter().map(|(sig, name, path)| (sig, name, files::read(&path))).collect();
    let has_reviews = !reviews.is_empty();
    for (sig, name, file) in reviews {
        match file {
            Ok(file) => tree.add_review(sig, name, file),
            Err(failure) => failures.push(failure),
        }
    }
    let beside = |name: &str| given.parent().unwrap_or(Path::new("")).join(name);
    let above = |name: &str| root.ancestors().skip(1).map(|directory| directory.join(name)).find(|path| path.is_file());
    let find = |name: &str| Some(beside(name)).filter(|path| path.is_file()).or_else(|| above(name));
    match find("OWNERS_ALIASES").map(|path| files::read(&path)) {
        Some(Ok(file)) => tree.read_aliases(file),
        Some(Err(failure)) => failures.push(failure),
        None if has_reviews => tree.miss_aliases(shown(&beside("OWNERS_ALIASES"))),
        None => {}
    }
    match find("sigs.yaml").map(|path| files::read(&path)) {
        Some(Ok(file)) => tree.read_groups(&file.text),
        Some(Err(failure)) => failures.push(failure),
        None => {}
    }
    tree
}

/// `prod-readiness/<sig>/<name>.yaml`, in order.
fn review_paths(directory: &Path) -> Vec<(String, String, PathBuf)> {
    let list = |directory: &Path| {
        let entries = fs::read_dir(directory).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        paths
    };
    let mut reviews = Vec::new();
    for sig in list(directory) {
        for path in list(&sig) {
            let name = |path: &Path| path.file_stem().map(|name| name.to_string_lossy().into_owned());
            let is_yaml = path.extension().is_some_and(|extension| extension == "yaml");
            if let (true, Some(sig), Some(name)) = (is_yaml, name(&sig), name(&path)) {
                reviews.push((sig, name, path));
            }
        }
    }
    reviews
}

/// Every path of a walk that lies in `root`, from its own name on.
fn paths(walk: &Walk, root: &Path) -> HashSet<String> {
    let Ok(way) = root.strip_prefix(&walk.root) else { return Default::default() };
    let name = Path::new(root.file_name().unwrap_or_default());
    let inside = walk.paths.iter().filter_map(|path| path.strip_prefix(way).ok());
    inside.map(|path| shown(&name.join(path))).collect()
}

/// The numbers of the KEPs in `root`, and the SIGs' directories that have one of each.
fn numbers(keps: &[KepDirectory], root: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut numbers: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for kep in keps {
        let sig = kep.tree().filter(|(other, _)| *other == root).and_then(|(_, way)| way.iter().next());
        if let Some((number, sig)) = number::of_directory(&kep.name).zip(sig) {
            numbers.entry(number.to_owned()).or_default().insert(sig.to_string_lossy().into_owned());
        }
    }
    numbers
}
