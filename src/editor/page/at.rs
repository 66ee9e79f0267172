//! `hover` and `complete`: what is known of a place, and what can be written there.

use super::ask::read;
use super::engine::{Answer, Engine};
use super::text::Units;
use crate::editor::completion::{self, Choice, Completions};
use crate::editor::hover::{self, Hover};
use serde::Deserialize;
use serde_json::{Value, json};

/// A place in a file of the KEP.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct At {
    role: String,
    at: usize,
}

pub fn hover(engine: &mut Engine, fields: Value) -> Answer {
    let At { role, at } = read(fields)?;
    let held = engine.held()?;
    held.ask(|view| {
        let (file, offset) = held.offset(view, &role, at)?;
        let Some(Hover { span, markdown }) = hover::at(view, file, offset) else { return Ok(Value::Null) };
        let (from, to) = Units::of(&view.kep().texts.file(span.file).text).range(&span.range());
        Ok(json!({ "from": from, "to": to, "markdown": markdown }))
    })
}

pub fn complete(engine: &mut Engine, fields: Value) -> Answer {
    let At { role, at } = read(fields)?;
    let held = engine.held()?;
    held.ask(|view| {
        let (file, offset) = held.offset(view, &role, at)?;
        let Some(Completions { range, choices }) = completion::at(view, file, offset, held.report()) else {
            return Ok(Value::Null);
        };
        let (from, to) = Units::of(&view.kep().texts.file(file).text).range(&range);
        Ok(json!({ "from": from, "to": to, "items": choices.iter().map(item).collect::<Vec<_>>() }))
    })
}

fn item(choice: &Choice) -> Value {
    json!({
        "label": choice.label,
        "text": choice.text,
        "detail": choice.detail,
        "documentation": choice.documentation,
    })
}
