//! What is printed and written: nothing steers a terminal or a CI runner, no right fix is blamed, and a file is replaced
//! only where it was read.

use super::{PROVISIONAL, WITHDRAWN, World, all, readme, says};
use crate::support::program::{PROGRAM, Printed, items, kep_lint, kep_lint_json};
use crate::support::scratch::Scratch;
use std::fs;

#[test]
fn b6_any_number_of_names_is_quoted() {
    for count in [1, 11, 250] {
        let world = World::new();
        let names: String = (0..count).map(|at| format!("  - @dev{at}\n")).collect();
        world.kep("1-a", "# KEP-1: T\n", &format!("title: T\nkep-number: 1\nstatus: withdrawn\nauthors:\n{names}"));
        let printed = world.run(&["--fix", "--select", "invalid-yaml", "keps"]);
        says(&printed, 0, &["0 errors"]);
        assert!(world.read("r/keps/sig-node/1-a/kep.yaml").ends_with(&format!("  - \"@dev{}\"\n", count - 1)));
    }
}

#[test]
fn b7_an_answer_in_a_heading_is_kept() {
    let question = "Will enabling / using this feature result in any new API calls?";
    let world = World::new();
    let text = format!(
        "# KEP-1: X\n\n## Production Readiness Review Questionnaire\n\n### Scalability\n\n###### {question} `No`\n"
    );
    let metadata = WITHDRAWN.replace("withdrawn", "implementable\nstage: beta\nlatest-milestone: v1.37");
    world.kep("1-a", text, &metadata);
    world.run(&["--fix", "--unsafe-fixes", "--select", "renamed-section", "keps"]);
    let fixed = world.read(&readme("1-a"));
    assert!(fixed.ends_with(&format!("###### {question}\n\nNo\n")), "{fixed}");
}

/// In every failure, in whatever part of the program it comes from.
#[test]
fn c1_arguments_show_control_characters_one_way() {
    let repository = Scratch::sample();
    let kep = "keps/sig-node/281-dynamic-kubelet-configuration";
    for arguments in [
        &["BAD"][..],
        &["BAD", "--no-such-option"],
        &["--since", "BAD"],
        &["--select", "BAD"],
        &["--stage", "BAD"],
        &["--sig", "BAD"],
        &["--release", "BAD"],
        &["--format", "BAD"],
        &["--BAD"],
        &["--config", "BAD"],
        &["explain", "BAD"],
        &["config", "BAD"],
        &["ready", "--at", "BAD", kep],
        &["ready", "--from", "BAD"],
        &["new", "BAD", "7", "Title"],
        &["new", "sig-node", "BAD", "Title"],
        &["promote", kep, "BAD"],
        &["template", "show", "BAD"],
    ] {
        let bad: Vec<String> = arguments
            .iter()
            .map(|argument| argument.replace("BAD", "a\u{1b}[31mb\u{7f}\u{2028}\n::error::x"))
            .collect();
        let printed = kep_lint(&repository.root, &bad);
        is_harmless(&printed);
        assert_eq!(printed.status, 2, "{arguments:?}: {}", printed.stderr);
        let says = if arguments.contains(&"--no-such-option") { "--no-such-option" } else { "a?[31mb?" };
        assert!(printed.stderr.contains(says), "{arguments:?}: {}", printed.stderr);
    }
}

fn is_harmless(printed: &Printed) {
    let text = all(printed);
    let is_bad =
        |letter: char| letter.is_control() && letter != '\n' || matches!(letter, '\u{2028}' | '\u{202e}' | '\u{200b}');
    assert!(!text.contains(is_bad), "{text:?}");
    assert!(!text.contains("##["), "{text:?}");
    assert!(text.lines().all(|line| !line.trim_start().starts_with("::")), "{text:?}");
}

#[cfg(unix)]
#[test]
fn c4_a_report_follows_no_link() {
    let world = World::new();
    world.kep("1-a", "# KEP-1: X\n", WITHDRAWN).write("precious", "text\n");
    world.link("../precious", "r/kep-lint.json");
    says(&world.run(&["keps", "--format", "json=kep-lint.json"]), 2, &["cannot write `kep-lint.json`: it is a link"]);
    assert_eq!(world.read("precious"), "text\n");
    world.link("../outside", "r/out").write("outside/x", "");
    says(&world.run(&["keps", "--format", "json=out/y.json"]), 2, &["its directory is a link out of the repository"]);
    let printed = world.run(&["keps", "--format", "json=/dev/stdout"]);
    assert!(printed.stdout.starts_with("{\n  \"version\": 2,"), "{}", printed.stdout);
    says(&world.run(&["keps", "--format", "json=kept.json", "-q"]), 0, &[]);
    assert!(world.read("r/kept.json").contains("\"version\": 2"));
}

#[test]
fn c5_a_report_that_cannot_be_written_costs_no_work() {
    let world = World::new();
    world.kep("1-a", "# KEP-2: X\n", WITHDRAWN);
    let printed = world.run(&["--fix", "keps", "--format", "json=nowhere/x.json"]);
    says(&printed, 2, &["cannot write `nowhere/x.json`"]);
    assert_eq!(world.read(&readme("1-a")), "# KEP-2: X\n");
}

/// On Linux, file systems tell the two names apart.
#[cfg(target_os = "linux")]
#[test]
fn c6_another_readme_does_not_hide_the_real_one() {
    let world = World::new();
    world.kep("1-a", "# Nothing\n", PROVISIONAL).write("r/keps/sig-node/1-a/readme.md", "# KEP-1: fine\n");
    assert_eq!(fs::read_dir(world.path("r/keps/sig-node/1-a")).expect("it is there").count(), 3);
    let says_of = ["1-a/README.md:1:1: error[bad-title]", "1-a/readme.md:1:1: warning[missing-readme]"];
    let printed = world.run(&["keps", "--stage", "alpha", "--format", "concise"]);
    assert!(all(&printed).contains(says_of[1]), "{}", all(&printed));
    assert!(all(&printed).contains("/README.md:1:"), "{}", all(&printed));
}

#[cfg(target_os = "linux")]
#[test]
fn c7_a_name_that_is_no_text_is_written_where_it_was_read() {
    use std::os::unix::ffi::OsStrExt;
    let world = World::new();
    world.kep("2-\u{fffd}", "# KEP-9: X\n", "status: withdrawn\n");
    let name = std::ffi::OsStr::from_bytes(b"2-\xff");
    let directory = world.path("r/keps/sig-node").join(name);
    fs::create_dir(&directory).expect("a directory");
    fs::write(directory.join("README.md"), "# KEP-8: Y\n").expect("a file");
    fs::write(directory.join("kep.yaml"), "status: withdrawn\n").expect("a file");
    world.run(&["--fix", "keps"]);
    assert_eq!(world.read(&readme("2-\u{fffd}")), "# KEP-2: X\n");
    assert_eq!(fs::read_to_string(directory.join("README.md")).expect("it is there"), "# KEP-2: Y\n");
}

#[test]
fn c8_c9_right_fixes_are_not_blamed() {
    let twice = "status: provisional\neditor: @alice\nstatus: provisional\neditor: @alice\n";
    for (metadata, after) in [
        (twice, "status: provisional\neditor: \"@alice\"\nstatus: provisional\neditor: \"@alice\"\n"),
        ("approvers: [@y]\napprovers:\n", "approvers: [\"@y\"]\napprovers:\n"),
    ] {
        let world = World::new();
        world.kep("1-a", "# KEP-1: X\n", metadata);
        let printed = world.run(&["--fix", "--select", "invalid-yaml,duplicate-key", "keps"]);
        assert!(!printed.stderr.contains("took back"), "{}", printed.stderr);
        assert_eq!(world.read("r/keps/sig-node/1-a/kep.yaml"), after);
    }
    let world = World::new();
    world.kep("1-a", "# KEP-1: X\n", "METRICS: []\nMETRICS:\n");
    let printed = world.run(&["--fix", "--unsafe-fixes", "keps"]);
    assert!(!printed.stderr.contains("took back"), "{}", printed.stderr);
    let readme_text = "# KEP-2: X\n\n## Production Readiness Review Questionnaire\n\n### Feature Enablement and Rollback\n\n\
        ###### How can this feature be enabled / disabled in a live cluster?\n\n- [x] Feature gate\n  - Feature gate name: FooBar\n";
    let metadata = "title: X\nkep-number: 1\nstatus: implementable\nstage: alpha\nlatest-milestone: v1.37\nfeature-gate:\n  - name: BarFoo\n";
    let world = World::new();
    world.kep("1-a", readme_text, metadata);
    let printed = world.run(&["--fix", "--unsafe-fixes", "keps"]);
    assert!(!printed.stderr.contains("took back"), "{}", printed.stderr);
    assert!(world.read(&readme("1-a")).starts_with("# KEP-1: X\n"));
    assert!(world.read("r/keps/sig-node/1-a/kep.yaml").contains("feature-gates:\n"));
}

#[test]
fn c9_a_marker_in_a_heading_ends() {
    let world = World::new();
    for text in [
        "# KEP-1: X\n\n<!-- toc -->\n#A<!-- /toc -->\n\n## B\n",
        "# KEP-1: X\n\n<!-- toc -->\n## A<!-- /toc -->\n\n## B\n",
    ] {
        world.kep("1-a", text, PROVISIONAL);
        let printed = world.run(&["--fix", "--unsafe-fixes", "keps"]);
        assert!(!printed.stderr.contains("no end"), "{}", printed.stderr);
        assert!(world.read(&readme("1-a")).contains("A<!-- /toc -->"));
    }
}

#[test]
fn c10_messages_are_one_line() {
    let world = World::new();
    let text =
        "# KEP-1: X\n\n## Goals\n<!--DIRECTIVE: required: true, stage: bett\n### Non-Goals\n\nTen pages.\n\n-->\n";
    world.kep("1-a", text, "owning-sig: \"a\\nb\"\nkep-number: \"1\\n2\"\nstatus: \"x\\ny\"\n");
    let run = kep_lint_json(&world.path("r"), &["keps"]);
    for finding in items(&run["diagnostics"]) {
        let message = finding["message"].as_str().expect("it has one");
        assert!(!message.contains('\n') && message.len() < 300, "{message}");
    }
}

#[test]
fn c12_threads_are_no_more_than_keps() {
    let world = World::new();
    world.kep("1-a", "# KEP-1: X\n", WITHDRAWN);
    says(&world.run(&["keps", "--jobs", "60000"]), 0, &["checked 1 KEP"]);
}

#[cfg(unix)]
#[test]
fn d2_a_file_with_two_names_is_left_alone() {
    let world = World::new();
    world.kep("1-a", "# KEP-2: X\n", WITHDRAWN);
    fs::hard_link(world.path(&readme("1-a")), world.path("other")).expect("a link");
    says(&world.run(&["--fix", "keps"]), 2, &["it has hard links"]);
    assert_eq!(world.read(&readme("1-a")), "# KEP-2: X\n");
}

#[test]
fn d5_d6_d7_odd_arguments_are_told() {
    let world = World::new();
    world.kep("1-a", "# KEP-1: X\n", WITHDRAWN);
    says(&world.run(&["-"]), 2, &["`-` needs `--stdin-filename PATH`"]);
    says(&world.run(&["/dev/stdin"]), 2, &["standard input is not a file"]);
    says(&world.run(&["keps", "--select", ""]), 2, &["the name of a rule or category is empty"]);
    let printed = world.run(&[&"d/".repeat(3_000)]);
    says(&printed, 2, &["does not exist"]);
    assert!(printed.stderr.len() < 1_000, "{}", printed.stderr.len());
}

#[cfg(target_os = "linux")]
#[test]
fn d6_help_that_cannot_be_printed_fails() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let status = std::process::Command::new(PROGRAM).arg("--help").stdout(full).status();
    assert_eq!(status.expect("it runs").code(), Some(2));
}

/// A directive that is never closed may go on with somebody's text.
#[test]
fn c11_an_open_directive_is_kept() {
    let world = World::new();
    let text = "# KEP-1: X\n\n## Summary\n<!--DIRECTIVE:required:false";
    world.kep("1-a", text, PROVISIONAL);
    world.run(&["--fix", "--unsafe-fixes", "--select", "conflicting-directive", "keps"]);
    assert_eq!(world.read(&readme("1-a")), text);
}

/// What a run that was killed left is no part of a KEP.
#[test]
fn d1_leftovers_are_not_read() {
    let world = World::new();
    world
        .kep("1-a", "# KEP-1: X\n<!-- toc -->\n<!-- /toc -->\n", WITHDRAWN)
        .write("r/keps/sig-node/1-a/.kep-lint-a1b2c3", "# KEP-9: Y\n[a](#b)\n");
    let printed = world.run(&["keps", "--fix"]);
    says(&printed, 0, &["checked 1 KEP (2 files)", "fixed 0 findings in 0 files"]);
    assert_eq!(printed.stdout, "");
}

/// Access control and other attributes belong to the file, not to who writes it.
#[cfg(target_os = "linux")]
#[test]
fn d2_attributes_are_kept() {
    let world = World::new();
    world.kep("1-a", "# KEP-2: X\n", WITHDRAWN);
    let path = world.path(&readme("1-a"));
    xattr::set(&path, "user.origin", b"here").expect("set TMPDIR to a file system that keeps extended attributes");
    says(&world.run(&["--fix", "keps"]), 0, &["fixed 1 finding"]);
    assert_eq!(world.read(&readme("1-a")), "# KEP-1: X\n");
    assert_eq!(xattr::get(&path, "user.origin").expect("it can be read").as_deref(), Some(&b"here"[..]));
}

#[test]
fn d3_a_carriage_return_ends_a_line() {
    let world = World::new();
    world.kep("1-a", "<!-->\r# KEP-2: A\r\r## Summary\r\rText.\r", WITHDRAWN);
    says(
        &world.run(&["keps", "--select", "bad-title", "--format", "concise"]),
        0,
        &["1-a/README.md:2:7: warning[bad-title] [fix] the title has `KEP-2`"],
    );
}

#[test]
fn d4_yaml_is_read_as_upstream_reads_it() {
    for text in ["\t\n", "a: 1\n\tb: 2\n", ": x\n", "a\u{85}b: x\nc\n"] {
        let world = World::new();
        world.kep("1-a", "# KEP-1: X\n", text);
        says(&world.run(&["keps", "--select", "invalid-yaml"]), 1, &["kep.yaml", "error[invalid-yaml]"]);
    }
}
