//! `comment` and `ready`: what is said of a KEP elsewhere.

use super::ask::{self, Nothing, read};
use super::engine::{Answer, Engine, Question};
use crate::editor::readiness;
use crate::ready::answer::{Answer as Judged, Detail, Place};
use crate::ready::calendar::schedule::Time;
use crate::ready::checklist::Entry;
use crate::ready::items::Kind;
use crate::report::look::Look;
use crate::report::markdown as comment;
use crate::report::ready::{markdown, words};
use crate::stage::Stage;
use serde::Deserialize;
use serde_json::{Value, json};

pub const COMMENT: Question = Question { name: "comment", answer: comment };
pub const READY: Question = Question { name: "ready", answer: ready };

/// What a checklist calls a KEP whose number nobody knows.
const NO_NUMBER: &str = "KEP without a number";

fn comment(engine: &mut Engine, fields: Value) -> Answer {
    let Nothing {} = read(fields)?;
    let held = engine.held()?;
    let look = Look { level: held.level, ..Look::default() };
    Ok(json!({ "markdown": comment::render(&held.run, &look) }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfReadiness {
    stage: Option<String>,
    release: Option<String>,
    today: String,
}

fn ready(engine: &mut Engine, fields: Value) -> Answer {
    let OfReadiness { stage, release, today } = read(fields)?;
    let (stage, release) = (ask::stage(stage.as_deref())?, ask::release(release.as_deref())?);
    let now = Time::from(ask::day(&today)?);
    let held = engine.held()?;
    held.ask(|view| {
        let mut board = readiness::board(view, stage, release, now);
        if !held.place.has_number() {
            board.checklists.iter_mut().for_each(|checklist| checklist.number = Some(NO_NUMBER.to_owned()));
        }
        let Some(checklist) = board.checklists.first() else { return Ok(Value::Null) };
        Ok(json!({
            "title": words::number(checklist),
            "stage": checklist.stage.map(Stage::name),
            "release": checklist.release.to_string(),
            "isReady": checklist.is_ready,
            "state": checklist.readiness,
            "verdict": words::capitalized(&words::verdict(checklist)),
            "counts": words::counts(&board, checklist),
            "entries": checklist.entries.iter().map(entry).collect::<Vec<_>>(),
            "byHand": board.by_hand,
            "markdown": markdown::render(&board),
        }))
    })
}

fn entry(Entry { item, answer }: &Entry) -> Value {
    let Judged { state, words, place: at, lines, details, .. } = answer;
    let kind = match item.kind {
        Kind::Verdict => "verdict",
        Kind::Evidence => "evidence",
    };
    json!({
        "name": item.name,
        "title": item.title,
        "kind": kind,
        "state": state.name(),
        "words": words,
        "place": at.as_ref().map(place),
        "write": lines.as_ref().map(|lines| json!({ "path": lines.path, "text": lines.text })),
        "detail": details.first().map(|_| details.iter().map(in_words).collect::<Vec<_>>().join("; ")),
        "details": details.iter().map(detail).collect::<Vec<_>>(),
    })
}

fn detail(Detail { words, help, place: at, .. }: &Detail) -> Value {
    json!({ "words": words, "help": help, "place": at.as_ref().map(place) })
}

/// A part of an answer, with what to do.
fn in_words(Detail { words, help, .. }: &Detail) -> String {
    help.as_ref().map_or_else(|| words.clone(), |help| format!("{words}: {help}"))
}

fn place(place: &Place) -> Value {
    json!({ "path": place.path, "line": place.line })
}
