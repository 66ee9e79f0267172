//! What no report replaces: what a run reads, what belongs to a KEP, and what git tracks.

use crate::support::program::{Printed, kep_lint};
use crate::support::scratch::Scratch;
use std::fs;

const KEP: &str = "keps/sig-node/1-a";
const METADATA: &str = "title: A\nkep-number: 1\nstatus: provisional\nowning-sig: sig-node\n";

/// A repository with a KEP. Its configuration names a template that git does not track.
fn world() -> Scratch {
    let scratch = Scratch::of(&[
        (".kep-lint.yaml", b"template: own.md\n"),
        (".gitignore", b"*.md\n!README.md\n*.txt\n"),
        ("board.json", b"{}\n"),
        ("OWNERS_ALIASES", b"aliases: {}\n"),
        ("comments/2.md", b""),
        ("keps/sig-node/1-a/README.md", b"# KEP-9: A\n"),
        ("keps/sig-node/1-a/kep.yaml", METADATA.as_bytes()),
        ("keps/prod-readiness/sig-node/1.yaml", b"kep-number: 1\n"),
    ]);
    scratch.write("own.md", "# KEP-NNNN: T\n\n## Summary\n");
    scratch.write("list.txt", "1 alpha\n");
    scratch.git(&["add", "--force", "comments"]);
    scratch.git(&["commit", "-q", "-m", "comments"]);
    scratch
}

/// Asserts that the program ends without doing anything.
fn is_refused(scratch: &Scratch, printed: &Printed, says: &str) {
    assert_eq!((printed.status, printed.stdout.as_str()), (2, ""), "{says}: {}", printed.stderr);
    assert!(printed.stderr.starts_with(&format!("error: cannot write {says}")), "{says}: {}", printed.stderr);
    assert_eq!(scratch.git(&["status", "--short"]), "", "{says}");
}

#[test]
fn a_report_replaces_nothing_that_is_read_or_tracked() {
    let scratch = world();
    let absolute = format!("{}/{KEP}/README.md", scratch.root.display());
    let (in_kep, is_read) = ("it is in the directory of a KEP", "kep-lint reads it");
    for (file, reason) in [
        ("keps/sig-node/1-a/README.md", in_kep),
        ("./keps/../keps/sig-node/1-a/kep.yaml", in_kep),
        (&absolute, in_kep),
        ("keps/sig-node/1-a/report.json", in_kep),
        ("keps/prod-readiness/sig-node/1.yaml", is_read),
        ("keps/prod-readiness/sig-node/2.yaml", is_read),
        ("OWNERS_ALIASES", is_read),
        ("sigs.yaml", is_read),
        (".kep-lint.yaml", is_read),
        ("own.md", is_read),
        ("board.json", "git tracks it"),
    ] {
        let printed = scratch.lint(&["--fix", "--format", &format!("json={file}"), "keps"]);
        is_refused(&scratch, &printed, &format!("`{file}`: {reason}\n  help: name "));
        let printed = scratch.lint(&["ready", "--format", &format!("json={file}"), "1"]);
        is_refused(&scratch, &printed, &format!("`{file}`: {reason}\n  help: name "));
    }
    assert_eq!(scratch.read("own.md"), "# KEP-NNNN: T\n\n## Summary\n");
    assert!(!scratch.at("sigs.yaml").exists());
    // What only this run reads.
    scratch.git(&["rm", "-q", "--cached", "board.json"]);
    for arguments in [
        &["--isolated", "--template", "board.json", "--format", "json=board.json"][..],
        &["ready", "--from", "list.txt", "--format", "csv=list.txt"],
        &["template", "check", "own.md", "--format", "json=own.md"],
    ] {
        let printed = scratch.lint(arguments);
        assert!(printed.stderr.contains(is_read), "{arguments:?}: {}", printed.stderr);
    }
    for file in ["new.json", "board.json", "keps/report.json", "/dev/null"] {
        let printed = scratch.lint(&["--format", &format!("json={file}"), "keps"]);
        assert_eq!(printed.status, 1, "{file}: {}", printed.stderr);
    }
    assert!(scratch.read("board.json").contains("\"version\": 2"));
}

#[test]
fn other_commands_write_nothing_into_a_kep_either() {
    let scratch = world();
    for (arguments, file) in [
        (&["ready", "--format", "comment=keps/sig-node/1-a", "--gate", "enhancements", "1"][..], "1.md"),
        (&["facts", "--output", "keps/sig-node/1-a/facts.json"], "facts.json"),
        (&["gates", "import", ".", "--output", "keps/sig-node/1-a/gates.yaml"], "gates.yaml"),
        (&["man", "--to", "keps/sig-node/1-a"], "kep-lint.1"),
    ] {
        let says = format!("`{KEP}/{file}`: it is in the directory of a KEP");
        is_refused(&scratch, &kep_lint(&scratch.root, arguments), &says);
    }
    let printed = scratch.lint(&["ready", "--format", "comment=comments", "--gate", "enhancements", "1"]);
    is_refused(&scratch, &printed, "`comments/2.md`: git tracks it\n");
    // An earlier board is read before it is replaced.
    for arguments in [
        &["ready", "--format", "json=day.json", "1"][..],
        &["ready", "--compare", "day.json", "--format", "json=day.json", "1"],
    ] {
        assert_eq!(scratch.lint(arguments).status, 1, "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn other_names_of_a_file_are_the_same_file() {
    let scratch = world();
    std::os::unix::fs::symlink("sig-node", scratch.at("keps/alias")).expect("a link");
    std::os::unix::fs::symlink("own.md", scratch.at("link.md")).expect("a link");
    fs::hard_link(scratch.at(&format!("{KEP}/README.md")), scratch.at("hard.txt")).expect("a link");
    for (file, says) in [
        ("keps/alias/1-a/README.md", "it is in the directory of a KEP"),
        ("link.md", "kep-lint reads it"),
        ("keps/alias/1-a/../../sig-node/1-a/new.json", "it is in the directory of a KEP"),
    ] {
        let printed = scratch.lint(&["--format", &format!("json={file}"), "keps"]);
        assert!(printed.status == 2 && printed.stderr.contains(says), "{file}: {}", printed.stderr);
    }
    fs::remove_file(scratch.at("keps/alias")).expect("it was there");
    // The report gets one of the two names, and the text keeps the other.
    assert_eq!(scratch.lint(&["--format", "json=hard.txt", "keps"]).status, 1);
    assert_eq!(scratch.read(&format!("{KEP}/README.md")), "# KEP-9: A\n");
}

/// Without git and without `keps`, a directory with a README is a KEP if it is named.
#[test]
fn a_draft_is_a_kep_too() {
    let draft = tempfile::tempdir().expect("a directory");
    let path = |name: &str| draft.path().join(name);
    fs::create_dir(path("draft")).expect("a directory");
    fs::write(path("draft/README.md"), "# KEP-1: A\n").expect("a file");
    let run = |file: &str| kep_lint(draft.path(), ["draft", "--format", file]);
    for file in ["markdown=draft/README.md", "markdown=draft/design.md"] {
        let printed = run(file);
        assert!(printed.stderr.contains("it is in the directory of a KEP"), "{file}: {}", printed.stderr);
    }
    assert_eq!(run("markdown=report.md").status, 1);
    assert_eq!(run("markdown=report.md").status, 1);
    assert_eq!(fs::read_to_string(path("draft/README.md")).expect("it is there"), "# KEP-1: A\n");
}
