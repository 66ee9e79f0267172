//! What KEPs may name of a change. Their texts are searched for it and not parsed: to find a KEP needlessly does no harm.

use crate::kep::metadata::Metadata;
use crate::kep::{number, reference};
use crate::workspace::directory::KepDirectory;
use crate::workspace::kep_files;
use crate::workspace::paths::{RealPath, shown};
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

pub struct Names {
    /// What is named in any text: parts of paths, and feature gates. `None` if there is nothing.
    words: Option<Regex>,
    /// The numbers of KEPs, without leading zeros, which kep.yaml may name.
    numbers: BTreeSet<String>,
    digits: Option<Regex>,
}

impl Names {
    fn new(words: &BTreeSet<String>, numbers: BTreeSet<String>) -> Self {
        Self { words: any_of(words), digits: any_of(&numbers), numbers }
    }

    /// Those of directories, files and KEPs that are gone.
    pub fn of_gone(directories: impl Iterator<Item = String>, files: &[&PathBuf], numbers: BTreeSet<String>) -> Self {
        let files = files.iter().map(|path| as_linked(&shown(path)).to_owned());
        Self::new(&directories.chain(files).collect(), numbers)
    }

    /// Those of KEPs that were changed, and of the gates that they name since then, or no longer.
    pub fn of_changed<'k>(
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
        Self::new(&words, numbers)
    }

    /// Whether a KEP names one of them.
    pub fn are_in(&self, kep: &KepDirectory) -> bool {
        if self.words.is_none() && self.digits.is_none() {
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
        if !self.digits.as_ref().is_some_and(|digits| digits.is_match(text)) {
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
