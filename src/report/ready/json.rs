//! The board for programs: one JSON object. Its shape is a promise, see `schema.json`; a change that breaks a reader raises
//! [`VERSION`].

mod comparison;
pub mod earlier;
mod prr;

use super::words;
use crate::ready::actor::Actor;
use crate::ready::answer::{Detail, Lines, Place, State};
use crate::ready::approver::Approver;
use crate::ready::board::{Board, Changes, SigTotal, Snapshot, StageTotal};
use crate::ready::calendar::day_of;
use crate::ready::calendar::schedule::{Moment, Schedule};
use crate::ready::checklist::{Checklist, Entry, Pull, Strictness};
use crate::ready::item::{Item, Kind};
use crate::ready::load::Load;
use crate::ready::tracked::Tracked;
use crate::ready::waiting::{Reviewer, Waiting};
use crate::report::json::{conditions, encoding, failure, milestones, release, tool};
use crate::stage::Stage;
use serde_json::{Value, json};
use std::collections::BTreeMap;

const VERSION: u32 = 1;

/// What a program that checks boards needs; a test compares it with what is written.
pub const SCHEMA: &str = include_str!("json/schema.json");

pub fn render(board: &Board) -> String {
    encoding::indented(&document(board))
}

fn document(board: &Board) -> Value {
    let document = json!({
        "version": VERSION,
        "tool": tool(env!("CARGO_PKG_VERSION")),
        "release": release(board.release, board.release_origin),
        "release_day": day_of(board.release),
        "days": days(board),
        "day": board.now.day().map(|day| day.to_string()),
        "snapshot": board.snapshot.as_ref().map(snapshot),
        "strict": board.strictness == Strictness::Evidence,
        "waiting_for": board.person.as_ref().map(|person| person.handle.name()),
        "items": board.items().map(item).collect::<Vec<_>>(),
        "by_hand": board.by_hand().collect::<Vec<_>>(),
        "keps": board.checklists.iter().map(|checklist| kep(board, checklist)).collect::<Vec<_>>(),
        "sigs": board.by_sig().iter().map(sig_total).collect::<Vec<_>>(),
        "stages": board.by_stage().into_iter().map(stage_total).collect::<Vec<_>>(),
        "prr_approvers": board.reviewers,
        "prr_load": board.loads().into_iter().map(load).collect::<Vec<_>>(),
        "left_out": board.left_out,
        "filtered": board.filtered,
        "failures": board.failures.iter().map(failure).collect::<Vec<_>>(),
        "comparison": board.comparison.as_ref().map(comparison::object),
        "summary": { "keps": board.checklists.len(), "ready": board.ready_count() },
    });
    match conditions(&board.conditions) {
        Some(conditions) => encoding::with(document, "conditions", conditions),
        None => document,
    }
}

fn snapshot(Snapshot { name, commit, changes }: &Snapshot) -> Value {
    json!({ "name": name, "commit": commit, "uncommitted": *changes == Changes::Uncommitted })
}

fn item(item: &Item) -> Value {
    json!({ "name": item.name, "kind": item.kind.name(), "title": item.title })
}

fn kep(board: &Board, checklist: &Checklist) -> Value {
    let about = &checklist.about;
    let deadline = checklist.in_time().map(|in_time| {
        json!({
            "name": in_time.deadline.name,
            "met": in_time.missing.is_empty(),
            "missing": in_time.missing,
            "by": in_time.by,
            "open_questions": in_time.has_open_questions,
        })
    });
    json!({
        "kep": checklist.kep.as_deref().map(|kep| words::from_root(checklist, kep)),
        "number": about.number,
        "title": about.title,
        "sig": checklist.sig,
        "status": about.status,
        "latest_milestone": about.latest_milestone,
        "milestones": milestones(about),
        "authors": checklist.authors,
        "approvers": checklist.approvers,
        "proposed": checklist.is_proposed,
        "stage": checklist.stage.map(Stage::name),
        "release": checklist.release.to_string(),
        "ready": checklist.is_ready(board.strictness),
        "state": checklist.readiness(board.strictness).name(),
        "actors": Actor::all_of(checklist).into_iter().map(Actor::name).collect::<Vec<_>>(),
        "issue": checklist.issue(),
        "leads": checklist.leads,
        "board": checklist.tracked.as_ref().map(tracked),
        "deadline": deadline,
        "answers": checklist.entries.iter().map(|entry| answer(checklist, entry)).collect::<Vec<_>>(),
        "waiting": waiting(&checklist.waiting),
        "prr_approver": checklist.approver.as_ref().map(approver),
        "prr": checklist.questionnaire.as_ref().map(|own| prr::object(checklist, own)),
        "pulls": checklist.pulls.as_ref().map(|pulls| pulls.iter().map(|one| pull(board, one)).collect::<Vec<_>>()),
    })
}

fn approver(Approver { name, role }: &Approver) -> Value {
    json!({ "name": name, "role": role.name() })
}

/// An open pull request; what is asked of a KEP is null if it could not be judged.
fn pull(board: &Board, pull: &Pull) -> Value {
    let judged = pull.checklist.as_deref();
    json!({
        "number": pull.number,
        "title": pull.title,
        "url": pull.url,
        "author": pull.author,
        "draft": pull.is_draft,
        "updated": pull.updated,
        "files": pull.files,
        "stage": judged.and_then(|checklist| checklist.stage).map(Stage::name),
        "ready": judged.map(|checklist| checklist.is_ready(board.strictness)),
        "missing": judged.map(missing),
        "open_questions": judged.map(|checklist| checklist.has_open_questions),
        "waiting": pull.waiting().as_ref().map(waiting),
    })
}

/// The names of the items that decide and are not met.
fn missing(checklist: &Checklist) -> Vec<&'static str> {
    let verdict = checklist.of_kind(Kind::Verdict).filter(|entry| entry.answer.state != State::Met);
    verdict.map(|entry| entry.item.name).collect()
}

fn tracked(tracked: &Tracked) -> Value {
    json!({
        "status": tracked.status,
        "contact": tracked.contact,
        "sig": tracked.sig,
        "stage": tracked.stage.map(Stage::name),
        "type": tracked.kind,
        "labels": tracked.labels,
        "milestone": tracked.milestone,
    })
}

fn days(board: &Board) -> Value {
    let written = |moment: fn(&Schedule) -> &Option<Moment>| Some(moment(board.schedule.as_ref()?).as_ref()?.written());
    json!({
        "deadline": written(|schedule| &schedule.deadline),
        "enhancements_freeze": written(|schedule| &schedule.enhancements_freeze),
        "code_freeze": written(|schedule| &schedule.code_freeze),
        "docs_freeze": written(|schedule| &schedule.docs_freeze),
    })
}

fn answer(checklist: &Checklist, Entry { item, answer }: &Entry) -> Value {
    json!({
        "item": item.name,
        "state": answer.state.name(),
        "words": answer.words,
        "place": answer.place.as_ref().map(|named| place(checklist, named)),
        "write": answer.lines.as_ref().map(|own| lines(checklist, own)),
        "details": answer.details.iter().map(|own| detail(checklist, own)).collect::<Vec<_>>(),
    })
}

fn lines(checklist: &Checklist, Lines { path, text }: &Lines) -> Value {
    json!({ "path": words::from_root(checklist, path), "text": text })
}

fn place(checklist: &Checklist, Place { path, line }: &Place) -> Value {
    json!({ "path": words::from_root(checklist, path), "line": line })
}

fn detail(checklist: &Checklist, detail: &Detail) -> Value {
    json!({
        "chapter": detail.chapter,
        "count": detail.count,
        "words": detail.words,
        "place": detail.place.as_ref().map(|named| place(checklist, named)),
        "help": detail.help,
    })
}

fn waiting(waiting: &Waiting) -> Value {
    let approver = match &waiting.review {
        Some(Reviewer::Named(handle)) => Some(handle.name()),
        Some(Reviewer::Any) | None => None,
    };
    let sig: Vec<&str> = waiting.sig.iter().map(|handle| handle.name()).collect();
    json!({ "prr": waiting.review.is_some(), "prr_approver": approver, "sig": sig })
}

fn load(Load { name, keps, asked }: Load) -> Value {
    json!({ "approver": name, "keps": keps, "asked": asked })
}

fn sig_total(SigTotal { sig, keps, ready }: &SigTotal) -> Value {
    json!({ "sig": sig, "keps": keps, "ready": ready })
}

fn stage_total(StageTotal { stage, keps, counts }: StageTotal) -> Value {
    let states: BTreeMap<&str, usize> =
        counts.into_iter().map(|(readiness, count)| (readiness.name(), count)).collect();
    json!({ "stage": stage.map(Stage::name), "keps": keps, "states": states })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ready::checklist::Readiness;
    use crate::ready::comparison::Gone;
    use crate::stage::release::Reason;

    #[test]
    fn the_schema_lists_the_words_of_the_model() {
        let schema: Value = serde_json::from_str(SCHEMA).expect("it is JSON");
        let stages = Stage::ALL.map(Stage::name);
        let stages_or_null = json!(stages.iter().map(Some).chain([None]).collect::<Vec<_>>());
        for (place, words) in [
            ("/properties/version/const", json!(VERSION)),
            ("/$defs/Release/properties/source/enum", json!(Reason::NAMES)),
            ("/$defs/Item/properties/kind/enum", json!(Kind::ALL.map(Kind::name))),
            ("/$defs/Kep/properties/milestones/propertyNames/enum", json!(stages)),
            ("/$defs/Kep/properties/state/enum", json!(Readiness::ALL.map(Readiness::name))),
            ("/$defs/Kep/properties/actors/items/enum", json!(Actor::ALL.map(Actor::name))),
            ("/$defs/Answer/properties/state/enum", json!(State::ALL.map(State::name))),
            (
                "/$defs/Compared/properties/reason/enum",
                json!(Gone::ALL.iter().map(|it| Some(it.name())).chain([None]).collect::<Vec<_>>()),
            ),
        ] {
            assert_eq!(schema.pointer(place), Some(&words), "{place}");
        }
        for name in ["Kep", "Pull", "Tracked", "Compared", "Approval", "StageTotal"] {
            let place = format!("/$defs/{name}/properties/stage/enum");
            assert_eq!(schema.pointer(&place), Some(&stages_or_null), "{place}");
        }
    }
}
