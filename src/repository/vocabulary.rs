//! What the kep.yaml of a repository's template has in place of upstream's: other keys, stages and statuses.

use crate::kep::metadata::Metadata;
use crate::kep::schema::FlawKind;
use crate::span::FileId;
use crate::stage::{Stage, Status};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How many KEPs show which keys are used.
const LEAST_KEPS: usize = 3;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct Vocabulary {
    /// Its keys at the top level, or those of most KEPs; none if there is no such file.
    keys: BTreeSet<String>,
    /// Those of its keys, at any level, that kep-lint does not know.
    new_keys: BTreeSet<String>,
    /// New stages, each with the stage before it, whose sections it asks for.
    stages: BTreeMap<String, Stage>,
    /// New statuses, which count as active.
    statuses: BTreeSet<String>,
}

impl Vocabulary {
    pub fn of(text: &str) -> Self {
        let metadata = Metadata::parse(FileId(0), text);
        let unknown = metadata.flaws.iter().filter_map(|flaw| match &flaw.kind {
            FlawKind::UnknownKey { key, .. } => Some(key.clone()),
            _ => None,
        });
        let mut vocabulary = Self { new_keys: unknown.collect(), ..Self::default() };
        let mut comments = Vec::new();
        for line in text.lines() {
            if line.trim_start().starts_with('#') {
                comments.push(line);
                continue;
            }
            if let Some(key) = key(line) {
                vocabulary.keys.insert(key.to_owned());
                let lists = comments.iter().copied().chain([line]).flat_map(choices);
                match key {
                    "stage" => lists.for_each(|words| vocabulary.add_stages(words)),
                    "status" => vocabulary.statuses.extend(lists.flatten().filter(|word| is_new(word))),
                    _ => {}
                }
            }
            comments.clear();
        }
        // A file that is broken leaves nothing out.
        if !metadata.tree.problems.is_empty() {
            vocabulary.keys.clear();
        }
        vocabulary
    }

    /// The keys that at least half of the KEPs have that have no template. Few KEPs show nothing.
    pub fn of_most(texts: impl Iterator<Item = impl AsRef<str>>) -> Self {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut all = 0;
        for text in texts {
            all += 1;
            let keys: BTreeSet<&str> = text.as_ref().lines().filter_map(key).collect();
            keys.into_iter().for_each(|key| *counts.entry(key.to_owned()).or_default() += 1);
        }
        let of_most = counts.into_iter().filter(|(_, count)| all >= LEAST_KEPS && *count * 2 >= all);
        Self { keys: of_most.map(|(key, _)| key).collect(), ..Self::default() }
    }

    fn add_stages(&mut self, words: Vec<String>) {
        let mut before = Stage::Alpha;
        for word in words {
            match Stage::from_word(&word) {
                Some(stage) => before = stage,
                None if is_new(&word) => {
                    self.stages.insert(word, before);
                }
                None => {}
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub fn has_key(&self, key: &str) -> bool {
        self.new_keys.contains(key)
    }

    /// The keys of the template that a kep.yaml lacks.
    pub fn lacking(&self, metadata: &Metadata) -> Vec<&str> {
        let has_key = |key: &str| metadata.tree.root.as_ref().is_some_and(|root| root.get(key).is_some());
        self.keys.iter().map(String::as_str).filter(|key| !has_key(key)).collect()
    }

    /// Whether KEPs need not have a key that upstream requires.
    pub fn lacks(&self, key: &str) -> bool {
        !self.keys.is_empty() && !self.keys.contains(key)
    }

    /// Gives the new words in a kep.yaml the meaning that they have in the template.
    pub fn explain(&self, metadata: &mut Metadata) {
        if let Some(stage) = metadata.stage.as_mut().filter(|stage| stage.value.is_none()) {
            stage.value = self.stages.get(stage.text.trim()).copied();
        }
        if let Some(status) = metadata.status.as_mut()
            && status.value.is_none()
            && self.statuses.contains(status.text.trim())
        {
            status.value = Some(Status::Implementable);
        }
    }
}

/// The key of a line at the top level.
fn key(line: &str) -> Option<&str> {
    let (key, _) = line.split_once(':')?;
    let is_other = key.starts_with(|letter: char| letter.is_whitespace() || "#-".contains(letter));
    (!key.is_empty() && !is_other).then(|| key.trim_matches(['"', '\'', ' ']))
}

/// The lists of words in a line, such as `alpha|beta|stable`.
fn choices(line: &str) -> Vec<Vec<String>> {
    let is_part = |letter: char| letter.is_ascii_lowercase() || letter == '-';
    let lists = line.split_whitespace().filter(|list| list.contains('|'));
    let word = |part: &str| {
        let word = part.trim_matches(|letter| !is_part(letter));
        if !word.is_empty() && word.chars().all(is_part) { Some(word.to_owned()) } else { None }
    };
    lists.map(|list| list.split('|').filter_map(word).collect()).collect()
}

fn is_new(word: &str) -> bool {
    Stage::from_word(word).is_none() && Status::from_name(word).is_none() && !matches!(word, "tbd" | "todo")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_keys_of_the_template_are_known() {
        let text = "title: x\n# draft|implementable\nstatus: draft\n# one of alpha|gamma|beta|TBD\nstage: alpha|beta|stable\n\
                    milestone:\n  gamma: v0.1\nteam: a\n# reviewers:\n";
        let vocabulary = Vocabulary::of(text);
        assert!(vocabulary.has_key("team") && vocabulary.has_key("gamma") && !vocabulary.has_key("title"));
        assert!(vocabulary.lacks("reviewers") && vocabulary.lacks("latest-milestone") && !vocabulary.lacks("team"));
        let mut metadata = Metadata::parse(FileId(0), "status: draft\nstage: gamma\n");
        vocabulary.explain(&mut metadata);
        assert_eq!((metadata.status(), metadata.stage()), (Some(Status::Implementable), Some(Stage::Alpha)));
        for other in ["stage: epsilon\n", "stage: TBD\n"] {
            let mut unknown = Metadata::parse(FileId(0), other);
            vocabulary.explain(&mut unknown);
            assert_eq!(unknown.stage(), None, "{other}");
        }
    }

    #[test]
    fn most_keps_show_which_keys_are_used() {
        let keps = ["title: a\nstage: alpha\n", "title: b\nteam: x\n", "title: c\n- team: x\n", "a: 1\n\"team\": y\n"];
        let lacks = |count, key| Vocabulary::of_most(keps.iter().take(count)).lacks(key);
        assert!(lacks(3, "stage") && lacks(3, "team") && !lacks(3, "title") && !lacks(2, "status"));
        assert!(lacks(4, "stage") && !lacks(4, "team") && !lacks(4, "title"));
    }

    #[test]
    fn without_a_template_no_key_is_left_out() {
        assert!(!Vocabulary::default().lacks("title") && Vocabulary::of("").is_empty());
        for broken in ["team: [a\n", "team: a\n\tb\n", "\0\u{1}: x\n"] {
            assert!(!Vocabulary::of(broken).lacks("title"), "{broken:?}");
        }
    }
}
