//! `answer`: what it asks, and what of the answers it writes into README.md.

use crate::authoring::tree;
use crate::support::program::{Printed, kep_lint_with};
use crate::support::scratch::Scratch;

const README: &str = "keps/sig-node/42-images/README.md";

const YAML: &str = "title: Images\nkep-number: 42\nauthors: [\"@ann\"]\nowning-sig: sig-node\napprovers: [\"@lee\"]\n\
    status: implementable\nstage: alpha\nlatest-milestone: v1.36\nmilestone:\n  alpha: v1.36\n";

const TEMPLATE: &str =
    "# KEP-NNNN: Title\n\n## Summary\n\n## Proposal\n\n### Cost\n\n<!--\nWho pays?\n-->\n\n### Plan\n\n### Risks\n";

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
        "KEP 42: 2 open sections to answer, 1 without a heading: `kep-lint upgrade 42` adds it\n",
        "\n1 of 2\n# Cost\n\n- In: Proposal\n",
        "Who pays?",
        &EXAMPLE[..40],
        "\n-TBD\n",
        "\n+All of them know",
        "\n2 of 2\n# Plan\n",
        "\nwrote 1 answer; KEP 42: 1 open section to answer, 1 without",
    ] {
        assert!(printed.stdout.contains(words), "{words}: {}", printed.stdout);
    }
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
    }
}

#[test]
fn an_answer_has_an_end() {
    let scratch = with_readme(TEXT);
    let printed = answer(&scratch, &"text\n".repeat(450_000));
    assert_eq!((printed.status, scratch.read(README).as_str()), (2, TEXT), "{}", printed.stderr);
    assert!(printed.stderr.contains("the answer has more than 2 MiB"), "{}", printed.stderr);
}

#[test]
fn an_answer_changes_no_other_section() {
    let scratch = with_readme(TEXT);
    for typed in ["### Plan\n", "x\n---\n", "<!-- x\n", "```\nx\n", "<pre>\n", "~~~\n# x\n"] {
        let printed = answer(&scratch, &format!("{typed}.\ny\nq\n"));
        assert!(printed.stderr.contains("the answer has a heading, or begins"), "{typed:?}: {}", printed.stdout);
        assert_eq!(scratch.read(README), TEXT, "{typed:?}");
    }
}

#[test]
fn a_readme_in_which_it_is_not_certain_what_belongs_where_is_refused() {
    for readme in ["# KEP-42: Images\n\n## Summary\n\n```\nx\n\n## Proposal\n", "text\n"] {
        let printed = answer(&with_readme(readme), "x\n.\ny\n");
        assert_eq!((printed.status, printed.stdout.as_str()), (2, ""), "{}", printed.stderr);
    }
}
