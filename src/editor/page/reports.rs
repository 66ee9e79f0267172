//! `comment` and `ready`: what is said of a KEP elsewhere.

use super::ask::{self, Nothing, read};
use super::engine::{Answer, Engine};
use super::held::Held;
use super::text::Units;
use crate::diagnostic::capitalized;
use crate::editor::readiness;
use crate::ready::answer::{Answer as Judged, Detail, Place, State};
use crate::ready::board::Board;
use crate::ready::calendar::schedule::Time;
use crate::ready::checklist::{Checklist, Entry};
use crate::ready::items::Kind;
use crate::report::look::Look;
use crate::report::markdown as comment;
use crate::report::markdown::text::inline;
use crate::report::ready::words;
use serde::Deserialize;
use serde_json::{Value, json};
use std::mem;

/// What a checklist calls a KEP whose number nobody knows.
const NO_NUMBER: &str = "KEP without a number";

pub fn comment(engine: &mut Engine, fields: Value) -> Answer {
    let Nothing {} = read(fields)?;
    let held = engine.held()?;
    let look = Look { level: held.level, ..Look::default() };
    let text = comment::render(&held.run, &look);
    Ok(json!({ "markdown": held.place.without_guess(&text) }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfReadiness {
    stage: Option<String>,
    release: Option<String>,
    today: String,
}

pub fn ready(engine: &mut Engine, fields: Value) -> Answer {
    let OfReadiness { stage, release, today } = read(fields)?;
    let (stage, release) = (ask::stage(stage.as_deref())?, ask::release(release.as_deref())?);
    let now = Time::from(ask::day(&today)?);
    let held = engine.held()?;
    held.ask(|view| {
        let mut board = readiness::board(view, stage, release, now);
        for checklist in &mut board.checklists {
            checklist.entries.iter_mut().for_each(|entry| held.absent.answer(entry));
            *checklist = mem::take(checklist).concluded();
        }
        if !held.place.has_number() {
            board.checklists.iter_mut().for_each(|checklist| checklist.number = Some(NO_NUMBER.to_owned()));
        }
        let Some(checklist) = board.checklists.first() else { return Ok(Value::Null) };
        let target = words::target(checklist, &checklist.release.to_string());
        Ok(json!({
            "title": format!("{} for {target}", words::number(checklist)),
            "isReady": checklist.is_ready,
            "verdict": words::verdict(checklist),
            "counts": words::counts(&board, checklist),
            "entries": checklist.entries.iter().map(|entry| shown(held, entry)).collect::<Vec<_>>(),
            "byHand": board.by_hand,
            "markdown": written(&board, checklist),
        }))
    })
}

/// How many details of an item the checklist in Markdown lists.
const LISTED_DETAILS: usize = 10;

/// The checklist as Markdown, without the library for templates that the report of the program needs.
fn written(board: &Board, checklist: &Checklist) -> String {
    let target = words::target(checklist, &checklist.release.to_string());
    let (verdict, counts) = (words::verdict(checklist), words::counts(board, checklist));
    let mut text = format!("### {} for {target}\n\n", inline(&words::number(checklist)));
    text += &format!("**{}**: {}.\n\n", inline(&capitalized(&verdict)), inline(&counts));
    for Entry { item, answer } in &checklist.entries {
        let mark = match (item.kind, answer.state) {
            (Kind::Verdict, State::Met) => "[x] ".to_owned(),
            (Kind::Verdict, State::Look) => "[ ] (look) ".to_owned(),
            (Kind::Verdict, State::Info | State::NotMet) => "[ ] ".to_owned(),
            (Kind::Evidence, state) => format!("{}: ", state.words()),
        };
        text += &format!("- {mark}{}: {}\n", item.title, inline(&answer.words));
        for detail in details(answer).take(LISTED_DETAILS) {
            let parts = [Some(&detail.words).filter(|words| **words != answer.words), detail.help.as_ref()];
            let parts: Vec<String> = parts.into_iter().flatten().map(|part| inline(part)).collect();
            text += &format!("  - {}\n", parts.join(": "));
        }
    }
    for item in &board.by_hand {
        text += &format!("- [ ] check by hand: {}\n", inline(item));
    }
    text
}

/// The parts of an answer that is not met; what the whole says is not said again of them.
fn details(answer: &Judged) -> impl Iterator<Item = &Detail> {
    let is_open = answer.state != State::Met;
    answer.details.iter().filter(move |detail| is_open && (detail.words != answer.words || detail.help.is_some()))
}

fn shown(held: &Held, Entry { item, answer }: &Entry) -> Value {
    let Judged { state, words, place: at, lines, .. } = answer;
    let kind = match item.kind {
        Kind::Verdict => "verdict",
        Kind::Evidence => "evidence",
    };
    let details = details(answer).map(|part| {
        let own = if part.words == *words { "" } else { &part.words };
        json!({ "words": own, "help": part.help, "place": place(held, part.place.as_ref()) })
    });
    json!({
        "name": item.name,
        "title": item.title,
        "kind": kind,
        "state": state.name(),
        "words": words,
        "place": place(held, at.as_ref()),
        "write": lines.as_ref().map(|lines| json!({ "path": held.place.without_guess(&lines.path), "text": lines.text })),
        "details": details.collect::<Vec<_>>(),
    })
}

/// A place in a file of the page.
fn place(held: &Held, at: Option<&Place>) -> Option<Value> {
    let Place { path, line, .. } = at?;
    let (role, file) = held.files.get(path)?;
    let start = file.lines().starts().get(line.checked_sub(1)?)?;
    let unit = Units::of(&file.text).at(*start);
    Some(json!({ "role": role, "path": path, "line": line, "from": unit, "to": unit }))
}
