//! Presets: which findings count, and for `upstream` which files that belong to no KEP.

use crate::support::program::{Printed, items, kep_lint, kep_lint_json, kep_lint_lines, text};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A kep.yaml that upstream's scripts accept.
const METADATA: &str = "title: X\nkep-number: 1\nauthors: [\"@ann\"]\nowning-sig: sig-a\napprovers: [\"@bob\"]\n\
    status: provisional\nstage: alpha\nlatest-milestone: v1.37\n";

/// A README that upstream's scripts accept.
const README: &str = "# KEP-1: X\n\n<!-- toc -->\n<!-- /toc -->\n";

const ALIASES: &str = "aliases:\n  prod-readiness-approvers: [carol]\n";

/// A tree with one KEP that upstream's scripts accept, and these files.
fn tree(files: &[(&str, &str)]) -> TempDir {
    let tree = tempfile::tempdir().expect("a directory");
    let own =
        [("OWNERS_ALIASES", ALIASES), ("keps/sig-a/1-x/kep.yaml", METADATA), ("keps/sig-a/1-x/README.md", README)];
    for (path, content) in own.iter().chain(files) {
        let path = tree.path().join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, content).expect("a file");
    }
    tree
}

fn upstream(tree: &Path, arguments: &[&str]) -> Printed {
    kep_lint_lines(tree, [&["--preset", "upstream"], arguments].concat())
}

/// The paths and rules of the findings of upstream's preset.
fn found(tree: &TempDir, arguments: &[&str]) -> Vec<String> {
    let run = kep_lint_json(tree.path(), &[&["--preset", "upstream"], arguments].concat());
    let shown = |found: &Value| {
        assert_eq!(found["severity"], "error");
        assert!(text(&found["upstream"]).starts_with("hack/verify-"), "{found}");
        format!("{} {}", text(&found["path"]).trim_start_matches("./"), text(&found["rule"]))
    };
    items(&run["diagnostics"]).iter().map(shown).collect()
}

#[test]
fn only_what_upstream_fails_on_is_reported() {
    let tree = tree(&[]);
    let printed = upstream(tree.path(), &["keps"]);
    assert_eq!((printed.status, printed.stdout.as_str()), (0, ""), "{}", printed.stderr);
    let recommended = kep_lint_lines(tree.path(), ["keps"]);
    assert!(recommended.stdout.contains("missing-section"), "{}", recommended.stdout);
}

#[test]
fn files_of_no_kep_are_looked_at() {
    let tree = tree(&[
        ("keps/README.md", "# KEPs\n"),
        ("keps/NNNN-kep-template/README.md", "# KEP-NNNN\n"),
        ("keps/NNNN-kep-template/kep.yaml", "bad: x\n"),
        ("keps/prod-readiness/guide.md", "# Guide\n"),
        ("keps/sig-a/FAQ.md", "# FAQ\n"),
        ("keps/sig-a/1-x/docs/notes.md", "# Notes\n"),
        ("keps/sig-a/1-x/docs/notes.MD", "# Notes\n"),
        ("keps/sig-a/1-x/alpha/README.md", README),
        ("keps/sig-a/old.md", "1-x/README.md"),
        ("keps/sig-a/gone.md", "2-y/README.md"),
        ("docs/outside.md", "# Outside\n"),
        ("hack/.notableofcontents", "keps/README.md\n"),
    ]);
    let template = ["missing-key"; 6].map(|rule| format!("keps/NNNN-kep-template/kep.yaml {rule}"));
    let mut wanted = vec!["keps/NNNN-kep-template/README.md missing-toc".to_owned()];
    wanted.extend(template);
    wanted.extend([
        "keps/NNNN-kep-template/kep.yaml unknown-key".to_owned(),
        "keps/prod-readiness/guide.md missing-toc".to_owned(),
        "keps/sig-a/1-x/alpha/README.md missing-kep-yaml".to_owned(),
        "keps/sig-a/1-x/docs/notes.md missing-toc".to_owned(),
        "keps/sig-a/FAQ.md missing-toc".to_owned(),
        "keps/sig-a/gone.md missing-toc".to_owned(),
    ]);
    assert_eq!(found(&tree, &["keps"]), wanted);
    assert_eq!(found(&tree, &["."]), wanted);
    assert_eq!(found(&tree, &["keps/prod-readiness"]), ["keps/prod-readiness/guide.md missing-toc"]);
    assert_eq!(
        found(&tree, &["keps/README.md", "keps/sig-a/1-x/alpha/README.md"]),
        ["keps/sig-a/1-x/alpha/README.md missing-kep-yaml"]
    );
    let run = kep_lint_json(tree.path(), &["--preset", "upstream", "keps"]);
    assert_eq!(run["keps"], 1, "the others are no KEPs");
    let recommended = kep_lint_lines(tree.path(), ["keps"]).stdout;
    let is_silent = |path: &str| !recommended.contains(path);
    assert!(is_silent("template/kep.yaml") && is_silent("guide.md") && is_silent("FAQ.md"), "{recommended}");
}

#[test]
fn what_upstream_skips_is_skipped_wherever_the_run_begins() {
    let tree = tree(&[("keps/sig-a/1-x/sub/README.md", README), ("keps/sig-a/1-x/alpha/README.md", README)]);
    let (alpha, sub) = ("keps/sig-a/1-x/alpha", "keps/sig-a/1-x/sub");
    for [alpha, sub] in [[alpha.to_owned(), sub.to_owned()], [alpha, sub].map(|path| format!("{path}/README.md"))] {
        assert_eq!(found(&tree, &[&alpha]), ["keps/sig-a/1-x/alpha/README.md missing-kep-yaml"]);
        assert_eq!(found(&tree, &[&sub]), [""; 0]);
    }
    let run = kep_lint_json(&tree.path().join(sub), &["--preset", "upstream", "."]);
    assert_eq!(items(&run["diagnostics"]).len(), 0);
}

#[cfg(unix)]
#[test]
fn links_to_documents_are_followed() {
    use std::os::unix::fs::symlink;
    let tree = tree(&[("elsewhere/guide.md", "# Guide\n")]);
    symlink("../../elsewhere/guide.md", tree.path().join("keps/sig-a/guide.md")).expect("a link");
    symlink("1-x/README.md", tree.path().join("keps/sig-a/x.md")).expect("a link");
    assert_eq!(found(&tree, &["keps"]), ["keps/sig-a/guide.md missing-toc"]);
    assert_eq!(found(&tree, &["keps/sig-a"]), ["keps/sig-a/guide.md missing-toc"]);
}

#[test]
fn a_listed_readme_needs_no_table_of_contents() {
    for (list, is_missing) in [("", true), ("keps/sig-a/1-x/README.md\n", false)] {
        let tree = tree(&[("hack/.notableofcontents", list), ("keps/sig-a/1-x/README.md", "# KEP-1: X\n")]);
        let printed = kep_lint_lines(tree.path(), ["--select", "missing-toc", "keps"]);
        assert_eq!(printed.stdout.contains("missing-toc"), is_missing, "{}", printed.stdout);
        assert_eq!(upstream(tree.path(), &["keps"]).status, i32::from(is_missing));
    }
}

#[test]
fn kep_yaml_is_read_as_upstream_reads_it() {
    // A misspelt status is not taken as meant: it needs no review.
    for (status, missing) in [("implementible", 0), ("implementable", 1), ("implemented", 1)] {
        let metadata = METADATA.replace("provisional", status);
        let tree = tree(&[("keps/sig-a/1-x/kep.yaml", &metadata)]);
        assert_eq!(found(&tree, &["keps"]), vec!["keps/sig-a/1-x/kep.yaml missing-prr"; missing], "{status}");
        // What other stages need says nothing about upstream's scripts, and they leave no KEP out.
        assert_eq!(found(&tree, &["--stage", "alpha", "keps"]).len(), missing, "{status}");
    }
}

#[test]
fn what_belongs_to_no_sig_is_checked_like_the_rest() {
    let tree = tempfile::tempdir().expect("a directory");
    let kep = tree.path().join("keps/1-x");
    fs::create_dir_all(&kep).expect("a directory");
    let metadata = METADATA.replace("owning-sig: sig-a\n", "").replace("provisional", "implementable");
    fs::write(kep.join("kep.yaml"), metadata).expect("a file");
    fs::write(kep.join("README.md"), README).expect("a file");
    assert_eq!(found(&tree, &["keps"]), ["keps/1-x/kep.yaml missing-key"]);
    let recommended = kep_lint_json(tree.path(), &["--select", "missing-key", "keps"]);
    assert_eq!(items(&recommended["diagnostics"]).len(), 0);
}

#[test]
fn fixes_are_those_of_the_findings() {
    let tree = tree(&[("keps/sig-a/guide.md", "# Guide\n\n## Words\n")]);
    let printed = kep_lint(tree.path(), ["--preset", "upstream", "--fix", "keps"]);
    assert_eq!(printed.status, 0, "{}{}", printed.stdout, printed.stderr);
    let fixed = fs::read_to_string(tree.path().join("keps/sig-a/guide.md")).expect("the file is there");
    assert_eq!(fixed, "# Guide\n\n<!-- toc -->\n- [Words](#words)\n<!-- /toc -->\n\n## Words\n");
    let kep = fs::read_to_string(tree.path().join("keps/sig-a/1-x/README.md")).expect("the file is there");
    assert_eq!(kep, README);
}

#[test]
fn strict_requires_sections_that_are_optional_otherwise() {
    let metadata = METADATA.replace("provisional", "implementable");
    let readme = "# KEP-1: X\n\n## Implementation History\n\n- v1.37: alpha\n";
    let tree = tree(&[("keps/sig-a/1-x/kep.yaml", &metadata), ("keps/sig-a/1-x/README.md", readme)]);
    let drawbacks = |preset: &str| -> Vec<String> {
        let run = kep_lint_json(tree.path(), &["--preset", preset, "--select", "missing-section", "keps"]);
        let found = items(&run["diagnostics"]).iter().filter(|found| text(&found["message"]).contains("Drawbacks"));
        found.map(|found| text(&found["severity"]).to_owned()).collect()
    };
    assert_eq!(drawbacks("recommended"), Vec::<String>::new());
    assert_eq!(drawbacks("strict"), ["suggestion"]);
    let page = kep_lint(tree.path(), ["explain", "Drawbacks"]).stdout;
    assert!(page.contains("Required: only with `--preset strict`: from alpha"), "{page}");
}
