//! `answer`: what it asks, and what of the answers it writes into README.md.

use crate::authoring::tree;
use crate::support::program::{PROGRAM, Printed, kep_lint_with, scrubbed};
use crate::support::scratch::Scratch;
use std::io::Write;
use std::process::Stdio;

const README: &str = "keps/sig-node/42-images/README.md";

const YAML: &str = "title: Images\nkep-number: 42\nauthors: [\"@ann\"]\nowning-sig: sig-node\napprovers: [\"@lee\"]\n\
    status: implementable\nstage: alpha\nlatest-milestone: v1.36\nmilestone:\n  alpha: v1.36\n";

const TEMPLATE: &str =
    "# KEP-NNNN: Title\n\n## Summary\n\n## Proposal\n\n### Cost\n\n<!--\nWho pays?\n-->\n\n### Plan\n\n### Risks\n";

const NOT_WRITTEN: &str = "note: your answer is not written:\n";

const EXAMPLE: &str = "The owners of the registries pay, and each of them knows how much before a pull begins.";

const TEXT: &str = "# KEP-42: Images\n\n## Summary\n\nPull early.\n\n## Proposal\n\n### Cost\n\n<!--\nWho pays?\n-->\n\nTBD\n\n\
    ```\nTBD\n```\n\n### Plan\n";

/// A tree with this README, a template, and an implemented KEP.
fn with_readme(readme: &str) -> Scratch {
    let scratch = tree();
    scratch.write("keps/sig-node/42-images/kep.yaml", YAML);
    scratch.write(README, readme);
    scratch.write("keps/NNNN-kep-template/README.md", TEMPLATE);
    let done = YAML.replace("42", "2").replace("status: implementable", "status: implemented");
    scratch.write("keps/sig-node/2-done/kep.yaml", &done);
    scratch.write("keps/sig-node/2-done/README.md", &format!("# KEP-2: X\n\n## Proposal\n\n### Cost\n\n{EXAMPLE}\n"));
    scratch
}

fn answer(scratch: &Scratch, typed: &str) -> Printed {
    kep_lint_with(&scratch.root, typed.as_bytes(), &["answer", "42"])
}

#[test]
fn an_answer_that_is_confirmed_is_written_below_its_heading() {
    let scratch = with_readme(TEXT);
    let printed = answer(
        &scratch,
        "Registries pay.\n\nAll of them know how much before a pull begins, and none of them has to store more.\n.\ny\n.\n",
    );
    assert_eq!((printed.status, printed.stderr.as_str()), (0, ""), "{}", printed.stdout);
    for words in [
        "KEP-42: 2 open sections to answer, 1 without a heading: `kep-lint upgrade 42`\n  adds it\nA line `.` ends",
        "\n1 of 2\n# Cost\n\n- In: Proposal\n",
        "Who pays?",
        &EXAMPLE[..40],
        "\n-TBD\n",
        "\n+All of them know",
        "\n2 of 2\n# Plan\n",
        "\nwrote 1 answer; KEP-42: 1 open section to answer, 1 without",
    ] {
        assert!(printed.stdout.contains(words), "{words}: {}", printed.stdout);
    }
    let mut lines = printed.stdout.lines().filter(|line| !line.starts_with('+'));
    assert!(lines.all(|line| line.len() <= 80), "{}", printed.stdout);
    let wanted = TEXT.replace("TBD\n\n```\nTBD\n```\n", "```\nTBD\n```\n\nRegistries pay.\n\nAll of them know how much before a pull begins, and none of them has to store more.\n");
    assert_eq!(scratch.read(README), wanted);
}

#[test]
fn line_ends_are_those_of_the_file() {
    let scratch = with_readme(&TEXT.replace('\n', "\r\n"));
    let printed = answer(&scratch, ".\nNone are known.\r\nNot one.\n.\ny\n");
    assert_eq!((printed.status, printed.stderr.as_str()), (0, ""), "{}", printed.stdout);
    assert_eq!(scratch.read(README), format!("{TEXT}\nNone are known.\nNot one.\n").replace('\n', "\r\n"));
}

#[test]
fn nothing_is_written_without_a_yes() {
    let scratch = with_readme(TEXT);
    for typed in ["", "q\n", "Registries pay.", "Registries pay.\n.\n", "Registries pay.\n.\nn\nq\n", ".\n.\n"] {
        let printed = answer(&scratch, typed);
        assert_eq!((printed.status, scratch.read(README).as_str()), (0, TEXT), "{typed:?}: {}", printed.stderr);
        assert!(printed.stdout.contains("\nwrote 0 answers; "), "{typed:?}: {}", printed.stdout);
        let given_back = if typed.starts_with('R') { (NOT_WRITTEN, 1) } else { ("", 0) };
        let whole = printed.stdout.matches("\nRegistries pay.\n").count();
        assert_eq!((printed.stderr.as_str(), whole), given_back, "{typed:?}: {}", printed.stdout);
    }
}

#[test]
fn an_answer_has_an_end() {
    let scratch = with_readme(TEXT);
    let printed = answer(&scratch, &"text\n".repeat(419_500));
    assert_eq!((printed.status, scratch.read(README).as_str()), (2, TEXT), "{}", printed.stderr);
    assert!(printed.stderr.contains("the answer has more than 2 MiB"), "{}", printed.stderr);
    assert!(printed.stdout.contains(&"text\n".repeat(400_000)));
}

#[test]
fn an_answer_that_cannot_be_written_is_given_back() {
    let scratch = with_readme(TEXT);
    let readme = scratch.at(README);
    let mut permissions = std::fs::metadata(&readme).expect("it is there").permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&readme, permissions).expect("it is ours");
    let printed = answer(&scratch, "Registries pay.\n.\ny\n");
    assert!(printed.stdout.ends_with("Write this? (y/n) \nRegistries pay.\n"), "{}", printed.stdout);
    assert!(printed.stderr.starts_with(&format!("{NOT_WRITTEN}error: cannot write ")), "{}", printed.stderr);
    assert_eq!((printed.status, scratch.read(README).as_str()), (2, TEXT));
}

#[cfg(target_os = "linux")]
#[test]
fn a_line_that_a_terminal_cuts_is_refused() {
    let scratch = with_readme(TEXT);
    let mut terminal = scrubbed("script", &scratch.root);
    terminal.args(["--quiet", "--return", "--command", &format!("'{PROGRAM}' answer 42"), "/dev/null"]);
    let mut child = terminal.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("Linux has `script`");
    let typed = format!("{}\n.\nShort.\n.\ny\nq\n", "x".repeat(5000));
    child.stdin.take().expect("it is piped").write_all(typed.as_bytes()).expect("it is read");
    let output = child.wait_with_output().expect("it ends by itself");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(
        shown.contains("error: the answer has a line that is too long: the terminal may have cut it\r\n"),
        "{shown}"
    );
    assert!(scratch.read(README).contains("\nShort.\n"), "{shown}");
}

/// It is printed as it was typed, and the same section is asked again.
#[test]
fn an_answer_that_would_change_more_is_refused_with_the_reason() {
    for (typed, reason) in [
        ("### Plan\n", "a heading"),
        ("x\n---\n", "a heading"),
        ("<!-- x\n", "a comment or code that does not end"),
        ("```\nx\n", "a comment or code that does not end"),
        ("<pre>\n", "a comment or code that does not end"),
        ("~~~\n# x\n", "a comment or code that does not end"),
        ("- ```\n  x\n", "a comment or code that does not end"),
        ("> ```\n> x\n", "a comment or code that does not end"),
        ("abc\x1b[D\n", "a character that cannot be seen, U+001B"),
        ("<details>\n\ntext\n", "`<details>` without its counterpart"),
        ("<table>\n<tr><td>x\n", "`<table>` without its counterpart"),
        ("<<[UNRESOLVED who]>>\n\ntext\n", "an UNRESOLVED marker without its counterpart"),
        ("<!-- toc -->\n", "a marker of the table of contents"),
    ] {
        let scratch = with_readme(TEXT);
        let printed = answer(&scratch, &format!("{typed}.\nRegistries pay.\n.\ny\nq\n"));
        let refused = format!("error: the answer has {reason}\n  help: write it in README.md itself\n{NOT_WRITTEN}");
        assert_eq!((printed.status, printed.stderr.as_str()), (0, refused.as_str()), "{typed:?}: {}", printed.stdout);
        let wanted = TEXT.replace("TBD\n\n```\nTBD\n```\n", "```\nTBD\n```\n\nRegistries pay.\n");
        assert_eq!(scratch.read(README), wanted, "{typed:?}");
    }
}

/// The author's own subsections stay below it as they are.
#[test]
fn an_answer_is_directly_below_its_heading() {
    let below = "### Background of mine\n\nTBD\n\n### Another\n\nImages are slow.\n";
    let scratch = with_readme(&format!("# KEP-42: Images\n\n## Summary\n\n| TBD |\n| --- |\n\nTBD\n\n{below}"));
    let printed = answer(&scratch, "Pull.\n.\ny\nq\n");
    let wanted = format!("# KEP-42: Images\n\n## Summary\n\n| TBD |\n| --- |\n\nPull.\n\n{below}");
    assert_eq!((printed.status, scratch.read(README)), (0, wanted), "{}", printed.stdout);
}

#[test]
fn an_answer_stays_in_the_element_of_its_heading() {
    let text = |cost: &str| {
        format!("# KEP-42: Images\n\n## Summary\n\nPull.\n\n## Proposal\n\n<details>\n\n### Cost\n\n{cost}\n")
    };
    for (before, after) in [
        ("TBD\n\n</details>", "Pull.\n\n</details>"),
        ("TBD\n</td>\n  </tr></table>\n</details>", "Pull.\n\n</td>\n  </tr></table>\n</details>"),
        ("<pre>\nTBD\n</pre>\n\n  </details>", "<pre>\nTBD\n</pre>\n\nPull.\n\n  </details>"),
    ] {
        let scratch = with_readme(&text(before));
        let printed = answer(&scratch, "Pull.\n.\ny\nq\n");
        assert_eq!((printed.status, scratch.read(README)), (0, text(after)), "{}", printed.stdout);
    }
}

#[test]
fn only_yes_and_no_answer_the_question_whether_to_write() {
    let written = |typed: &str| {
        let scratch = with_readme(TEXT);
        let printed = answer(&scratch, typed);
        let asked = printed.stdout.matches("Write this? (y/n) ").count();
        assert_eq!(printed.status, 0, "{typed:?}: {}", printed.stderr);
        (scratch.read(README) != TEXT, asked, printed.stdout.contains("\n2 of 2\n"))
    };
    assert_eq!(written("x\n.\n\nfoo\ny\n"), (true, 3, true));
    assert_eq!(written("x\r\n\r\n.\r\n\r\ny\r\n"), (true, 2, true));
    assert_eq!(written("x\n.\nn\n"), (false, 1, true));
    assert_eq!(written("x\n.\nq\nx\n.\ny\n"), (false, 1, false));
    assert_eq!(written("x\n.\nfoo\n"), (false, 2, false));
    assert_eq!(written("\n \nq\nx\n.\ny\n"), (false, 0, false));
}

#[test]
fn what_was_written_is_told_if_the_next_answer_cannot_be_read() {
    let scratch = with_readme(TEXT);
    let printed = answer(&scratch, &format!("Registries pay.\n.\ny\n{}", "text\n".repeat(419_500)));
    assert!(printed.status == 2 && printed.stdout.ends_with("text\n\nwrote 1 answer\n"), "{}", printed.stdout);
}

#[test]
fn an_answer_that_is_not_utf8_is_refused() {
    let scratch = with_readme(TEXT);
    let printed = kep_lint_with(&scratch.root, b"Pay.\n\xff\n.\nq\n", &["answer", "42"]);
    let refused = format!(
        "error: the answer has a character that is not UTF-8\n  help: write it in README.md itself\n{NOT_WRITTEN}"
    );
    assert_eq!((printed.status, printed.stderr, scratch.read(README).as_str()), (0, refused, TEXT));
    assert!(printed.stdout.contains("\nPay.\n\u{fffd}\n\nYour answer:"), "{}", printed.stdout);
}

/// The author's own line with the same word stays.
#[test]
fn an_answer_takes_the_place_of_the_samples_of_the_template() {
    let samples = [
        "- `<package>`: `<date>` - `<test coverage>`",
        "- [test name](https://github.com/kubernetes/kubernetes/blob/2334b8469e1983c525c0c6382125710093a25883/test/integration/...): \
         [integration master](https://testgrid.k8s.io/sig-release-master-blocking#integration-master?include-filter-by-regex=MyCoolFeature), \
         [triage search](https://storage.googleapis.com/k8s-triage/index.html?test=MyCoolFeature)",
    ];
    let text = |unit: &str, integration: &str| {
        format!(
            "# KEP-42: Images\n\n## Design Details\n\n### Test Plan\n\n##### Unit tests\n\n{unit}\n\n\
             ##### Integration tests\n\n{integration}\n"
        )
    };
    let own = "TODO: `<package>` is the kubelet";
    let scratch = with_readme(&text(samples[0], &format!("{}\n\n{own}", samples[1])));
    std::fs::remove_dir_all(scratch.at("keps/NNNN-kep-template")).expect("it is there");
    let typed = "Pull.\n.\ny\nPull twice.\n.\ny\nq\n";
    let printed = answer(&scratch, typed);
    let wanted = text("Pull.", &format!("{own}\n\nPull twice."));
    assert_eq!((printed.status, scratch.read(README)), (0, wanted), "{}", printed.stdout);
}

#[test]
fn a_readme_in_which_it_is_not_certain_what_belongs_where_is_refused() {
    for readme in ["# KEP-42: Images\n\n## Summary\n\n```\nx\n\n## Proposal\n", "text\n"] {
        let printed = answer(&with_readme(readme), "x\n.\ny\n");
        assert_eq!((printed.status, printed.stdout.as_str()), (2, ""), "{}", printed.stderr);
    }
}
