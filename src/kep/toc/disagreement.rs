//! Where `mdtoc` and CommonMark, which GitHub shows, see different headings in one text.

use super::{DEEPEST, Entry};
use crate::kep::markdown::Document;
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

/// Compares `entries`, the headings that mdtoc sees in `text` from byte `start` on, with those of `document`.
pub fn disagreement(entries: &[Entry], document: &Document, text: &str, start: usize) -> Option<Disagreement> {
    let line = |heading: &Range<usize>| slice(text, ..heading.start).rfind('\n').map_or(0, |newline| newline + 1);
    // The document keeps no headings of block quotes, but GitHub shows them.
    let is_quoted = |heading: &Range<usize>| slice(text, line(heading)..).trim_start().starts_with('>');
    let mut listed = entries.iter().map(|entry| (entry.level, &entry.heading)).filter(|(_, at)| !is_quoted(at));
    let sections = document.sections.iter().map(|(_, section)| section);
    let mut shown = sections
        .filter(|section| section.heading.start >= start && !section.title.text.is_empty())
        .map(|section| (usize::from(section.level), &section.heading))
        .filter(|(level, _)| *level <= DEEPEST);
    loop {
        match (listed.next(), shown.next()) {
            (None, None) => return None,
            (Some((level, at)), Some((other, there))) if level == other && line(at) == line(there) => {}
            (Some((_, at)), None) => return Some(Disagreement::OnlyListed(at.clone())),
            (Some((_, at)), Some((_, there))) if at.start < there.start => {
                return Some(Disagreement::OnlyListed(at.clone()));
            }
            (_, Some((_, there))) => return Some(Disagreement::OnlyShown(there.clone())),
        }
    }
}
