//! How many lines of a text differ from an earlier one. What was only wrapped in another way, or indented, is the same.
use crate::bounds;
use crate::matching::written::Line;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::ops::Range;

/// The lines that were removed and those that were added.
pub fn lines(before: &[Line], now: &[Line]) -> usize {
    let (old, new) = (paragraphs(before), paragraphs(now));
    let words = |paragraphs: &[Vec<String>]| paragraphs.iter().map(|lines| lines.join(" ")).collect::<Vec<_>>();
    let parts = changes(&words(&old), &words(&new));
    parts.into_iter().map(|(from, to)| differing(&lines_of(&old, from), &lines_of(&new, to))).sum()
}

/// How many lines were removed and added.
fn differing(before: &[String], now: &[String]) -> usize {
    changes(before, now).into_iter().map(|(old, new)| old.len() + new.len()).sum()
}

/// The lines of some of the paragraphs.
fn lines_of(paragraphs: &[Vec<String>], range: Range<usize>) -> Vec<String> {
    paragraphs.get(range).unwrap_or_default().iter().flatten().cloned().collect()
}

/// The paragraphs and items of lists of a text: their lines, with one blank between two words.
fn paragraphs(lines: &[Line]) -> Vec<Vec<String>> {
    let mut paragraphs: Vec<Vec<String>> = Vec::new();
    let mut is_apart = true;
    for Line { text, .. } in lines {
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match paragraphs.last_mut() {
            _ if line.is_empty() => {}
            Some(last) if !is_apart && !begins_item(&line) => last.push(line.clone()),
            _ => paragraphs.push(vec![line.clone()]),
        }
        is_apart = line.is_empty();
    }
    paragraphs
}

/// Whether a line begins an item of a list, or a row of a table.
fn begins_item(line: &str) -> bool {
    let number = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_numbered = number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") "));
    is_numbered || ["- ", "* ", "+ ", "|"].iter().any(|mark| line.starts_with(mark))
}

/// The parts that differ, as ranges of both lists.
fn changes(before: &[String], now: &[String]) -> Vec<(Range<usize>, Range<usize>)> {
    let front = before.iter().zip(now).take_while(|(one, other)| one == other).count();
    let rest = before.iter().skip(front).rev().zip(now.iter().skip(front).rev());
    let back = rest.take_while(|(one, other)| one == other).count();
    let (old, new) = (front..before.len() - back, front..now.len() - back);
    // The time grows with the number of pairs of lines.
    if old.len().max(new.len()) > bounds::COMPARED_LINES {
        return vec![(old, new)];
    }
    let (from, to) = (before.get(old).unwrap_or_default(), now.get(new).unwrap_or_default());
    let operations = capture_diff_slices(Algorithm::Myers, from, to);
    let changed = operations.into_iter().filter(|operation| !matches!(operation, DiffOp::Equal { .. }));
    let moved = |range: Range<usize>| range.start + front..range.end + front;
    changed.map(|operation| (moved(operation.old_range()), moved(operation.new_range()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(before: &str, now: &str) -> usize {
        let read =
            |text: &str| -> Vec<Line> { text.lines().map(|line| Line { number: 0, text: line.to_owned() }).collect() };
        lines(&read(before), &read(now))
    }

    #[test]
    fn lines_that_differ_are_counted_and_their_wrapping_is_not() {
        assert_eq!(count("a b\nc\n\nd", "a b\nc\n\nd"), 0);
        assert_eq!(count("a b\nc d", "a\n  b c\nd"), 0, "wrapped in another way");
        assert_eq!(count("- a\n- b\n", "\n* x\n"), 3, "two removed, one added");
        assert_eq!(count("- a b\n  c\n- d", "- a\n  b c\n- e"), 2, "of a list, only the item that changed");
        assert_eq!(count("a\nb\nc", "a\nx\nc"), 2);
        assert_eq!(count("", "a\n\nb"), 2);
        assert_eq!(count("a\n\nb", "b\n\na"), 2, "a paragraph that moved");
    }

    #[test]
    fn a_long_change_is_counted_as_a_whole() {
        let text =
            |word: &str| (0..=bounds::COMPARED_LINES).map(|line| format!("{word} {line}\n\n")).collect::<String>();
        assert_eq!(count(&text("a"), &text("b")), 2 * (bounds::COMPARED_LINES + 1));
    }
}
