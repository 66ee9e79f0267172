//! `change` and `fix-all`: what can be done about findings. A change is tried before it is answered.

use super::ask::{Nothing, read};
use super::engine::{Answer, Engine};
use super::held::Held;
use super::text::{self, Units};
use crate::diagnostic::{Edit, Failure, brief};
use crate::editor::actions::{self, Change, Remedy};
use crate::editor::view::View;
use crate::report::printable;
use crate::span::slice;
use serde::Deserialize;
use serde_json::{Value, json};
use std::ops::Range;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfFinding {
    id: String,
    kind: String,
}

pub fn change(engine: &mut Engine, fields: Value) -> Answer {
    let OfFinding { id, kind } = read(fields)?;
    let held = engine.held()?;
    let unknown = || Failure::new(format!("unknown kind of remedy `{}`", brief(&kind)));
    let remedy = Remedy::named(&kind).ok_or_else(unknown)?;
    let finding = held
        .report()
        .and_then(|report| actions::finding(report, &id))
        .ok_or_else(|| not_changed("the finding is not there any more"))?;
    held.ask(|view| {
        if !actions::remedies(&view.texts, finding).contains(&remedy) {
            return Err(not_changed("the finding has no such remedy"));
        }
        let Change { edits, to_type, .. } =
            actions::change(view, finding, remedy).map_err(|reason| not_changed(&reason))?;
        let select = to_type.and_then(|(number, range)| selection(held, view, &edits, number, &range));
        Ok(json!({ "edits": held.edits(view, &edits), "select": select }))
    })
}

fn not_changed(reason: &str) -> Failure {
    Failure::new(format!("not changed: {}", printable(reason)))
}

/// Where the bytes `range` of the text of an edit are after all edits.
fn selection(held: &Held, view: &View<'_>, edits: &[Edit], number: usize, range: &Range<usize>) -> Option<Value> {
    let edit = edits.get(number)?;
    let file = view.kep().texts.file(edit.span.file);
    let units = Units::of(&file.text);
    let before = edits.iter().take(number).filter(|other| other.span.file == edit.span.file);
    let (added, removed) = before.fold((0, 0), |(added, removed), other| {
        let (from, to) = units.range(&other.span.range());
        (added + text::count(&other.text), removed + to - from)
    });
    let start = (units.at(edit.span.start) + added).checked_sub(removed)?;
    let from = start + text::count(slice(&edit.text, ..range.start));
    let to = from + text::count(slice(&edit.text, range.clone()));
    Some(json!({ "role": held.role(&file.path), "from": from, "to": to }))
}

pub fn fix_all(engine: &mut Engine, fields: Value) -> Answer {
    let Nothing {} = read(fields)?;
    let held = engine.held()?;
    held.ask(|view| {
        let Change { edits, fixed, .. } = actions::fix_all(view, |_| true);
        Ok(json!({ "edits": held.edits(view, &edits), "fixed": fixed }))
    })
}
