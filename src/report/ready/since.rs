//! What changed since an earlier board, on a screen: a line of numbers, and a paragraph for each KEP that is not as before.

use super::one::paint;
use super::words;
use crate::ready::answer::State;
use crate::ready::comparison::{Change, ComparedKep, Comparison};
use crate::report::look::Look;
use crate::report::printable;
use crate::report::wrap::wrapped;

/// Before the name of a KEP: the longest kind of change, and blanks.
const INDENT: &str = "              ";

/// Renders what is above a board, with an empty line after it.
pub fn render(comparison: &Comparison, look: &Look) -> String {
    let head = format!("Since {}: {}", comparison.since.words(), comparison.counts());
    let mut text = wrapped(&printable(&head), look.columns(), "", "  ") + "\n";
    comparison.keps.iter().for_each(|kep| text += &paragraph(kep, look));
    text + "\n"
}

/// `fell back     KEP-4 Snapshot hints (sig-storage): status not met (was met)`
fn paragraph(kep: &ComparedKep, look: &Look) -> String {
    let ComparedKep { name, change, .. } = kep;
    let words = change.words();
    let details = printable(&format!("{}: {}", words::of_kep(name), change.details()));
    let wrapped = wrapped(&details, look.columns(), INDENT, INDENT);
    let blanks = " ".repeat(INDENT.len().saturating_sub(words.len()));
    let painted = match change {
        Change::FellBack(_) => paint(State::NotMet, look).apply(words),
        Change::TurnedReady(_) => paint(State::Met, look).apply(words),
        Change::New(_) | Change::Gone(_) | Change::Changed(_) => words.to_owned(),
    };
    format!("{painted}{blanks}{}\n", wrapped.strip_prefix(INDENT).unwrap_or(&wrapped))
}
