//! `hover` and `complete`: what is known of a place, and what can be written there.

use super::engine::{Answer, Engine};
use crate::diagnostic::{Failure, brief};
use crate::editor::completion::{self, Choice, Completions};
use crate::editor::hover::{self, Hover};
use crate::editor::view::View;
use crate::report::json::encoding::with;
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
