//! Which KEPs a change may matter for: those that it changes, and those that name what it changes.

use super::changed::Changed;
use crate::kep::directory::{PROD_READINESS, review, templates};
use crate::kep::metadata::Metadata;
use crate::kep::{number, reference};
use crate::repository::{ReviewFile, WITHOUT_TOC};
use crate::workspace::directory::KepDirectory;
use crate::workspace::discover::BESIDE_KEPS;
use crate::workspace::files::Source;
use crate::workspace::files::opened::Opened;
use crate::workspace::kep_files;
use crate::workspace::paths::{RealPath, shown};
use crate::workspace::pool::each;
use crate::workspace::trees::Repositories;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The file by which git may change what is on disk, so that it compares something else than what is read.
const ATTRIBUTES: &str = ".gitattributes";

#[derive(Debug)]
pub struct Selection {
    pub keps: Vec<KepDirectory>,
    /// Where those are that are changed themselves.
    pub touched: HashSet<RealPath>,
    /// Whether something was changed that matters for all KEPs.
    pub is_whole: bool,
    /// The numbers of KEPs that no longer exist.
    pub numbers: BTreeSet<String>,
    /// Whether something is touched that is where no KEP is looked for.
    pub is_misplaced: bool,
}

impl Selection {
    pub fn retain_common(&mut self, other: &Self) {
        let places: HashSet<&RealPath> = other.keps.iter().map(|kep| &kep.real).collect();
        self.keps.retain(|kep| places.contains(&kep.real));
        self.numbers.retain(|number| other.numbers.contains(number));
        self.is_whole &= other.is_whole;
        self.is_misplaced &= other.is_misplaced;
    }
}

pub struct Changes<'a> {
    pub changed: &'a Changed,
    pub root: &'a RealPath,
    /// Files outside of the trees that matter for all KEPs, by absolute paths.
    pub shared: &'a [PathBuf],
}

impl Changes<'_> {
    /// The KEPs that are changed, or name what is gone. If only what is new since the `base` is wanted, which has these KEPs,
    /// also those in which something may be new because of a change elsewhere.
    pub fn select(
        &self,
        keps: &[KepDirectory],
        repositories: &Repositories,
        base: Option<&BTreeMap<RealPath, KepDirectory>>,
    ) -> Selection {
        let trees: BTreeSet<RealPath> = keps.iter().filter_map(|kep| Some(kep.tree()?.0.clone())).collect();
        let is_in_tree = |path: &&PathBuf| trees.iter().any(|tree| self.root.join(path).starts_with(tree));
        let deleted: Vec<&PathBuf> = self.changed.gone.iter().filter(is_in_tree).collect();
        // A directory may have other files yet that make no KEP.
        let known: BTreeSet<&str> = keps.iter().filter_map(|kep| number::of_directory(&kep.name)).collect();
        let parts: BTreeSet<&str> = deleted.iter().flat_map(|path| path.iter().filter_map(OsStr::to_str)).collect();
        let numbers = parts.iter().filter_map(|name| number::of_directory(name));
        let numbers: BTreeSet<String> = numbers.filter(|it| !known.contains(it)).map(str::to_owned).collect();
        let is_misplaced = repositories.misplaced().any(|place| self.changed.has_touched(self.root, &place));
        let is_near = |around: &Path| keps.iter().any(|kep| kep.real.starts_with(around));
        let decides = |source: &Source| !self.deciding(&trees, &is_near, source, source).is_empty();
        // Git tells of a changed link, and not of the files that it leads to now.
        let is_whole = !self.changed.links.is_empty() || keps.first().is_some_and(|kep| decides(&kep.source));
        let mut selected: BTreeSet<usize> = self.by_files(keps);
        selected.extend(self.by_reviews(&trees, keps, repositories));
        let touched = selected.iter().filter_map(|at| Some(keps.get(*at)?.real.clone())).collect();
        if is_whole || (base.is_some() && !deleted.is_empty()) {
            return Selection { keps: keps.to_vec(), touched, is_whole, numbers, is_misplaced };
        }
        let names = match base {
            Some(base) => Names::of_changed(selected.iter().filter_map(|at| keps.get(*at)), base),
            None => {
                let there: BTreeSet<&str> = keps.iter().map(|kep| kep.name.as_str()).collect();
                let gone = parts.difference(&there).filter(|name| number::of_directory(name).is_some());
                let directories = gone.map(|name| (*name).to_owned());
                let files = deleted.iter().map(|path| as_linked(&shown(path)).to_owned());
                Names { words: any_of(&directories.chain(files).collect()), numbers: numbers.clone() }
            }
        };
        selected.extend(where_true(keps, |kep| names.are_in(kep)));
        let keps = selected.into_iter().filter_map(|at| keps.get(at).cloned());
        Selection { keps: keps.collect(), touched, is_whole, numbers, is_misplaced }
    }

    /// Whether a finding in a file of no KEP is about the change.
    pub fn is_about(&self, selection: &Selection, file: &Path) -> bool {
        let number = file.file_stem().map(|name| number::without_zeros(&name.to_string_lossy()).to_owned());
        let is_review = file.iter().any(|name| name == PROD_READINESS);
        selection.is_whole
            || self.changed.has_touched(self.root, file)
            || self.shared.iter().any(|shared| shared == file)
            || (is_review && number.is_some_and(|number| selection.numbers.contains(&number)))
    }

    /// Whether the change can matter without touching a KEP: a PRR file may have none.
    pub fn has_review(&self) -> bool {
        self.changed.touched.iter().any(|path| path.iter().any(|name| name == PROD_READINESS))
    }

    /// What was changed that decides what is asked of all KEPs of a directory, by absolute paths: beside the trees, in a
    /// directory that is near, or named by options. It may be a link.
    pub fn deciding(
        &self,
        trees: &BTreeSet<RealPath>,
        is_near: &dyn Fn(&Path) -> bool,
        source: &Source,
        base: &Source,
    ) -> BTreeSet<PathBuf> {
        let decides = |place: &PathBuf| {
            let around = place.parent().unwrap_or(self.root);
            let is_named = place
                .file_name()
                .is_some_and(|name| BESIDE_KEPS.iter().chain(&[ATTRIBUTES]).any(|shared| name == *shared));
            let is_inside = trees.iter().any(|tree| around.starts_with(tree)) && place.ends_with(ATTRIBUTES);
            (is_named && is_near(around)) || is_inside || self.shared.contains(place)
        };
        let places = self.changed.touched.iter().map(|path| self.root.join(path));
        let mut deciding: BTreeSet<PathBuf> = places.filter(decides).collect();
        let of_tree = |tree: &RealPath| {
            let around = tree.ancestors().take_while(|around| around.starts_with(self.root));
            let shared = around.flat_map(|around| {
                BESIDE_KEPS.iter().chain(&[ATTRIBUTES, WITHOUT_TOC]).map(move |name| around.join(name))
            });
            let templates = templates(source.names(tree)).into_iter().map(|name| tree.join(name));
            let files = templates.flat_map(|directory| ["README.md", "kep.yaml"].map(|name| directory.join(name)));
            shared.chain(files).collect::<Vec<_>>()
        };
        // A link on the way to it may lead elsewhere now.
        let is_touched = |path: &PathBuf| self.has_touched(path, source) || base.real(path) != source.real(path);
        deciding.extend(trees.iter().flat_map(of_tree).filter(is_touched));
        deciding
    }

    /// Whether a file was touched, or what it links to, maybe by way of a link that was.
    fn has_touched(&self, path: &Path, source: &Source) -> bool {
        let real = source.real(path);
        self.changed.has_touched(self.root, path)
            || self.changed.has_touched(self.root, &real)
            || (!self.changed.links.is_empty() && *path != *real)
    }

    /// The KEPs with a changed path in their directory, or a file that is a link to one. What is in a directory of theirs is
    /// part of the innermost KEP.
    fn by_files(&self, keps: &[KepDirectory]) -> BTreeSet<usize> {
        let places: HashMap<&Path, usize> = keps.iter().enumerate().map(|(at, kep)| (kep.real.as_path(), at)).collect();
        let kep_around = |path: &PathBuf| {
            let place = self.root.join(path);
            place.ancestors().skip(1).find_map(|around| places.get(around).copied())
        };
        let mut touched: BTreeSet<usize> = self.changed.touched.iter().filter_map(kep_around).collect();
        let links_to_touched =
            |kep: &KepDirectory| kep.files.all().any(|file| self.changed.has_touched(self.root, &kep.place_of(file)));
        touched.extend(where_true(keps, links_to_touched));
        touched
    }

    /// The KEPs with the numbers of touched PRR files.
    fn by_reviews(&self, trees: &BTreeSet<RealPath>, keps: &[KepDirectory], repositories: &Repositories) -> Vec<usize> {
        let numbers = |tree: &RealPath| self.reviews(&tree.join(PROD_READINESS), keps, repositories);
        let touched: HashMap<&RealPath, BTreeSet<String>> = trees.iter().map(|tree| (tree, numbers(tree))).collect();
        if touched.values().all(BTreeSet::is_empty) {
            return Vec::new();
        }
        // Upstream looks for the PRR file by the number in kep.yaml, which may differ from that of the directory.
        let is_reviewed = |kep: &KepDirectory| {
            let Some(reviews) = kep.tree().and_then(|(tree, _)| touched.get(tree)) else { return false };
            let is_named = number::of_directory(&kep.name).is_some_and(|number| reviews.contains(number));
            // Few kep.yaml are parsed.
            let may_have = |opened: Opened| reviews.iter().any(|number| opened.file.text.contains(number));
            is_named
                || (kep.metadata().and_then(Result::ok).is_some_and(may_have)
                    && kep_files::numbers(kep).any(|number| reviews.contains(&number)))
        };
        where_true(keps, is_reviewed).collect()
    }

    /// The numbers of the touched PRR files of a tree, and of those that link to a touched file.
    fn reviews(&self, directory: &Path, keps: &[KepDirectory], repositories: &Repositories) -> BTreeSet<String> {
        let touched = self.changed.touched.iter().map(|path| self.root.join(path));
        let number = |path: &Path| {
            let (_, name) = review(path.strip_prefix(directory).ok()?)?;
            Some(number::without_zeros(&name).to_owned())
        };
        let mut found: BTreeSet<String> = touched.filter_map(|path| number(&path)).collect();
        let own = keps.iter().find(|kep| kep.tree().is_some_and(|(tree, _)| directory.starts_with(tree)));
        let Some(kep) = own else { return found };
        let place = |file: &ReviewFile| directory.join(&file.sig).join(format!("{}.yaml", file.name));
        let paths = repositories.of(kep).reviews.iter().flat_map(BTreeMap::values).flatten().map(place);
        found.extend(paths.filter(|path| self.has_touched(path, &kep.source)).filter_map(|path| number(&path)));
        found
    }
}

/// Those of the `keps` for which the answer is yes, by their places among them.
fn where_true(
    keps: &[KepDirectory],
    question: impl Fn(&KepDirectory) -> bool + Sync + Send,
) -> impl Iterator<Item = usize> {
    each(keps, question).into_iter().enumerate().filter(|(_, answer)| *answer).map(|(at, _)| at)
}

/// What KEPs may name of a change. Their texts are searched for it and not parsed: to find a KEP needlessly does no harm.
struct Names {
    /// What is named in any text: parts of paths, and feature gates. `None` if there is nothing.
    words: Option<Regex>,
    /// The numbers of KEPs, without leading zeros, which kep.yaml may name.
    numbers: BTreeSet<String>,
}

impl Names {
    /// Those of KEPs that were changed, and of the gates that they name since then, or no longer.
    fn of_changed<'k>(
        changed: impl Iterator<Item = &'k KepDirectory>,
        base: &BTreeMap<RealPath, KepDirectory>,
    ) -> Self {
        let (mut words, mut numbers) = (BTreeSet::new(), BTreeSet::new());
        for kep in changed {
            let earlier = base.get(&kep.real);
            words.insert(kep.name.clone());
            numbers.extend([Some(kep), earlier].into_iter().flatten().flat_map(kep_files::numbers));
            let (new, old) =
                (kep_files::brief(kep).unwrap_or_default(), earlier.and_then(kep_files::brief).unwrap_or_default());
            if (&new.gates, new.is_open) != (&old.gates, old.is_open) {
                words.extend(new.gates.into_iter().chain(old.gates));
            }
        }
        Self { words: any_of(&words), numbers }
    }

    /// Whether a KEP names one of them.
    fn are_in(&self, kep: &KepDirectory) -> bool {
        if self.words.is_none() && self.numbers.is_empty() {
            return false;
        }
        let texts = kep_files::read_kep(kep).texts;
        let has_word = |text: &str| self.words.as_ref().is_some_and(|words| words.is_match(text));
        let metadata = texts.metadata.file();
        let mut files = texts.readme.file().into_iter().chain(metadata).chain(texts.documents.iter().copied());
        if files.any(|file| has_word(&texts.file(file).text)) {
            return true;
        }
        let Some(id) = metadata else { return false };
        let text = &texts.file(id).text;
        // Few kep.yaml are parsed.
        if !self.numbers.iter().any(|number| text.contains(number)) {
            return false;
        }
        let Metadata { see_also, replaces, superseded_by, .. } = Metadata::parse(id, text);
        [see_also, replaces, superseded_by].iter().flat_map(|list| &list.items).any(|item| {
            reference::is_number(&item.text) && self.numbers.contains(number::without_zeros(item.text.trim()))
        })
    }
}

/// A path from the root on as links have it in their ends: from the directory of its KEP on, whose name is seldom that of
/// anything else, as README.md is.
fn as_linked(path: &str) -> &str {
    let mut start = 0;
    for part in path.split_inclusive('/') {
        if number::of_directory(part.trim_end_matches('/')).is_some() {
            return path.get(start..).unwrap_or(path);
        }
        start += part.len();
    }
    let below = path.split_once('/').map_or(path, |(_, below)| below);
    if below.contains('/') { below } else { path }
}

/// What finds one of these words. Too many of them are found in every text.
fn any_of(words: &BTreeSet<String>) -> Option<Regex> {
    if words.is_empty() {
        return None;
    }
    let pattern = words.iter().map(|word| regex::escape(word)).collect::<Vec<_>>().join("|");
    Regex::new(&pattern).or_else(|_| Regex::new("")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_named_from_its_kep_on() {
        for (path, name) in [
            ("keps/sig-a/1-x", "1-x"),
            ("keps/sig-a/1-x/docs/a.png", "1-x/docs/a.png"),
            ("keps/sig-a/README.md", "sig-a/README.md"),
            ("keps/README.md", "keps/README.md"),
        ] {
            assert_eq!(as_linked(path), name);
        }
    }
}
