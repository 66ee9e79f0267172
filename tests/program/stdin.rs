//! `-`: an editor's text of one file, which is not on disk yet.

use crate::support::program::kep_lint_with;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const README: &str = "keps/sig-node/1-x/README.md";
const METADATA: &str = "keps/sig-node/1-x/kep.yaml";

/// A tree with one KEP whose kep.yaml has an error.
fn tree() -> TempDir {
    let tree = tempfile::tempdir().expect("a directory");
    fs::create_dir_all(tree.path().join("keps/sig-node/1-x")).expect("a directory");
    fs::write(tree.path().join(README), "# KEP-1: X\n").expect("a file");
    fs::write(tree.path().join(METADATA), "status: withdrawn\nauthors: ann\n").expect("a file");
    tree
}

/// The findings of a file with this text, and how the program ended.
fn findings(tree: &Path, file: &str, text: impl AsRef<[u8]>) -> (Vec<String>, i32) {
    let arguments = ["-", "--stdin-filename", file, "--format", "concise", "--ignore", "missing-toc"];
    let printed = kep_lint_with(tree, text.as_ref(), &arguments);
    let rule = |line: &str| {
        let (place, rest) = line.split_once(": ")?;
        Some(format!("{place} {}", rest.split_once(['[', ']'])?.1.split(']').next()?))
    };
    let rules: Option<Vec<String>> = printed.stdout.lines().map(rule).collect();
    (rules.unwrap_or_else(|| panic!("{}", printed.stdout)), printed.status)
}

#[test]
fn the_findings_of_one_file_are_those_of_its_text() {
    let tree = tree();
    let title = format!("{README}:1:7 bad-title");
    let findings = |file: &str, text: &str| findings(tree.path(), file, text);
    assert_eq!(findings(README, "# KEP-2: X\n"), (vec![title], 0));
    assert_eq!(findings(README, "# KEP-1: X\n"), (vec![], 0));
    let (found, status) = findings(METADATA, "status: withdrawn\nauthors: [\"@ann\"]\nstage: bta\n");
    assert!(found.contains(&format!("{METADATA}:3:8 invalid-stage")) && status == 1, "{found:?}");
    assert!(!found.iter().any(|finding| finding.contains("wrong-type")), "{found:?}");
    // Written in another way, it is the same file.
    let (found, _) = findings(&format!("./keps/../{README}"), "# KEP-2: X\n");
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn a_place_after_the_name_of_the_file_is_left_out() {
    let tree = tree();
    for (file, place) in [(README, ":1:7"), (README, ":1"), ("keps/sig-node/2-y/README.md", ":3:1")] {
        let findings = |file: &str| findings(tree.path(), file, "# KEP-3: X\n");
        assert_eq!(findings(&format!("{file}{place}")), findings(file));
        assert!(findings(file).0.iter().any(|found| found.starts_with(&format!("{file}:"))));
    }
}

#[test]
fn the_file_and_its_kep_may_be_new() {
    let tree = tree();
    let new = "keps/sig-node/2-y/README.md";
    let (found, status) = findings(tree.path(), new, "# KEP-3: Y\n");
    assert!(found.contains(&format!("{new}:1:1 missing-kep-yaml")) && status == 1, "{found:?}");
    let more = "keps/sig-node/1-x/docs/more.md";
    let (found, _) = findings(tree.path(), more, "[a](#nowhere) [b](more.md)\n");
    // Of a withdrawn KEP, dead links are not reported.
    assert_eq!(found, [""; 0]);
    fs::write(tree.path().join(METADATA), "status: provisional\n").expect("a file");
    let (found, _) = findings(tree.path(), more, "[a](#nowhere) [b](more.md) [c](less.md)\n");
    assert_eq!(found, [format!("{more}:1:1 dead-anchor"), format!("{more}:1:28 dead-link")]);
    // A text beside the KEPs belongs to none.
    assert_eq!(findings(tree.path(), "docs/x.md", "[a](#nowhere)\n"), (vec![], 2));
}

#[test]
fn a_prr_file_is_checked_with_its_kep() {
    let tree = tree();
    fs::write(
        tree.path().join(METADATA),
        "kep-number: 1\nowning-sig: sig-node\nstatus: implementable\nstage: alpha\n\
         latest-milestone: \"v1.37\"\n",
    )
    .expect("a file");
    let review = "keps/prod-readiness/sig-node/1.yaml";
    let (found, status) = findings(tree.path(), review, "kep-number: 1\naplha:\n  approver: x\n");
    assert_eq!((found, status), (vec![format!("{review}:2:1 invalid-prr")], 1));
}

#[test]
fn text_that_is_none_is_a_finding() {
    let tree = tree();
    let (found, status) = findings(tree.path(), README, b"# KEP-1: \xff\n");
    assert!(found.contains(&format!("{README}:1:10 not-utf8")) && status == 1, "{found:?}");
    let (found, _) = findings(tree.path(), README, "\u{feff}# KEP-1: X\r\n\r\n## Summary\r\n");
    assert_eq!(found, [""; 0]);
    let long = vec![b'x'; (2 << 20) + 1];
    let printed = kep_lint_with(tree.path(), &long, &["-", "--stdin-filename", README]);
    assert_eq!(printed.status, 2);
    assert!(printed.stderr.contains("standard input: it has more than 2 MiB"), "{}", printed.stderr);
}

#[test]
fn the_changes_of_one_file_are_shown() {
    let tree = tree();
    fs::write(tree.path().join(METADATA), "status: withdrawn\nauthors:\n  - @ann\n").expect("a file");
    let printed = kep_lint_with(tree.path(), b"# KEP-2: X\n", &["-", "--stdin-filename", README, "--diff"]);
    let expected = format!("--- a/{README}\n+++ b/{README}\n@@ -1 +1 @@\n-# KEP-2: X\n+# KEP-1: X\n");
    assert_eq!((printed.stdout, printed.status), (expected, 1));
    assert_eq!(printed.stderr, "would fix 1 finding in 1 file\n");
    assert_eq!(fs::read_to_string(tree.path().join(README)).ok().as_deref(), Some("# KEP-1: X\n"));
}

#[test]
fn arguments_that_do_not_fit_are_refused() {
    let tree = tree();
    for (arguments, sentence) in [
        (vec!["-"], "`-` needs `--stdin-filename PATH`, the file that the text belongs to"),
        (
            vec!["-", "--fix", "--stdin-filename", README],
            "`-` cannot be used with `--fix`, use `--diff` to get the changes",
        ),
        (vec!["-", "keps", "--stdin-filename", README], "`-` cannot be used with other paths"),
        (vec!["keps", "--stdin-filename", README], "`--stdin-filename` needs `-` as the path"),
        (
            vec!["-", "--stdin-filename", "keps"],
            "`keps` is a directory\n  help: name the file that the text belongs to",
        ),
        (
            vec!["-", "--watch", "--stdin-filename", README],
            "`-` cannot be used with `--watch`, because standard input is read once",
        ),
        (
            vec!["--watch", "--fix"],
            "the argument '--watch' cannot be used with '--fix'\n\nUsage: kep-lint --watch [PATHS]...\n\n\
             For more information, try '--help'.",
        ),
    ] {
        let printed = kep_lint_with(tree.path(), b"", &arguments);
        assert_eq!((printed.stderr, printed.status), (format!("error: {sentence}\n"), 2), "{arguments:?}");
    }
}
