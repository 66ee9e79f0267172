//! `hover`: what is known of a place.

use super::ask::{At, read};
use super::engine::{Answer, Engine, Question};
use super::text::Units;
use crate::editor::hover::{self, Hover};
use serde_json::{Value, json};

pub const HOVER: Question = Question { name: "hover", answer };

fn answer(engine: &mut Engine, fields: Value) -> Answer {
    let At { role, at } = read(fields)?;
    let held = engine.held()?;
    held.ask(|view| {
        let (file, offset) = held.offset(view, &role, at)?;
        let Some(Hover { span, markdown }) = hover::at(view, file, offset) else { return Ok(Value::Null) };
        let (from, to) = Units::of(&view.kep().texts.file(span.file).text).range(&span.range());
        Ok(json!({ "from": from, "to": to, "markdown": markdown }))
    })
}
