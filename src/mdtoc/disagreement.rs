//! Where `mdtoc` and CommonMark, which GitHub renders, find different headings.

use super::entry::Entry;
use crate::span::slice;
use std::ops::Range;

/// The bytes of the first heading that only one of them finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Disagreement {
    /// mdtoc lists it, but GitHub does not show it as a heading.
    OnlyListed(Range<usize>),
    /// GitHub shows it, but mdtoc does not list it.
    OnlyShown(Range<usize>),
}

/// Compares `entries`, the headings that mdtoc finds in `text`, with those `shown`, given by level and bytes in order.
pub(super) fn first<'a>(
    entries: &[Entry],
    mut shown: impl Iterator<Item = (usize, &'a Range<usize>)>,
    text: &str,
) -> Option<Disagreement> {
    // `Document` has no headings of block quotes, but GitHub shows them.
    let mut quoted = Lines::new(text);
    let mut listed =
        entries.iter().map(|entry| (entry.level, &entry.heading)).filter(|(_, at)| !quoted.around(at.start).is_quoted);
    let (mut listed_lines, mut shown_lines) = (Lines::new(text), Lines::new(text));
    let mut share_line = |one: usize, other: usize| listed_lines.around(one).start == shown_lines.around(other).start;
    loop {
        match (listed.next(), shown.next()) {
            (None, None) => return None,
            (Some((level, entry)), Some((other, heading)))
                if level == other && share_line(entry.start, heading.start) => {}
            (Some((_, entry)), None) => return Some(Disagreement::OnlyListed(entry.clone())),
            (Some((_, entry)), Some((_, heading))) if entry.start < heading.start => {
                return Some(Disagreement::OnlyListed(entry.clone()));
            }
            (_, Some((_, heading))) => return Some(Disagreement::OnlyShown(heading.clone())),
        }
    }
}

/// The lines of a text. As long as the offsets only increase, the text is searched only once, however many headings a
/// line has.
struct Lines<'a> {
    text: &'a str,
    last: Line,
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
