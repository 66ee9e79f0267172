//! The board for people: the checklist of one KEP, or a table of several.
use super::screen::{hanging, line};
use super::{one, prr, questions, table, words};
use crate::ready::board::Board;
use crate::ready::comparison::Comparison;
use crate::report::look::Look;

pub fn render(board: &Board, look: &Look) -> String {
    /// Of more KEPs, the answers are too long to be read one after another.
    const FEW: usize = 3;
    let since = board.comparison.as_ref().map(|comparison| since(comparison, look)).unwrap_or_default();
    let rest = match board.checklists.as_slice() {
        few if prr::is_wanted(board) && few.len() <= FEW => questions::render(board, look),
        _ if prr::is_wanted(board) => questions::table(board, look),
        [only] if !board.is_query() => one::render(board, only, look),
        _ => table::render(board, look),
    };
    since + &rest
}

/// What changed since an earlier board, with an empty line after it: a line of numbers, and a paragraph for each KEP that is
/// not as before: `fell back     KEP-4 Snapshot hints (sig-storage): status not met (was met)`.
fn since(comparison: &Comparison, look: &Look) -> String {
    /// Before the name of a KEP: the longest kind of change, and blanks.
    const INDENT: &str = "              ";
    let mut text = line(&format!("Since {}: {}", comparison.since.words(), comparison.counts()), look);
    for kep in &comparison.keps {
        let details = format!("{}: {}", words::of_kep(kep), kep.details);
        text += &hanging(kep.change.words(), kep.change.state(), &details, INDENT, look);
    }
    text + "\n"
}
