//! Lines that look like a heading, an item of a list or a table, and are none because of one character.

use crate::span::{is_odd_space, slice};
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

/// What the text `line`, which begins a line at byte `at`, looks like.
pub(super) fn of_line(line: &str, at: usize) -> Option<LookAlike> {
    let line = line.trim_end();
    let body = line.trim_start_matches(is_odd_space);
    let body = body.trim_start_matches([' ', '\t']);
    let indent = line.len() - body.len();
    let (kind, wrong, right) = heading(line, indent).or_else(|| item_or_row(line, indent))?;
    Some(LookAlike { line: at..at + line.len(), kind, wrong: at + wrong.start..at + wrong.end, right })
}

/// The part of a line that keeps it from being an item or the line of dashes of a table, whose mark is at byte `indent`.
fn item_or_row(line: &str, indent: usize) -> Option<(LookAlikeKind, Range<usize>, String)> {
    let body = slice(line, indent..);
    let start = indent + body.find(is_odd_space)?;
    let after = slice(line, start..).trim_start_matches(is_odd_space);
    let is_mark = |letter: char| "|-: ".contains(letter) || is_odd_space(letter);
    if body.starts_with('|') && body.contains("--") && body.chars().all(is_mark) {
        let end = line.trim_end_matches(|letter: char| !is_odd_space(letter)).len();
        return Some((LookAlikeKind::Table, start..end, slice(line, start..end).replace(is_odd_space, " ")));
    }
    let is_item = start == indent + 1 && body.starts_with(['-', '*', '+']);
    is_item.then(|| (LookAlikeKind::Item, start..line.len() - after.len(), " ".to_owned()))
}

/// The part of a line that keeps it from being a heading, whose hashes begin at byte `indent`, and what belongs there.
fn heading(line: &str, indent: usize) -> Option<(LookAlikeKind, Range<usize>, String)> {
    let body = slice(line, indent..);
    let rest = body.trim_start_matches(['#', '＃']);
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
    if has_space && (hashes.contains('＃') || count == MOST_HASHES + 1) {
        return Some((kind, indent..end, "#".repeat(count.min(MOST_HASHES))));
    }
    if has_space && slice(line, ..indent).contains(is_odd_space) && count <= MOST_HASHES {
        return Some((kind, 0..indent, String::new()));
    }
    let is_title =
        (2..=MOST_HASHES).contains(&count) && !hashes.contains('＃') && rest.starts_with(char::is_alphabetic);
    is_title.then(|| (kind, end..end, " ".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            "#",
            "##\u{a0}",
            "| a\u{a0}| -- |",
            "######## a",
            "\u{a0}",
        ] {
            assert_eq!(repaired(line), None, "{line:?}");
        }
    }
}
