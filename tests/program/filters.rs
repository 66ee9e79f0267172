//! The options that say which KEPs of a tree are checked.

use crate::support::program::{kep_lint, kep_lint_json, kep_lint_lines};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn write(tree: &Path, path: &str, text: &str) {
    let path = tree.join(path);
    fs::create_dir_all(path.parent().expect("it has one")).expect("a directory");
    fs::write(path, text).expect("a file");
}

/// A tree with three KEPs, an orphaned PRR file and a broken OWNERS_ALIASES. KEP 1 links to an anchor of KEP 3 that is
/// there, and to one that is not.
fn tree() -> TempDir {
    let tree = tempfile::tempdir().expect("a directory");
    let keps = [
        ("sig-node/1-a", "owning-sig: sig-node\nstatus: provisional\nauthors: [\"@ann\"]\napprovers: [\"@bob\"]\n"),
        ("sig-node/2-b", "owning-sig: sig-node\nstatus: withdrawn\nauthors: [\"@cy\"]\napprovers: [\"@ann\"]\n"),
        ("sig-apps/3-c", "owning-sig: sig-apps\nstatus: Provisional\nkep-number: 3\napprovers: [\"@bob\"]\n"),
    ];
    for (directory, metadata) in keps {
        write(tree.path(), &format!("keps/{directory}/kep.yaml"), metadata);
        write(tree.path(), &format!("keps/{directory}/README.md"), "# Title\n\n## Summary\n");
    }
    let links = "# Title\n\n[a](../../sig-apps/3-c/README.md#summary) [b](../../sig-apps/3-c/README.md#nowhere)\n";
    write(tree.path(), "keps/sig-node/1-a/README.md", links);
    write(tree.path(), "keps/prod-readiness/sig-apps/3.yaml", "kep-number: 3\nalpha:\n  approver: \"@Eve\"\n");
    write(tree.path(), "keps/prod-readiness/sig-apps/9.yaml", "kep-number: 9\n");
    write(tree.path(), "OWNERS_ALIASES", "aliases: [\n");
    tree
}

/// The KEPs that are checked with these options, by their directories, and how many are filtered out.
fn checked(tree: &Path, options: &[&str]) -> (Vec<String>, String) {
    let printed = kep_lint_lines(tree, ["keps", "--level", "suggestion"].iter().chain(options));
    let mut keps: Vec<String> =
        printed.stdout.lines().filter_map(|line| line.split('/').nth(2)).map(str::to_owned).collect();
    keps.dedup();
    let summary = printed.stderr.lines().next().unwrap_or_default();
    let (_, filtered) = summary.rsplit_once("; ").unwrap_or_default();
    (keps, filtered.to_owned())
}

#[test]
fn only_keps_that_meet_all_conditions_are_checked() {
    let tree = tree();
    for (options, keps, filtered) in [
        (vec!["--sig", "sig-node"], vec!["1-a", "2-b"], "filtered out 1 KEP"),
        (vec!["--sig", "SIG-Apps"], vec!["3-c"], "filtered out 2 KEPs"),
        (vec!["--sig", "sig-apps,sig-node", "--status", "provisional"], vec!["3-c", "1-a"], "filtered out 1 KEP"),
        (vec!["--sig", "sig-node", "--sig", "sig-apps", "--status", "withdrawn"], vec!["2-b"], "filtered out 2 KEPs"),
        (vec!["--author", "Ann"], vec!["1-a"], "filtered out 2 KEPs"),
        (vec!["--approver", "@ann"], vec!["2-b"], "filtered out 2 KEPs"),
        (vec!["--approver", "eve"], vec!["3-c"], "filtered out 2 KEPs"),
    ] {
        assert_eq!(
            checked(tree.path(), &options),
            (keps.into_iter().map(str::to_owned).collect(), filtered.to_owned())
        );
    }
    let run = kep_lint_json(tree.path(), &["keps", "--sig", "sig-apps"]);
    assert_eq!(run["keps"], 1);
}

#[test]
fn what_is_not_about_a_kep_is_left_out_and_links_are_checked_in_all_keps() {
    let tree = tree();
    let run = |options: &[&str]| kep_lint_lines(tree.path(), ["keps"].iter().chain(options)).stdout;
    let whole = run(&[]);
    assert!(whole.contains("OWNERS_ALIASES:") && whole.contains("orphan-prr"), "{whole}");
    let node = run(&["--sig", "sig-node", "--select", "text,approval"]);
    assert!(!node.contains("OWNERS_ALIASES:") && !node.contains("orphan-prr"), "{node}");
    let anchors: Vec<&str> = node.lines().filter(|line| line.contains("[dead-anchor]")).collect();
    assert!(matches!(anchors.as_slice(), [anchor] if anchor.contains("#nowhere")), "{node}");
}

#[test]
fn a_run_that_looks_at_nothing_fails() {
    let tree = tree();
    let run = |options: &[&str]| kep_lint(tree.path(), ["keps"].iter().chain(options));
    for (options, wrong) in [
        (&["--sig", "sig-windows"][..], "use another value for `--sig`: no KEP has this one"),
        (&["--sig", "sig-windows", "--diff"], "use another value for `--sig`: no KEP has this one"),
        (&["--milestone", "v1.99"], "use another value for `--milestone`: no KEP has this one"),
        (&["--sig", "sig-node", "--author", "@typo"], "use another value for `--author`: no KEP has this one"),
    ] {
        let none = run(options);
        assert_eq!((none.status, none.stdout.as_str()), (2, ""), "{options:?}");
        assert_eq!(none.stderr, format!("error: no KEP matches the filters; filtered out 3 KEPs\n  help: {wrong}\n"));
    }
    let both = run(&["--sig", "sig-apps", "--author", "ann"]);
    assert!(both.status == 2 && both.stderr.contains("no KEP matches all of them"), "{}", both.stderr);
    let rules = run(&["--ignore", "ignores,text,metadata,sections,approval"]);
    assert_eq!(
        (rules.status, rules.stderr.as_str()),
        (2, "error: no rule is left to run\n  help: use other values for `--select`, `--ignore` and `--preset`\n")
    );
    let file = kep_lint(tree.path(), ["OWNERS_ALIASES"]);
    assert_eq!(file.status, 2);
    assert!(file.stderr.starts_with("error: `OWNERS_ALIASES` is not part of a KEP\n"), "{}", file.stderr);
    assert_eq!(kep_lint(tree.path(), ["OWNERS_ALIASES", "keps"]).status, run(&[]).status);
    let unknown = run(&["--sig", "sig-nod"]);
    assert_eq!(unknown.status, 2);
    assert_eq!(unknown.stderr, "error: unknown SIG `sig-nod`\n  help: did you mean `sig-node`?\n");
}

#[test]
fn a_kep_that_cannot_be_judged_is_a_failure() {
    let tree = tree();
    let metadata = tree.path().join("keps/sig-node/2-b/kep.yaml");
    fs::remove_file(&metadata).expect("it is there");
    fs::create_dir(&metadata).expect("a directory");
    let printed = kep_lint(tree.path(), ["keps", "--status", "withdrawn"]);
    assert_eq!(printed.status, 2, "{}", printed.stderr);
    assert_eq!(printed.stderr.matches("2-b/kep.yaml`: it is a directory").count(), 1, "{}", printed.stderr);
    let printed = kep_lint(tree.path(), ["keps", "--sig", "sig-node", "--fail-on", "never"]);
    assert_eq!(printed.stderr.matches("2-b/kep.yaml`: it is a directory").count(), 1, "{}", printed.stderr);
}
