//! The board for people: the checklist of one KEP, or a table of several.

use super::{one, table};
use crate::ready::board::Board;
use crate::report::look::Look;

/// Renders `board`.
pub fn render(board: &Board, look: &Look) -> String {
    match (board.checklists.as_slice(), &board.person) {
        ([only], None) if !board.is_to_close => one::render(board, only, look),
        _ => table::render(board, look),
    }
}
