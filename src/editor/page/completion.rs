//! `complete`: what can be written at a place.

use super::ask::{At, read};
use super::engine::{Answer, Engine, Question};
use super::text::Units;
use crate::editor::completion::{self, Choice, Completions, Kind};
use serde_json::{Value, json};

pub const COMPLETE: Question = Question { name: "complete", answer };

fn answer(engine: &mut Engine, fields: Value) -> Answer {
    let At { role, at } = read(fields)?;
    let held = engine.held()?;
    held.ask(|view| {
        let (file, offset) = held.offset(view, &role, at)?;
        let path = &view.kep().texts.file(file).path;
        let Some(Completions { range, choices }) = completion::at(view, file, offset, &held.rules_found_in(path))
        else {
            return Ok(Value::Null);
        };
        let (from, to) = Units::of(&view.kep().texts.file(file).text).range(&range);
        Ok(json!({ "from": from, "to": to, "items": choices.iter().map(item).collect::<Vec<_>>() }))
    })
}

fn item(choice: &Choice) -> Value {
    let kind = match choice.kind {
        Kind::Key => "key",
        Kind::Value => "value",
        Kind::Person => "person",
        Kind::Path => "path",
        Kind::Heading => "heading",
        Kind::Gate => "gate",
        Kind::Rule => "rule",
    };
    json!({
        "label": choice.label,
        "text": choice.text,
        "kind": kind,
        "detail": choice.detail,
        "documentation": choice.documentation,
    })
}
