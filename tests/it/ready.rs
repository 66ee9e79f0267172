//! Readiness: the items of the checklist in many situations. Each situation changes a KEP of the demo that is ready, and
//! lists the answers that differ then.

use crate::support::library::options;
use crate::support::readiness::{
    ALIASES, Files, METADATA, README, REVIEW, assert_differs, differences, release, shown, shown_answer,
};
use kep_lint::diagnostic::Diagnostic;
use kep_lint::kep::Kep;
use kep_lint::kep::filter::Filter;
use kep_lint::ready::answer::{Readiness, State};
use kep_lint::ready::calendar::Family;
use kep_lint::ready::case::Ask;
use kep_lint::ready::checklist::Checklist;
use kep_lint::ready::items::ALL;
use kep_lint::ready::{absent, judge};
use kep_lint::stage::Stage;
use kep_lint::template::Template;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn a_kep_that_is_ready() {
    let checklist = Files::demo().judge(None, release(37));
    let entries: Vec<String> = checklist.entries.iter().map(shown).collect();
    assert_eq!(
        entries,
        [
            "tree met: keps/sig-storage/4-snapshot-hints",
            "metadata met: upstream accepts it",
            "status met: implementable",
            "latest-milestone met: v1.37",
            "stage met: alpha",
            "stage-milestone met: stays in alpha since v1.36",
            "prr met: `heidi` approves alpha",
            "toc met: up to date",
            "signoff met: 1 of 2 (R) boxes are checked",
            "sections met: all 23 are filled in",
            "questions met: all 5 have answers",
            "test-plan look: acknowledged, no unit test coverage",
            "graduation met: they name alpha",
            "unresolved met: none is open",
            "gates look: SnapshotHints: not in v1.37 as of 2026-07-24",
            "template met: 1 heading is newer than v1.25, none is required yet",
            "history met: it is filled in",
            "boxes look: the signoff checklist lacks 11 items of the template",
        ]
    );
    assert!(checklist.is_ready && strictly(checklist.clone()).is_ready);
    let places: Vec<String> = checklist
        .entries
        .iter()
        .filter_map(|entry| entry.answer.place.as_ref())
        .map(|place| format!("{}:{}", place.path.rsplit('/').next().unwrap_or_default(), place.line))
        .collect();
    assert_eq!(places[2..7], ["kep.yaml:6", "kep.yaml:13", "kep.yaml:12", "kep.yaml:15", "4.yaml:3"]);
    assert!(checklist.entries.iter().all(|entry| entry.answer.place.is_some() && entry.answer.lines.is_none()));
}

#[test]
fn fields_of_kep_yaml() {
    let demo = Files::demo;
    let yaml = |old: &str, new: &str| demo().edit(METADATA, old, new);
    for (old, new, expected) in [
        ("status: implementable", "status: provisional", vec!["status not-met: it is provisional, not implementable"]),
        ("status: implementable", "status: implemented", vec!["status not-met: it is implemented, not implementable"]),
        (
            "status: implementable",
            "status: withdrawn",
            vec![
                "status look: it is withdrawn: is the feature removed, or given up?",
                "-stage-milestone",
                "-prr",
                "-questions",
            ],
        ),
        (
            "status: implementable",
            "status: implementible",
            vec!["metadata not-met: unknown status `implementible`", "status not-met: unknown status `implementible`"],
        ),
        (
            "status: implementable\n",
            "",
            vec!["metadata not-met: `status` is missing", "status not-met: kep.yaml has no `status`"],
        ),
        (
            "\"v1.37\"",
            "\"v1.36\"",
            vec![
                "latest-milestone not-met: it is v1.36, not v1.37",
                "gates look: no Kubernetes release up to v1.36 has a feature gate `SnapshotHints`",
            ],
        ),
        ("\"v1.37\"", "\"v1.38\"", vec!["latest-milestone not-met: it is v1.38, not v1.37"]),
        ("\"v1.37\"", "1.37", vec![]),
        (
            "latest-milestone: \"v1.37\"\n",
            "",
            vec![
                "metadata not-met: `latest-milestone` is missing",
                "latest-milestone not-met: kep.yaml has no `latest-milestone`",
            ],
        ),
        ("alpha: \"v1.36\"", "alpha: \"v1.37\"", vec!["stage-milestone met: alpha: v1.37"]),
        (
            "alpha: \"v1.36\"",
            "alpha: \"v1.38\"",
            vec!["stage-milestone not-met: the alpha milestone is v1.38, after v1.37"],
        ),
        ("alpha: \"v1.36\"", "beta: \"v1.36\"", vec!["stage-milestone not-met: alpha has no milestone"]),
        (
            "alpha: \"v1.36\"",
            "alpha: \"0.0\"",
            vec!["stage-milestone not-met: the alpha milestone `0.0` is not a release"],
        ),
        ("alpha: \"v1.36\"", "alpha: \"\"", vec!["stage-milestone not-met: alpha has no milestone"]),
        (
            "owning-sig: sig-storage",
            "owning-sig: sig-storge",
            vec![
                "metadata not-met: unknown SIG or working group `sig-storge`",
                "prr not-met: its PRR file is not known: `sig-storge` is no SIG",
            ],
        ),
    ] {
        assert_differs(&format!("{old} -> {new}"), &yaml(old, new), &expected);
    }
    let broken = yaml("authors:", "authors: [\n  x: ]:").judge(None, release(37));
    assert!(!broken.is_ready);
    let without_stage = yaml("stage: alpha\n", "").judge(None, release(37));
    let differences = differences(&without_stage);
    for expected in ["stage not-met: kep.yaml has no `stage`", "prr not-met: there is no stage to be approved"] {
        assert!(differences.iter().any(|answer| answer == expected), "{differences:?}");
    }
    assert!(!without_stage.entries.iter().any(|entry| shown(entry).starts_with("test-plan met")), "{differences:?}");
}

#[test]
fn the_stage_is_the_one_that_is_asked_about() {
    let beta = Files::demo().judge(Some(Stage::Beta), release(38));
    let answers: Vec<String> = beta.entries.iter().take(7).map(shown).collect();
    assert_eq!(
        answers[3..],
        [
            "latest-milestone not-met: it is v1.37, not v1.38",
            "stage not-met: it is alpha, not beta",
            "stage-milestone not-met: beta has no milestone",
            "prr not-met: no approver for beta",
        ]
    );
    let lines: Vec<&str> =
        beta.entries.iter().filter_map(|entry| Some(entry.answer.lines.as_ref()?.text.as_str())).collect();
    assert_eq!(
        lines,
        [
            "latest-milestone: \"v1.38\"",
            "stage: beta",
            "milestone:\n  beta: \"v1.38\"",
            "beta:\n  approver: \"@<production readiness approver>\"",
        ]
    );
    let planned =
        Files::demo().edit(METADATA, "alpha: \"v1.36\"", "beta: \"v1.36\"").judge(Some(Stage::Beta), release(37));
    let milestone = planned.answer("stage-milestone").map(shown_answer);
    let words = "not-met: the beta milestone is v1.36, but `stage` is not beta yet";
    assert_eq!(milestone.as_deref(), Some(words), "a plan for an earlier release was not kept");
    let passed = Files::demo().edit(METADATA, "stage: alpha", "stage: beta").judge(Some(Stage::Alpha), release(37));
    assert_eq!(passed.answer("stage-milestone").map(shown_answer).as_deref(), Some("met: alpha: v1.36"));
    // Sections are required for the target, whatever the phase of the KEP is.
    for status in ["implementable", "provisional", "withdrawn", "deferred", "implemented"] {
        let files = Files::demo().edit(METADATA, "status: implementable", &format!("status: {status}"));
        let files = files.edit(METADATA, "\"v1.37\"", "\"v1.20\"");
        let sections = files.judge(Some(Stage::Beta), release(38));
        let sections = sections.answer("sections").expect("it is asked").words.clone();
        assert!(sections.starts_with("25 of 49 are open: 25 missing"), "{status}: {sections}");
    }
}

#[test]
fn a_stage_that_was_not_raised_is_not_met() {
    let planned = Files::demo().edit(METADATA, "alpha: \"v1.36\"", "alpha: \"v1.36\"\n  beta: \"v1.37\"");
    let checklist = planned.judge(None, release(37));
    let stage = checklist.answer("stage").expect("it is asked");
    let words = "not-met: `beta` is v1.37 as `latest-milestone`, but the stage is alpha; ask with `--stage beta`";
    assert_eq!(shown_answer(stage), words);
    assert_eq!(stage.lines.as_ref().map(|lines| lines.text.as_str()), Some("stage: beta"));
}

#[test]
fn the_statuses_of_late_stages() {
    for (status, stage, state) in [
        ("implemented", Stage::Stable, "met"),
        ("implementable", Stage::Stable, "met"),
        ("withdrawn", Stage::Stable, "look"),
        ("withdrawn", Stage::Removed, "look"),
        ("implementable", Stage::Deprecated, "met"),
        ("implemented", Stage::Disabled, "not-met"),
        ("deferred", Stage::Removed, "not-met"),
        ("implemented", Stage::Beta, "not-met"),
    ] {
        let files = Files::demo().edit(METADATA, "status: implementable", &format!("status: {status}"));
        let checklist = files.judge(Some(stage), release(37));
        assert_eq!(checklist.answer("status").map(|answer| answer.state.name()), Some(state), "{status} at {stage}");
    }
    let boxes =
        |stage| Files::demo().judge(Some(stage), release(37)).answer("boxes").map(|answer| answer.words.clone());
    let beta = "the signoff checklist lacks 11 items of the template";
    let stable = "1 of 2 required (R) items are unchecked in the Release Signoff Checklist";
    assert_eq!((boxes(Stage::Beta).as_deref(), boxes(Stage::Stable).as_deref()), (Some(beta), Some(stable)));
    assert_eq!(boxes(Stage::Removed), None);
}

#[test]
fn production_readiness() {
    let review = |old: &str, new: &str| Files::demo().edit(REVIEW, old, new);
    let cases = [
        ("a stand-in", review("\"@heidi\"", "TBD"), "prr not-met: `TBD` is not a PRR approver"),
        ("somebody else", review("heidi", "mallory"), "prr not-met: `@mallory` is not a PRR approver"),
        ("another case", review("heidi", "Heidi"), "prr not-met: `@Heidi` is not a PRR approver"),
        ("another stage", review("alpha", "beta"), "prr not-met: no approver for alpha"),
        ("nobody", review("  approver: \"@heidi\"", "  approver: \"\""), "prr not-met: no approver for alpha"),
        (
            "another number, which nobody minds",
            review("kep-number: 4", "kep-number: 5"),
            "prr met: `heidi` approves alpha, but `kep-number: 5` does not match the file name `4.yaml`",
        ),
        (
            "no file",
            Files::demo().without(REVIEW),
            "prr not-met: the PRR file `prod-readiness/sig-storage/4.yaml` is missing",
        ),
        (
            "another SIG",
            Files::demo().moved(REVIEW, "keps/prod-readiness/sig-apps/4.yaml"),
            "prr not-met: the PRR file is in another directory: move it to `prod-readiness/sig-storage/4.yaml`",
        ),
        (
            "emeritus approvers count",
            Files::demo().edit(
                ALIASES,
                "prod-readiness-approvers:\n    - heidi",
                "prod-readiness-approvers:\n    - ann\n  prod-readiness-approvers-emeritus:\n    - heidi",
            ),
            "",
        ),
        (
            "the approvers are not known",
            Files::demo().with(ALIASES, "aliases:\n  x: [y]\n").edit(REVIEW, "heidi", "wojtek-t"),
            "prr look: `wojtek-t` approves alpha, but `OWNERS_ALIASES` is wrong: alias \
             `prod-readiness-approvers` is missing or empty",
        ),
    ];
    for (why, files, expected) in cases {
        let expected: Vec<&str> = Some(expected).into_iter().filter(|expected| !expected.is_empty()).collect();
        assert_differs(why, &files, &expected);
    }
    // A wrong number in kep.yaml leads to the file of another KEP, which approves nothing here.
    let borrowed = Files::demo()
        .edit(METADATA, "kep-number: 4", "kep-number: 40")
        .with("keps/prod-readiness/sig-storage/40.yaml", "kep-number: 40\nalpha:\n  approver: \"@heidi\"\n");
    let words = "`kep-number` is 40, but the directory is 4";
    assert_differs(
        "a borrowed file",
        &borrowed,
        &[&format!("metadata not-met: {words}"), &format!("prr not-met: {words}")],
    );
    let broken = review("  approver", "  aprover").judge(None, release(37));
    assert_eq!(broken.answer("prr").map(|answer| answer.state.name()), Some("not-met"));
}

#[test]
fn what_is_withdrawn_in_the_release_needs_no_review() {
    let withdrawn = || Files::demo().edit(METADATA, "status: implementable", "status: withdrawn").without(REVIEW);
    for stage in [None, Some(Stage::Deprecated), Some(Stage::Removed)] {
        let checklist = withdrawn().judge(stage, release(37));
        let asked = ["status", "prr", "stage-milestone"].map(|name| checklist.answer(name).map(|it| it.state));
        assert_eq!(asked, [Some(State::Look), None, None], "{stage:?}");
        assert!(!checklist.is_ready && checklist.outcome.open.contains(&"status"), "a person must tell");
    }
    let found = |files: Files| {
        let options = options(|options| {
            (options.stage, options.release) = (Some(Stage::Removed), Some(release(37)));
        });
        let (tree, template) = (files.tree(), Template::built_in());
        let kep = tree.keps.iter().find(|kep| METADATA.starts_with(&kep.directory)).expect("it is there");
        let report = tree.against(&template, &options).lint(kep);
        let is_asked = |found: &&Diagnostic| ["missing-prr", "stage-milestone"].contains(&found.rule);
        report.diagnostics.iter().filter(is_asked).count()
    };
    assert_eq!((found(withdrawn()), found(Files::demo())), (0, 2), "with `--stage removed`");
    // In another release, the KEP is closed, and no feature is removed.
    let checklist = withdrawn().judge(Some(Stage::Removed), release(38));
    assert_eq!(checklist.answer("prr").map(|answer| answer.state), Some(State::NotMet));
    let implementable = Files::demo().judge(Some(Stage::Removed), release(37));
    assert_eq!(implementable.answer("prr").map(shown_answer).as_deref(), Some("not-met: no approver for removed"));
}

#[test]
fn old_releases_are_judged_by_the_tools_of_their_days() {
    let release_of = |minor: u32| format!("\"v1.{minor}\"");
    let of = |files: Files, minor| files.edit(METADATA, "\"v1.37\"", &release_of(minor)).judge(None, release(minor));
    let state = |checklist: &Checklist, name| checklist.answer(name).map(|answer| answer.state);
    let key = || Files::demo().edit(METADATA, "status:", "prr-approvers: [\"@heidi\"]\nstatus:");
    let states = [25, 26].map(|minor| state(&of(key(), minor), "metadata"));
    assert_eq!(states, [Some(State::Met), Some(State::NotMet)]);
    let other = || Files::demo().edit(METADATA, "status:", "sponsors: [\"@heidi\"]\nstatus:");
    assert_eq!(state(&of(other(), 25), "metadata"), Some(State::NotMet));
    let anchor = || Files::demo().edit(README, "[Summary](#summary)", "[Summary](#summary-)");
    let states = [29, 30].map(|minor| state(&of(anchor(), minor), "toc"));
    assert_eq!(states, [Some(State::Met), Some(State::NotMet)]);
    let line = || Files::demo().edit(README, "- [Summary](#summary)\n", "");
    assert_eq!(state(&of(line(), 29), "toc"), Some(State::NotMet));
}

#[test]
fn open_sections_are_said_where_a_kep_is_ready() {
    let empty = Files::demo().edit(README, "Fewer snapshots of volumes that nobody restores.\n", "");
    let checklist = empty.judge(None, release(37));
    assert!(checklist.is_ready);
    assert_eq!((checklist.state(), checklist.readiness), (State::Look, Readiness::SectionsOpen));
    assert_eq!(checklist.remarks, ["1 of 23 sections is open"]);
    assert_eq!(strictly(checklist).outcome.open, ["sections"]);
    let ready = Files::demo().judge(None, release(37));
    assert_eq!((ready.state(), ready.readiness), (State::Met, Readiness::Ready));
    let misnumbered = Files::demo().edit(REVIEW, "kep-number: 4", "kep-number: 5").judge(None, release(37));
    assert_eq!((misnumbered.outcome.state, misnumbered.state()), (State::Met, State::Look), "nothing is against it");
    assert_eq!(misnumbered.remarks, ["`kep-number: 5` does not match the file name `4.yaml`"]);
}

/// The same KEP where evidence decides, too.
fn strictly(checklist: Checklist) -> Checklist {
    Checklist { is_strict: true, ..checklist }.concluded()
}

#[test]
fn what_never_decides_is_a_remark() {
    let state = |files: &Files, name: &str| files.judge(None, release(37)).answer(name).map(|answer| answer.state);
    let unlisted = Files::demo().edit(README, "## Release Signoff Checklist", "## Other Checklist");
    assert_eq!(state(&unlisted, "signoff"), Some(State::Look));
    assert_eq!(unlisted.judge(None, release(37)).outcome.open, ["toc", "signoff"]);
    // Of a stage at which a feature ends, no milestone is asked for.
    let disabled = Files::demo().edit(METADATA, "stage: alpha", "stage: disabled");
    assert_eq!(state(&disabled, "stage-milestone"), None);
    // Another KEP has the number, too, but the PRR file is that of this one.
    let other = "keps/sig-apps/4-other";
    let shared = Files::demo()
        .with(&format!("{other}/README.md"), "# KEP-4: Other\n")
        .with(&format!("{other}/kep.yaml"), "kep-number: 4\nowning-sig: sig-apps\nstatus: provisional\n");
    let checklist = shared.judge(None, release(37));
    assert!(checklist.is_ready, "{:?}", checklist.outcome);
    assert_eq!(checklist.remarks, ["another KEP has the number 4, too"]);
    assert_eq!(
        shared.judge_kep("4-other", None, release(37)).answer("metadata").map(|it| it.state),
        Some(State::NotMet)
    );
    // What no item is about is named all the same.
    let bad = Files::demo().edit(METADATA, "title: Snapshot hints", "title: KEP Template");
    let errors = bad.judge(None, release(37)).answer("errors").map(shown_answer);
    assert_eq!(errors.as_deref(), Some("not-met: 1 (`placeholder-value`)"));
}

#[test]
fn a_kep_without_groups_needs_no_approval() {
    let tree = Files::demo().moved("keps/sig-storage/", "keps/").tree();
    let texts = tree.keps.iter().find(|kep| kep.directory.contains("4-snapshot-hints")).expect("it is there");
    let mut repository = tree.repository.clone();
    repository.has_groups = false;
    let checklist =
        judge(Kep::parse(texts.clone()), &Template::built_in(), &repository, Ask::merged(None, release(37)));
    assert_eq!((checklist.answer("prr"), checklist.answer("template")), (None, None));
}

#[test]
fn approvers_of_sig_node() {
    let node = |stage, minor| {
        let checklist = Files::demo().judge_kep("1-prefetch-images", Some(stage), release(minor));
        checklist.answer("node-approver").map(|answer| (answer.state.name(), answer.words.clone()))
    };
    let met = Some(("met", "a tech lead or an assigned approver is named".to_owned()));
    // Upstream's checks came after the freeze of v1.37.
    assert_eq!((node(Stage::Alpha, 37), node(Stage::Alpha, 38)), (None, met));
    let other = Files::demo().edit("keps/sig-node/1-prefetch-images/kep.yaml", "@carol", "@ann");
    let words = |stage| {
        let checklist = other.judge_kep("1-prefetch-images", Some(stage), release(38));
        checklist.answer("node-approver").map(|answer| answer.words.clone()).unwrap_or_default()
    };
    // What is required depends on the stage that is asked about, and not on that of kep.yaml.
    assert_eq!(words(Stage::Alpha), "alpha KEPs in sig-node need a tech lead in `approvers`");
    assert_eq!(words(Stage::Beta), "KEPs in sig-node need a tech lead or an assigned approver in `approvers`");
    let nobody = other.edit("keps/sig-node/1-prefetch-images/kep.yaml", "approvers:\n  - \"@ann\"", "approvers: []");
    let checklist = nobody.judge_kep("1-prefetch-images", None, release(38));
    assert_eq!(checklist.answer("node-approver").map(|answer| answer.state.name()), Some("not-met"));
}

#[test]
fn files_that_are_missing() {
    let without_readme = Files::demo().without(README).judge(None, release(37));
    let answers = differences(&without_readme);
    assert!(answers.contains(&"tree not-met: README.md is missing".to_owned()), "{answers:?}");
    for name in ["toc", "signoff", "sections", "test-plan", "graduation", "unresolved", "template", "history"] {
        assert!(answers.contains(&format!("{name} not-met: README.md is missing")), "{name}: {answers:?}");
    }
    let without_metadata = Files::demo().without(METADATA).judge(None, release(37));
    let answers = differences(&without_metadata);
    for name in ["tree", "metadata", "status", "latest-milestone", "stage", "stage-milestone"] {
        assert!(answers.contains(&format!("{name} not-met: kep.yaml is missing")), "{name}: {answers:?}");
    }
    assert!(!without_metadata.is_ready);
}

#[test]
fn a_release_asks_for_the_items_of_its_family() {
    let asked = |minor| {
        let checklist = Files::demo().judge_kep("1-prefetch-images", None, release(minor));
        checklist.entries.iter().map(|entry| entry.item.name).collect::<Vec<_>>()
    };
    let verdict = |minor| {
        let names = asked(minor);
        let is_verdict = |name: &&str| ALL.iter().take_while(|item| item.name != "sections").any(|it| it.name == *name);
        names.into_iter().filter(is_verdict).collect::<Vec<_>>()
    };
    assert_eq!(verdict(20), ["tree", "metadata", "status", "toc", "signoff"]);
    assert_eq!(verdict(23), ["tree", "metadata", "status", "prr", "toc", "signoff"]);
    assert_eq!(verdict(24).len(), 9);
    assert_eq!(verdict(37).len(), 9);
    assert_eq!(verdict(38).len(), 10);
    assert_eq!(verdict(99), verdict(38));
}

#[test]
fn whom_a_kep_waits_for() {
    let causes = |files: &Files, handle: &str, is_reviewer: bool| {
        let person = Filter::parse_handle(handle).expect("a handle");
        files.judge(None, release(37)).waiting.causes(&person, is_reviewer).join(", ")
    };
    let demo = Files::demo();
    assert_eq!(causes(&demo, "@heidi", true), "");
    let open = demo.clone().edit(REVIEW, "@heidi", "TBD");
    assert_eq!((causes(&open, "@heidi", true), causes(&open, "@ann", false)), ("PRR".to_owned(), String::new()));
    // What is wrong with the file is for the authors to correct.
    let copied = demo.clone().edit(REVIEW, "kep-number: 4", "kep-number: 5");
    let moved = demo.clone().moved(REVIEW, "keps/prod-readiness/sig-apps/4.yaml");
    for files in [copied, moved, demo.clone().edit(REVIEW, "alpha:", "alpha: [")] {
        assert_eq!(causes(&files, "Heidi", true), "");
    }
    let named = demo.clone().edit(ALIASES, "- heidi", "- ann\n  prod-readiness-approvers-emeritus:\n    - heidi");
    assert_eq!(named.tree().repository.active_approvers(), BTreeSet::from(["ann".to_owned()]));
    let provisional = open.edit(METADATA, "status: implementable", "status: provisional");
    assert_eq!(causes(&provisional, "@Mallory", false), "SIG approval");
    assert_eq!(causes(&demo, "@mallory", false), "");
    let withdrawn = provisional.edit(METADATA, "status: provisional", "status: withdrawn");
    assert_eq!(
        (causes(&withdrawn, "@heidi", true), causes(&withdrawn, "@mallory", true)),
        (String::new(), String::new())
    );
}

#[test]
fn a_readme_without_a_number_is_judged_like_any_other() {
    let files = Files::demo().without(METADATA).without(README);
    let files = files.with("keps/sig-storage/notes/README.md", "# Notes\n\n## Summary\n");
    let checklist = files.judge_kep("sig-storage/notes", None, release(37));
    let states: BTreeMap<&str, &str> =
        checklist.entries.iter().map(|entry| (entry.item.name, entry.answer.state.name())).collect();
    for name in ["tree", "metadata", "prr", "toc", "sections", "test-plan"] {
        assert_eq!(states[name], "not-met", "{name}");
    }
}

#[test]
fn the_deadline_before_the_freeze() {
    let in_time = |files: Files, minor| {
        let in_time = files.judge(None, release(minor)).deadline?;
        Some((in_time.met, in_time.missing, in_time.open_questions))
    };
    let demo = Files::demo();
    assert_eq!(in_time(demo.clone(), 34), None);
    assert_eq!(in_time(demo.clone(), 37), Some((true, vec![], false)));
    let moved = (false, vec!["latest-milestone"], false);
    assert_eq!(in_time(demo.clone(), 38), Some(moved));
    let open = demo.clone().edit(REVIEW, "@heidi", "TBD").without(README);
    assert_eq!(in_time(open, 37), Some((false, vec!["PRR", "PRR questions"], true)));
    let other = demo.clone().edit(METADATA, "status: implementable", "status: provisional");
    assert_eq!(in_time(other, 37), Some((false, vec!["status"], false)));
    // Whether what is withdrawn is removed is asked at the freeze, and a section elsewhere is no question.
    let withdrawn = demo.clone().edit(METADATA, "status: implementable", "status: withdrawn");
    assert_eq!(in_time(withdrawn, 37), Some((true, vec![], false)));
    let other = demo.clone().edit(README, "Snapshots of scratch volumes fill the storage of a cluster.", "");
    assert_eq!(in_time(other, 37), Some((true, vec![], false)));
    // A question that is not there is asked in its chapter.
    let question = "###### Are there any tests for feature enablement/disablement?\n\n";
    let missing = demo.clone().edit(README, question, "").judge(None, release(37));
    assert_eq!(missing.answer("questions").and_then(|answer| Some(answer.place.as_ref()?.line)), Some(101));
    let unanswered = demo.edit(README, "Unit tests switch the gate on and off.", "");
    assert_eq!(in_time(unanswered.clone(), 37), Some((true, vec![], true)));
    let remarks = unanswered.judge(None, release(37)).remarks;
    assert_eq!(remarks, ["1 of 23 sections is open", "PRR: 1 of 5 questions is open"]);
    assert!(absent("99999", Some("99999"), None, release(37), Family::of(release(37)), true).deadline.is_none());
}
