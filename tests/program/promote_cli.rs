//! What `promote` inserts into README.md, and what it says of the rest.

use crate::authoring::{run, tree};
use crate::support::scratch::Scratch;

const KEP: &str = "keps/sig-node/42-images";

/// A tree with a KEP at alpha that has this README.md.
fn with_readme(readme: &str) -> Scratch {
    let scratch = tree();
    let yaml = "title: Images\nkep-number: 42\nauthors: [\"@ann\"]\nowning-sig: sig-node\napprovers: [\"@lee\"]\n\
        status: implementable\nstage: alpha\nlatest-milestone: v1.36\nmilestone:\n  alpha: v1.36\n";
    scratch.write(&format!("{KEP}/kep.yaml"), yaml);
    scratch.write(&format!("{KEP}/README.md"), readme);
    scratch.commit();
    scratch
}

/// The notes in a text, each on one line.
fn notes(text: &str) -> Vec<String> {
    let text = text.replace("\n  note", "\n note").replace("\n  ", " ");
    let lines = text.lines().flat_map(|line| line.split(" note: ").skip(1)).map(str::to_owned);
    lines.collect()
}

const CONTENTS: &str = "<!-- toc -->\n- [Summary](#summary)\n<!-- /toc -->";

#[test]
fn what_is_not_inserted_is_said() {
    let sections = "## Summary\n\nPull early.\n\n## Implementation History\n\n- 2026-01-01: alpha";
    for (readme, wanted) in [
        (
            "# KEP-42: Images\n\n<!-- toc -->\n\n## Implementation History\n\n- 2026-01-01: alpha\n".to_owned(),
            "more: the table of contents has only one of its markers: write by hand what is missing",
        ),
        (
            format!("# KEP-42: Images\n\n{sections}\n\n```\nopen\n"),
            "`: the place is not certain: write by hand what is missing",
        ),
        (format!("# KEP-42: Images\n\n{sections}\n\n## Motivatoin\n\nWaiting.\n"), "another heading may be meant"),
        (
            format!(
                "# KEP-42: Images\n\n{sections}\n\n## Design Details\n\n### Test Plan\n\nWe try it by hand on a node.\n"
            ),
            "subsections of `Test Plan`: the text there may have the answers",
        ),
        ("Pull early.\n".to_owned(), "several sections: README.md has no title"),
    ] {
        let scratch = with_readme(&readme);
        let printed = run(&scratch, &["promote", "42", "beta", "--release", "v1.37"]);
        assert_eq!(printed.status, 0, "{}", printed.stderr);
        let (summary, _) = printed.stdout.split_once("\n\n").expect("a checklist follows");
        let summary = summary.replace("\n    ", " ");
        let left: Vec<&str> = summary.lines().filter(|line| line.starts_with("  note: not inserted: ")).collect();
        assert!(left.iter().any(|line| line.contains(wanted)), "{readme}: {summary}");
    }
}

#[test]
fn a_prr_file_that_a_sparse_checkout_leaves_out_is_not_written_again() {
    let scratch = with_readme("# KEP-42: Images\n\n## Summary\n\nPull early.\n");
    let review = "keps/prod-readiness/sig-node/42.yaml";
    scratch.write(review, "kep-number: 42\nalpha:\n  approver: \"@lee\"\n");
    scratch.commit();
    scratch.git(&["sparse-checkout", "set", "keps/sig-node"]);
    let printed = run(&scratch, &["promote", "42", "beta", "--release", "v1.37"]);
    assert_eq!(printed.status, 2, "{}", printed.stdout);
    let says = format!("cannot write `{review}`: this sparse checkout leaves it out");
    assert!(printed.stderr.contains(&says), "{}", printed.stderr);
    assert!(scratch.read(&format!("{KEP}/kep.yaml")).contains("stage: alpha"));
    scratch.git(&["sparse-checkout", "disable"]);
    let printed = run(&scratch, &["promote", "42", "beta", "--release", "v1.37"]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    assert!(scratch.read(review).contains("alpha:\n  approver: \"@lee\""));
}

#[test]
fn the_configuration_and_ignores_do_not_switch_it_off() {
    let readme = |ignore: &str| format!("# KEP-42: Images\n\n{ignore}{CONTENTS}\n\n## Summary\n\nPull early.\n");
    let promoted = |configuration: &str, ignore: &str| {
        let scratch = with_readme(&readme(ignore));
        scratch.write(".kep-lint.yaml", configuration);
        let printed = run(&scratch, &["promote", "42", "beta", "--release", "v1.37"]);
        assert_eq!(printed.status, 0, "{}", printed.stderr);
        scratch.read(&format!("{KEP}/README.md")).replace(ignore, "")
    };
    let wanted = promoted("rules: {}\n", "");
    assert!(wanted.contains("\n### Scalability\n") && wanted.contains("- [Scalability](#scalability)\n"), "{wanted}");
    assert_eq!(promoted("rules: {missing-section: off, stale-toc: off}\n", ""), wanted);
    assert_eq!(promoted("overrides:\n  - paths: [\"keps/**\"]\n    rules: {missing-section: off}\n", ""), wanted);
    let ignore = "<!-- kep-lint-ignore-file missing-section, stale-toc: later -->\n\n";
    assert_eq!(promoted("rules: {}\n", ignore), wanted);
}

#[test]
fn a_diff_has_the_notes_beside_it() {
    let scratch = with_readme("# KEP-42: Images\n\n<!-- toc -->\n\n## Summary\n\nPull early.\n");
    let arguments = ["promote", "42", "stable", "--skip-beta", "--release", "v1.36"];
    let shown = run(&scratch, &[&arguments[..], &["--diff"]].concat());
    assert_eq!((shown.status, notes(&shown.stdout)), (1, Vec::new()), "{}", shown.stderr);
    let printed = run(&scratch, &arguments);
    assert!(printed.stdout.lines().all(|line| line.chars().count() <= 80), "{}", printed.stdout);
    let wanted = notes(&format!(" {}", printed.stdout.replace("\n    ", " ")));
    assert!(wanted.len() >= 2, "{}", printed.stdout);
    assert_eq!(notes(&format!(" {}", shown.stderr.replace("\nnote:", "\n note:"))), wanted, "{}", shown.stderr);
}
