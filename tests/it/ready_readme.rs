//! Readiness: what the README must have, in many situations. Each situation changes the README of a KEP that is ready, and
//! lists the answers that differ then.

use crate::support::readiness::{Files, README, assert_differs, differences, release};
use kep_lint::stage::Stage;

#[test]
fn the_readme() {
    let readme = |old: &str, new: &str| Files::demo().edit(README, old, new);
    for (why, files, expected) in [
        ("a stale table", readme("- [Summary](#summary)\n", ""), vec!["toc not-met: out of date"]),
        ("no table", readme("<!-- toc -->", ""), vec!["toc not-met: `<!-- /toc -->` without `<!-- toc -->`"]),
        (
            "an ignore hides nothing",
            readme("<!-- toc -->\n- [Release", "<!-- kep-lint-ignore stale-toc: later -->\n<!-- toc -->\n[Release"),
            vec!["toc not-met: out of date"],
        ),
        (
            "another name for the checklist",
            readme("\n## Release Signoff Checklist", "\n## Things to do"),
            vec![
                "toc not-met: out of date",
                "signoff look: `## Release Signoff Checklist` is missing",
                "sections not-met: 1 of 23 is open: 1 missing",
                "-boxes",
            ],
        ),
        (
            "boxes are not needed",
            readme("- [x] (R) Enhancement", "- (R) Enhancement").edit(README, "- [ ] (R) Prod", "- (R) Prod"),
            vec!["signoff met: it has no boxes"],
        ),
        (
            "an empty section",
            readme("Fewer snapshots of volumes that nobody restores.\n", ""),
            vec!["sections not-met: 1 of 23 is open: 1 empty"],
        ),
        (
            "no design",
            readme("The snapshot controller skips a snapshot that comes too soon, and says so in an event.\n", ""),
            vec!["sections not-met: 1 of 23 is open: 1 empty"],
        ),
        (
            "a stand-in",
            readme("Only the controller reads the field.", "TBD"),
            vec!["sections not-met: 1 of 23 is open: 1 with placeholders"],
        ),
        (
            "an acknowledgment that is not checked",
            readme("[x] I/we", "[ ] I/we"),
            vec!["test-plan not-met: not acknowledged, no unit test coverage"],
        ),
        (
            "coverage",
            readme("##### Unit tests\n", "##### Unit tests\n\n- `pkg/controller/snapshot`: `2026-02-03` - `81%`\n"),
            vec!["test-plan met: acknowledged, 1 line of coverage"],
        ),
        (
            "a test plan with a gap",
            readme("A driver without hints takes every snapshot.\n", ""),
            vec![
                "sections not-met: 1 of 23 is open: 1 empty",
                "test-plan not-met: incomplete, acknowledged, no unit test coverage",
            ],
        ),
        (
            "criteria for another stage",
            readme("#### Alpha", "#### Beta").edit(README, "[Alpha](#alpha)", "[Beta](#beta)"),
            vec!["graduation not-met: they name other stages, not alpha"],
        ),
        (
            "criteria for no stage",
            readme("#### Alpha", "#### Then").edit(README, "[Alpha](#alpha)", "[Then](#then)"),
            vec!["graduation look: they name no stage"],
        ),
        (
            "an open discussion",
            readme("A field of the claim", "<<[UNRESOLVED name]>>\nWhich?\n<<[/UNRESOLVED]>>\n\nA field of the claim"),
            vec!["unresolved not-met: 1 is open"],
        ),
        (
            "a history without text",
            readme("- 2026-01-12: the KEP was accepted\n", ""),
            vec!["history look: the section is not filled in"],
        ),
        (
            "a history with the release",
            readme("2026-01-12: the KEP was accepted", "v1.37: released"),
            vec!["history met: it names v1.37"],
        ),
        (
            "a checklist in code",
            readme("## Release Signoff Checklist\n", "## Release Signoff Checklist\n\n```\n").edit(
                README,
                "- [ ] (R) Prod",
                "```\n\n- (R) Prod",
            ),
            vec!["signoff look: `## Release Signoff Checklist` has no checklist", "-boxes"],
        ),
        (
            "no checklist",
            readme("- [x] (R) Enhancement", "We will do this later.\n\nEnhancement").edit(
                README,
                "- [ ] (R) Prod",
                "Prod",
            ),
            vec!["signoff look: `## Release Signoff Checklist` has no checklist", "-boxes"],
        ),
        (
            "required boxes that are marked otherwise",
            readme("[x] (R) Enh", "[x] `R` Enh").edit(README, "[ ] (R) Prod", "[ ] **(R)** Prod"),
            vec![],
        ),
        (
            "boxes without marks",
            readme("[x] (R) Enh", "[x] Enh").edit(README, "[ ] (R) Prod", "[ ] Prod"),
            vec!["signoff met: 1 of 2 boxes are checked"],
        ),
        (
            "criteria that are not filled in",
            readme(
                "#### Alpha\n",
                "#### Alpha\n\nTBD\n\n#### Beta\n\nAn end-to-end test of the storage suite shows that all hints are kept over an upgrade.\n",
            ),
            vec![
                "toc not-met: out of date",
                "sections not-met: 1 of 23 is open: 1 with placeholders",
                "graduation not-met: those for alpha are not filled in",
            ],
        ),
        (
            "criteria that are only promised",
            readme(
                "#### Alpha\n",
                "#### Alpha\n\nTODO: write them\n\n#### Beta\n\nAll hints are kept over an upgrade.\n",
            ),
            vec![
                "toc not-met: out of date",
                "sections not-met: 1 of 23 is open: 1 with placeholders",
                "graduation not-met: those for alpha are not filled in",
            ],
        ),
        (
            "criteria in a sentence",
            readme("#### Alpha\n", "#### Then\n\nThere are no criteria, but it is not enabled until alpha is over.\n")
                .edit(README, "[Alpha](#alpha)", "[Then](#then)"),
            vec!["graduation look: they mention alpha, but have no part for it"],
        ),
        (
            "an address names nothing",
            readme("2026-01-12: the KEP was accepted", "[the KEP](https://example.com/v1.37/stable) was accepted"),
            vec![],
        ),
    ] {
        assert_differs(why, &files, &expected);
    }
    let gained = readme("###### Are there any tests for feature enablement/disablement?", "###### Any tests?");
    assert!(differences(&gained.judge(None, release(37))).iter().any(|answer| answer.starts_with("sections not-met")));
    let stale = Files::demo().judge(Some(Stage::Beta), release(37));
    let history = stale.answer("history").map(|answer| answer.words.as_str());
    assert_eq!(history, Some("it names neither beta nor its release"));
    let template = stale.answer("template").map(|answer| (answer.state.name(), answer.details.len()));
    assert_eq!(template, Some(("look", 1)), "at beta, the newer heading is required");
}

#[test]
fn the_checklist_to_write_is_that_of_the_template_without_comments() {
    let missing = Files::demo().edit(README, "\n## Release Signoff Checklist", "\n## Things to do");
    let empty =
        Files::demo().edit(README, "- [x] (R) Enhancement", "Enhancement").edit(README, "- [ ] (R) Prod", "Prod");
    for (files, heading) in [(missing, "## Release Signoff Checklist\n\n"), (empty, "")] {
        let checklist = files.judge(None, release(37));
        let lines = checklist.answer("signoff").and_then(|answer| answer.lines.as_ref()).expect("there are lines");
        let begin =
            format!("{heading}Items marked with (R) are required *prior to targeting to a milestone / release*.\n\n");
        assert!(lines.text.starts_with(&format!("{begin}- [ ] (R) Enhancement issue")), "{}", lines.text);
        assert!(!lines.text.contains("<!--"), "{}", lines.text);
    }
}
