//! Tables, and the cells of their rows.

use crate::span::slice;
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub span: Range<usize>,
    pub columns: usize,
}

/// Whether a row has text in the cell with this number, counted from 0, or in one after it.
pub(super) fn has_text_from(row: &str, number: usize) -> bool {
    let inner = row.strip_prefix('|').unwrap_or(row);
    let mut ends = inner.match_indices('|').map(|(at, _)| at).filter(|at| !slice(inner, ..*at).ends_with('\\'));
    let start = number.checked_sub(1).and_then(|before| ends.nth(before));
    start.is_some_and(|start| !slice(inner, start..).trim_matches(['|', ' ', '\t']).is_empty())
}

/// The number of cells in a row of a table.
pub(super) fn columns(row: &str) -> usize {
    let inner = row.strip_prefix('|').unwrap_or(row);
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    inner.matches('|').count() - inner.matches("\\|").count() + 1
}
