//! Checkboxes at the beginning of list items, also those that GitHub does not recognize.

use crate::span::{LINE_ENDS, is_odd_space, slice};
use std::borrow::Cow;
use std::ops::Range;

#[derive(Clone, Debug)]
pub struct TaskBox {
    pub span: Range<usize>,
    pub ticked: bool,
    /// Whether GitHub shows its brackets: `- []`, `- [ x ]`, `- [x]text`, `-[ ]`.
    pub is_malformed: bool,
}

/// A checkbox and the text after it.
#[derive(Clone, Copy)]
pub struct Boxed<'a> {
    inside: &'a str,
    pub ticked: bool,
    pub rest: &'a str,
}

/// What list items begin with, after the number of an ordered list.
const MARKERS: [char; 5] = ['-', '*', '+', '.', ')'];

const MARKS: [&str; 3] = ["x", "X", "*"];

/// The most bytes after the first bracket of a box, the second one included.
const LONGEST: usize = 4;

/// The checkbox that `text` begins with, as it was meant: `[]` and `[ x ]` are boxes, a link is not.
pub fn at_start(text: &str) -> Option<Boxed<'_>> {
    if text.as_bytes().first() != Some(&b'[') {
        return None;
    }
    let body = slice(text, 1..);
    let (inside, _) = slice(body, ..body.floor_char_boundary(LONGEST)).split_once(']')?;
    let rest = slice(body, inside.len() + "]".len()..);
    let mark = inside.trim_matches(|letter| letter == ' ' || is_odd_space(letter));
    let ticked = MARKS.contains(&mark);
    // `[]string` is a type.
    let is_followed = rest.is_empty()
        || rest.starts_with(char::is_whitespace)
        || (!inside.is_empty() && rest.starts_with(|next: char| next.is_alphabetic() || "*_`\"".contains(next)));
    ((ticked || mark.is_empty()) && is_followed).then_some(Boxed { inside, ticked, rest })
}

impl Boxed<'_> {
    fn is_malformed(self) -> bool {
        let after = self.rest.trim_start_matches([' ', '\t']);
        let is_alone = after.is_empty() || after.starts_with(LINE_ENDS);
        !is_alone && (!matches!(self.inside, " " | "x" | "X") || !self.rest.starts_with([' ', '\t']))
    }

    /// The malformed box whose first byte is at `start`.
    fn at(self, start: usize) -> TaskBox {
        TaskBox { span: start..start + self.inside.len() + "[]".len(), ticked: self.ticked, is_malformed: true }
    }
}

/// The text of a list item, after its marker.
pub(super) fn body(item: &str) -> &str {
    let item = item.trim_start().trim_start_matches(|letter: char| letter.is_ascii_digit());
    item.strip_prefix(MARKERS).unwrap_or(item).trim_start()
}

/// The malformed checkbox of a list item with this text, of which byte `start` is the first.
pub(super) fn malformed(body: &str, start: usize) -> Option<TaskBox> {
    Some(at_start(body).filter(|boxed| boxed.is_malformed())?.at(start))
}

/// The checkbox at byte `start` of `text` in a line `-[ ] a`, which is no list item.
pub(super) fn without_space(text: &str, start: usize) -> Option<TaskBox> {
    let body = after_marker(slice(text, start..)).filter(|body| body.starts_with('['))?;
    let boxed = at_start(body)?;
    let before = slice(text, ..start).trim_end_matches([' ', '\t', '>']);
    (before.is_empty() || before.ends_with(LINE_ENDS)).then(|| boxed.at(start + 1))
}

/// What follows the marker of a list that `line` begins with. Nearly all lines begin with none.
fn after_marker(line: &str) -> Option<&str> {
    if matches!(line.as_bytes().first(), Some(b'-' | b'*' | b'+')) { line.get(1..) } else { None }
}

/// `line` with the malformed checkbox that it begins with written as `[ ]`.
pub(super) fn repaired(line: &str) -> Cow<'_, str> {
    let Some(body) = after_marker(line) else { return Cow::Borrowed(line) };
    let is_apart = body.starts_with([' ', '\t']);
    match at_start(body.trim_start()) {
        Some(boxed) if boxed.is_malformed() || !is_apart => {
            Cow::Owned(format!("{} [ ] {}", slice(line, ..1), boxed.rest.trim_start()))
        }
        _ => Cow::Borrowed(line),
    }
}

/// Whether the text of a list item, after its checkbox, begins with `**`.
pub(super) fn opens_bold(body: &str) -> bool {
    let unchecked = at_start(body).filter(|boxed| !boxed.ticked);
    unchecked.map_or(body, |boxed| boxed.rest).trim_start().starts_with("**")
}

#[cfg(test)]
mod tests {
    use crate::markdown::Document;

    fn boxes(text: &str) -> Vec<(&str, bool)> {
        let document = Document::of_text(text);
        let malformed = document.boxes.into_iter().filter(|found| found.is_malformed);
        malformed.map(|found| (&text[found.span], found.ticked)).collect()
    }

    #[test]
    fn boxes_are_read_as_they_were_meant() {
        let text = "- [] a\n- [ x ] b\n  1. [  ] c\n- [x]d\n- [*] e\n\n-[X] f\n* g\n*[ ] h\n";
        let all = [("[]", false), ("[ x ]", true), ("[  ]", false), ("[x]", true), ("[*]", true), ("[X]", true)];
        assert_eq!(boxes(text), [all.as_slice(), &[("[ ]", false)]].concat());
    }

    #[test]
    fn what_is_no_box_is_not_malformed() {
        let text = "- [ ] a\n- [x] b\n- []string\n- [x](#a)\n- [x][a]\n- [ ]\n- [] \n- `[]` c\n- [y] d\n\na -[ ] b\n\n    -[ ] c\n";
        assert_eq!(boxes(text), []);
    }
}
