//! Real KEPs, each promoted to its next stage in a copy: all but the values that change stays, and there is no new error
//! but those that the stage and the release require.

use crate::support::program::{items, kep_lint, kep_lint_json, text};
use crate::support::{files_below, is_whole, seed};
use crate::with_data;
use libtest_mimic::Trial;
use serde_json::Value;
use similar::{ChangeTag, TextDiff};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const RELEASE: &str = "v1.38";

/// The tests.
pub fn trials() -> Vec<Trial> {
    let name =
        "promotion: of a few KEPs, only what the stage requires is new, and nothing that was written is asked for";
    vec![with_data(name, "corpus", all_are_promoted)]
}

fn all_are_promoted(corpus: &Path) {
    let copy = tempfile::tempdir().expect("a directory");
    let root = copy.path();
    for file in files_below(corpus, &|path| !path.components().any(|part| part.as_os_str() == ".git")) {
        let target = root.join(file.strip_prefix(corpus).expect("it is below"));
        fs::create_dir_all(target.parent().expect("it has one")).expect("a directory");
        // A copy has the permissions of the original, which may be read-only.
        fs::write(target, fs::read(&file).expect("a file")).expect("a file");
    }
    let mut left = candidates(root);
    let (mut state, _) = seed();
    for _ in 0..if is_whole() { 12 } else { 4 } {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = usize::try_from(state >> 33).expect("31 bits") % left.len();
        let (kep, next) = left.swap_remove(at);
        is_promoted_well(root, &kep, next);
        is_asked_for_nothing_that_was_written(root, &kep);
    }
}

/// The implementable alpha and beta KEPs, each with its next stage.
fn candidates(root: &Path) -> Vec<(PathBuf, &'static str)> {
    let files = files_below(&root.join("keps"), &|path| path.file_name().is_some_and(|name| name == "kep.yaml"));
    let next = |file: &PathBuf| {
        let yaml = fs::read_to_string(file).expect("it is UTF-8");
        let has = |key: &str, value: &str| {
            yaml.lines().any(|line| {
                line.split_once(':').is_some_and(|(own, rest)| own == key && rest.trim().trim_matches('"') == value)
            })
        };
        if !has("status", "implementable") {
            return None;
        }
        let stage = [("alpha", "beta"), ("beta", "stable")].into_iter().find(|(stage, _)| has("stage", stage));
        stage.map(|(_, next)| next)
    };
    let keps: Vec<_> = files.iter().filter_map(|file| Some((file.parent()?.to_owned(), next(file)?))).collect();
    assert!(keps.len() > 100, "only {} KEPs", keps.len());
    keps
}

fn findings(root: &Path, kep: &str, options: &[&str]) -> Vec<Value> {
    let arguments = [&[kep, "--release", RELEASE][..], options].concat();
    items(&kep_lint_json(root, &arguments)["diagnostics"]).to_vec()
}

fn is_promoted_well(root: &Path, kep: &Path, next: &str) {
    let kep = kep.strip_prefix(root).expect("it is below").to_str().expect("it is UTF-8");
    let before = [findings(root, kep, &[]), findings(root, kep, &["--stage", next])].concat();
    let yaml = root.join(kep).join("kep.yaml");
    let old = fs::read_to_string(&yaml).expect("it is UTF-8");
    let printed = kep_lint(root, ["promote", kep, next, "--release", RELEASE]);
    assert_eq!(printed.status, 0, "{kep}: {}", printed.stderr);
    let new = fs::read_to_string(&yaml).expect("it is UTF-8");
    for change in TextDiff::from_lines(&old, &new).iter_all_changes().filter(|change| change.tag() != ChangeTag::Equal)
    {
        let line = change.to_string_lossy();
        let keys = ["status:", "stage:", "latest-milestone:", "milestone:", "last-updated:", "beta:", "stable:"];
        assert!(keys.iter().any(|key| line.trim_start().starts_with(key)), "{kep} changes {line:?}");
    }
    let known: BTreeSet<(&str, &str)> = before.iter().map(identity).collect();
    let sections = before.iter().filter(|found| found["rule"] == "missing-section");
    let missing: Vec<&[Value]> = sections.filter_map(|found| found["section"].as_array().map(Vec::as_slice)).collect();
    for found in findings(root, kep, &[]).iter().filter(|found| found["severity"] == "error") {
        let is_stand_in = found["rule"] == "prr-approver" && text(&found["message"]).contains("@TBD");
        // Their owners changed the rule for v1.36.
        let is_of_release = found["rule"] == "node-approver";
        let own = found["section"].as_array().map(Vec::as_slice).unwrap_or_default();
        let is_inserted = missing.iter().any(|section| own.starts_with(section) || section.starts_with(own));
        let is_gap = text(&found["rule"]).ends_with("-section") && is_inserted && !own.is_empty();
        assert!(known.contains(&identity(found)) || is_stand_in || is_of_release || is_gap, "{kep} has a new {found}");
    }
}

/// The release is later than that of the tree, and `ready` is told neither that nor the stage.
fn is_asked_for_nothing_that_was_written(root: &Path, kep: &Path) {
    const WRITTEN: [&str; 5] = ["status", "latest-milestone", "stage", "stage-milestone", "toc"];
    let kep = kep.strip_prefix(root).expect("it is below").to_str().expect("it is UTF-8");
    let printed = kep_lint(root, ["ready", kep, "--format", "json"]);
    let board: Value = serde_json::from_str(&printed.stdout).unwrap_or_else(|_| panic!("{kep}: {}", printed.stderr));
    assert_eq!(board["release"]["name"], RELEASE, "{kep}");
    for answer in items(&board["keps"][0]["answers"]) {
        let item = text(&answer["item"]);
        assert!(answer["state"] == "met" || !WRITTEN.contains(&item), "{kep}: {answer}");
        let is_approver = item == "prr" && text(&answer["words"]).contains("TBD");
        assert!(answer["write"].is_null() || is_approver, "{kep}: {answer}");
    }
}

fn identity(found: &Value) -> (&str, &str) {
    (text(&found["rule"]), text(&found["message"]))
}
