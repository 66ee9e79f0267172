//! `comment` and `ready`: what is said of a KEP elsewhere.

use super::ask;
use super::at;
use super::engine::{Answer, Engine, Held};
use crate::diagnostic::capitalized;
use crate::editor::lens;
use crate::ready::answer::{Answer as Judged, Detail, Place, State};
use crate::ready::board::Board;
use crate::ready::calendar::schedule::Time;
use crate::ready::checklist::{Checklist, Entry};
use crate::ready::items::Kind;
use crate::report::json::encoding::with;
use crate::report::look::Look;
use crate::report::markdown as comment;
use crate::report::markdown::text::inline;
use crate::report::ready::words;
use serde_json::{Value, json};
use std::mem;
use std::path::Path;

/// What a checklist calls a KEP whose number nobody knows.
const NO_NUMBER: &str = "KEP without a number";

pub fn comment(engine: &Engine) -> Answer {
    let held = engine.held()?;
    let look = Look { level: held.level, ..Look::default() };
    let text = comment::render(&held.run, &look);
    Ok(json!({ "markdown": held.place.without_guess(&text) }))
}

pub fn ready(engine: &Engine, stage: Option<&str>, release: Option<&str>, today: &str) -> Answer {
    let (stage, release, now) = (ask::stage(stage)?, ask::release(release)?, Time::from(ask::day(today)?));
    let held = engine.held()?;
    held.ask(|view| {
        let mut board = lens::board(view, stage, release, now);
        for checklist in &mut board.checklists {
            checklist.entries.iter_mut().for_each(|entry| held.absent.answer(entry));
            *checklist = mem::take(checklist).concluded();
            if !held.place.has_number {
                checklist.number = Some(NO_NUMBER.to_owned());
            }
        }
        let Some(checklist) = board.checklists.first() else { return Ok(Value::Null) };
        Ok(json!({
            "title": title(checklist),
            "isReady": checklist.is_ready,
            "verdict": words::verdict(checklist),
            "counts": words::counts(&board, checklist),
            "entries": checklist.entries.iter().map(|entry| shown(held, entry)).collect::<Vec<_>>(),
            "byHand": board.by_hand,
            "markdown": written(&board, checklist),
        }))
    })
}

fn title(checklist: &Checklist) -> String {
    let target = words::target(checklist, &checklist.release.to_string());
    format!("{} for {target}", words::number(checklist))
}

/// How many details of an item the checklist in Markdown lists.
const LISTED_DETAILS: usize = 10;

/// The checklist as Markdown, without the library for templates that the report of the program needs.
fn written(board: &Board, checklist: &Checklist) -> String {
    let (verdict, counts) = (words::verdict(checklist), words::counts(board, checklist));
    let mut text = format!("### {}\n\n", inline(&title(checklist)));
    text += &format!("**{}**: {}.\n\n", inline(&capitalized(&verdict)), inline(&counts));
    for Entry { item, answer } in &checklist.entries {
        let mark = match (item.kind, answer.state) {
            (Kind::Verdict, State::Met) => "[x] ".to_owned(),
            (Kind::Verdict, State::Look) => "[ ] (look) ".to_owned(),
            (Kind::Verdict, State::Info | State::NotMet) => "[ ] ".to_owned(),
            (Kind::Evidence, state) => format!("{}: ", state.words()),
        };
        text += &format!("- {mark}{}: {}\n", item.title, inline(&answer.words));
        for (own, Detail { help, .. }) in details(answer).take(LISTED_DETAILS) {
            let parts: Vec<String> = own.into_iter().chain(help).map(|part| inline(part)).collect();
            text += &format!("  - {}\n", parts.join(": "));
        }
    }
    for item in &board.by_hand {
        text += &format!("- [ ] check by hand: {}\n", inline(item));
    }
    text
}

/// The parts of an answer that is not met, each with its own words: what the whole says is not said again.
fn details(answer: &Judged) -> impl Iterator<Item = (Option<&String>, &Detail)> {
    let is_open = answer.state != State::Met;
    let parts = answer.details.iter().map(|part| (Some(&part.words).filter(|own| **own != answer.words), part));
    parts.filter(move |(own, part)| is_open && (own.is_some() || part.help.is_some()))
}

fn shown(held: &Held, Entry { item, answer }: &Entry) -> Value {
    let parts = details(answer)
        .map(|(own, part)| json!({ "words": own, "help": part.help, "place": place(held, part.place.as_ref()) }));
    let write = answer.lines.as_ref();
    let write = write.map(|lines| json!({ "path": held.place.without_guess(&lines.path), "text": lines.text }));
    json!({
        "name": item.name,
        "title": item.title,
        "kind": item.kind,
        "state": answer.state,
        "words": answer.words,
        "place": place(held, answer.place.as_ref()),
        "write": write,
        "details": parts.collect::<Vec<_>>(),
    })
}

fn place(held: &Held, at: Option<&Place>) -> Option<Value> {
    let Place { path, line, .. } = at?;
    let start = *held.files.file(Path::new(path))?.lines().starts().get(line.checked_sub(1)?)?;
    Some(with(at::place(path, start..start), "line", json!(line)))
}
