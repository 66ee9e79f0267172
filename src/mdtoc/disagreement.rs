//! Where `mdtoc` and CommonMark, which GitHub renders, find different headings.

use super::entry::TocEntry;
use crate::span::{line_around, slice};
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
    entries: &[TocEntry],
    mut shown: impl Iterator<Item = (usize, &'a Range<usize>)>,
    text: &str,
) -> Option<Disagreement> {
    // `Document` has no headings of block quotes, but GitHub shows them.
    let is_quoted = |entry: &TocEntry| {
        let begins_line = slice(text, ..entry.heading.start).ends_with('\n');
        !begins_line && line_around(text, entry.heading.start).trim_start().starts_with('>')
    };
    let share_line = |one: usize, other: usize| !slice(text, one.min(other)..one.max(other)).contains('\n');
    let mut listed = entries.iter().filter(|entry| !is_quoted(entry)).map(|entry| (entry.level, &entry.heading));
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
