//! A KEP of the demo that is ready, and the answers that differ if its files are changed.

use super::library::Tree;
use super::{files_below, known_gates, project};
use kep_lint::kep::Kep;
use kep_lint::ready::answer::Answer;
use kep_lint::ready::case::Ask;
use kep_lint::ready::checklist::{Checklist, Entry};
use kep_lint::ready::judge;
use kep_lint::stage::{Release, Stage};
use kep_lint::template::Template;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

pub const README: &str = "keps/sig-storage/4-snapshot-hints/README.md";
pub const METADATA: &str = "keps/sig-storage/4-snapshot-hints/kep.yaml";
pub const REVIEW: &str = "keps/prod-readiness/sig-storage/4.yaml";
pub const ALIASES: &str = "OWNERS_ALIASES";

/// The demo's files, which situations change.
#[derive(Clone)]
pub struct Files(BTreeMap<String, String>);

impl Files {
    pub fn demo() -> Self {
        let demo = project().join("fixtures/demo");
        let file = |path: &std::path::PathBuf| {
            let name = path.strip_prefix(&demo).expect("it is below").to_str().expect("it is UTF-8").to_owned();
            (name, fs::read_to_string(path).expect("it is text"))
        };
        Self(files_below(&demo, &|_| true).iter().map(file).collect())
    }

    /// With another text in place of one that the file has.
    pub fn edit(mut self, path: &str, old: &str, new: &str) -> Self {
        let text = self.0.get_mut(path).expect("the file is there");
        assert!(text.contains(old), "{path} has no {old:?}");
        *text = text.replacen(old, new, 1);
        self
    }

    pub fn without(mut self, path: &str) -> Self {
        self.0.remove(path).expect("the file is there");
        self
    }

    pub fn with(mut self, path: &str, text: &str) -> Self {
        self.0.insert(path.to_owned(), text.to_owned());
        self
    }

    /// With all files of the KEP in another directory.
    pub fn moved(self, old: &str, new: &str) -> Self {
        Self(self.0.into_iter().map(|(path, text)| (path.replace(old, new), text)).collect())
    }

    pub fn tree(&self) -> Tree {
        let mut tree = Tree::of(self.0.iter().map(|(path, text)| (path.as_str(), text.as_bytes())));
        tree.repository.code = Some(known_gates());
        tree
    }

    /// The checklist of the KEP whose directory has this in its path.
    pub fn judge_kep(&self, directory: &str, stage: Option<Stage>, release: Release) -> Checklist {
        let tree = self.tree();
        let texts = tree.keps.iter().find(|kep| kep.directory.contains(directory)).expect("the KEP is there");
        judge(Kep::parse(texts.clone()), &Template::built_in(), &tree.repository, Ask::merged(stage, release))
    }

    pub fn judge(&self, stage: Option<Stage>, release: Release) -> Checklist {
        self.judge_kep("4-snapshot-hints", stage, release)
    }
}

pub fn release(minor: u32) -> Release {
    Release { major: 1, minor }
}

pub fn shown(Entry { item, answer }: &Entry) -> String {
    format!("{} {}", item.name, shown_answer(answer))
}

pub fn shown_answer(answer: &Answer) -> String {
    format!("{}: {}", answer.state.name(), answer.words)
}

/// The answers that differ from those for the KEP as it is; of items that are not asked any more, the name.
pub fn differences(checklist: &Checklist) -> Vec<String> {
    let before = Files::demo().judge(None, release(37));
    let before: Vec<String> = before.entries.iter().map(shown).collect();
    let now: Vec<String> = checklist.entries.iter().map(shown).collect();
    let name = |entry: &String| entry.split(' ').next().unwrap_or_default().to_owned();
    let names: BTreeSet<String> = now.iter().map(name).collect();
    let gone = before.iter().map(name).filter(|name| !names.contains(name)).map(|name| format!("-{name}"));
    let new: Vec<String> = now.into_iter().filter(|entry| !before.contains(entry)).collect();
    new.into_iter().chain(gone).collect()
}

/// Asserts which answers differ if the files are these.
pub fn assert_differs(why: &str, files: &Files, expected: &[&str]) {
    assert_eq!(differences(&files.judge(None, release(37))), expected, "{why}");
}
