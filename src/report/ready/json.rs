//! The board for programs: one JSON object. Its shape is a promise; a change that breaks a reader raises `version`.

mod comparison;
mod document;
pub mod earlier;
mod place;
mod prr;

use self::comparison::Comparison;
use self::document::{Document, VERSION};
use self::prr::{Prr, PrrApprover, PrrLoad};
use super::words;
use crate::matching::written::Line;
use crate::ready::actor::Actor;
use crate::ready::answer::{Detail, Lines, Place, State};
use crate::ready::approver::Approver;
use crate::ready::board::{Board, Changes, SigTotal, StageTotal};
use crate::ready::calendar::day_of;
use crate::ready::calendar::schedule::{Moment, Schedule};
use crate::ready::checklist::{Checklist, Entry, Pull, Strictness};
use crate::ready::item::{Item, Kind};
use crate::ready::load::Load;
use crate::ready::past::Past;
use crate::ready::questionnaire::{Chapter, Question, Questionnaire};
use crate::ready::tracked::Tracked;
use crate::ready::waiting::{Reviewer, Waiting};
use crate::report::json::{self, encoding};
use crate::stage::Stage;
use std::collections::BTreeMap;

pub fn render(board: &Board) -> String {
    let sigs = board.by_sig();
    encoding::indented(&document(board, &sigs))
}

#[cfg(feature = "cli")]
pub fn schema() -> String {
    json::schema_of::<Document<'_>>()
}

fn document<'a>(board: &'a Board, sigs: &'a [SigTotal]) -> Document<'a> {
    let item = |item: &Item| document::Item { name: item.name, kind: item.kind.name(), title: item.title };
    Document {
        version: VERSION,
        tool: json::document::Tool { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") },
        release: json::document::Release { name: board.release.to_string(), source: board.release_origin.name() },
        release_day: day_of(board.release),
        days: days(board),
        day: board.now.day().map(|day| day.to_string()),
        snapshot: board.snapshot.as_ref().map(|snapshot| document::Snapshot {
            name: &snapshot.name,
            commit: &snapshot.commit,
            uncommitted: snapshot.changes == Changes::Uncommitted,
        }),
        strict: board.strictness == Strictness::Evidence,
        waiting_for: board.person.as_ref().map(|person| person.handle.name()),
        items: board.items().map(item).collect(),
        by_hand: board.by_hand().collect(),
        keps: board.checklists.iter().map(|checklist| kep(board, checklist)).collect(),
        sigs: sigs.iter().map(sig_total).collect(),
        stages: board.by_stage().into_iter().map(stage_total).collect(),
        prr_approvers: board.reviewers.iter().map(String::as_str).collect(),
        prr_load: board
            .loads()
            .into_iter()
            .map(|Load { name, keps, asked }| PrrLoad { approver: name, keps, asked })
            .collect(),
        left_out: board.left_out,
        filtered: board.filtered,
        failures: board.failures.iter().map(json::failure).collect(),
        conditions: json::conditions(&board.conditions),
        comparison: board.comparison.as_ref().map(Comparison::of),
        summary: document::Summary { keps: board.checklists.len(), ready: board.ready_count() },
    }
}

fn kep<'a>(board: &Board, checklist: &'a Checklist) -> document::Kep<'a> {
    let about = &checklist.about;
    document::Kep {
        kep: checklist.kep.as_deref().map(|kep| words::from_root(checklist, kep)),
        number: about.number.as_deref(),
        title: about.title.as_deref(),
        sig: checklist.sig.as_deref(),
        status: about.status.as_deref(),
        latest_milestone: about.latest_milestone.as_deref(),
        milestones: about.milestones.iter().map(|(stage, text)| (stage.name(), text.as_str())).collect(),
        authors: checklist.authors.iter().map(String::as_str).collect(),
        approvers: checklist.approvers.iter().map(String::as_str).collect(),
        proposed: checklist.is_proposed,
        stage: checklist.stage.map(|stage| stage.name()),
        release: checklist.release.to_string(),
        ready: checklist.is_ready(board.strictness),
        state: checklist.readiness(board.strictness).name(),
        actors: Actor::all_of(checklist).into_iter().map(Actor::name).collect(),
        issue: checklist.issue(),
        leads: checklist.leads.iter().map(String::as_str).collect(),
        board: checklist.tracked.as_ref().map(tracked),
        deadline: checklist.in_time().map(|in_time| document::Deadline {
            name: &in_time.deadline.name,
            met: in_time.missing.is_empty(),
            by: in_time.by,
            missing: in_time.missing,
            open_questions: in_time.has_open_questions,
        }),
        answers: checklist.entries.iter().map(|entry| answer(checklist, entry)).collect(),
        waiting: waiting(&checklist.waiting),
        prr_approver: checklist
            .approver
            .as_ref()
            .map(|Approver { name, role }| PrrApprover { name, role: role.name() }),
        prr: checklist.questionnaire.as_ref().map(|own| questionnaire(checklist, own)),
        pulls: checklist.pulls.as_ref().map(|pulls| pulls.iter().map(|one| pull(board, one)).collect()),
    }
}

fn pull<'a>(board: &Board, pull: &'a Pull) -> document::Pull<'a> {
    let judged = pull.checklist.as_deref();
    let open = |checklist: &Checklist| -> Vec<&'static str> {
        let verdict = checklist.of_kind(Kind::Verdict).filter(|entry| entry.answer.state != State::Met);
        verdict.map(|entry| entry.item.name).collect()
    };
    document::Pull {
        number: pull.number,
        title: &pull.title,
        url: pull.url.as_deref(),
        author: pull.author.as_deref(),
        draft: pull.is_draft,
        updated: pull.updated.as_deref(),
        files: pull.files.iter().map(String::as_str).collect(),
        stage: judged.and_then(|checklist| checklist.stage).map(|stage| stage.name()),
        ready: judged.map(|checklist| checklist.is_ready(board.strictness)),
        missing: judged.map(open),
        open_questions: judged.map(|checklist| checklist.has_open_questions),
        waiting: pull.waiting().as_ref().map(waiting),
    }
}

fn tracked(tracked: &Tracked) -> document::Tracked<'_> {
    document::Tracked {
        status: tracked.status.as_deref(),
        contact: tracked.contact.as_deref(),
        sig: tracked.sig.as_deref(),
        stage: tracked.stage.map(Stage::name),
        kind: tracked.kind.as_deref(),
        labels: tracked.labels.as_deref(),
        milestone: tracked.milestone.as_deref(),
    }
}

fn days(board: &Board) -> document::Days<'_> {
    let written = |moment: fn(&Schedule) -> &Option<Moment>| Some(moment(board.schedule.as_ref()?).as_ref()?.written());
    document::Days {
        deadline: written(|schedule| &schedule.deadline),
        enhancements_freeze: written(|schedule| &schedule.enhancements_freeze),
        code_freeze: written(|schedule| &schedule.code_freeze),
        docs_freeze: written(|schedule| &schedule.docs_freeze),
    }
}

fn answer<'a>(checklist: &Checklist, Entry { item, answer }: &'a Entry) -> document::Answer<'a> {
    let lines = |Lines { path, text }: &'a Lines| document::Lines { path: words::from_root(checklist, path), text };
    document::Answer {
        item: item.name,
        state: answer.state.name(),
        words: &answer.words,
        place: answer.place.as_ref().map(|named| place(checklist, named)),
        write: answer.lines.as_ref().map(lines),
        details: answer.details.iter().map(|own| detail(checklist, own)).collect(),
    }
}

fn place<'a>(checklist: &Checklist, Place { path, line }: &'a Place) -> place::Place<'a> {
    place::Place { path: words::from_root(checklist, path), line: *line }
}

fn detail<'a>(checklist: &Checklist, detail: &'a Detail) -> document::Detail<'a> {
    document::Detail {
        chapter: detail.chapter.as_deref(),
        count: detail.count,
        words: &detail.words,
        place: detail.place.as_ref().map(|named| place(checklist, named)),
        help: detail.help.as_deref(),
    }
}

fn waiting(waiting: &Waiting) -> document::Waiting {
    let approver = match &waiting.review {
        Some(Reviewer::Named(handle)) => Some(handle.name().to_owned()),
        Some(Reviewer::Any) | None => None,
    };
    let sig = waiting.sig.iter().map(|handle| handle.name().to_owned()).collect();
    document::Waiting { prr: waiting.review.is_some(), prr_approver: approver, sig }
}

fn sig_total(SigTotal { sig, keps, ready }: &SigTotal) -> document::SigTotal<'_> {
    document::SigTotal { sig: sig.as_deref(), keps: *keps, ready: *ready }
}

fn stage_total(StageTotal { stage, keps, counts }: StageTotal) -> document::StageTotal {
    let counts = counts.into_iter().map(|(readiness, count)| (readiness.name(), count)).collect();
    document::StageTotal { stage: stage.map(Stage::name), keps, states: counts }
}

fn questionnaire<'a>(checklist: &Checklist, questionnaire: &'a Questionnaire) -> Prr<'a> {
    let all = questionnaire.counts();
    let approval = match &questionnaire.past {
        Some(Past::Approved(compared)) => Some(prr::Approval {
            stage: Some(compared.approval.stage.name()),
            approver: &compared.approval.approver,
            day: compared.approval.day.map(|day| day.to_string()),
            commit: &compared.approval.commit,
            changed_lines: compared.lines.values().sum(),
        }),
        _ => None,
    };
    let not_known = match &questionnaire.past {
        Some(Past::NotKnown(not_known)) => Some(not_known.reason.as_str()),
        _ => None,
    };
    Prr {
        counts: BTreeMap::from([
            ("questions", all.questions),
            ("answered", all.answered),
            ("open", all.open),
            ("bare", all.bare),
            ("unfinished", all.unfinished),
            ("changed", all.changed),
        ]),
        later: questionnaire.later,
        later_changed: questionnaire.later_changed,
        approval,
        not_known,
        chapters: questionnaire.chapters.iter().map(|own| chapter(checklist, own)).collect(),
    }
}

fn chapter<'a>(checklist: &Checklist, Chapter { title, text, questions }: &'a Chapter) -> prr::Chapter<'a> {
    let questions = questions.iter().map(|own| question(checklist, own)).collect();
    prr::Chapter { title, text: markdown(text), questions }
}

fn question<'a>(checklist: &Checklist, question: &'a Question) -> prr::Question<'a> {
    let remarks = question.remarks.iter();
    prr::Question {
        question: &question.title,
        place: question.place.as_ref().map(|named| place(checklist, named)),
        standing: question.standing.name(),
        remarks: remarks.map(|own| prr::Remark { flaw: own.flaw.name(), words: &own.words, line: own.line }).collect(),
        answer: markdown(&question.text),
        changed_lines: question.changed,
    }
}

fn markdown(lines: &[Line]) -> String {
    lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
}
