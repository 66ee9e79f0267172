//! What a shell and `man` get: scripts that complete commands, and manual pages. `.ci/completions` tries them with the
//! programs themselves.

use crate::support::program::kep_lint;
use crate::support::project;
use kep_lint::report::format;
use kep_lint::rules::ALL;
use std::collections::BTreeSet;
use std::fs;

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

#[test]
fn completions_know_the_names_that_options_take() {
    for shell in SHELLS {
        let printed = kep_lint(project(), ["completions", shell]);
        assert_eq!((printed.status, printed.stderr.as_str()), (0, ""), "{shell}");
        let words = printed.stdout.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
        let words: BTreeSet<&str> = words.collect();
        // The scripts of two shells complete options, but not what follows one.
        if ["elvish", "powershell"].contains(&shell) {
            assert!(words.contains("--select") && words.contains("explain"), "{shell}");
            continue;
        }
        let names = ALL.iter().map(|rule| rule.name).chain(format::ALL.iter().map(|format| format.name));
        assert_eq!(names.filter(|name| !words.contains(name)).collect::<Vec<_>>(), [""; 0], "{shell}");
    }
}

#[test]
fn bash_finds_the_options_of_every_command() {
    let script = kep_lint(project(), ["completions", "bash"]).stdout;
    let set = script.lines().filter_map(|line| line.trim().strip_prefix("cmd=\"")?.strip_suffix('"'));
    let set: BTreeSet<&str> = set.filter(|name| !name.is_empty()).collect();
    assert!(set.len() > 10, "{set:?}");
    for name in set {
        assert!(script.contains(&format!("\n        {name})\n")), "{name} has no options");
    }
}

#[test]
fn every_command_has_a_page_and_hidden_ones_have_none() {
    let directory = tempfile::tempdir().expect("a directory");
    let printed = kep_lint(directory.path(), ["man", "--to", "."]);
    assert_eq!((printed.status, printed.stdout.as_str()), (0, ""), "{}", printed.stderr);
    let entries = fs::read_dir(directory.path()).expect("it is there").map(|entry| entry.expect("a page").file_name());
    let pages: BTreeSet<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    for page in ["kep-lint.1", "kep-lint-check.1", "kep-lint-template-show.1", "kep-lint-pre-commit.1"] {
        assert!(pages.contains(page), "{pages:?}");
    }
    assert!(!pages.contains("kep-lint-template-lines.1") && !pages.contains("kep-lint-help.1"), "{pages:?}");
    for page in &pages {
        let text = fs::read_to_string(directory.path().join(page)).expect("a page");
        let name = page.strip_suffix(".1").expect("section 1");
        // A backslash protects each dash.
        let head = format!(".TH {name} 1 \" \" \"kep-lint {}\" \"kep-lint manual\"", env!("CARGO_PKG_VERSION"));
        assert!(text.lines().any(|line| line == head), "{page}: {text}");
        let referred = text.lines().filter_map(|line| line.strip_suffix("(1)"));
        for other in referred.map(|other| other.replace('\\', "")) {
            assert!(pages.contains(&format!("{other}.1")), "{page} refers to {other}");
        }
    }
    let one = kep_lint(project(), ["man", "template", "show"]).stdout;
    assert_eq!(fs::read_to_string(directory.path().join("kep-lint-template-show.1")).expect("a page"), one);
}

#[test]
fn a_page_of_no_command_is_refused() {
    for (names, says) in [
        (&["template", "shw"][..], "unknown command `shw`\n  help: did you mean `show`?"),
        (&["zzzzzz"], "the commands are `check`, `ready`"),
        (&["--to", "no/such/directory"], "cannot write `no/such/directory/kep-lint.1`"),
    ] {
        let printed = kep_lint(project(), [&["man"], names].concat());
        assert_eq!(printed.status, 2, "{}", printed.stderr);
        assert!(printed.stderr.contains(says), "{}", printed.stderr);
    }
}
