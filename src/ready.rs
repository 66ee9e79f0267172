//! Whether a KEP is ready for a stage in a release: what the Release Team checks before the enhancements
//! freeze, with where each answer was read and what to write.
//!
//! The question is about the target, not about the KEP's phase: sections are required as for an active KEP
//! that takes the template of that release, and neither severities nor levels of a configuration nor
//! comments that ignore findings play a part. An answer depends only on whether there is a finding.

pub mod answer;
pub mod approval;
pub mod board;
pub mod calendar;
pub mod case;
pub mod checklist;
pub mod comparison;
pub mod gate;
pub mod items;
mod metadata;
pub mod outline;
pub mod past;
mod progress;
pub mod pulls;
pub(crate) mod questionnaire;
mod readme;
pub mod tracked;
use self::answer::Answer;
use self::approval::{Approver, Waiting};
use self::calendar::Family;
use self::case::{Ask, Case};
use self::checklist::{Checklist, Entry};
use self::items::{ALL, BOARD, ERRORS, item};
use self::past::Past;
use self::questionnaire::Questionnaire;
use self::tracked::Tracked;
use crate::diagnostic::{Diagnostic, Severity};
use crate::kep::field::List;
use crate::kep::filter::{Facts, Sig};
use crate::kep::{Kep, number};
use crate::lint::about::About;
use crate::lint::{Options, lint_prepared, prepare};
use crate::repository::Repository;
use crate::requirement::{self, Question, Scope};
use crate::rules::context::Ctx;
use crate::rules::preset::Preset;
use crate::rules::select::{open_sections, rule_named};
use crate::rules::sink::Sink;
use crate::stage::{Release, Stage};
use crate::template::Template;
use std::collections::BTreeSet;

pub fn judge(mut kep: Kep, template: &Template, repository: &Repository, mut ask: Ask<'_>) -> Checklist {
    match ask.proposed.and_then(|proposed| proposed.reviews.as_ref()) {
        Some((number, reviews)) => repository.attach_these(&mut kep, number, reviews),
        None => repository.attach_reviews(&mut kep),
    }
    ask.stage = ask.stage.or_else(|| kep.metadata.as_ref()?.stage());
    let Ask { stage, release, proposed, open, .. } = ask;
    let options = Options { release: Some(release), errors_only: true, ..Options::default() };
    let mut prepared = prepare(kep, template, repository, &options);
    let linted = lint_prepared(&mut prepared, &options);
    // What is required is asked for the stage and release, whatever phase the KEP is in.
    let judged_stage = Some(stage.unwrap_or(Stage::Alpha));
    let question =
        Question { stage: judged_stage, release, planned: Some(release), is_readiness: true, scope: Scope::Certain };
    let prepared = prepared.asked(question, Preset::Recommended);
    let ctx = prepared.ctx();
    let rules: BTreeSet<&str> = ALL.iter().flat_map(|item| item.rules).copied().collect();
    let findings = findings(&ctx, rules);
    let past = past(&ctx, ask);
    let case = Case { ctx: &ctx, ask, findings: &findings, past: past.as_ref() };
    let family = Family::asked(release, repository.has_groups);
    let asked = ALL.iter().filter(|item| family.asks(item.name) || family.by_hand.contains_key(item.name));
    let mut entries: Vec<Entry> = asked.filter_map(|item| Some(Entry { item, answer: (item.check)(&case)? })).collect();
    entries.extend(other_errors(&linted.diagnostics, &entries, &case).and_then(|answer| entry(ERRORS, answer)));
    let review = entries.iter().find(|entry| entry.item.name == "prr").map(|entry| &entry.answer);
    let approver = Approver::of(&case);
    let (texts, metadata) = (&ctx.kep.texts, ctx.kep.metadata.as_ref());
    let names = |list: Option<&List>| -> Vec<String> {
        list.map(|list| list.items.iter().map(|item| item.text.clone()).collect()).unwrap_or_default()
    };
    let sig = Sig::owning(ctx.kep);
    let About { number, title, status, latest_milestone, milestones, required, .. } =
        About::of(ctx.kep, ctx.current, requirement::count(&prepared.requirements));
    Checklist {
        kep: Some(case::from_root(texts, &texts.directory)),
        given: Some(texts.directory.clone()),
        issue: number.as_deref().and_then(|number| issue(number, family)),
        number,
        title,
        status,
        latest_milestone,
        milestones: milestones.into_iter().map(|(of, text)| (of.name(), text)).collect(),
        required,
        family,
        is_strict: ask.is_strict,
        facts: Facts::of(ctx.kep),
        leads: sig.iter().filter_map(|sig| repository.aliases.leads.get(sig.name())).flatten().cloned().collect(),
        sig: sig.map(|sig| sig.name().to_owned()),
        authors: names(metadata.map(|metadata| &metadata.authors)),
        approvers: names(metadata.map(|metadata| &metadata.approvers)),
        stage,
        release,
        is_proposed: proposed.is_some(),
        own_pull: open.and_then(|open| open.own),
        open_sections: open_sections(&findings),
        waiting: Waiting::of(&case, review, approver.as_ref()),
        approver,
        questionnaire: ask.has_questions.then(|| {
            let remarks = self::findings(&ctx, questionnaire::RULES.iter().copied());
            Questionnaire::of(&case, &remarks)
        }),
        entries,
        ..Checklist::default()
    }
    .concluded()
}

fn entry(name: &str, answer: Answer) -> Option<Entry> {
    Some(Entry { item: item(name)?, answer })
}

/// The tracking issue of a KEP, which has its number; `None` if it has none, or is not Kubernetes' own.
fn issue(number: &str, family: &Family) -> Option<String> {
    let is_one = number::is_digits(number) && family.is_of_kubernetes();
    is_one.then(|| format!("https://kep.k8s.io/{number}"))
}

/// What the answers are compared with, if they are shown, or if a change matters: a new stage is reviewed anyway.
fn past(ctx: &Ctx<'_>, ask: Ask<'_>) -> Option<Past> {
    let (stage, approvals) = ask.stage.zip(ask.approvals)?;
    let begun = ctx.kep.metadata.as_ref().and_then(|metadata| metadata.milestone_of(stage)?.value);
    let stays_in_stage = begun.is_some_and(|begun| begun < ask.release);
    let is_asked = ctx.repository.has_groups && (ask.has_questions || stays_in_stage);
    is_asked.then(|| Past::of(ctx, stage, approvals))
}

/// What `rules` find. They are asked without their levels, which depend on the phase.
fn findings<'n>(ctx: &Ctx<'_>, rules: impl IntoIterator<Item = &'n str>) -> Vec<Diagnostic> {
    let rules = rules.into_iter().filter_map(rule_named);
    rules.flat_map(|rule| Sink::collect(rule.name, Severity::Error, |out| rule.run(ctx, out))).collect()
}

/// The errors that a check of the KEP has and that no open item is about.
fn other_errors(findings: &[Diagnostic], entries: &[Entry], case: &Case<'_>) -> Option<Answer> {
    let is_open = |answer: &Answer| answer.state != answer::State::Met || answer.remark.is_some();
    let is_said = |finding: &Diagnostic| {
        let place = case.place(finding.span);
        let mut open = entries.iter().filter(|entry| is_open(&entry.answer));
        open.any(|entry| entry.item.rules.contains(&finding.rule) || entry.answer.place.as_ref() == Some(&place))
    };
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error && !is_said(finding));
    let rules: Vec<&str> = errors.map(|finding| finding.rule).collect();
    let names: BTreeSet<String> = rules.iter().map(|rule| format!("`{rule}`")).collect();
    let names = names.into_iter().collect::<Vec<_>>().join(", ");
    (!rules.is_empty()).then(|| Answer::not_met(format!("{} ({names})", rules.len())))
}

/// A checklist with what the tracking board says of the KEP, and whether its files say the same.
#[must_use]
pub fn track(mut checklist: Checklist, tracked: Tracked) -> Checklist {
    let answer = gate::compare(&tracked, &checklist);
    checklist.entries.extend(answer.and_then(|answer| entry(BOARD, answer)));
    Checklist { tracked: Some(tracked), ..checklist }.concluded()
}

/// The checklist of a KEP that is asked for, but not in the tree; `name` is how it is asked for, if it has
/// no number yet. Until the freeze, nothing is missing that a pull request could not bring.
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
    let name = number.unwrap_or(name);
    Checklist {
        number: Some(name.to_owned()),
        issue: issue(name, family),
        family,
        stage,
        release,
        entries: entry("tree", answer).into_iter().collect(),
        ..Checklist::default()
    }
    .concluded()
}
