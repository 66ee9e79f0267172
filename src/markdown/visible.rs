//! The visible lines of a document.

use crate::span::{LineIndex, slice, tail};
use std::ops::Range;

/// The bytes of `range` without white space around them.
pub(super) fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let content = slice(text, range.clone()).trim_end();
    range.start + content.len() - content.trim_start().len()..range.start + content.len()
}

/// Trimmed bytes of the visible lines, in document order.
#[derive(Clone, Debug, Default)]
pub struct VisibleLines {
    spans: Vec<Range<usize>>,
    next_line: usize,
    marked_to: usize,
}

impl VisibleLines {
    /// Marks the lines of `range` as visible; must be called in document order.
    pub fn mark(&mut self, range: Range<usize>, text: &str, lines: &LineIndex) {
        if range.is_empty() || range.end <= self.marked_to {
            return;
        }
        // Mostly it begins in the line after the last one, or in that one.
        let next = lines.line_range(self.next_line, text);
        let mut line = if range.start < next.end { self.next_line } else { lines.line_of(range.start) };
        while self.marked_to < range.end {
            let bytes = lines.line_range(line, text);
            self.spans.extend(Some(trimmed(text, bytes.clone())).filter(|content| !content.is_empty()));
            line += 1;
            self.next_line = line;
            self.marked_to = bytes.end;
        }
    }

    /// The lines that begin or end in `range`, cut to it.
    pub fn within(&self, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let first = self.spans.partition_point(|line| line.end <= range.start);
        tail(&self.spans, first)
            .iter()
            .take_while(move |line| line.start < range.end)
            .map(move |line| line.start.max(range.start)..line.end.min(range.end))
    }
}
