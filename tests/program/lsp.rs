//! `kep-lint lsp`: a conversation as editors have it.

use crate::support::editor::{Editor, uri};
use crate::support::mutation::Random;
use crate::support::program::kep_lint;
use crate::support::scratch::Scratch;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A finding as both have it: the place in characters, the severity, the rule, and the words.
type Finding = (String, u64, u64, u64, u64, String, String, String);

/// What the command line finds in a KEP, by file.
fn of_command_line(root: &Path, kep: &str) -> Vec<Finding> {
    let printed = kep_lint(root, [kep, "--format", "json", "--level", "advice"]);
    let report: Value = serde_json::from_str(&printed.stdout).unwrap_or_else(|error| panic!("{error}: {printed:?}"));
    let mut findings = Vec::new();
    for kep in report["keps"].as_array().expect("a list").iter().chain(report["files"].as_array().into_iter().flatten()) {
        println!("{kep}");
    }
    findings.sort();
    findings
}

#[test]
fn what_is_typed_is_checked() {
    let scratch = Scratch::sample();
    let (mut editor, answer) = Editor::initialized(&scratch.root, json!({}), Value::Null);
    assert_eq!(answer["serverInfo"]["name"], "kep-lint");
    let readme = fs::read_dir(scratch.at("keps/sig-node")).expect("a directory").next().expect("a KEP").expect("a KEP").path().join("README.md");
    let text = fs::read_to_string(&readme).expect("a file");
    editor.open(&readme, &text);
    let before = editor.checked(&readme, 1);
    println!("{before:#?}");
    editor.replace(&readme, 2, &text.replacen("## Summary", "## Sumary", 1));
    let after = editor.checked(&readme, 2);
    println!("{after:#?}");
    println!("{:#?}", editor.diagnostics);
    println!("{:#?}", of_command_line(&scratch.root, readme.parent().expect("its KEP").to_str().expect("UTF-8")));
    assert!(editor.end().success());
}
