//! `outline`: the sections of a document with their state, or the keys of a YAML file.

use super::ask::{Of, read};
use super::engine::{Answer, Engine, Question};
use super::text::Units;
use crate::editor::outline::{self, Symbol};
use serde_json::{Value, json};

pub const OUTLINE: Question = Question { name: "outline", answer };

fn answer(engine: &mut Engine, fields: Value) -> Answer {
    let Of { role } = read(fields)?;
    let held = engine.held()?;
    held.ask(|view| {
        let (file, _) = held.offset(view, &role, 0)?;
        let units = Units::of(&view.kep().texts.file(file).text);
        let mut entries = Vec::new();
        // From the last one on, so that those in an entry follow it.
        let symbols = outline::of(view, file);
        let mut left: Vec<(&Symbol, usize)> = symbols.iter().rev().map(|symbol| (symbol, 1)).collect();
        while let Some((symbol, level)) = left.pop() {
            let (from, to) = units.range(&symbol.selection);
            entries.push(json!({
                "title": symbol.name, "level": level, "from": from, "to": to, "state": symbol.detail,
            }));
            left.extend(symbol.children.iter().rev().map(|child| (child, level + 1)));
        }
        Ok(Value::Array(entries))
    })
}
