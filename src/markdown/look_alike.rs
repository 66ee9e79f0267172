//! Lines that look like a heading, an item of a list or a table, and are none because of one character.

use crate::span::{LineIndex, is_odd_space, slice};
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookAlike {
    /// Bytes of the line, from its first character that is no white space on.
    pub line: Range<usize>,
    pub kind: LookAlikeKind,
    /// The bytes that are wrong; empty where a space is missing.
    pub wrong: Range<usize>,
    /// What belongs there.
    pub right: String,
    /// Whether it is in a block quote, where headings begin no section.
    pub is_quoted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookAlikeKind {
    Heading {
        level: u8,
    },
    Item,
    /// The line of dashes below the header of a table.
    Table,
}

const MOST_HASHES: usize = 6;
/// A longer number is a year.
const MOST_DIGITS: usize = 3;

pub(crate) const HASHES: [char; 2] = ['＃', '﹟'];

#[derive(Debug, Default)]
pub(super) struct LookAlikes {
    pub list: Vec<LookAlike>,
    /// The last line that had text which may look like something, counted from 1.
    looked_at: usize,
}

impl LookAlikes {
    pub fn read(&mut self, text: &str, lines: &LineIndex, range: &Range<usize>) {
        let marks = |first: &u8| matches!(first, b'#' | b'*' | b'+' | b'-' | b'|' | b'0'..=b'9' | 0x80..);
        if !text.as_bytes().get(range.start).is_some_and(marks) {
            return;
        }
        let line = lines.line_of(range.start);
        // Only the first text of a line can begin it.
        if std::mem::replace(&mut self.looked_at, line + 1) == line + 1 {
            return;
        }
        let whole = lines.line_range(line, text);
        let before = slice(text, whole.start..range.start).trim_start_matches('\u{feff}');
        if before.bytes().all(|byte| byte.is_ascii_whitespace() || byte == b'>') {
            let found = of_line(slice(text, range.start..whole.end), range.start);
            self.list.extend(found.map(|found| LookAlike { is_quoted: before.contains('>'), ..found }));
        }
    }
}

/// What the text `line`, which begins a line at byte `at`, looks like.
pub(super) fn of_line(line: &str, at: usize) -> Option<LookAlike> {
    let line = line.trim_end();
    let body = line.trim_start_matches(is_odd_space);
    let body = body.trim_start_matches([' ', '\t']);
    let indent = line.len() - body.len();
    let (kind, wrong, right) = heading(line, indent).or_else(|| item_or_row(line, indent))?;
    Some(LookAlike {
        line: at..at + line.len(),
        kind,
        wrong: at + wrong.start..at + wrong.end,
        right,
        is_quoted: false,
    })
}

/// The part of a line that keeps it from being an item or the line of dashes of a table, whose mark is at byte `indent`.
fn item_or_row(line: &str, indent: usize) -> Option<(LookAlikeKind, Range<usize>, String)> {
    let body = slice(line, indent..);
    let start = indent + body.find(is_odd_space)?;
    let after = slice(line, start..).trim_start_matches(is_odd_space);
    let is_mark = |letter: char| "|-: ".contains(letter) || is_odd_space(letter);
    if body.starts_with('|') && body.contains('-') && body.chars().all(is_mark) {
        let end = line.trim_end_matches(|letter: char| !is_odd_space(letter)).len();
        return Some((LookAlikeKind::Table, start..end, slice(line, start..end).replace(is_odd_space, " ")));
    }
    let number = body.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_numbered = (1..=MOST_DIGITS).contains(&(body.len() - number.len()));
    let marks: &[char] = if is_numbered { &['.', ')'] } else { &['-', '*', '+'] };
    let is_item = start == line.len() - number.len() + 1 && number.starts_with(marks);
    is_item.then(|| (LookAlikeKind::Item, start..line.len() - after.len(), " ".to_owned()))
}

fn is_hash(letter: char) -> bool {
    letter == '#' || HASHES.contains(&letter)
}

/// The part of a line that keeps it from being a heading, whose hashes begin at byte `indent`, and what belongs there.
fn heading(line: &str, indent: usize) -> Option<(LookAlikeKind, Range<usize>, String)> {
    let body = slice(line, indent..);
    let rest = body.trim_start_matches(is_hash);
    let hashes = slice(body, ..body.len() - rest.len());
    let count = hashes.chars().count();
    let end = indent + hashes.len();
    let words = rest.trim_start_matches(|letter: char| letter == ' ' || letter == '\t' || is_odd_space(letter));
    if count == 0 || words.is_empty() {
        return None;
    }
    let kind = LookAlikeKind::Heading { level: u8::try_from(count.min(MOST_HASHES)).unwrap_or(u8::MAX) };
    let has_space = rest.starts_with([' ', '\t']);
    if !has_space && rest.starts_with(is_odd_space) && count <= MOST_HASHES {
        return Some((kind, end..line.len() - words.len(), " ".to_owned()));
    }
    if has_space && (hashes.contains(HASHES) || count == MOST_HASHES + 1) {
        return Some((kind, indent..end, "#".repeat(count.min(MOST_HASHES))));
    }
    if has_space && slice(line, ..indent).contains(is_odd_space) && count <= MOST_HASHES {
        return Some((kind, 0..indent, String::new()));
    }
    let is_title =
        (2..=MOST_HASHES).contains(&count) && !hashes.contains(HASHES) && rest.starts_with(char::is_alphabetic);
    is_title.then(|| (kind, end..end, " ".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::Document;

    #[test]
    fn one_character_keeps_a_line_from_being_what_it_looks_like() {
        let repaired = |line: &str| {
            of_line(line, 0).map(|found| [&line[..found.wrong.start], &found.right, &line[found.wrong.end..]].concat())
        };
        for (line, right) in [
            ("###Goals", "### Goals"),
            ("###\u{a0}Goals", "### Goals"),
            ("#\u{2003}\u{200b}Goals", "# Goals"),
            ("\u{feff}### Goals", "### Goals"),
            ("\u{a0} ## Goals", "## Goals"),
            ("＃＃ Goals", "## Goals"),
            ("﹟#﹟ Goals", "### Goals"),
            ("12.\u{a0}item", "12. item"),
            ("1)\u{2003}item", "1) item"),
            ("|\u{a0}-|-|", "| -|-|"),
            ("####### Goals", "###### Goals"),
            ("-\u{a0}item", "- item"),
            ("|\u{a0}---|\u{a0}:--|", "| ---| :--|"),
        ] {
            assert_eq!(repaired(line).as_deref(), Some(right), "{line:?}");
        }
        for line in [
            "#Goals",
            "### Goals",
            "###1",
            "a\u{a0}b",
            "-a\u{a0}b",
            "1.2\u{a0}b",
            "12\u{a0}b",
            "a.\u{a0}b",
            "2026.\u{a0}b",
            "#",
            "##\u{a0}",
            "| a\u{a0}| -- |",
            "######## a",
            "\u{a0}",
        ] {
            assert_eq!(repaired(line), None, "{line:?}");
        }
    }

    #[test]
    fn hashes_without_a_space_count_only_at_the_start_of_a_line() {
        let text = "##a *b*##c ##d\n *b*##e\n  ##f *g*##h\r##i\n";
        let found: Vec<usize> = Document::of_text(text).look_alikes.iter().map(|found| found.line.start).collect();
        assert_eq!(found, ["##a", "##f", "##i"].map(|hashes| text.find(hashes).expect("it is there")));
    }
}
