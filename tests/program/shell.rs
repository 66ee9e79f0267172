//! What a shell and `man` get: scripts that complete commands, and manual pages. `.ci/completions` tries them with the
//! programs themselves.

use crate::support::program::{PROGRAM, command, kep_lint, printed, scrubbed};
use crate::support::project;
use kep_lint::report::{format, ready};
use kep_lint::rules::ALL;
use kep_lint::stage::{Stage, Status};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

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
        let names = names.chain(ready::ALL.iter().map(|format| format.name));
        let names = names.chain(Status::ALL.map(Status::name)).chain(Stage::words());
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

/// What bash completes the last word to, in this directory.
#[cfg(unix)]
fn in_bash(folder: &Path, words: &[&str]) -> String {
    const SCRIPT: &str = r#"
        source <(kep-lint completions bash)
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        function=$(complete -p kep-lint | sed "s/.* -F \([^ ]*\) .*/\1/")
        "$function" kep-lint "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        echo "${COMPREPLY[@]}""#;
    let mut bash = scrubbed("bash", folder);
    let around = Path::new(PROGRAM).parent().expect("a directory").display();
    let path = std::env::var("PATH").unwrap_or_default();
    let bash = bash.env("PATH", format!("{around}:{path}")).args(["-c", SCRIPT, "bash"]).args(words);
    let printed = printed(&bash.output().expect("bash"));
    assert_eq!((printed.status, printed.stderr.as_str()), (0, ""), "{words:?}");
    printed.stdout.trim_end().to_owned()
}

/// A path would hide the commands after it.
#[test]
fn zsh_takes_the_first_word_for_a_command_or_a_kep() {
    let script = kep_lint(project(), ["completions", "zsh"]).stdout;
    let (first, _) = script.split_once("(check)").expect("a command");
    assert!(first.contains("\":: :_kep_lint_first\"") && !first.contains("'::paths"), "{first}");
    assert!(first.contains("case $line[1] in") && !first.contains("$line[2]"), "{first}");
}

#[cfg(unix)]
#[test]
fn bash_completes_the_values_of_options() {
    let folder = tempfile::tempdir().expect("a directory");
    for (words, completed) in [
        (&["kep-lint", "check", "--sig", "sig-nod"][..], "sig-node"),
        (
            &["kep-lint", "ready", "--sig", "sig-a"],
            "sig-api-machinery sig-apps sig-architecture sig-auth sig-autoscaling",
        ),
        (&["kep-lint", "check", "--status", "prov"], "provisional"),
        (&["kep-lint", "--kep-stage", "al"], "alpha"),
    ] {
        assert_eq!(in_bash(folder.path(), words), completed, "{words:?}");
    }
}

/// What reaches the program if these lines are typed in an interactive bash, where a tab completes. A name that is run makes
/// `PWNED` in `folder`.
#[cfg(target_os = "linux")]
fn typed_in_bash(folder: &Path, lines: &[String]) -> Vec<Vec<String>> {
    fs::create_dir(folder.join("bin")).expect("a directory");
    let program = folder.join("bin/kep-lint");
    fs::write(&program, "#!/bin/sh\nprintf '%s\\0' \"$@\" '' >>\"$HOME/arguments\"\n").expect("a file");
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("it is ours");
    fs::write(folder.join("script"), kep_lint(project(), ["completions", "bash"]).stdout).expect("a file");
    fs::write(folder.join("typed"), format!("source ./script\n{}\n", lines.join("\n"))).expect("a file");
    // In a session of its own, it does not take over the terminal that the tests run at.
    let mut bash = scrubbed("setsid", folder);
    let typed = fs::File::open(folder.join("typed")).expect("a file");
    let bash = bash.args(["bash", "--norc", "--noprofile", "-i"]).stdin(typed);
    let path = std::env::var("PATH").unwrap_or_default();
    let bash = bash.env("PATH", format!("{}:{path}", folder.join("bin").display()));
    let output = bash.env("HOME", folder).env("INPUTRC", "/dev/null").env("LC_ALL", "C.UTF-8").output().expect("bash");
    let shown = String::from_utf8_lossy(&output.stderr);
    assert!(!folder.join("PWNED").exists(), "a name was run: {shown}");
    let kept = fs::read_to_string(folder.join("arguments")).unwrap_or_else(|error| panic!("{error}: {shown}"));
    kept.split_terminator("\0\0").map(|run| run.split('\0').map(str::to_owned).collect()).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn bash_quotes_the_names_that_it_completes() {
    let folder = tempfile::tempdir().expect("a directory");
    let signs = "$\\;&|<>(){}'\"` \t\n-~*!".chars();
    let mut names: Vec<String> =
        signs.map(|sign| format!("{sign}x$(touch${{IFS}}PWNED){sign}touch PWNED{sign}")).collect();
    names.extend(["9-x$(touch${IFS}PWNED)", "`touch${IFS}PWNED`", "x;touch PWNED", "~", "-"].map(str::to_owned));
    let options =
        ["--template", "--config", "--since", "--release", "--jobs", "--author", "facts --output", "man --to"];
    let (mut lines, mut expected) = (Vec::new(), Vec::new());
    for (number, name) in names.iter().enumerate() {
        fs::create_dir_all(folder.path().join(format!("keps/{number}/{name}"))).expect("a directory");
        for before in options.iter().chain(&["check"]) {
            lines.push(format!("kep-lint {before} keps/{number}/\t"));
            let path = format!("keps/{number}/{name}/");
            expected.push(before.split(' ').map(str::to_owned).chain([path]).collect::<Vec<_>>());
        }
    }
    assert_eq!(typed_in_bash(folder.path(), &lines), expected);
}

/// After a word that is completed comes a space, and after a directory what is in it.
#[cfg(target_os = "linux")]
#[test]
fn bash_completes_words_and_files() {
    let folder = tempfile::tempdir().expect("a directory");
    for directory in ["keps", "stale-toc$"] {
        fs::create_dir(folder.path().join(directory)).expect("a directory");
    }
    fs::write(folder.path().join("keps/list.md"), "").expect("a file");
    let cases = [
        ("--select stale-t\t1", "--select stale-toc 1"),
        ("--format js\t1", "--format json 1"),
        ("--format sar\t1", "--format sarif 1"),
        ("--format json=\t1", "--format json=1"),
        ("--format json=ke\t1", "--format json=keps/1"),
        ("--fail-on sug\t1", "--fail-on suggestion 1"),
        ("explain 1234\t", "explain 1234"),
        ("explain stale-t\t1", "explain stale-toc 1"),
        ("--config ke\tli\t1", "--config keps/list.md 1"),
        ("--config=ke\tli\t1", "--config=keps/list.md 1"),
        ("ke\tli\t1", "keps/list.md 1"),
    ];
    let reached = typed_in_bash(folder.path(), &cases.map(|(typed, _)| format!("kep-lint {typed}")));
    let reached: Vec<String> = reached.iter().map(|arguments| arguments.join(" ")).collect();
    assert_eq!(reached, cases.map(|(_, arguments)| arguments));
}

/// Other programs complete if this variable is set: here, nobody is told that all is well instead.
#[test]
fn a_variable_does_not_turn_a_check_into_a_completion() {
    for value in ["bash", "zsh", "nonsense", ""] {
        let mut command = command(&project().join("fixtures/demo"));
        let printed =
            printed(&command.env("COMPLETE", value).env("_CLAP_COMPLETE_INDEX", "1").output().expect("it runs"));
        assert!(printed.status == 1 && printed.stderr.contains("errors"), "{value}: {}", printed.stderr);
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
