//! `hover` and `complete`: what is known of a place, and what can be written there. `change` and `fix-all`:
//! what can be done about findings, which is tried before it is answered.

use super::engine::{Answer, Engine};
use crate::diagnostic::{Edit, Failure, brief};
use crate::editor::actions::{self, Change, Remedy};
use crate::editor::completion::{self, Choice, Completions};
use crate::editor::hover::{self, Hover};
use crate::editor::view::View;
use crate::report::json::encoding::with;
use crate::report::printable;
use crate::span::FileId;
use serde_json::{Value, json};
use std::ops::Range;

/// A part of a file, between two bytes.
pub fn place(path: &str, Range { start, end }: Range<usize>) -> Value {
    json!({ "path": path, "start": { "offset": start }, "end": { "offset": end } })
}

pub fn hover(engine: &Engine, path: &str, at: usize) -> Answer {
    engine.held()?.ask(|view| {
        let hover = hover::at(view, file(view, path, at)?, at);
        let shown = |Hover { span, markdown }| with(place(path, span.range()), "markdown", json!(markdown));
        Ok(json!(hover.map(shown)))
    })
}

pub fn complete(engine: &Engine, path: &str, at: usize) -> Answer {
    let held = engine.held()?;
    held.ask(|view| {
        let found = completion::at(view, file(view, path, at)?, at, held.report());
        let shown =
            |Completions { range, choices }| with(place(path, range), "items", choices.iter().map(item).collect());
        Ok(json!(found.map(shown)))
    })
}

fn item(choice: &Choice) -> Value {
    let Choice { label, text, detail, documentation, .. } = choice;
    json!({ "label": label, "text": text, "detail": detail, "documentation": documentation })
}

/// The file of the KEP that has this byte between two characters.
fn file(view: &View<'_>, path: &str, at: usize) -> Result<FileId, Failure> {
    let file = view.file(path).filter(|file| view.kep().texts.file(*file).text.is_char_boundary(at));
    file.ok_or_else(|| Failure::new(format!("{at} is no place between two characters of `{}`", brief(path))))
}

pub fn change(engine: &Engine, id: &str, kind: &str) -> Answer {
    let held = engine.held()?;
    let unknown = || Failure::new(format!("unknown kind of remedy `{}`", brief(kind)));
    let remedy = Remedy::named(kind).ok_or_else(unknown)?;
    let finding = held
        .report()
        .and_then(|report| actions::finding(report, id))
        .ok_or_else(|| not_changed("the finding is not there any more"))?;
    held.ask(|view| {
        if !actions::remedies(&view.texts, finding).contains(&remedy) {
            return Err(not_changed("the finding has no such remedy"));
        }
        let Change { edits, to_type, .. } =
            actions::change(view, finding, remedy).map_err(|reason| not_changed(&reason))?;
        let select = to_type.and_then(|(number, range)| selection(view, &edits, number, &range));
        Ok(json!({ "edits": shown(view, &edits), "select": select }))
    })
}

fn not_changed(reason: &str) -> Failure {
    Failure::new(format!("not changed: {}", printable(reason)))
}

/// Where the bytes `range` of the text of an edit are after all edits.
fn selection(view: &View<'_>, edits: &[Edit], number: usize, range: &Range<usize>) -> Option<Value> {
    let edit = edits.get(number)?;
    let before = edits.iter().take(number).filter(|other| other.span.file == edit.span.file);
    let (added, removed) =
        before.fold((0, 0), |(added, removed), other| (added + other.text.len(), removed + other.span.range().len()));
    let start = (edit.span.start + added).checked_sub(removed)?;
    Some(place(&view.kep().texts.file(edit.span.file).path, start + range.start..start + range.end))
}

pub fn fix_all(engine: &Engine) -> Answer {
    engine.held()?.ask(|view| {
        let Change { edits, fixed, .. } = actions::fix_all(view, |_| true);
        Ok(json!({ "edits": shown(view, &edits), "fixed": fixed }))
    })
}

fn shown(view: &View<'_>, edits: &[Edit]) -> Vec<Value> {
    edits.iter().map(|it| edit(&view.kep().texts.file(it.span.file).path, it)).collect()
}

pub fn edit(path: &str, Edit { span, text }: &Edit) -> Value {
    with(place(path, span.range()), "text", json!(text))
}
