//! `change` and `fix-all`: what can be done about findings. A change is tried before it is answered.

use super::at::place;
use super::engine::{Answer, Engine};
use crate::diagnostic::{Edit, Failure, brief};
use crate::editor::actions::{self, Change, Remedy};
use crate::editor::view::View;
use crate::report::json::encoding::with;
use crate::report::printable;
use serde_json::{Value, json};
use std::ops::Range;

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

/// An edit of the file at this path.
pub fn edit(path: &str, Edit { span, text }: &Edit) -> Value {
    with(place(path, span.range()), "text", json!(text))
}
