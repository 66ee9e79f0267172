//! The Release Team's own file of comment templates: kep-lint knows all of its boxes and placeholders.

use crate::support::program::kep_lint;
use crate::support::project;
use crate::with_data;
use libtest_mimic::Trial;
use std::path::Path;

pub fn trials() -> Vec<Trial> {
    vec![with_data("comments/the templates of the Release Team are filled in", "upstream", are_filled_in)]
}

fn are_filled_in(upstream: &Path) {
    let file = upstream.join("communication-templates.md");
    let file = file.to_str().expect("it is UTF-8");
    for (kep, gate, status) in [
        ("4", "deadline", "Tracked for PRR freeze"),
        ("1", "deadline", "At risk for PRR freeze"),
        ("4", "enhancements", "Tracked for enhancements freeze"),
        ("1", "enhancements", "At risk for enhancements freeze"),
    ] {
        let demo = project().join("fixtures/demo");
        let arguments = ["ready", kep, "--format", "comment", "--gate", gate, "--comment-templates", file];
        let printed = kep_lint(&demo, arguments);
        assert!(printed.stderr.starts_with(&format!("{kep}: set the status to `{status}`")), "{}", printed.stderr);
        assert!(!printed.stderr.contains("not filled in") && !printed.stdout.contains('{'), "{}", printed.stdout);
        let is_tracked = printed.stdout.ends_with("\n/label tracked/yes\n");
        assert_eq!(is_tracked, status.starts_with("Tracked"), "{}", printed.stdout);
        assert!(is_tracked || !printed.stdout.contains("\n/"), "{}", printed.stdout);
    }
    for gate in ["deadline-party", "enhancements-party"] {
        let demo = project().join("fixtures/demo");
        let arguments = ["ready", "1", "--format", "comment", "--gate", gate, "--comment-templates", file];
        let printed = kep_lint(&demo, arguments);
        assert_eq!(printed.stderr, "1: no comment: its open pull requests are not known\n");
    }
}
