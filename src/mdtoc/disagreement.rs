//! Where `mdtoc` and CommonMark, which GitHub shows, see different headings in one text.

use super::entry::Entry;
use crate::span::slice;
use std::ops::Range;

/// The first heading that only one of them sees: its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Disagreement {
    /// mdtoc lists it, GitHub shows something else there.
    OnlyListed(Range<usize>),
    /// GitHub shows a heading that mdtoc does not list.
    OnlyShown(Range<usize>),
}

/// Compares `entries`, the headings that mdtoc sees in `text`, with those `shown`: their levels and bytes in order.
pub(super) fn first<'a>(
    entries: &[Entry],
    mut shown: impl Iterator<Item = (usize, &'a Range<usize>)>,
    text: &str,
) -> Option<Disagreement> {
    // The document keeps no headings of block quotes, but GitHub shows them.
    let mut quoted = Lines::new(text);
    let mut listed =
        entries.iter().map(|entry| (entry.level, &entry.heading)).filter(|(_, at)| !quoted.around(at.start).is_quoted);
    let (mut listed_lines, mut shown_lines) = (Lines::new(text), Lines::new(text));
    let mut share_line = |at: usize, there: usize| listed_lines.around(at).start == shown_lines.around(there).start;
    loop {
        match (listed.next(), shown.next()) {
            (None, None) => return None,
            (Some((level, at)), Some((other, there))) if level == other && share_line(at.start, there.start) => {}
            (Some((_, at)), None) => return Some(Disagreement::OnlyListed(at.clone())),
            (Some((_, at)), Some((_, there))) if at.start < there.start => {
                return Some(Disagreement::OnlyListed(at.clone()));
            }
            (_, Some((_, there))) => return Some(Disagreement::OnlyShown(there.clone())),
        }
    }
}

/// The lines of a text, for places that only go forward: no line is looked at twice, however many headings it has.
struct Lines<'a> {
    text: &'a str,
    last: Line,
    /// The place that was asked for last.
    at: usize,
}

#[derive(Clone, Copy)]
struct Line {
    start: usize,
    is_quoted: bool,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        let mut lines = Self { text, last: Line { start: 0, is_quoted: false }, at: 0 };
        lines.last.is_quoted = lines.is_quoted(0);
        lines
    }

    /// The line that holds byte `at`.
    fn around(&mut self, at: usize) -> Line {
        let from = if self.at <= at { self.at } else { 0 };
        if let Some(newline) = slice(self.text, from..at).rfind('\n') {
            let start = from + newline + 1;
            self.last = Line { start, is_quoted: self.is_quoted(start) };
        } else if from == 0 {
            self.last = Line { start: 0, is_quoted: self.is_quoted(0) };
        }
        self.at = at;
        self.last
    }

    fn is_quoted(&self, start: usize) -> bool {
        slice(self.text, start..).trim_start().starts_with('>')
    }
}
