//! `--fix` and `--diff` on files: what is written, what is not, and what is said of it.

use crate::support::program::{Printed, kep_lint, kep_lint_lines};
use crate::support::project;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const README: &str = "keps/sig-node/1-x/README.md";

/// What `--fix` makes of the title.
const UNFIXED: &str = "# KEP-2: Prefetch images\n\n## Summary\n\nImages are pulled ahead of time.\n";
const FIXED: &str = "# KEP-1: Prefetch images\n\n## Summary\n\nImages are pulled ahead of time.\n";

/// A tree with one KEP, whose README this is.
fn tree(readme: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let tree = tempfile::tempdir().expect("a directory");
    let path = tree.path().join(README);
    fs::create_dir_all(path.parent().expect("it has one")).expect("a directory");
    fs::write(&path, readme).expect("a file");
    fs::write(path.with_file_name("kep.yaml"), "status: withdrawn\n").expect("a file");
    (tree, path)
}

fn bad_title(tree: &Path, options: &[&str]) -> Printed {
    let arguments = options.iter().chain(&["--select", "bad-title", "keps"]);
    if options.contains(&"--diff") { kep_lint(tree, arguments) } else { kep_lint_lines(tree, arguments) }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("the file is UTF-8")
}

/// A heading that one fix adds makes the table of contents stale, which another one fixes in the same run.
#[test]
fn what_a_fix_causes_and_another_one_fixes_is_not_counted() {
    let toc = "<!-- toc -->\n- [Alternatives Considered](#alternatives-considered)\n<!-- /toc -->";
    let readme = format!("# KEP-1: Prefetch images\n\n{toc}\n\n## Alternatives Considered\n\nPull later.\n");
    let (tree, path) = tree(readme);
    fs::write(path.with_file_name("kep.yaml"), "status: implementable\nstage: alpha\nlatest-milestone: v1.37\n")
        .expect("a file");
    let options = ["--fix", "--unsafe-fixes", "--select", "renamed-section,stale-toc", "keps"];
    let printed = kep_lint(tree.path(), options);
    assert!(read(&path).contains("\n- [Alternatives](#alternatives)\n"), "{}", read(&path));
    assert!(printed.stderr.contains("; fixed 1 finding in 1 file\n"), "{}", printed.stderr);
    assert!(!printed.stderr.contains("stale-toc"), "{}", printed.stderr);
}

/// Nothing but what was there before lies in the KEP's directory.
fn is_tidy(readme: &Path) {
    let names = readme.parent().expect("it has one").read_dir().expect("it can be read");
    let mut names: Vec<_> = names.map(|entry| entry.expect("an entry").file_name()).collect();
    names.sort();
    assert_eq!(names, ["README.md", "kep.yaml"]);
}

#[test]
fn what_is_left_is_reported() {
    let (tree, path) = tree(UNFIXED.to_owned() + "\n# Again\n");
    let printed = bad_title(tree.path(), &["--fix"]);
    assert_eq!(read(&path), FIXED.to_owned() + "\n# Again\n");
    assert_eq!(
        printed.stdout,
        format!(
            "{README}:7:1: warning[bad-title] the README has more than one title - help: keep one `#` heading as the title, and write the others as `##`\n"
        )
    );
    assert_eq!(
        printed.stderr,
        "fixed keps/sig-node/1-x/README.md: the title has `KEP-2`, but the directory is 1 (bad-title)\n\
         checked 1 KEP (2 files) for v1.37 (release on 2026-08-26, built-in release): 0 errors, 1 warning, 0 suggestions; fixed 1 finding in 1 file\n"
    );
    assert_eq!(printed.status, 0);
    is_tidy(&path);
    let again = bad_title(tree.path(), &["--fix"]);
    assert!(again.stderr.ends_with("; fixed 0 findings in 0 files\n"), "{}", again.stderr);
}

#[test]
fn bytes_that_no_fix_means_stay() {
    for (before, after) in [
        (UNFIXED.replace('\n', "\r\n"), FIXED.replace('\n', "\r\n")),
        (format!("\u{feff}{UNFIXED}"), format!("\u{feff}{FIXED}")),
        (UNFIXED.trim_end().to_owned(), FIXED.trim_end().to_owned()),
        (format!("{UNFIXED}a\r\nb\rc  \n\t\n\0\u{2028}"), format!("{FIXED}a\r\nb\rc  \n\t\n\0\u{2028}")),
    ] {
        let (tree, path) = tree(before);
        bad_title(tree.path(), &["--fix", "-q"]);
        assert_eq!(read(&path), after);
    }
}

#[test]
fn nothing_to_fix_is_nothing_written() {
    let (tree, path) = tree(FIXED);
    let before = fs::metadata(&path).and_then(|metadata| metadata.modified()).expect("files have a time");
    let printed = bad_title(tree.path(), &["--fix"]);
    assert_eq!(fs::metadata(&path).and_then(|metadata| metadata.modified()).expect("files have a time"), before);
    assert_eq!((printed.status, read(&path).as_str()), (0, FIXED));
}

#[test]
fn a_diff_writes_nothing() {
    let (tree, path) = tree(UNFIXED.trim_end());
    let printed = bad_title(tree.path(), &["--diff"]);
    let with_fix = bad_title(tree.path(), &["--fix", "--diff"]);
    assert_eq!(
        (with_fix.stdout, with_fix.stderr, with_fix.status),
        (printed.stdout.clone(), printed.stderr.clone(), 1)
    );
    assert_eq!(
        printed.stdout,
        format!(
            "--- a/{README}\n+++ b/{README}\n@@ -1,4 +1,4 @@\n-# KEP-2: Prefetch images\n+# KEP-1: Prefetch images\n \n \
             ## Summary\n \n"
        )
    );
    assert_eq!((printed.stderr.as_str(), printed.status), ("would fix 1 finding in 1 file\n", 1));
    assert_eq!(read(&path), UNFIXED.trim_end());
    is_tidy(&path);
    let (clean, _) = self::tree(FIXED);
    let printed = bad_title(clean.path(), &["--diff", "-q"]);
    assert_eq!((printed.stdout.as_str(), printed.stderr.as_str(), printed.status), ("", "", 0));
}

#[test]
fn a_file_that_is_not_utf8_is_left_alone() {
    let bytes = [UNFIXED.as_bytes(), b"\xff\n"].concat();
    for option in ["--fix", "--diff"] {
        let (tree, path) = tree(&bytes);
        let printed = bad_title(tree.path(), &[option]);
        assert_eq!(fs::read(&path).expect("it is there"), bytes);
        assert_eq!(printed.status, 2);
        assert!(
            printed.stderr.contains(&format!("error: cannot fix `{README}`: it is not UTF-8")),
            "{}",
            printed.stderr
        );
    }
}

/// The bit counts, even where root could write all the same.
#[test]
fn a_read_only_file_is_reported() {
    let (tree, path) = tree(UNFIXED);
    let mut permissions = fs::metadata(&path).expect("it is there").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).expect("it is ours");
    let printed = bad_title(tree.path(), &["--fix"]);
    assert_eq!((read(&path).as_str(), printed.status), (UNFIXED, 2));
    assert!(printed.stdout.contains("warning[bad-title] [fix] the title has `KEP-2`"), "{}", printed.stdout);
    let says = format!("error: cannot write `{README}`: it is read-only\n  help: make it writable");
    assert!(printed.stderr.contains(&says), "{}", printed.stderr);
    assert!(
        printed.stderr.contains("0 errors, 1 warning, 0 suggestions; fixed 0 findings in 0 files"),
        "{}",
        printed.stderr
    );
    is_tidy(&path);
}

#[cfg(unix)]
#[test]
fn permissions_stay_and_readers_keep_what_they_opened() {
    use std::io::Read;
    use std::os::unix::fs::PermissionsExt;
    let (tree, path) = tree(UNFIXED);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("it is ours");
    let mut open = fs::File::open(&path).expect("it is there");
    bad_title(tree.path(), &["--fix"]);
    assert_eq!(fs::metadata(&path).expect("it is there").permissions().mode() & 0o7777, 0o640);
    let mut text = String::new();
    open.read_to_string(&mut text).expect("it is text");
    assert_eq!((text.as_str(), read(&path).as_str()), (UNFIXED, FIXED));
}

#[cfg(unix)]
#[test]
fn a_link_stays_one() {
    use std::os::unix::fs::symlink;
    let (tree, path) = tree("");
    fs::remove_file(&path).expect("it is ours");
    let target = tree.path().join("elsewhere.md");
    fs::write(&target, UNFIXED).expect("a file");
    symlink("../../../elsewhere.md", &path).expect("a link");
    let printed = bad_title(tree.path(), &["--fix"]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    assert!(path.symlink_metadata().expect("it is there").is_symlink());
    assert_eq!(read(&target), FIXED);
    is_tidy(&path);
}

/// Two KEPs whose READMEs are one file want different numbers.
#[cfg(unix)]
#[test]
fn a_file_of_two_keps_is_fixed_for_the_one_that_it_is_in() {
    use std::os::unix::fs::symlink;
    let note = "note: a file that several KEPs have by links is changed only for the KEP whose directory it is in\n";
    for (owner, other) in [("1-x", "3-y"), ("3-y", "1-x")] {
        let (tree, path) = tree(UNFIXED);
        let at = |name: &str| path.parent().expect("it has one").with_file_name(name);
        fs::create_dir(at("3-y")).expect("a directory");
        fs::write(at("3-y").join("kep.yaml"), "status: withdrawn\n").expect("a file");
        if owner != "1-x" {
            fs::rename(&path, at(owner).join("README.md")).expect("it is there");
        }
        symlink(format!("../{owner}/README.md"), at(other).join("README.md")).expect("a link");
        let fixed = UNFIXED.replace('2', &owner[..1]);
        let diff = bad_title(tree.path(), &["--diff"]);
        assert!(diff.stdout.contains("\n+# KEP-") && diff.stdout.matches("\n+").count() == 2, "{}", diff.stdout);
        assert!(diff.stderr.contains(note), "{}", diff.stderr);
        for _ in 0..2 {
            let printed = bad_title(tree.path(), &["--fix"]);
            assert!(printed.stderr.contains(note), "{}", printed.stderr);
            assert_eq!((printed.status, read(&path)), (0, fixed.clone()));
        }
        let ignored = bad_title(tree.path(), &["--add-ignores=later"]);
        assert!(ignored.stderr.contains("1 finding is left"), "{}", ignored.stderr);
        assert_eq!(read(&path), fixed);
    }
}

#[cfg(unix)]
#[test]
fn a_file_of_two_keps_outside_of_both_is_not_fixed() {
    use std::os::unix::fs::symlink;
    let (tree, path) = tree(UNFIXED);
    let other = path.parent().expect("it has one").with_file_name("3-y");
    fs::create_dir(&other).expect("a directory");
    fs::write(other.join("kep.yaml"), "status: withdrawn\n").expect("a file");
    fs::rename(&path, tree.path().join("shared.md")).expect("it is there");
    symlink("../../../shared.md", &path).expect("a link");
    symlink("../../../shared.md", other.join("README.md")).expect("a link");
    let printed = bad_title(tree.path(), &["--fix"]);
    assert!(printed.stderr.contains("fixed 0 findings in 0 files\nnote: a file that several"), "{}", printed.stderr);
    assert_eq!(read(&path), UNFIXED);
}

#[test]
fn unsafe_fixes_want_to_be_asked_for() {
    let (tree, path) =
        tree("# KEP-1: X\n\n## Summary\n\nImages.\n\n## Goals\n\nFast.\n\n## Testing Plan\n\nUnit tests.\n");
    let run = |options: &[&str]| {
        let arguments = ["--select", "renamed-section", "--stage", "alpha", "keps/sig-node/1-x"];
        kep_lint(tree.path(), options.iter().chain(&arguments))
    };
    let offer = "1 finding can be fixed with `--fix --unsafe-fixes`\n";
    for options in [&[][..], &["--unsafe-fixes"], &["--fix"]] {
        let printed = run(options);
        assert!(printed.stderr.ends_with(offer), "{options:?}: {}", printed.stderr);
        assert_eq!(run(&["-q"]).stderr, "");
    }
    assert_eq!(run(&["--diff"]).stdout, "");
    assert!(run(&["--diff", "--unsafe-fixes"]).stdout.contains("\n-## Testing Plan\n+## Test Plan\n"));
    let printed = run(&["--fix", "--unsafe-fixes"]);
    assert_eq!(
        printed.stderr,
        "fixed keps/sig-node/1-x/README.md: heading `Testing Plan` is `Test Plan` in the template (renamed-section)\n\
         checked 1 KEP (2 files) for v1.37 (release on 2026-08-26, built-in release): 0 errors, 0 warnings, 0 suggestions; fixed 1 finding in 1 file\n"
    );
    assert!(read(&path).contains("\n## Test Plan\n"));
}

#[test]
fn what_excludes_each_other_is_refused() {
    for (arguments, says) in [
        (["--diff", "--statistics"], "'--diff' cannot be used with '--statistics'"),
        (["--diff", "--format=json"], "'--diff' cannot be used with '--format <FORMAT[=FILE]>'"),
    ] {
        let printed = kep_lint(project(), arguments.iter().chain(&["fixtures/demo/keps"]));
        assert_eq!(printed.status, 2);
        assert!(printed.stderr.contains(says), "{}", printed.stderr);
    }
}

/// Fixes that let more of a file be read, after which other errors are found: none of them is reverted.
#[test]
fn errors_that_could_not_be_seen_before_blame_no_fix() {
    let broken = "title: A\nstatus: provisional\nstatus: provisional\neditor: @alice\neditor: @alice\n";
    let misspelt = "status: implementable\nmnilestone:\n  beta: \"v1.36\"\n  beta: \"v1.37\"\n";
    let short = "stage: beta\nl[sdatus: t\n";
    let unread = "authnrs:\n \n  @a\n - [Summary](#summary): X\nauthors:\n  - @a\n  - ges\n";
    let quoted = "stage: @deprecated\n";
    for (metadata, fixed) in [
        (broken, Some("editor: \"@alice\"\neditor: \"@alice\"\n")),
        (misspelt, Some("milestone:\n  beta: \"v1.36\"\n  beta: \"v1.37\"\n")),
        (short, Some("status: t\n")),
        (unread, None),
        (quoted, Some("stage: deprecated\n")),
    ] {
        let (tree, path) = tree("# KEP-1: X\n");
        let path = path.with_file_name("kep.yaml");
        fs::write(&path, metadata).expect("a file");
        let printed = kep_lint(tree.path(), ["--fix", "--unsafe-fixes", "keps"]);
        assert!(!printed.stderr.contains("reverted"), "{metadata}: {}", printed.stderr);
        assert!(fixed.is_none_or(|fixed| read(&path).ends_with(fixed)), "{}", read(&path));
        if metadata == broken {
            fs::write(&path, metadata).expect("a file");
            let printed = kep_lint(tree.path(), ["--fix", "--select", "invalid-yaml,duplicate-key", "keps"]);
            assert!(!printed.stderr.contains("reverted"), "{}", printed.stderr);
            assert_eq!(printed.stdout.matches("[duplicate-key]").count(), 2, "{}", printed.stdout);
        }
    }
}

#[test]
fn a_template_gets_directives_in_its_place() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("keps/NNNN-template/README.md");
    fs::create_dir_all(path.parent().expect("it has one")).expect("a directory");
    let text = "# T\r\n\r\n## Cost\r\n\r\n## Design Details\r\ntext";
    fs::write(&path, text).expect("a file");
    let arguments = ["template", "annotate", "keps/NNNN-template/README.md"];
    let run = |option: Option<&str>| kep_lint(directory.path(), arguments.iter().copied().chain(option));
    let title = "# T\r\n<!--DIRECTIVE: required: true, severity: error-->\r\n";
    let details =
        "## Design Details\r\n<!--DIRECTIVE: required: true, stage: alpha, severity: error, role: design, aka: ";
    let printed = run(None);
    assert!(printed.stdout.starts_with(title) && printed.stdout.contains(details), "{}", printed.stdout);
    assert!(printed.stdout.ends_with("-->\r\ntext"), "{}", printed.stdout);
    let cost = "1 heading is not in the built-in template, and got no directive: `Cost`\n";
    assert_eq!((printed.status, printed.stderr), (0, format!("added 2 directives\n{cost}")));
    let shown = run(Some("--diff"));
    assert_eq!((shown.status, shown.stderr), (1, format!("would add 2 directives\n{cost}")));
    assert_eq!(read(&path), text);
    assert_eq!(run(Some("--fix")).stdout, "");
    assert_eq!(read(&path), printed.stdout);
    let again = run(Some("--diff"));
    assert_eq!((again.status, again.stdout.as_str()), (0, ""));
    assert_eq!(again.stderr, format!("would add 0 directives\n2 headings have one already\n{cost}"));
    // With SIGs, releases are those of Kubernetes.
    fs::write(&path, text).expect("a file");
    fs::create_dir(directory.path().join("keps/sig-node")).expect("a directory");
    assert!(run(None).stdout.contains("stage: alpha, since: v1.15, severity"));
    fs::write(&path, b"# \xff\n").expect("a file");
    let refused = run(Some("--fix"));
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.contains("it is not UTF-8"), "{}", refused.stderr);
}
