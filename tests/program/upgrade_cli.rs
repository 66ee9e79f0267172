//! `upgrade`: what it writes into README.md, what it says, and what it refuses.

use crate::authoring::{is_refused, run, tree};
use crate::support::program::{items, kep_lint_json, text};
use crate::support::scratch::Scratch;
use std::fs;

const KEP: &str = "keps/sig-node/42-images";

const YAML: &str = "title: Images\nkep-number: 42\nauthors: [\"@ann\"]\nowning-sig: sig-node\napprovers: [\"@lee\"]\n\
    status: implementable\nstage: alpha\nlatest-milestone: v1.36\nmilestone:\n  alpha: v1.36\n";

/// A README from 2020: an old title, questions in bold, and sections in another order.
const README: &str = "# KEP-42: Images

<!-- toc -->
- [Abstract](#abstract)
<!-- /toc -->

## Release Signoff Checklist

- [x] (R) Enhancement issue in release milestone, which links to KEP dir in [kubernetes/enhancements]
- [ ] (R) KEP approvers have approved the KEP status as `implementable`

[kubernetes/enhancements]: https://git.k8s.io/enhancements

## Drawbacks

More traffic.

## Abstract

Pull early, see [Abstract](#abstract).

## Proposal

The kubelet pulls.

### User Stories

Ann waits less.

## Production Readiness Review Questionnaire

### Scalability

* **Will enabling / using this feature result in any new API calls?** No.
* **Will enabling / using this feature result in introducing new API types?**
  No.
";

/// A tree with a KEP that has this README.md.
fn with_readme(readme: &[u8]) -> Scratch {
    let scratch = tree();
    scratch.write(&format!("{KEP}/kep.yaml"), YAML);
    scratch.write(&format!("{KEP}/README.md"), "");
    fs::write(scratch.at(&format!("{KEP}/README.md")), readme).expect("it can be written");
    scratch.commit();
    scratch
}

fn readme_of(scratch: &Scratch) -> String {
    scratch.read(&format!("{KEP}/README.md"))
}

/// How many findings of a rule the KEP has at beta.
fn count(scratch: &Scratch, rule: &str) -> usize {
    let report = kep_lint_json(&scratch.root, &["42", "--stage", "beta"]);
    items(&report["diagnostics"]).iter().filter(|found| text(&found["rule"]) == rule).count()
}

#[test]
fn a_readme_gets_the_headings_of_the_template() {
    let scratch = with_readme(README.as_bytes());
    let shown = run(&scratch, &["upgrade", "42", "--stage", "beta", "--diff"]);
    assert_eq!((shown.status, readme_of(&scratch).as_str()), (1, README), "{}", shown.stderr);
    assert!(
        shown.stdout.contains("\n+## Motivation\n") && shown.stderr.contains("would write 1 file"),
        "{}",
        shown.stdout
    );
    let printed = run(&scratch, &["upgrade", "42", "--stage", "beta"]);
    assert_eq!((printed.status, printed.stderr.as_str()), (0, ""), "{}", printed.stderr);
    let said = printed.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        format!("upgraded {KEP}: renamed 1, added 47 (42 are asked for at beta), left alone 1").as_str(),
        "renamed `## Abstract` to `## Summary`",
        "`## Design Details`, with 7 others in it",
        "2 headings stand above text that begins with the same words",
        "added 12 lines to the signoff checklist",
        "`## Drawbacks` stands above `## Implementation History`: move it",
        "kep.yaml lacks `creation-date`",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let after = readme_of(&scratch);
    let mut rest = after.lines();
    let kept = README.lines().filter(|line| !line.starts_with('#') && !line.contains("](#") && !line.is_empty());
    assert_eq!(kept.clone().find(|line| !rest.any(|other| other == *line)), None, "{after}");
    for words in [
        "\n- [Summary](#summary)\n",
        "see [Summary](#summary).",
        "- [x] (R) Enhancement issue",
        "\n  - [ ] e2e Tests for all Beta API Operations (endpoints)\n",
        "\n###### Will enabling / using this feature result in any new API calls?\n\n* **Will enabling",
        "\n## Motivation\n\n<!--\n",
    ] {
        assert!(after.contains(words), "{words}: {after}");
    }
    assert!(!after.contains("#### Story 1"), "the author has a story: {after}");
    for rule in ["missing-section", "renamed-section", "stale-toc", "stale-signoff"] {
        assert_eq!(count(&scratch, rule), 0, "{rule}");
    }
    let again = run(&scratch, &["upgrade", "42", "--stage", "beta"]);
    assert_eq!((again.status, readme_of(&scratch)), (0, after), "{}", again.stderr);
    assert!(again.stdout.starts_with(&format!("nothing to upgrade in {KEP}: ")), "{}", again.stdout);
    assert_eq!(run(&scratch, &["upgrade", "42", "--stage", "beta", "--diff"]).status, 0);
    assert_eq!(scratch.read(&format!("{KEP}/kep.yaml")), YAML);
}

#[test]
fn only_what_the_stage_requires_is_added_if_that_is_wanted() {
    let scratch = with_readme(README.as_bytes());
    let printed = run(&scratch, &["upgrade", "42", "--only-required"]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    let after = readme_of(&scratch);
    assert!(after.contains("\n### Test Plan\n") && !after.contains("Infrastructure Needed"), "{after}");
    assert!(!after.contains("\n### Troubleshooting\n"), "it is required from beta: {after}");
}

#[test]
fn the_guidance_is_that_of_the_repository() {
    let scratch = with_readme(b"# KEP-42: Images\r\n\r\n## Summary\r\n\r\nPull early.\r\n");
    let template =
        "# KEP-NNNN: Title\n\n## Summary\n\n## Cost\n\n<!--\nWho pays?\n-->\n\n### Item 1\n\n## Storage (Optional)\n";
    scratch.write("keps/NNNN-kep-template/README.md", template);
    let printed = run(&scratch, &["upgrade", "42"]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    let wanted = "# KEP-42: Images\n\n## Summary\n\nPull early.\n\n## Cost\n\n<!--\nWho pays?\n-->\n\n### Item 1\n\n\
        ## Storage (Optional)\n";
    assert_eq!(readme_of(&scratch), wanted.replace('\n', "\r\n"));
}

/// The headings of a README after an upgrade, without those of the template that are in none of these.
fn headings_after(readme: &str, titles: &[&str]) -> Vec<String> {
    let scratch = with_readme(readme.as_bytes());
    let printed = run(&scratch, &["upgrade", "42"]);
    assert_eq!(printed.status, 0, "{}", printed.stderr);
    let after = readme_of(&scratch);
    let headings = after.lines().filter(|line| titles.contains(&line.trim_start_matches(['#', ' '])));
    headings.map(str::to_owned).collect()
}

#[test]
fn a_new_section_that_ends_another_one_comes_before_what_that_lacks() {
    let titles =
        ["Motivation", "Goals", "Non-Goals", "Proposal", "Risks and Mitigations", "Design Details", "Test Plan"];
    let risks = "# KEP-42: Images\n\n## Motivation\n\nM.\n\n### Risks and Mitigations\n\nR.\n";
    let wanted = [
        "## Motivation",
        "### Goals",
        "### Non-Goals",
        "## Proposal",
        "### Risks and Mitigations",
        "## Design Details",
        "### Test Plan",
    ];
    assert_eq!(headings_after(risks, &titles), wanted);
    let tests = "# KEP-42: Images\n\n## Motivation\n\nM.\n\n## Proposal\n\nP.\n\n### Test Plan\n\nT.\n";
    assert_eq!(headings_after(tests, &titles), wanted);
}

#[test]
fn a_heading_that_is_linked_in_another_way_keeps_its_name() {
    let linked = README.replace("[Abstract](#abstract)", "[Abstract](README.md#abstract)");
    assert_eq!(headings_after(&linked, &["Abstract", "Summary"]), ["## Abstract"]);
    assert_eq!(headings_after(README, &["Abstract", "Summary"]), ["## Summary"]);
}

#[test]
fn every_line_keeps_its_end_and_a_test_plan_gets_the_line_of_the_template() {
    let readme = "# KEP-42: Images\n\n## Design Details\n\nText one.\n\nText two.\r\n\n### Test Plan\n\nWe test.\n";
    let scratch = with_readme(readme.as_bytes());
    let printed = run(&scratch, &["upgrade", "42"]);
    let after = readme_of(&scratch);
    assert!(after.contains("\n\nText two.\r\n"), "{after}");
    assert!(after.contains("\n### Test Plan\n\n[ ] I/we understand the owners"), "{after}");
    assert!(printed.stdout.contains("the test plan's acknowledgment is unchecked"), "{}", printed.stdout);
}

#[test]
fn what_is_not_certain_is_refused() {
    let long = format!("# KEP-42: Images\n\n## Summary\n\n{}", "Pull early.\n".repeat(174_700));
    for (readme, says) in [
        (
            &b"# KEP-42: Images\n\n## Summary\n\n```\nopen\n"[..],
            "a code block from line 5 on does not end where it should",
        ),
        (b"# KEP-42: Images\n\n## Summary\n\n<!-- open\n", "from line 5 on does not end where it should"),
        (b"# KEP-42: Images\n\n<!-- toc -->\n\n## Summary\n", "the markers of its table of contents are not a pair"),
        (b"", "it has no heading"),
        (b"Pull early.\n", "it has no heading"),
        (b"# KEP-42: Images\n\n## Summary\n\n\xff\n", "it is not UTF-8"),
        (b"# KEP-42: Images\n\n## Summary\n\n- ## Proposal\n  Text.\n", "the heading of line 5 is in a list"),
        (b"# KEP-42: Images\n\n## Summary\n\n##Proposal\n\nText.\n", "the heading of line 5 is in a list, or is none"),
        (long.as_bytes(), "it would have more than 2 MiB"),
    ] {
        is_refused(&with_readme(readme), &["upgrade", "42"], says);
    }
    is_refused(&with_readme(b"# KEP-42: Images\n"), &["upgrade", "43"], "no KEP 43");
}

#[test]
fn a_promotion_and_the_checklist_offer_it() {
    let offer = "`kep-lint upgrade 42` adds what is missing";
    let scratch = with_readme(README.as_bytes());
    let checklist = run(&scratch, &["ready", "42", "beta", "--release", "v1.37"]);
    assert!(checklist.stdout.replace("\n", " ").contains("kep-lint upgrade 42"), "{}", checklist.stdout);
    let printed = run(&scratch, &["promote", "42", "beta", "--release", "v1.37"]);
    let notes = printed.stdout.replace("\n    ", " ");
    assert!(notes.contains(&format!("headings of the template: {offer}")), "{notes}");
    assert_eq!(run(&scratch, &["upgrade", "42"]).status, 0);
    let whole = run(&scratch, &["promote", "42", "stable", "--release", "v1.38"]);
    assert!(whole.status == 0 && !whole.stdout.contains("kep-lint upgrade"), "{}{}", whole.stdout, whole.stderr);
}
