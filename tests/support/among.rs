//! Compares what is found in a KEP among the facts of its repository with what is found in the whole tree.

use super::files_below;
use kep_lint::diagnostic::Diagnostic;
use kep_lint::lint::Run;
use kep_lint::report::facts::render;
use kep_lint::repository::facts::Facts;
use kep_lint::source::SourceFile;
use kep_lint::workspace::among::rules_without_texts;
use kep_lint::workspace::discover::discover;
use kep_lint::workspace::facts::of_tree;
use kep_lint::workspace::files::Source;
use kep_lint::workspace::files::memory::Memory;
use kep_lint::workspace::project::{Project, Terms};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A repository: its files by their paths.
pub type Tree = BTreeMap<String, Vec<u8>>;

/// The repository in a folder.
pub fn read(root: &Path) -> Tree {
    let files = files_below(root, &|_| true);
    let way = |path: &PathBuf| path.strip_prefix(root).expect("it is below").to_str().expect("it is UTF-8").to_owned();
    files.iter().map(|path| (way(path), std::fs::read(path).expect("it can be read"))).collect()
}

/// Some of its files.
pub fn memory<'t>(files: impl Iterator<Item = (&'t String, &'t Vec<u8>)>) -> Memory {
    let mut memory = Memory::default();
    files.for_each(|(path, bytes)| memory.insert(path, bytes.clone()));
    memory
}

/// Its facts, as they are written and read again.
pub fn facts_of(tree: &Tree) -> Arc<Facts> {
    let source: Source = Arc::new(memory(tree.iter()).into());
    let (written, failures) = of_tree(Path::new("keps"), &source);
    assert_eq!(failures, []);
    let text = render(&written);
    let facts = Facts::parse(&SourceFile::decode("facts.json", text.into_bytes())).expect("it was written just now");
    assert_eq!(facts.written, written);
    Arc::new(facts)
}

/// The findings in the whole of it.
pub fn check_whole(tree: &Tree, terms: &Terms) -> Run {
    let source: Source = Arc::new(memory(tree.iter()).into());
    let found = discover(&[PathBuf::from("keps")], terms.options.selection.preset, &|_| Arc::clone(&source));
    Project::open(terms.clone(), found).check()
}

/// The files of a KEP, with the PRR files of its number.
pub fn own(tree: &Tree, directory: &str) -> Memory {
    let name = directory.rsplit('/').next().unwrap_or_default();
    let number = name.split('-').next().unwrap_or_default();
    let is_own = |path: &str| {
        path.starts_with(&format!("{directory}/"))
            || (path.starts_with("keps/prod-readiness/") && path.ends_with(&format!("/{number}.yaml")))
    };
    memory(tree.iter().filter(|(path, _)| is_own(path)))
}

/// The findings in a KEP, each with its text and place.
pub fn findings(run: &Run, directory: &str) -> Vec<String> {
    let report = run.reports.iter().find(|report| report.kep.as_deref() == Some(directory));
    let report = report.unwrap_or_else(|| panic!("{directory} was checked: {:?}", run.failures));
    let is_left = |finding: &&Diagnostic| {
        let is_elsewhere = finding.message.contains(" in `keps/");
        !(is_elsewhere && rules_without_texts().any(|rule| rule == finding.rule))
    };
    let line = |finding: &Diagnostic| {
        let file = &report.files[finding.span.file.index()].path;
        format!("{file} {:?} {finding:?}", finding.span.range())
    };
    report.diagnostics.iter().filter(is_left).map(line).collect()
}

/// How what is found in a KEP among the facts differs from what is found in the whole tree.
pub fn differences(facts: &Arc<Facts>, terms: &Terms, tree: &Tree, whole: &Run, directory: &str) -> Vec<String> {
    let run = Project::among(terms.clone(), facts, own(tree, directory)).check();
    let (alone, inside) = (findings(&run, directory), findings(whole, directory));
    let lost = inside.iter().filter(|line| !alone.contains(line)).map(|line| format!("- {line}"));
    let new = alone.iter().filter(|line| !inside.contains(line)).map(|line| format!("+ {line}"));
    lost.chain(new).collect()
}

/// The directories of the KEPs that were checked.
pub fn keps(run: &Run) -> Vec<&str> {
    run.reports.iter().filter(|report| !report.is_left_out).filter_map(|report| report.kep.as_deref()).collect()
}

/// Asserts that each KEP of which the number is `wanted` has the same findings in both. Returns how many that are.
pub fn assert_same(tree: &Tree, terms: &Terms, wanted: impl Fn(usize) -> bool) -> usize {
    let (facts, whole) = (facts_of(tree), check_whole(tree, terms));
    let all = keps(&whole);
    let chosen: Vec<&str> = all.iter().enumerate().filter(|(at, _)| wanted(*at)).map(|(_, kep)| *kep).collect();
    let different: Vec<String> = chosen.iter().flat_map(|kep| differences(&facts, terms, tree, &whole, kep)).collect();
    assert!(different.is_empty(), "{}", different.join("\n"));
    chosen.iter().map(|kep| findings(&whole, kep).len()).sum()
}
