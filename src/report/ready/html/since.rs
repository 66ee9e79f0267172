//! What changed since an earlier board: a section with an item for each KEP that is not as before.

use super::subject::Subject;
use crate::ready::board::Board;
use crate::ready::comparison::{Change, ComparedKep, Comparison};
use crate::report::html::text::escaped;
use crate::report::ready::words;

/// The section; nothing if that is not asked.
pub fn section(board: &Board, subjects: &[Subject<'_>]) -> String {
    let Some(comparison) = &board.comparison else { return String::new() };
    let Comparison { since, notes, keps, .. } = comparison;
    let notes: String = notes
        .iter()
        .map(|note| format!("<p class=\"condition\">{}.</p>\n", escaped(&words::capitalized(note))))
        .collect();
    let items: String = keps.iter().map(|kep| item(kep, subjects)).collect();
    let items = if items.is_empty() { items } else { format!("<ul class=\"entries\">\n{items}</ul>\n") };
    format!(
        "<section aria-labelledby=\"since\">\n<h2 id=\"since\">Since {}</h2>\n<p>{}.</p>\n{notes}{items}</section>\n",
        escaped(&since.words()),
        words::capitalized(&comparison.counts()),
    )
}

/// The KEP, which links to its details if it is on the page.
fn item(kep: &ComparedKep, subjects: &[Subject<'_>]) -> String {
    let ComparedKep { name, place, change } = kep;
    let class = match change {
        Change::FellBack(_) => " not-met",
        Change::TurnedReady(_) => " met",
        Change::New(_) | Change::Gone(_) | Change::Changed(_) => "",
    };
    let name = escaped(&words::of_kep(name));
    let name = match place.and_then(|place| subjects.get(place)) {
        Some(subject) => format!("<a href=\"#{}\">{name}</a>", subject.id),
        None => name,
    };
    format!(
        "<li data-change=\"{words}\"><span class=\"state{class}\">{words}</span> {name}: {}</li>\n",
        escaped(&change.details()),
        words = change.words(),
    )
}
