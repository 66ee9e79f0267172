//! What runs on pull requests, at night and before a release: together everything that the scripts in `.ci` ask for.

use crate::support::{files_below, project};
use std::collections::BTreeSet;
use std::fs;

fn read(path: &str) -> String {
    fs::read_to_string(project().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The parts that a script declares.
fn declared(script: &str) -> BTreeSet<String> {
    let text = read(script);
    let parts = text.rsplit_once("run_parts \"").and_then(|(_, rest)| rest.split_once('"')).expect("it has parts").0;
    parts.split(' ').map(str::to_owned).collect()
}

/// The words after each `mark` of a workflow, up to the end of a line, a comma or a brace.
fn named(workflow: &str, mark: &str) -> BTreeSet<String> {
    let text = read(&format!(".github/workflows/{workflow}.yml"));
    let rests = text.split(mark).skip(1).map(|rest| rest.split([',', '}', '\n']).next().unwrap_or_default());
    rests.flat_map(|words| words.split(' ')).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[test]
fn every_part_is_in_a_workflow() {
    assert_eq!(named("ci", "run: .ci/run"), declared(".ci/run"));
    let nightly = read(".github/workflows/nightly.yml");
    let matrix = nightly.split_once("parts: [").and_then(|(_, rest)| rest.split_once(']')).expect("a matrix").0;
    let mut run: BTreeSet<String> =
        matrix.split([',', ' ']).filter(|word| !word.is_empty()).map(str::to_owned).collect();
    run.extend(named("nightly", "{ parts: "));
    run.extend(named("ci", "run: .ci/nightly"));
    assert_eq!(run, declared(".ci/nightly"));
}

#[test]
fn a_release_needs_what_changes_and_nights_need() {
    let release = read(".github/workflows/release.yml");
    for workflow in ["ci", "nightly"] {
        assert!(release.contains(&format!("uses: ./.github/workflows/{workflow}.yml\n")), "{workflow}");
        assert!(read(&format!(".github/workflows/{workflow}.yml")).contains("\n  workflow_call:\n"), "{workflow}");
    }
    let build = release.split_once("\n  build:\n").expect("a job").1;
    assert!(build.starts_with("    needs: [ci, nightly]\n"));
    assert!(release.contains("run: contrib/release/check \"$GITHUB_REF_NAME\"\n"));
}

/// A tag or a branch of another repository may be moved; a commit may not.
#[test]
fn foreign_actions_are_pinned_to_commits() {
    let mut count = 0;
    for file in files_below(&project().join(".github/workflows"), &|_| true) {
        let text = fs::read_to_string(&file).expect("workflows are UTF-8");
        for used in text.lines().filter_map(|line| line.split_once("uses: ")).map(|(_, used)| used) {
            let commit = used.split_once('@').and_then(|(_, rest)| rest.split_once(" # v")).map(|(commit, _)| commit);
            let is_commit = |text: &str| text.len() == 40 && text.chars().all(|digit| digit.is_ascii_hexdigit());
            assert!(used.starts_with("./") || commit.is_some_and(is_commit), "{}: {used}", file.display());
            count += 1;
        }
    }
    assert!(count > 10, "only {count} actions");
}
