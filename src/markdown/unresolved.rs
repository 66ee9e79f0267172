//! `<<[UNRESOLVED …]>>` markers of open discussions, and the variants that authors write.

use super::comment::{self, Comment};
use crate::search;
use crate::span::{LINE_ENDS, rest_of_line, slice};
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    pub span: Range<usize>,
    pub kind: MarkKind,
    /// Whether it has its counterpart. A note needs none.
    pub is_paired: bool,
    /// Whether it begins a line or a list item; else it applies to a sentence.
    pub begins_line: bool,
}

impl Mark {
    /// Whether it lacks its counterpart. One inside a sentence marks only that sentence.
    pub fn is_alone(&self) -> bool {
        !self.is_paired && (self.kind == MarkKind::Closer || (self.kind == MarkKind::Opener && self.begins_line))
    }

    /// The marker as it is written in `text`, without what it says besides.
    pub fn form(&self, text: &str) -> String {
        let opening = slice(text, self.span.clone()).split(WORD).next().unwrap_or_default();
        format!("{opening}{WORD}{}", closing(opening))
    }

    /// The marker that it lacks, in the same form.
    pub fn counterpart(&self, text: &str) -> String {
        let opening = if self.form(text).starts_with("<<[") { "<<[" } else { "<" };
        let slash = if self.kind == MarkKind::Closer { "" } else { "/" };
        format!("{opening}{slash}{WORD}{}", closing(opening))
    }
}

/// What ends a marker that begins with `opening`.
fn closing(opening: &str) -> &'static str {
    match opening {
        "[" => "]",
        "<" | "</" => ">",
        _ => "]>>",
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    Opener,
    /// `<<[/UNRESOLVED]>>`, `</UNRESOLVED>`; also `<<[UNRESOLVED]>>` in the same paragraph as the opener before it.
    Closer,
    /// `[UNRESOLVED]` alone, which applies to a sentence.
    Note,
}

const WORD: &str = "UNRESOLVED";

/// The markers of a document outside its comments. Those in code blocks count, because the template's own example is in
/// one.
pub(super) fn marks(text: &str, comments: &[Comment]) -> Vec<Mark> {
    let mark_at = |at: usize| {
        let (before, after) = (slice(text, ..at), slice(text, at + WORD.len()..));
        let (opening, kind) = [
            ("<<[/", MarkKind::Closer),
            ("</", MarkKind::Closer),
            ("<<[!", MarkKind::Opener),
            ("<<[", MarkKind::Opener),
            ("<", MarkKind::Opener),
            ("[", MarkKind::Note),
        ]
        .into_iter()
        .find(|(opening, _)| before.ends_with(opening))?;
        let is_word = !after.starts_with(|next: char| next.is_alphanumeric());
        let is_complete = kind != MarkKind::Note || after.starts_with(']');
        if !is_word || !is_complete {
            return None;
        }
        let word_end = at + WORD.len();
        let line = rest_of_line(text, word_end);
        let length = line.find(closing(opening)).map_or(line.len(), |found| found + closing(opening).len());
        let end = word_end + length;
        let start = at - opening.len();
        let begins_line = begins_line(text, start);
        Some(Mark { span: start..end, kind, is_paired: kind == MarkKind::Note, begins_line })
    };
    let is_visible = |mark: &Mark| !comment::is_in(comments, mark.span.start);
    let mut marks: Vec<Mark> = search::words(text, WORD).filter_map(mark_at).filter(is_visible).collect();
    pair(&mut marks, text);
    marks
}

/// Whether only list markers and spaces are before `start` on its line.
fn begins_line(text: &str, start: usize) -> bool {
    let before = slice(text, ..start);
    let before = before.trim_end_matches(|mark: char| mark.is_ascii_digit() || "-*+.)>| \t".contains(mark));
    before.is_empty() || before.ends_with(LINE_ENDS)
}

fn pair(marks: &mut [Mark], text: &str) {
    let mut open: Option<&mut Mark> = None;
    for mark in marks.iter_mut().filter(|mark| mark.kind != MarkKind::Note) {
        // The text of a marker may contain another one, and be in another paragraph.
        let is_near = |opener: &&mut Mark| {
            let between = text.get(opener.span.end..mark.span.start);
            between.is_some_and(|words| words.lines().skip(1).all(|line| !line.trim().is_empty()))
        };
        if slice(text, mark.span.clone()) == "<<[UNRESOLVED]>>" && open.as_ref().is_some_and(is_near) {
            mark.kind = MarkKind::Closer;
        }
        if mark.kind == MarkKind::Opener {
            open = Some(mark);
        } else if let Some(open) = open.take() {
            (open.is_paired, mark.is_paired) = (true, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::Document;

    fn kinds(text: &str) -> Vec<(&str, MarkKind)> {
        let document = Document::of_text(text);
        document.unresolved().iter().map(|mark| (&text[mark.span.clone()], mark.kind)).collect()
    }

    #[test]
    fn all_variants_of_markers_are_found() {
        use MarkKind::{Closer, Note, Opener};
        assert_eq!(
            kinds("<<[UNRESOLVED endpoints ]>>\nx\n<<[/UNRESOLVED]>>\n"),
            [("<<[UNRESOLVED endpoints ]>>", Opener), ("<<[/UNRESOLVED]>>", Closer)]
        );
        assert_eq!(kinds("<<[!UNRESOLVED]>> x"), [("<<[!UNRESOLVED]>>", Opener)]);
        let pair = [("<<[UNRESOLVED a]>>", Opener), ("<<[UNRESOLVED]>>", Closer)];
        assert_eq!(kinds("<<[UNRESOLVED a]>>\nx <<[UNRESOLVED]>>"), pair);
        assert_eq!(kinds("<<[UNRESOLVED]>>\n\nx <<[UNRESOLVED]>>").iter().filter(|mark| mark.1 == Opener).count(), 2);
        assert_eq!(kinds("a <UNRESOLVED @x> b"), [("<UNRESOLVED @x>", Opener)]);
        assert_eq!(kinds("alert `[UNRESOLVED]`"), [("[UNRESOLVED]", Note)]);
        assert_eq!(kinds("<<[UNRESOLVED a\r<UNRESOLVED b\r\n]>>").len(), 2);
        assert_eq!(kinds("<<[UNRESOLVED a\r\n]>>"), [("<<[UNRESOLVED a", Opener)]);
    }

    #[test]
    fn plain_words_and_comments_are_not_markers() {
        assert_eq!(kinds("All UNRESOLVED items are resolved.\n\n<!-- <<[UNRESOLVED]>> -->\n"), []);
        assert_eq!(kinds("[UNRESOLVED items]"), []);
    }
}
