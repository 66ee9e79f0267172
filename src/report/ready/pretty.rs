//! The board for people: the checklist of one KEP, or a table of several.

use super::{one, prr, prr_table, questions, since, table};
use crate::ready::board::Board;
use crate::report::look::Look;

pub fn render(board: &Board, look: &Look) -> String {
    /// Of more KEPs, the answers are too long to be read one after another.
    const FEW: usize = 3;
    let since = board.comparison.as_ref().map(|comparison| since::render(comparison, look)).unwrap_or_default();
    let rest = match (board.checklists.as_slice(), &board.person) {
        (few, _) if prr::is_wanted(board) && few.len() <= FEW => questions::render(board, look),
        _ if prr::is_wanted(board) => prr_table::render(board, look),
        ([only], None) if !board.is_to_close => one::render(board, only, look),
        _ => table::render(board, look),
    };
    since + &rest
}
