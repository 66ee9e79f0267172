//! A link to a directory below `keps` is not followed. It could hide a KEP, so that each mode names it and ends with 2.

use crate::support::editor::Editor;
use crate::support::program::{Printed, kep_lint};
use crate::support::scratch::Scratch;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;

const KEP: &str = "keps/sig-node/1-x";
const LINK: &str = "keps/sig-node/2-y";
const SAYS: &str = "error: `keps/sig-node/2-y` is a link to a directory\n  \
                    help: put the directory itself there, or leave the link out\n";

/// A repository with a KEP, and one outside of `keps`. Both have an unknown status.
fn repository() -> Scratch {
    let metadata = "title: X\nstatus: nope\n".as_bytes();
    Scratch::of(&[
        ("keps/sig-node/1-x/README.md", b"# KEP-1: X\n"),
        ("keps/sig-node/1-x/kep.yaml", metadata),
        ("elsewhere/2-y/README.md", b"# KEP-2: Y\n"),
        ("elsewhere/2-y/kep.yaml", metadata),
    ])
}

/// The same with a link in `keps` to the other KEP.
fn linked() -> Scratch {
    let repository = repository();
    symlink("../../elsewhere/2-y", repository.at(LINK)).expect("a link");
    repository
}

/// Asserts that the run names the link once, and ends with 2.
fn names_it(printed: &Printed) {
    let count = printed.stderr.matches("is a link to a directory").count();
    assert!(printed.status == 2 && printed.stderr.contains(SAYS) && count == 1, "{printed:?}");
}

/// Asserts that the other KEP was checked.
fn checks_the_other(printed: &Printed) {
    let finding = "keps/sig-node/1-x/kep.yaml:2:9: error[invalid-status] unknown status `nope`";
    assert!(printed.stdout.contains(finding) && !printed.stdout.contains("2-y"), "{printed:?}");
}

#[test]
fn a_tree_is_checked_without_it() {
    for arguments in [&["keps"][..], &[], &["."], &["keps/sig-node"], &["keps", "1"], &["--sig", "sig-node"]] {
        let printed = linked().lint(arguments);
        names_it(&printed);
        checks_the_other(&printed);
    }
}

#[test]
fn a_kep_is_checked_and_a_link_beside_it_is_named() {
    for path in [KEP, "1", "sig-node/1", "keps/sig-node/1-x/README.md", "keps/prod-readiness/sig-node/1.yaml"] {
        let repository = linked();
        repository.write("keps/prod-readiness/sig-node/1.yaml", "kep-number: 1\n");
        let printed = repository.lint(&[path]);
        names_it(&printed);
        checks_the_other(&printed);
    }
}

#[test]
fn a_number_that_only_the_link_has_is_not_found() {
    let printed = linked().lint(&["2"]);
    names_it(&printed);
    assert!(printed.stderr.contains("error: no KEP 2 in `keps`"), "{printed:?}");
}

#[test]
fn a_link_that_is_named_is_followed() {
    let repository = linked();
    for path in [LINK, "keps/sig-node/2-y/README.md"] {
        let printed = repository.lint(&[path]);
        assert_eq!(printed.status, 1, "{printed:?}");
        assert!(printed.stdout.contains("keps/sig-node/2-y/kep.yaml:2:9: error[invalid-status]"), "{printed:?}");
    }
    // It leads to a KEP of the tree, and is no surprise there.
    fs::remove_file(repository.at(LINK)).expect("it was there");
    symlink("1-x", repository.at("keps/sig-node/0-alias")).expect("a link");
    assert_eq!(repository.lint(&["keps/sig-node/0-alias"]).status, 1);
    assert_eq!(repository.lint(&[KEP]).status, 2);
}

#[test]
fn a_tree_that_is_a_link_is_followed() {
    let repository = repository();
    fs::rename(repository.at("keps"), repository.at("proposals")).expect("it can be moved");
    symlink("proposals", repository.at("keps")).expect("a link");
    for arguments in [&["keps"][..], &[], &["."], &["keps/sig-node"]] {
        let printed = repository.lint(arguments);
        assert_eq!(printed.status, 1, "{arguments:?} {printed:?}");
        assert!(printed.stdout.contains("1-x/kep.yaml:2:9: error[invalid-status]"), "{printed:?}");
    }
}

#[test]
fn images_of_a_kep_and_links_up_are_such_links_too() {
    let repository = repository();
    fs::create_dir(repository.at("images")).expect("a directory");
    symlink("../../../images", repository.at("keps/sig-node/1-x/images")).expect("a link");
    symlink("..", repository.at("keps/sig-node/up")).expect("a link");
    symlink("/", repository.at("keps/root")).expect("a link");
    let printed = repository.lint(&["keps"]);
    for link in ["keps/sig-node/1-x/images", "keps/sig-node/up", "keps/root"] {
        assert!(printed.stderr.contains(&format!("error: `{link}` is a link to a directory\n")), "{printed:?}");
    }
    checks_the_other(&printed);
}

/// Outside of `keps`, only a link out of what is looked through can hide a KEP.
#[test]
fn elsewhere_a_link_to_what_is_looked_through_is_none() {
    let repository = repository();
    symlink("2-y", repository.at("elsewhere/alias")).expect("a link");
    assert_eq!(repository.lint(&["elsewhere"]).status, 1);
    symlink("../keps/sig-node/1-x", repository.at("elsewhere/far")).expect("a link");
    let printed = repository.lint(&["elsewhere"]);
    assert!(printed.stderr.contains("error: `elsewhere/far` is a link to a directory\n"), "{printed:?}");
}

#[test]
fn a_change_that_adds_it_is_refused() {
    for arguments in [&["--since", "main"][..], &["--since", "main", "--new-only"], &["--since", "main", KEP]] {
        let repository = linked();
        names_it(&repository.lint(arguments));
        repository.git(&["checkout", "-q", "-b", "work"]);
        repository.commit();
        names_it(&repository.lint(arguments));
    }
}

#[test]
fn a_change_beside_it_is_refused() {
    let repository = linked();
    repository.commit();
    repository.replace("keps/sig-node/1-x/README.md", "X", "Z");
    let printed = repository.lint(&["--since", "HEAD"]);
    names_it(&printed);
    checks_the_other(&printed);
}

/// It is not in the version that is checked. The KEP that takes its place is a new one.
#[test]
fn a_change_that_removes_it_is_checked() {
    let repository = linked();
    repository.commit();
    fs::remove_file(repository.at(LINK)).expect("it was there");
    let printed = repository.lint(&["--since", "HEAD", "--new-only"]);
    assert_eq!((printed.status, printed.stdout.as_str()), (0, ""), "{printed:?}");
    for file in ["README.md", "kep.yaml"] {
        repository.write(&format!("{LINK}/{file}"), &repository.read(&format!("elsewhere/2-y/{file}")));
    }
    let printed = repository.lint(&["--since", "HEAD", "--new-only"]);
    assert_eq!(printed.status, 1, "{printed:?}");
    assert!(printed.stdout.contains("keps/sig-node/2-y/kep.yaml:2:9: error[invalid-status]"), "{printed:?}");
}

#[test]
fn what_is_staged_has_it() {
    let repository = linked();
    symlink("/", repository.at("keps/root")).expect("a link");
    symlink("nowhere", repository.at("keps/dangling")).expect("a link");
    repository.git(&["add", "--all"]);
    for arguments in [&["--staged"][..], &["pre-commit"]] {
        let printed = repository.lint(arguments);
        assert!(printed.status == 2 && printed.stderr.contains(SAYS), "{printed:?}");
        assert!(printed.stderr.contains("error: `keps/root` is a link to a directory\n"), "{printed:?}");
        assert!(!printed.stderr.contains("dangling"), "{printed:?}");
        checks_the_other(&printed);
    }
}

/// Of a submodule, the index has only the commit.
#[test]
fn a_link_into_a_submodule_is_one_too() {
    let other = linked();
    other.commit();
    let repository = repository();
    let path = other.root.to_str().expect("it is UTF-8");
    repository.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", path, "third_party/x"]);
    symlink("../../third_party/x/elsewhere/2-y", repository.at(LINK)).expect("a link");
    repository.git(&["add", "--all"]);
    names_it(&repository.lint(&["--staged"]));
    names_it(&repository.lint(&["keps"]));
}

#[test]
fn fixes_are_made_in_the_other_keps() {
    let repository = linked();
    repository.write("keps/sig-node/1-x/README.md", "# KEP-9: X\n");
    let metadata = "title: X\nkep-number: 1\nstatus: withdrawn\n";
    repository.write("keps/sig-node/1-x/kep.yaml", metadata);
    let printed = repository.lint(&["--fix", "--select", "bad-title"]);
    names_it(&printed);
    assert_eq!(repository.read("keps/sig-node/1-x/README.md"), "# KEP-1: X\n");
    assert_eq!(repository.read("elsewhere/2-y/README.md"), "# KEP-2: Y\n");
}

#[test]
fn a_board_names_it() {
    let repository = linked();
    repository.git(&["checkout", "-q", "-b", "work"]);
    repository.commit();
    for arguments in [
        &["ready", KEP][..],
        &["ready", "1"],
        &["ready", "--milestone", "v1.37"],
        &["ready", "--at", "HEAD", "1"],
        &["ready", "--pr", "work", "1"],
    ] {
        names_it(&kep_lint(&repository.root, arguments));
    }
    let earlier = kep_lint(&repository.root, ["ready", "--at", "main", "1"]);
    assert!(!earlier.stderr.contains("is a link"), "{earlier:?}");
}

#[test]
fn nothing_is_written_beside_it() {
    let repository = linked();
    for arguments in [
        &["facts", "--output", "facts.json"][..],
        &["new", "sig-node", "3", "Prefetch images"],
        &["promote", KEP, "alpha", "--release", "v1.37"],
    ] {
        names_it(&kep_lint(&repository.root, arguments));
    }
    assert_eq!(repository.git(&["status", "--short"]), format!("?? {LINK}"));
}

#[test]
fn upstreams_preset_names_it() {
    names_it(&linked().lint(&["--preset", "upstream"]));
}

#[test]
fn an_editor_is_told_once() {
    let repository = linked();
    let (mut editor, _) = Editor::initialized(&repository.root, json!({}), Value::Null);
    let (readme, metadata) =
        (repository.at("keps/sig-node/1-x/README.md"), repository.at("keps/sig-node/1-x/kep.yaml"));
    editor.open(&readme, "# KEP-1: X\n");
    editor.checked(&readme, 1);
    editor.open(&metadata, "title: X\nstatus: nope\n");
    editor.until("the other KEP is checked", |editor| editor.rules(&metadata).contains(&"invalid-status".to_owned()));
    editor.until("it is told", |editor| !editor.shown.is_empty());
    editor.replace(&metadata, 2, "title: X\nstatus: nope!\n");
    editor.checked(&metadata, 2);
    let link = repository.at(LINK);
    let told = format!(
        "kep-lint: `{}` is a link to a directory (put the directory itself there, or leave the link out)",
        link.display()
    );
    assert_eq!(editor.shown, [told]);
    assert!(editor.end().success());
}
