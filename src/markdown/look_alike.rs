//! Lines that look like a heading, an item of a list or a table, and are none because of one character.

use super::comment;
use super::other_heading::is_heading;
use crate::span::{LineIndex, first_line, is_odd_space, last_line_start, slice};
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
    /// Whether it may be meant as code or HTML, unless the template has the heading or a link leads to it.
    pub is_weak: bool,
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

impl LookAlike {
    /// The line as it was meant; `text` is the whole document.
    pub fn repaired(&self, text: &str) -> String {
        let after = slice(text, self.wrong.end.max(self.line.start)..self.line.end);
        [
            slice(text, self.line.start..self.wrong.start.max(self.line.start)),
            self.right.trim_start_matches('\n'),
            after,
        ]
        .concat()
    }
}

#[derive(Debug, Default)]
pub(super) struct LookAlikes {
    pub list: Vec<LookAlike>,
    /// The last line that had text which may look like something, counted from 1.
    looked_at: usize,
}

impl LookAlikes {
    pub fn read(&mut self, text: &str, lines: &LineIndex, range: &Range<usize>) {
        let marks = |first: &u8| matches!(first, b'#' | b'*' | b'+' | b'-' | b'|' | b'0'..=b'9' | 0x80..);
        // Nearly all texts begin with a letter.
        if !text.as_bytes().get(range.start).is_some_and(|first| marks(first) || *first == b' ') {
            return;
        }
        let words = slice(text, range.clone()).trim_start_matches(' ');
        let start = range.end - words.len();
        if !words.as_bytes().first().is_some_and(marks) || (start > range.start && !words.starts_with('#')) {
            return;
        }
        let line = lines.line_of(start);
        // Only the first text of a line can begin it.
        if std::mem::replace(&mut self.looked_at, line + 1) == line + 1 {
            return;
        }
        let whole = lines.line_range(line, text);
        let before = slice(text, whole.start..start).trim_start_matches('\u{feff}');
        let body = slice(text, start..whole.end);
        if before.bytes().all(|byte| byte.is_ascii_whitespace() || byte == b'>') {
            let found = of_line(body, start).or_else(|| weak(body, start, start - before.len()..start, ""));
            self.list.extend(found.map(|found| LookAlike { is_quoted: before.contains('>'), ..found }));
        } else if is_html(before.trim()) {
            let gap = before.len() - before.trim_end().len();
            self.list.extend(weak(body, start, start - gap..start, "\n\n"));
        }
    }

    /// Reads a line of code that is indented.
    pub fn read_code(&mut self, text: &str, range: &Range<usize>) {
        let body = slice(text, range.clone()).trim_start();
        let start = range.end - body.len();
        let line = last_line_start(slice(text, ..start));
        if body.starts_with('#') && slice(text, line..start).trim().is_empty() {
            self.list.extend(weak(body, start, line..start, ""));
        }
    }

    /// Reads an opening tag, from byte `start` on, which may be that of a heading in HTML: `<h3>Goals</h3>`.
    pub fn read_tag(&mut self, text: &str, tag: &Range<usize>) {
        if !is_heading(slice(text, tag.clone())) {
            return;
        }
        let digit = slice(text, tag.clone()).get(2..3).and_then(|digit| digit.parse::<u8>().ok());
        let Some(level) = digit.filter(|level| *level > 1) else { return };
        let line = first_line(slice(text, tag.start..)).trim_end();
        let words = line.get(tag.len()..).and_then(|words| words.strip_suffix(&format!("</h{level}>")));
        let Some(words) = words.filter(|words| !words.contains('<')) else { return };
        let line = tag.start..tag.start + line.len();
        let right = format!("{} {}", "#".repeat(level.into()), words.trim());
        let kind = LookAlikeKind::Heading { level };
        self.list.push(LookAlike { wrong: line.clone(), line, kind, right, is_quoted: false, is_weak: true });
    }
}

/// A heading at byte `start`, which `wrong` before it keeps from being one.
fn weak(line: &str, start: usize, wrong: Range<usize>, right: &str) -> Option<LookAlike> {
    let line = line.trim_end();
    let kind = LookAlikeKind::Heading { level: level(line)? };
    let line = start..start + line.len();
    Some(LookAlike { line, kind, wrong, right: right.to_owned(), is_quoted: false, is_weak: true })
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
        is_weak: false,
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
        return Some((LookAlikeKind::Table, start..end, slice(line, start..end).replace(is_odd_space, "")));
    }
    let number = body.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_numbered = (1..=MOST_DIGITS).contains(&(body.len() - number.len()));
    let marks: &[char] = if is_numbered { &['.', ')'] } else { &['-', '*', '+'] };
    let is_item = start == line.len() - number.len() + 1 && number.starts_with(marks);
    is_item.then(|| (LookAlikeKind::Item, start..line.len() - after.len(), " ".to_owned()))
}

/// The part of a line that keeps it from being a heading, whose hashes begin at byte `indent`, and what belongs there.
fn heading(line: &str, indent: usize) -> Option<(LookAlikeKind, Range<usize>, String)> {
    let body = slice(line, indent..);
    let is_mark = |letter: char| letter == '#' || HASHES.contains(&letter) || is_odd_space(letter);
    let rest = body.trim_start_matches(is_mark);
    let hashes = slice(body, ..body.len() - rest.len()).trim_end_matches(is_odd_space);
    let count = hashes.chars().filter(|letter| !is_odd_space(*letter)).count();
    let words = rest.trim_start_matches(|letter: char| letter == ' ' || letter == '\t' || is_odd_space(letter));
    // An issue has a number.
    if count == 0 || words.is_empty() || (count == 1 && words.starts_with(|first: char| first.is_ascii_digit())) {
        return None;
    }
    let kind = LookAlikeKind::Heading { level: u8::try_from(count.min(MOST_HASHES)).unwrap_or(u8::MAX) };
    let (end, start) = (indent + hashes.len(), line.len() - words.len());
    let marks = slice(line, ..start);
    let is_odd = marks.contains(HASHES) || marks.contains(is_odd_space);
    let is_long = count == MOST_HASHES + 1 && rest.starts_with([' ', '\t']);
    let is_wide = count > 1 && marks.contains(HASHES);
    if is_wide || (end < start && ((is_odd && count <= MOST_HASHES) || is_long)) {
        return Some((kind, 0..start, "#".repeat(count.min(MOST_HASHES)) + " "));
    }
    let is_title = (2..=MOST_HASHES).contains(&count) && !is_odd && rest.starts_with(char::is_alphabetic);
    is_title.then(|| (kind, end..end, " ".to_owned()))
}

/// The level of a heading below the title, if `line` is one where a heading can be.
fn level(line: &str) -> Option<u8> {
    let words = line.trim_start_matches('#');
    let level = u8::try_from(line.len() - words.len()).ok().filter(|level| (2..=6).contains(level))?;
    if words.starts_with([' ', '\t']) && !words.trim().is_empty() { Some(level) } else { None }
}

/// Whether there are only tags and comments in `text`.
fn is_html(text: &str) -> bool {
    text.starts_with('<')
        && text.ends_with('>')
        && comment::split(text).iter().all(|piece| !matches!(piece.kind, comment::Kind::Content))
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
            ("＃＃＃Goals", "### Goals"),
            ("###\u{3164}Goals", "### Goals"),
            ("### \u{2800}Goals", "### Goals"),
            ("##\u{a0}# Goals", "### Goals"),
            ("#\u{a0}##\u{200b} Goals", "### Goals"),
            ("|--\u{200b}-|-|", "|---|-|"),
            ("12.\u{a0}item", "12. item"),
            ("1)\u{2003}item", "1) item"),
            ("|\u{a0}-|-|", "|-|-|"),
            ("####### Goals", "###### Goals"),
            ("-\u{a0}item", "- item"),
            ("|\u{a0}---|\u{a0}:--|", "|---|:--|"),
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
            "#\u{200b}1234 is the issue",
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
