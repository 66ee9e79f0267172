//! Where `mdtoc` and CommonMark, which GitHub renders, find different headings.

use super::entry::TocEntry;
use crate::search;
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
    let starts = search::line_starts(text);
    let line_of = |at: usize| starts.partition_point(|start| *start <= at) - 1;
    let quoted: Vec<bool> = text.split('\n').map(|line| line.trim_start().starts_with('>')).collect();
    // `Document` has no headings of block quotes, but GitHub shows them.
    let is_quoted = |entry: &&TocEntry| quoted.get(line_of(entry.heading.start)) == Some(&true);
    let mut listed = entries.iter().filter(|entry| !is_quoted(entry)).map(|entry| (entry.level, &entry.heading));
    loop {
        match (listed.next(), shown.next()) {
            (None, None) => return None,
            (Some((level, entry)), Some((other, heading)))
                if level == other && line_of(entry.start) == line_of(heading.start) => {}
            (Some((_, entry)), None) => return Some(Disagreement::OnlyListed(entry.clone())),
            (Some((_, entry)), Some((_, heading))) if entry.start < heading.start => {
                return Some(Disagreement::OnlyListed(entry.clone()));
            }
            (_, Some((_, heading))) => return Some(Disagreement::OnlyShown(heading.clone())),
        }
    }
}
