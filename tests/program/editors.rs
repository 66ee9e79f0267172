//! The recipes in `contrib/editors` fit what the program prints. `.ci/editors` tries them with the editors themselves.

use crate::support::program::{Printed, items, kep_lint, kep_lint_json, text};
use crate::support::project;
use crate::support::scratch::Scratch;
use regex::Regex;
use serde_json::Value;
use std::fs;
use std::path::Path;

fn recipe(path: &str) -> String {
    fs::read_to_string(project().join("contrib/editors").join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The tasks for VS Code.
fn tasks() -> Vec<Value> {
    let file: Value = serde_json::from_str(&recipe("vscode-tasks/tasks.json")).expect("it is JSON");
    items(&file["tasks"]).to_vec()
}

/// The options of a task.
fn arguments(task: &Value) -> Vec<&str> {
    items(&task["args"]).iter().map(text).collect()
}

/// Asserts that the pattern finds in each line for a finding what the JSON report has, in the same order.
fn assert_matches(folder: &Path, task: &Value) {
    let pattern = &task["problemMatcher"]["pattern"];
    let regex = Regex::new(text(&pattern["regexp"])).expect("it is an expression");
    let group = |name: &str| usize::try_from(pattern[name].as_u64().expect("a number")).expect("a small number");
    let options = ["--isolated", "--level", "suggestion", "--fail-on", "never"];
    let once = arguments(task).into_iter().filter(|argument| *argument != "--watch");
    let Printed { stdout, status, .. } = kep_lint(folder, once.chain(options).chain(["keps"]));
    assert_eq!(status, 0, "{stdout}");
    let mut found: Vec<String> = Vec::new();
    for line in stdout.lines() {
        let parts = regex.captures(line).unwrap_or_else(|| panic!("not matched: {line}"));
        let part = |name: &str| parts.get(group(name)).map_or("", |part| part.as_str());
        let names = ["file", "line", "column", "severity", "code"].map(part);
        assert!(!part("message").is_empty(), "{line}");
        found.push(names.join("|"));
    }
    let report = kep_lint_json(folder, &["--isolated", "--fail-on", "never", "keps"]);
    let mut expected = Vec::new();
    for finding in items(&report["diagnostics"]) {
        let (start, severity, rule) = (&finding["start"], text(&finding["severity"]), text(&finding["rule"]));
        let path = text(&finding["path"]);
        expected.push(format!("{path}|{}|{}|{severity}|{rule}", start["line"], start["column"]));
    }
    assert!(found.len() > 3, "{found:?}");
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn the_matchers_of_vs_code_read_every_line() {
    let unusual = Scratch::of(&[]);
    for name in ["1-with space", "2-a:3:4", "3-\u{e9}\u{1f389}", "4-error[x] y", "5-(a)"] {
        let directory = format!("keps/sig-node/{name}");
        unusual.write(&format!("{directory}/README.md"), "# X: 1:2: error[x] y\n\n## \u{e9}\u{1f389} [a](#b)\n");
        unusual.write(&format!("{directory}/kep.yaml"), "status: nope\n");
    }
    for task in tasks() {
        assert_matches(&project().join("fixtures/sample"), &task);
        assert_matches(&project().join("fixtures/demo"), &task);
        assert_matches(&unusual.root, &task);
    }
}

/// Both tasks show the same problems, and suggestion is what their matcher takes other words for.
#[test]
fn both_tasks_of_vs_code_agree() {
    let tasks = tasks();
    let matcher = |task: usize, key: &str| tasks[task]["problemMatcher"][key].clone();
    for key in ["owner", "source", "fileLocation", "severity", "pattern"] {
        assert_eq!(matcher(0, key), matcher(1, key), "{key}");
        assert!(!matcher(0, key).is_null(), "{key}");
    }
    assert_eq!(matcher(0, "severity"), "info");
    let background = matcher(1, "background");
    for (key, line) in [("beginsPattern", "checking KEPs"), ("endsPattern", "watching for changes; Ctrl-C ends this")] {
        let regex = Regex::new(text(&background[key])).expect("it is an expression");
        assert!(regex.is_match(line) && !regex.is_match(&format!("keps/{line}")), "{key}");
        assert!(fs::read_to_string(project().join("docs/editors.md")).expect("a page").contains(line), "{key}");
    }
    assert_eq!(arguments(&tasks[1])[0], "--watch");
    assert!(!arguments(&tasks[1]).contains(&"--quiet"), "it would leave out both lines");
}

/// All recipes ask for what the patterns read: no color, no summary.
#[test]
fn every_recipe_asks_for_a_line_per_finding() {
    let recipes = [
        "neovim/compiler/kep-lint.vim",
        "neovim/lua/lint/linters/kep-lint.lua",
        "emacs/kep-lint-flymake.el",
        "efm/config.yaml",
    ];
    for path in recipes {
        let words = recipe(path).replace(['\\', '"', '\'', ','], " ");
        let words: Vec<&str> = words.split_whitespace().collect();
        for options in [&["--format", "concise"][..], &["--color", "never"], &["--quiet"]] {
            assert!(words.windows(options.len()).any(|window| window == options), "{path}: {options:?}");
        }
        let is_unsaved = words.contains(&"--stdin-filename");
        assert_eq!(is_unsaved, !path.ends_with(".vim"), "{path}");
        // The page names it.
        assert!(fs::read_to_string(project().join("docs/editors.md")).expect("a page").contains(path), "{path}");
    }
}
