//! The command line as a user meets it: transcripts, and input that is broken.

use crate::support::program::{NO_REPOSITORY, PROGRAM, Printed, kep_lint, kep_lint_lines};
use crate::support::project;
use std::fs;
use std::path::Path;

/// A kep.yaml without a flaw.
const WITHDRAWN: &[u8] = b"title: X\nkep-number: 1\nauthors: [\"@ann\"]\nowning-sig: sig-node\n\
    approvers: [\"@bob\"]\nstatus: withdrawn\n";

fn all(printed: &Printed) -> String {
    format!("{}{}", printed.stdout, printed.stderr)
}

/// Runs kep-lint on `arguments` and asserts its exit status and what its messages say.
fn assert_says(directory: &Path, arguments: &[&str], status: i32, says: &[&str]) {
    let output = kep_lint_lines(directory, arguments);
    let printed = all(&output);
    assert_eq!(output.status, status, "{arguments:?}: {printed}");
    assert!(!printed.contains("panicked"), "{printed}");
    for part in says {
        assert!(printed.contains(part), "{arguments:?} does not say `{part}`: {printed}");
    }
}

/// A KEP directory with these files.
fn kep(tree: &Path, path: &str, files: &[(&str, &[u8])]) {
    let directory = tree.join(path);
    fs::create_dir_all(&directory).expect("a directory");
    for (name, content) in files {
        fs::write(directory.join(name), content).expect("a file");
    }
}

#[test]
fn transcripts() {
    trycmd::TestCases::new()
        .register_bin("kep-lint", Path::new(PROGRAM))
        .env("NO_COLOR", "1")
        .env("COLUMNS", "80")
        .env("GITHUB_ACTIONS", "")
        .env(NO_REPOSITORY.0, NO_REPOSITORY.1)
        .case("tests/cli/*.trycmd");
}

#[test]
fn a_file_that_cannot_be_read_is_named_and_the_rest_is_linted() {
    let tree = tempfile::tempdir().expect("a directory");
    kep(tree.path(), "keps/sig-a/1-directory", &[("kep.yaml", WITHDRAWN)]);
    fs::create_dir(tree.path().join("keps/sig-a/1-directory/README.md")).expect("a directory");
    kep(tree.path(), "keps/sig-a/2-broken", &[("kep.yaml", b"status: nope\n"), ("README.md", b"# KEP-2: X\n")]);
    kep(tree.path(), "keps/sig-a/3-large", &[("kep.yaml", WITHDRAWN)]);
    let large = fs::File::create(tree.path().join("keps/sig-a/3-large/README.md")).expect("a file");
    large.set_len(100 << 20).expect("a large file");
    let says = [
        "1-directory/README.md`: it is a directory",
        "3-large/README.md`: it has 100 MiB",
        "2-broken/kep.yaml:1:9: error[invalid-status] unknown status `nope`",
        "checked 3 KEPs (4 files)",
    ];
    assert_says(tree.path(), &["keps"], 2, &says);
}

#[cfg(unix)]
#[test]
fn a_readme_that_leads_nowhere_is_a_failure() {
    use std::os::unix::fs::symlink;
    let tree = tempfile::tempdir().expect("a directory");
    kep(tree.path(), "keps/sig-a/3-z", &[("kep.yaml", WITHDRAWN)]);
    symlink("nowhere", tree.path().join("keps/sig-a/3-z/README.md")).expect("a link");
    assert_says(tree.path(), &["keps/sig-a/3-z"], 2, &["3-z/README.md`: dangling symlink", "checked 1 KEP"]);
}

#[test]
fn bytes_that_are_no_text_are_findings() {
    let tree = tempfile::tempdir().expect("a directory");
    let noise: Vec<u8> = (0..20_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    kep(tree.path(), "keps/sig-a/1-x", &[("README.md", &noise), ("kep.yaml", b"status: implementable\n")]);
    kep(tree.path(), "keps/sig-a/2-y", &[("README.md", b"# KEP-2: Y\n"), ("kep.yaml", "[".repeat(40_000).as_bytes())]);
    let says = [
        "1-x/README.md:1:",
        "error[not-utf8]",
        "2-y/kep.yaml:1:",
        "error[invalid-yaml]",
        "nested more than 100 levels",
        "checked 2 KEPs",
    ];
    assert_says(tree.path(), &["keps"], 2, &says);
}

#[test]
fn whatever_a_path_means_is_checked_once() {
    let tree = tempfile::tempdir().expect("a directory");
    let files: [(&str, &[u8]); 2] = [("kep.yaml", WITHDRAWN), ("README.MD", b"# KEP-1: X\n")];
    kep(tree.path(), "keps/sig-a/deeper/1-x", &files);
    kep(tree.path(), "keps/sig-a/2-y", &[("README.md", b"# KEP-2: Y\n")]);
    kep(tree.path(), "keps/NNNN-kep-template", &files);
    kep(tree.path(), "keps/prod-readiness/sig-a", &[("0001.yaml", b"kep-number: 1\n")]);
    kep(tree.path(), "keps/sig-a/deeper/1-x/images", &[("a.txt", b"")]);
    kep(tree.path(), "alone", &[("README.md", b"# KEP-3: Z\n")]);
    kep(tree.path(), "nothing", &[]);
    fs::write(tree.path().join("keps/README.md"), "# KEPs\n").expect("a file");
    fs::create_dir(tree.path().join(".git")).expect("a directory");
    let inner = tree.path().join("keps/sig-a/2-y");
    let says_of = |directory: &Path, arguments: &[&str], status: i32, says: &str| {
        assert_says(directory, arguments, status, &[says]);
    };
    says_of(tree.path(), &["--fail-on", "never"], 0, "checked 2 KEPs (4 files)");
    says_of(&inner, &["--fail-on", "never"], 0, "./README.md:1:1: error[missing-kep-yaml]");
    says_of(&inner, &["README.md"], 1, "README.md:1:1: error[missing-kep-yaml]");
    says_of(tree.path(), &["keps/sig-a/deeper/1-x/images/a.txt", "keps/sig-a/deeper"], 0, "checked 1 KEP (3 files)");
    says_of(tree.path(), &["keps/prod-readiness/sig-a/0001.yaml"], 0, "checked 1 KEP (3 files)");
    says_of(tree.path(), &["keps/README.md"], 2, "is not part of a KEP");
    says_of(tree.path(), &["keps/NNNN-kep-template/README.MD"], 2, "is not part of a KEP");
    says_of(tree.path(), &["keps/NNNN-kep-template"], 2, "kep-lint template check");
    says_of(tree.path(), &["keps/prod-readiness"], 2, "`keps/prod-readiness` contains no KEP");
    says_of(tree.path(), &["nothing"], 2, "`nothing` contains no KEP");
    says_of(tree.path(), &["nowhere"], 2, "`nowhere` does not exist");
    says_of(tree.path(), &["alone", "--select", "missing-kep-yaml,bad-title"], 0, "checked 1 KEP (1 file)");
    says_of(tree.path(), &["check", "alone", "--select", "bad-title"], 0, "checked 1 KEP (1 file)");
    fs::create_dir(inner.join(".git")).expect("a directory");
    says_of(tree.path(), &["--fail-on", "never"], 0, "; skipped 1 file that is not part of a KEP");
}

#[test]
fn ten_mistakes_are_ten_findings_and_the_readme_is_linted_still() {
    let tree = tempfile::tempdir().expect("a directory");
    let yaml = r#"title: KEP Template
kep-number: 7
authors:
  - @alice
owning-sig: sig-nodes
owner: sig-node
status: Implementable
creation-date: 2026-13-01
approvers: "@bob"
stage: GA
stage: alpha
latest-milestone: soon
milestone:
  alpha: v1.37
  betta: v1.38
"#;
    kep(tree.path(), "keps/sig-node/1-x", &[("kep.yaml", yaml.as_bytes()), ("README.md", b"# KEP-2: X\n")]);
    let lines = [
        ":1:8: warning[placeholder-value]",
        ":2:13: error[kep-number-mismatch]",
        ":4:5: error[invalid-yaml]",
        ":5:13: suggestion[unknown-sig]",
        ":6:1: error[unknown-key]",
        ":7:9: error[invalid-status]",
        ":8:16: suggestion[invalid-date]",
        ":9:12: error[wrong-type]",
        ":10:8: error[invalid-stage]",
        ":11:1: error[duplicate-key]",
        ":15:3: error[unknown-key]",
        "1-x/README.md:1:7: error[bad-title]",
    ];
    assert_says(tree.path(), &["keps"], 1, &lines);
}

#[test]
fn broken_aliases_are_one_finding_and_not_the_end() {
    let tree = tempfile::tempdir().expect("a directory");
    let yaml =
        b"title: X\nkep-number: 1\nauthors: [\"@a\"]\nowning-sig: sig-node\napprovers: [\"@b\"]\nstatus: withdrawn\n";
    kep(
        tree.path(),
        "keps/sig-node/1-x",
        &[("kep.yaml", yaml), ("README.md", b"# KEP-1: X\n<!-- toc -->\n<!-- /toc -->\n")],
    );
    kep(tree.path(), "keps/prod-readiness/sig-node", &[("1.yaml", b"kep-number: 1\n")]);
    assert_says(
        tree.path(),
        &["keps"],
        0,
        &["OWNERS_ALIASES:1:1: suggestion[prr-approver]", "0 errors, 0 warnings, 1 suggestion"],
    );
    fs::write(tree.path().join("OWNERS_ALIASES"), "aliases:\n  a: [x]\n  a: [y]\n").expect("a file");
    assert_says(
        tree.path(),
        &["keps"],
        1,
        &["OWNERS_ALIASES:", "error[prr-approver]", "duplicate", "1 error, 0 warnings, 0 suggestions"],
    );
}

#[test]
fn other_documents_of_a_kep_are_checked_too() {
    let tree = tempfile::tempdir().expect("a directory");
    let yaml =
        b"title: X\nkep-number: 1\nauthors: [\"@a\"]\nowning-sig: sig-node\napprovers: [\"@b\"]\nstatus: withdrawn\n";
    let text = b"# X\n\n<!-- toc -->\n<!-- /toc -->\n\n## Y\n\nSee [z](../2-z) and [q](#q).\n";
    kep(tree.path(), "keps/sig-node/1-x", &[("kep.yaml", yaml), ("README.md", b"# KEP-1: X\n"), ("more.md", text)]);
    kep(tree.path(), "keps/sig-node/1-x/docs", &[("README.md", text)]);
    let says = [
        "1-x/docs/README.md:4:1: warning[stale-toc]",
        "1-x/more.md:4:1: warning[stale-toc]",
        "checked 1 KEP (4 files)",
    ];
    assert_says(tree.path(), &["keps"], 0, &says);
}

#[test]
fn a_run_that_fails_says_why_in_json() {
    for (arguments, says) in [
        (["--select", "no-such-rule"], "unknown rule or category `no-such-rule`"),
        (["--template", "no-such-file"], "cannot read `no-such-file`"),
    ] {
        let printed = kep_lint(project(), ["--format", "json", "fixtures/demo/keps"].iter().chain(&arguments));
        assert_eq!(printed.status, 2);
        let run: serde_json::Value = serde_json::from_str(&printed.stdout).expect("it is JSON");
        assert!(run["failures"][0]["message"].as_str().is_some_and(|message| message.contains(says)), "{run}");
        assert!(printed.stderr.contains(says), "{}", printed.stderr);
    }
}

#[test]
fn unsafe_fixes_alone_do_nothing_and_say_so() {
    let printed = kep_lint(project(), ["--unsafe-fixes", "fixtures/demo/keps"]);
    assert!(printed.stderr.contains("`--unsafe-fixes` does nothing without"), "{}", printed.stderr);
}

#[test]
fn a_template_that_requires_nothing_is_no_template() {
    let tree = tempfile::tempdir().expect("a directory");
    kep(tree.path(), "keps/sig-node/1-x", &[("README.md", b"# KEP-1: X\n"), ("kep.yaml", WITHDRAWN)]);
    fs::write(tree.path().join("own.md"), "# T\n\n## Cost of Images (Optional)\n").expect("a file");
    assert_says(tree.path(), &["keps", "--template", "own.md"], 2, &["cannot use `own.md`: it requires no section"]);
    fs::write(tree.path().join("own.md"), "# T\n\n## Summary\n\n## Cost of Images\n").expect("a file");
    let says = ["own.md:5:4: suggestion[unknown-template-section]", "checked 1 KEP"];
    assert_says(tree.path(), &["keps", "--template", "own.md"], 0, &says);
}

#[test]
fn a_repository_without_sigs_is_checked_against_its_own_template() {
    let tree = tempfile::tempdir().expect("a directory");
    let yaml =
        b"title: X\nkep-number: 1\nauthors: [\"@a\"]\napprovers: [\"@b\"]\nstatus: implementable\nstage: alpha\n\
        latest-milestone: v0.20\nmilestone:\n  alpha: v0.20\nfeature-gates:\n  - name: Images\n";
    let text =
        b"# KEP-1: X\n\n<!-- toc -->\n- [Summary](#summary)\n<!-- /toc -->\n\n## Summary\n\nImages are pulled early.\n";
    kep(tree.path(), "keps/1-x", &[("README.md", text), ("kep.yaml", yaml)]);
    kep(tree.path(), "keps/NNNN-template", &[("README.md", b"# KEP-NNNN: T\n\n## Summary\n\n## Test Plan\n")]);
    let printed = kep_lint_lines(tree.path(), ["--fail-on", "never"]);
    let found: Vec<&str> = printed.stdout.lines().collect();
    let [missing] = found.as_slice() else { panic!("{printed:?}") };
    assert!(missing.starts_with("keps/1-x/README.md:7:1: error[missing-section] [unsafe fix] "), "{missing}");
    assert!(missing.contains("`## Test Plan`") && missing.ends_with("; required from alpha"), "{missing}");
    assert!(printed.stderr.contains("for v0.20 (newest milestone in this tree)"), "{}", printed.stderr);
}
