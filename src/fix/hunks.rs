//! Which lines differ between two versions of a text.

use crate::span::slice;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::hash::Hash;
use std::ops::Range;

/// The lines of `old` and of `new` that differ, in order. With more than `most` lines between the first and
/// the last difference, these are one part, because the time grows with the number of pairs of lines.
pub fn hunks<L: Eq + Hash + Ord>(old: &[L], new: &[L], most: usize) -> Vec<(Range<usize>, Range<usize>)> {
    let front = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let rest = old.iter().skip(front).rev().zip(new.iter().skip(front).rev());
    let back = rest.take_while(|(one, other)| one == other).count();
    let (old_middle, new_middle) = (front..old.len() - back, front..new.len() - back);
    if old_middle.is_empty() && new_middle.is_empty() {
        return Vec::new();
    }
    if old_middle.len().max(new_middle.len()) > most {
        return vec![(old_middle, new_middle)];
    }
    let moved = |range: Range<usize>| range.start + front..range.end + front;
    let changes = capture_diff_slices(Algorithm::Myers, part(old, &old_middle), part(new, &new_middle));
    let changes = changes.iter().filter(|change| !matches!(change, DiffOp::Equal { .. }));
    changes.map(|change| (moved(change.old_range()), moved(change.new_range()))).collect()
}

/// The lines at these places; none if there are fewer.
pub fn part<'a, T>(lines: &'a [T], range: &Range<usize>) -> &'a [T] {
    lines.get(range.clone()).unwrap_or_default()
}

/// The lines of `text` with what ends them: only `\n` does, as for git, because a lone `\r` ends none in
/// some editors.
pub fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// How many bytes two lines have in common at their start, and how many of the rest at their end.
pub fn common(one: &str, other: &str) -> (usize, usize) {
    let same = one.chars().zip(other.chars()).take_while(|(letter, partner)| letter == partner);
    let front: usize = same.map(|(letter, _)| letter.len_utf8()).sum();
    let rest = slice(one, front..).chars().rev().zip(slice(other, front..).chars().rev());
    let same_end = rest.take_while(|(letter, partner)| letter == partner);
    (front, same_end.map(|(letter, _)| letter.len_utf8()).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_differ_are_told_in_order() {
        let (old, new) = (lines("a\nb\nc\nd\ne\n"), lines("a\nB\nc\nd\nx\ne\n"));
        assert_eq!(hunks(&old, &new, 9), [(1..2, 1..2), (4..4, 4..5)]);
        assert_eq!(hunks(&old, &new, 3), [(1..4, 1..5)]);
        assert_eq!((hunks(&old, &old, 0), hunks(&[], &new, 9)), (vec![], vec![(0..0, 0..6)]));
    }
}
