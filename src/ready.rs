//! Whether a KEP is ready for a stage in a release: what the Release Team checks before the enhancements freeze, with
//! where each answer was read and what to write.
//!
//! The question is about the target, not about the KEP's phase: sections are required as for an active KEP that takes the
//! template of that release, and neither severities nor levels of a configuration nor comments that ignore findings play a
//! part. An answer depends only on whether there is a finding.

pub mod answer;
mod answers;
mod approval;
pub mod approver;
pub mod board;
pub mod calendar;
mod case;
mod changed;
pub mod checklist;
pub(crate) mod actor;
mod contradiction;
pub mod comparison;
pub(crate) mod difference;
mod gain;
pub mod gate;
mod gates;
pub mod item;
pub(crate) mod load;
mod metadata;
pub mod open;
pub mod outline;
pub mod past;
mod plan;
mod progress;
pub mod proposed;
pub mod pulls;
pub(crate) mod questionnaire;
mod readme;
mod sections;
pub mod tracked;
pub mod waiting;

use self::answer::Answer;
use self::approver::Approver;
use self::calendar::Family;
use self::case::Case;
use self::checklist::{Checklist, Entry};
use self::item::{Item, Kind};
use self::open::Open;
use self::past::{Approvals, Past, stays_in_stage};
use self::proposed::Proposed;
use self::questionnaire::Questionnaire;
use self::tracked::Tracked;
use self::waiting::Waiting;
use crate::diagnostic::{Diagnostic, Severity};
use crate::kep::Kep;
use crate::kep::field::List;
use crate::kep::filter::{Facts, Sig};
use crate::lint::about::About;
use crate::lint::prepared::Prepared;
use crate::repository::Repository;
use crate::requirement::Question;
use crate::rules::context::Ctx;
use crate::rules::preset::Preset;
use crate::rules::rule::Rule;
use crate::rules::select::rule_named;
use crate::rules::sink::Sink;
use crate::stage::{Release, Stage};
use crate::template::Template;
use crate::template::role::SectionRole;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Every item, in the order of reports. Which of them are asked for a release is said in `templates/releases.yaml`.
pub const ALL: &[Item] = &[
    verdict("tree", "KEP in the tree", &[], metadata::tree),
    verdict("metadata", "valid kep.yaml", metadata::INVALID, metadata::valid),
    verdict("status", "status", &[], metadata::status),
    verdict("latest-milestone", "latest-milestone", &[], metadata::latest_milestone),
    verdict("stage", "stage", &[], metadata::stage),
    verdict("stage-milestone", "milestone of the stage", &[], metadata::stage_milestone),
    verdict("prr", "PRR", approval::REVIEW, approval::review),
    verdict("node-approver", "SIG Node approver", approval::NODE, approval::node),
    verdict("toc", "table of contents", readme::TOC, readme::toc),
    verdict("signoff", "the README has the Release Signoff Checklist", &[], readme::signoff),
    verdict("pulls", "other open pull requests", &[], pulls::pulls),
    evidence("sections", "required sections", sections::UNFILLED, sections::required),
    evidence("test-plan", "test plan", plan::TESTS, plan::tests),
    evidence("graduation", "graduation criteria", progress::GRADUATION, progress::graduation),
    evidence("unresolved", "open discussions", sections::UNRESOLVED, sections::unresolved),
    evidence("gates", "feature gates", gates::RULES, gates::gates),
    evidence("template", "template", &[], gain::gained),
    evidence("answers", "answers since the approval", &[], answers::unchanged),
    evidence("history", "implementation history", progress::HISTORY, progress::history),
    evidence("boxes", "(R) boxes", sections::BOXES, sections::boxes),
    evidence("board", "tracking board", &[], |_| None),
];

type Check = fn(&Case<'_>) -> Option<Answer>;

const fn verdict(name: &'static str, title: &'static str, rules: &'static [&'static str], check: Check) -> Item {
    Item { name, kind: Kind::Verdict, title, rules, check }
}

const fn evidence(name: &'static str, title: &'static str, rules: &'static [&'static str], check: Check) -> Item {
    Item { name, kind: Kind::Evidence, title, rules, check }
}

static RULES: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    let names: BTreeSet<&str> = ALL.iter().flat_map(|item| item.rules).copied().collect();
    names.into_iter().filter_map(rule_named).collect()
});

#[derive(Clone, Copy)]
pub struct Ask<'a> {
    /// The stage; `None` for the one in kep.yaml.
    pub stage: Option<Stage>,
    pub release: Release,
    /// What was merged before the pull request whose files are judged; `None` for files that are merged.
    pub proposed: Option<&'a Proposed>,
    /// When PRR approvers were named; `None` if no history is known.
    pub approvals: Option<&'a dyn Approvals>,
    /// Whether the questions of the PRR questionnaire are wanted.
    pub has_questions: bool,
    /// The open pull requests; `None` if nobody gave a list of them.
    pub open: Option<Open<'a>>,
}

impl Ask<'_> {
    /// A question about files that are merged.
    pub fn merged(stage: Option<Stage>, release: Release) -> Self {
        Self { stage, release, proposed: None, open: None, approvals: None, has_questions: false }
    }
}

pub fn judge(mut kep: Kep, template: &Template, repository: &Repository, ask: Ask<'_>) -> Checklist {
    let Ask { stage, release, proposed, open, has_questions, .. } = ask;
    match proposed.and_then(Proposed::reviews) {
        Some((number, reviews)) => repository.attach_these(&mut kep, number, reviews),
        None => repository.attach_reviews(&mut kep),
    }
    let stage = stage.or_else(|| kep.metadata.as_ref()?.stage());
    // What is required is asked for the stage and release, whatever phase the KEP is in.
    let judged_stage = Some(stage.unwrap_or(Stage::Alpha));
    let question = Question { stage: judged_stage, release, planned: release, is_readiness: true };
    let prepared = Prepared::new(kep, template, repository, question, Preset::Recommended);
    let ctx = prepared.ctx();
    let findings = findings(&ctx, &RULES);
    let past = past(&ctx, ask, stage);
    let case = Case { ctx: &ctx, stage, release, proposed, open, findings: &findings, past: past.as_ref() };
    let family = if repository.has_groups { Family::of(release) } else { Family::elsewhere() };
    let asked = ALL.iter().filter(|item| family.asks(item.name) || family.by_hand.contains_key(item.name));
    let entries: Vec<Entry> = asked.filter_map(|item| Some(Entry { item, answer: (item.check)(&case)? })).collect();
    let review = entries.iter().find(|entry| entry.item.name == "prr");
    let metadata = ctx.kep.metadata.as_ref();
    let names = |list: Option<&List>| -> Vec<String> {
        list.map(|list| list.items.iter().map(|item| item.text.clone()).collect()).unwrap_or_default()
    };
    Checklist {
        kep: Some(ctx.kep.texts.directory.clone()),
        tree_path: ctx.kep.texts.tree_path.clone(),
        family,
        about: About::of(ctx.kep, prepared.requirements.len()),
        facts: Facts::of(ctx.kep),
        leads: Sig::owning(ctx.kep).map(|sig| leads(repository, &sig)).unwrap_or_default(),
        tracked: None,
        sig: Sig::owning(ctx.kep).map(|sig| sig.name().to_owned()),
        authors: names(metadata.map(|metadata| &metadata.authors)),
        approvers: names(metadata.map(|metadata| &metadata.approvers)),
        stage,
        release,
        is_proposed: proposed.is_some(),
        own_pull: open.and_then(|open| open.own),
        pulls: None,
        comment: None,
        has_open_questions: case.readme().is_none()
            || case.section(SectionRole::Questionnaire).is_some_and(|id| case.gap(id).is_some()),
        open_sections: sections::open(&case),
        waiting: Waiting::of(&case, review.map(|entry| &entry.answer)),
        approver: Approver::of(&case),
        questionnaire: has_questions.then(|| questionnaire(&case)),
        entries,
    }
}

fn leads(repository: &Repository, sig: &Sig) -> Vec<String> {
    repository.leads.get(sig.name()).into_iter().flatten().cloned().collect()
}

/// What the answers are compared with, if they are shown, or if it matters that they changed: only a new stage is reviewed
/// anyway.
fn past(ctx: &Ctx<'_>, ask: Ask<'_>, stage: Option<Stage>) -> Option<Past> {
    let (stage, approvals) = stage.zip(ask.approvals)?;
    let is_asked = ctx.repository.has_groups && (ask.has_questions || stays_in_stage(ctx, stage, ask.release));
    is_asked.then(|| Past::of(ctx, stage, approvals))
}

fn questionnaire(case: &Case<'_>) -> Questionnaire {
    static RULES: LazyLock<Vec<&'static Rule>> =
        LazyLock::new(|| questionnaire::RULES.iter().copied().filter_map(rule_named).collect());
    Questionnaire::of(case, case.past.cloned(), &findings(case.ctx, &RULES))
}

/// What `rules` find. They are asked without their levels, which depend on the phase.
fn findings(ctx: &Ctx<'_>, rules: &[&'static Rule]) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for rule in rules {
        let mut sink = Sink::new(rule.name, Severity::Error, &mut findings);
        rule.checks.run(ctx, &mut sink);
        sink.finish();
    }
    findings
}

/// Adds to a checklist what the tracking board says of the KEP, and whether its files say the same.
pub fn track(checklist: &mut Checklist, tracked: Tracked) {
    let board = ALL.iter().find(|item| item.name == "board");
    checklist
        .entries
        .extend(board.zip(contradiction::compare(&tracked, checklist)).map(|(item, answer)| Entry { item, answer }));
    checklist.tracked = Some(tracked);
}

/// The checklist of a KEP that is asked for, but not in the tree; `name` is how it is asked for, if it has no number yet.
/// Until the freeze, nothing is missing that a pull request could not bring.
pub fn absent(
    name: &str,
    number: Option<&str>,
    stage: Option<Stage>,
    release: Release,
    family: &'static Family,
    is_before_freeze: bool,
) -> Checklist {
    let answer = Answer::not_met(match number {
        Some(_) if is_before_freeze => "not in the tree; a pull request may have it",
        Some(_) => "not in the tree",
        None => "it has no number to be found by",
    });
    let number = Some(number.unwrap_or(name).to_owned());
    let tree = ALL.iter().filter(|item| item.name == "tree");
    Checklist {
        kep: None,
        tree_path: None,
        family,
        about: About { number, ..About::default() },
        facts: Facts::default(),
        leads: Vec::new(),
        tracked: None,
        sig: None,
        authors: Vec::new(),
        approvers: Vec::new(),
        stage,
        release,
        is_proposed: false,
        own_pull: None,
        pulls: None,
        comment: None,
        approver: None,
        questionnaire: None,
        entries: tree.map(|item| Entry { item, answer: answer.clone() }).collect(),
        has_open_questions: false,
        open_sections: 0,
        waiting: Waiting::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_have_names_of_their_own_and_rules_that_exist() {
        let names: BTreeSet<&str> = ALL.iter().map(|item| item.name).collect();
        assert_eq!(names.len(), ALL.len());
        for rule in ALL.iter().flat_map(|item| item.rules).chain(questionnaire::RULES) {
            assert!(rule_named(rule).is_some(), "{rule}");
        }
        assert!(ALL.is_sorted_by_key(|item| item.kind), "verdict items come first");
    }

    #[test]
    fn every_item_is_asked_for_in_some_release_and_none_is_unknown() {
        let newest = Family::of(Release { major: 1, minor: 999 });
        assert!(ALL.iter().all(|item| newest.asks(item.name) || newest.by_hand.contains_key(item.name)));
        assert!(
            newest.items.iter().chain(newest.by_hand.keys()).all(|name| ALL.iter().any(|item| item.name == name)),
            "{newest:?}"
        );
    }
}
