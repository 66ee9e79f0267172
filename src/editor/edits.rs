//! What changes between two versions of a text, as few and small replacements: what an editor has marked or folded stays.

use crate::bounds;
use crate::diagnostic::Edit;
use crate::fix::Fixed;
use crate::fix::hunks::{common, hunks, lines, part};
use crate::span::{FileId, LINE_ENDS, Span, slice};

/// The replacements in all files that fixing has changed.
pub fn of_fixed(fixed: &Fixed) -> Vec<Edit> {
    let files = fixed.before.files.iter().zip(&fixed.after.files);
    let changed = (0..).map(FileId::at).zip(files).filter(|(_, (before, after))| before.text != after.text);
    changed.flat_map(|(id, (before, after))| between(id, &before.text, &after.text)).collect()
}

/// The replacements that make `after` of `before`, the text of `file`, in the order of the text. None of them begins or
/// ends between the two characters of a line end.
pub fn between(file: FileId, before: &str, after: &str) -> Vec<Edit> {
    let (old, new) = (lines(before), lines(after));
    let mut edits = Vec::new();
    let (mut line, mut at) = (0, 0);
    for (old_range, new_range) in hunks(&old, &new, bounds::COMPARED_LINES) {
        at += part(&old, &(line..old_range.start)).concat().len();
        let old_text = part(&old, &old_range).concat();
        edits.push(trimmed(file, at, &old_text, &part(&new, &new_range).concat()));
        at += old_text.len();
        line = old_range.end;
    }
    edits
}

/// The replacement of `old`, whole lines at byte `at`. In a single line, what both have in common stays.
fn trimmed(file: FileId, at: usize, old: &str, new: &str) -> Edit {
    let content = |line: &str| line.trim_end_matches(LINE_ENDS).len();
    let is_one_line =
        [old, new].iter().all(|text| text.lines().count() == 1 && !slice(text, ..content(text)).contains('\r'));
    if !is_one_line || slice(old, content(old)..) != slice(new, content(new)..) {
        return Edit { span: Span::new(file, at..at + old.len()), text: new.to_owned() };
    }
    let (old, new) = (slice(old, ..content(old)), slice(new, ..content(new)));
    let (front, back) = common(old, new);
    let text = slice(new, front..new.len() - back).to_owned();
    Edit { span: Span::new(file, at + front..at + old.len() - back), text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fix::apply;
    use std::ops::Range;

    fn edits(before: &str, after: &str) -> Vec<(Range<usize>, String)> {
        let edits = between(FileId(0), before, after);
        assert_eq!(apply(before, &edits).as_deref(), Some(after), "{edits:?}");
        edits.into_iter().map(|edit| (edit.span.range(), edit.text)).collect()
    }

    #[test]
    fn only_what_differs_is_replaced() {
        assert_eq!(edits("a\nb\n", "a\nb\n"), []);
        assert_eq!(edits("a\nstage: alpha\nc\n", "a\nstage: beta\nc\n"), [(9..13, "bet".to_owned())]);
        assert_eq!(edits("é1\n", "é2\n"), [(2..3, "2".to_owned())]);
        assert_eq!(edits("a\nc\nd\n", "a\nb\nc\n"), [(2..2, "b\n".to_owned()), (4..6, String::new())]);
        assert_eq!(edits("a", "a\nb"), [(0..1, "a\nb".to_owned())]);
        assert_eq!(edits("", "a\n"), [(0..0, "a\n".to_owned())]);
    }

    #[test]
    fn line_ends_are_replaced_as_a_whole() {
        assert_eq!(edits("a\r\nb\r\n", "a\nb\r\n"), [(0..3, "a\n".to_owned())]);
        assert_eq!(edits("ab\r\n", "ac\r\n"), [(1..2, "c".to_owned())]);
        assert_eq!(edits("a\rb\n", "a\rc\n"), [(0..4, "a\rc\n".to_owned())]);
    }

    #[test]
    fn a_large_change_is_one_replacement() {
        let old = "a\n".repeat(bounds::COMPARED_LINES + 2);
        assert_eq!(edits(&old, &old.replace('a', "b")).len(), 1);
    }
}
