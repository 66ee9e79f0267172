//! Edits that do not conflict, to be applied all at once.

use crate::diagnostic::Edit;
use crate::span::{FileId, Span, slice};
use std::collections::BTreeMap;
use std::ops::Range;

pub type Origin = (&'static str, Span);

#[derive(Default)]
pub struct Patch {
    pieces: BTreeMap<(FileId, usize), Piece>,
}

struct Piece {
    end: usize,
    text: String,
    origin: Option<Origin>,
}

impl Patch {
    /// Adds all `edits`, or none of them if one conflicts with another edit. Insertions at the same offset conflict
    /// too, unless they have the same origin; then they are applied in the order in which they are added.
    pub fn add(&mut self, edits: &[Edit], origin: Option<Origin>) -> bool {
        let mut added = Self::default();
        let is_free = edits.iter().all(|edit| {
            let is_free = self.has_room(edit, origin) && added.has_room(edit, None);
            added.put(edit, origin);
            is_free
        });
        if is_free {
            edits.iter().for_each(|edit| self.put(edit, origin));
        }
        is_free
    }

    pub fn apply(&self, file: FileId, text: &str) -> String {
        let mut patched = String::with_capacity(text.len());
        let mut at = 0;
        for ((_, start), piece) in self.pieces.range((file, 0)..=(file, usize::MAX)) {
            patched.push_str(slice(text, at..*start));
            patched.push_str(&piece.text);
            at = piece.end;
        }
        patched.push_str(slice(text, at..));
        patched
    }

    fn has_room(&self, edit: &Edit, origin: Option<Origin>) -> bool {
        let Span { file, start, end } = edit.span;
        let before = self.pieces.range((file, 0)..=(file, start)).next_back();
        let after = self.pieces.range((file, start)..=(file, usize::MAX)).next();
        before.into_iter().chain(after).all(|((_, at), piece)| {
            let is_joined = origin.is_some() && piece.origin == origin && [*at, piece.end, end] == [start; 3];
            is_joined || !conflict(*at..piece.end, start..end)
        })
    }

    fn put(&mut self, edit: &Edit, origin: Option<Origin>) {
        let Span { file, start, end } = edit.span;
        let piece = self.pieces.entry((file, start)).or_insert(Piece { end, text: String::new(), origin });
        piece.text.push_str(&edit.text);
    }
}

/// Whether two ranges share a byte; an insertion also conflicts with the ranges next to it.
fn conflict(one: Range<usize>, other: Range<usize>) -> bool {
    if one.is_empty() || other.is_empty() {
        one.start <= other.end && other.start <= one.end
    } else {
        one.start < other.end && other.start < one.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: FileId = FileId(0);

    fn edit(range: Range<usize>, text: &str) -> Edit {
        Edit { span: Span::new(FILE, range), text: text.to_owned() }
    }

    #[test]
    fn conflicting_edits_are_not_added() {
        let mut patch = Patch::default();
        assert!(patch.add(&[edit(2..4, "X")], None));
        for range in [0..3, 3..4, 3..9, 2..2, 4..4, 2..4] {
            assert!(!patch.add(&[edit(range.clone(), "-")], None), "{range:?}");
        }
        assert!(patch.add(&[edit(0..2, "")], None));
        assert!(patch.add(&[edit(4..5, "Y")], None));
        assert_eq!(patch.apply(FILE, "abcdef"), "XYf");
        assert_eq!(patch.apply(FileId(1), "abcdef"), "abcdef");
    }

    #[test]
    fn insertions_away_from_other_edits_are_added() {
        let mut patch = Patch::default();
        assert!(patch.add(&[edit(2..4, "X")], None));
        assert!(patch.add(&[edit(0..0, "<")], None));
        assert!(patch.add(&[edit(6..6, ">")], None));
        assert_eq!(patch.apply(FILE, "abcdef"), "<abXef>");
    }

    #[test]
    fn a_fix_is_applied_completely_or_not_at_all() {
        let mut patch = Patch::default();
        assert!(patch.add(&[edit(2..4, "X")], None));
        assert!(!patch.add(&[edit(5..6, "Y"), edit(3..4, "Z")], None));
        assert!(!patch.add(&[edit(5..6, "Y"), edit(5..6, "Z")], None));
        assert_eq!(patch.apply(FILE, "abcdef"), "abXef");
    }

    #[test]
    fn insertions_with_the_same_origin_are_joined() {
        let mut patch = Patch::default();
        let origin = |at: usize| Some(("rule", Span::new(FILE, at..at)));
        assert!(patch.add(&[edit(3..3, "1")], origin(0)));
        assert!(patch.add(&[edit(3..3, "2")], origin(0)));
        assert!(!patch.add(&[edit(3..3, "3")], origin(1)));
        assert!(!patch.add(&[edit(3..3, "4")], None));
        assert_eq!(patch.apply(FILE, "abcdef"), "abc12def");
    }
}
