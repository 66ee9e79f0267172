//! Tables, and the cells of their rows.

use crate::span::{last_until, slice};
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub span: Range<usize>,
    pub columns: usize,
}

impl Table {
    /// The HTML that ends it on a page, up to the next blank line: its first line is one tag.
    pub fn html(&self, text: &str) -> Option<Range<usize>> {
        let is_tag = |line: &str| {
            let line = line.trim();
            line.ends_with('>') && line.starts_with('<') && line.matches('<').count() == 1
        };
        let rows = slice(text, self.span.clone()).split_inclusive('\n');
        let above: usize = rows.take_while(|row| !is_tag(row)).map(str::len).sum();
        let start = self.span.start + above;
        let block = slice(text, start..);
        let end: usize = block.split_inclusive('\n').take_while(|line| !line.trim().is_empty()).map(str::len).sum();
        (start < self.span.end).then_some(start..start + end)
    }
}

/// Whether byte `offset` is in one of `blocks`, which are in order.
pub(super) fn is_in(blocks: &[Range<usize>], offset: usize) -> bool {
    last_until(blocks, offset, |block| block.start).is_some_and(|block| offset < block.end)
}

/// Whether a row has text in the cell with this number, counted from 0, or in one after it.
pub(super) fn has_text_from(row: &str, number: usize) -> bool {
    let inner = row.strip_prefix('|').unwrap_or(row);
    let mut ends = inner.match_indices('|').map(|(at, _)| at).filter(|at| !slice(inner, ..*at).ends_with('\\'));
    let start = number.checked_sub(1).and_then(|before| ends.nth(before));
    start.is_some_and(|start| !slice(inner, start..).replace("&nbsp;", "").trim_matches(['|', ' ', '\t']).is_empty())
}

/// The number of cells in a row of a table.
pub(super) fn columns(row: &str) -> usize {
    let inner = row.strip_prefix('|').unwrap_or(row);
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    inner.matches('|').count() - inner.matches("\\|").count() + 1
}
