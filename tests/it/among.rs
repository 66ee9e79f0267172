//! A KEP among the facts of its repository has the findings that it has in the whole tree.

use crate::support::{files_below, is_whole, project};
use kep_lint::diagnostic::Diagnostic;
use kep_lint::lint::Run;
use kep_lint::repository::facts::Facts;
use kep_lint::source::SourceFile;
use kep_lint::workspace::among::rules_without_texts;
use kep_lint::workspace::discover::discover;
use kep_lint::workspace::facts::of_tree;
use kep_lint::workspace::files::Source;
use kep_lint::workspace::files::memory::Memory;
use kep_lint::workspace::project::Project;
use kep_lint::workspace::terms::Terms;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A repository: its files by their paths.
type Tree = BTreeMap<String, Vec<u8>>;

fn read(root: &Path) -> Tree {
    let files = files_below(root, &|_| true);
    let way = |path: &PathBuf| path.strip_prefix(root).expect("it is below").to_str().expect("it is UTF-8").to_owned();
    files.iter().map(|path| (way(path), std::fs::read(path).expect("it can be read"))).collect()
}

fn memory<'t>(files: impl Iterator<Item = (&'t String, &'t Vec<u8>)>) -> Memory {
    let mut memory = Memory::default();
    files.for_each(|(path, bytes)| memory.insert(path, bytes.clone()));
    memory
}

fn facts_of(tree: &Tree) -> Arc<Facts> {
    let source: Source = Arc::new(memory(tree.iter()));
    let (written, failures) = of_tree(Path::new("keps"), &source);
    assert_eq!(failures, []);
    let text = written.render();
    let facts = Facts::parse(&SourceFile::decode("facts.json", text.into_bytes())).expect("it was written just now");
    assert_eq!(*facts.written(), written);
    Arc::new(facts)
}

fn check_whole(tree: &Tree) -> Run {
    let source: Source = Arc::new(memory(tree.iter()));
    let found = discover(&[PathBuf::from("keps")], Default::default(), &|_| Arc::clone(&source));
    Project::open(Terms::default(), found).check(None)
}

/// The files of a KEP, with the PRR files of its number.
fn own(tree: &Tree, directory: &str) -> Memory {
    let name = directory.rsplit('/').next().unwrap_or_default();
    let number = name.split('-').next().unwrap_or_default();
    let is_own = |path: &str| {
        path.starts_with(&format!("{directory}/"))
            || (path.starts_with("keps/prod-readiness/") && path.ends_with(&format!("/{number}.yaml")))
    };
    memory(tree.iter().filter(|(path, _)| is_own(path)))
}

/// The findings in a KEP, each with its text and place.
fn findings(run: &Run, directory: &str) -> Vec<String> {
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

/// Checks each KEP that is `wanted` by itself, and in the tree.
fn compare(tree: &Tree, wanted: impl Fn(usize) -> bool) -> usize {
    let (facts, whole) = (facts_of(tree), check_whole(tree));
    let keps: Vec<&str> = whole.reports.iter().filter_map(|report| report.kep.as_deref()).collect();
    let mut differences = Vec::new();
    let mut compared = 0;
    for (_, directory) in keps.iter().enumerate().filter(|(at, _)| wanted(*at)) {
        let run = Project::among(Terms::default(), &facts, own(tree, directory)).check(None);
        let (alone, inside) = (findings(&run, directory), findings(&whole, directory));
        compared += inside.len();
        if alone != inside {
            differences.extend(inside.iter().filter(|line| !alone.contains(line)).map(|line| format!("- {line}")));
            differences.extend(alone.iter().filter(|line| !inside.contains(line)).map(|line| format!("+ {line}")));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    compared
}

#[test]
fn a_kep_of_the_sample_is_checked_as_in_its_tree() {
    let compared = compare(&read(&project().join("fixtures/sample")), |_| true);
    assert!(compared > 50, "{compared} findings");
}

#[test]
fn a_real_kep_is_checked_as_in_its_tree() {
    let Some(shared) = std::env::var_os("KEP_LINT_SHARED") else { return };
    let tree = read(&Path::new(&shared).join("corpus"));
    let text = facts_of(&tree).written().render();

    let step = if is_whole() { 1 } else { 3 };
    let compared = compare(&tree, |at| at % step == 0);
    assert!(compared > 300, "{compared} findings");
}
