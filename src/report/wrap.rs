//! Breaks text into lines that fit a screen. No other file needs to know how.

use super::harmless_lines;
use super::width::{columns, fit};
use crate::span::slice;

/// The lines of `text`, each broken at its blanks into lines of at most `width` columns. The very first one
/// begins with `first_indent`, all others with `other_indent`. A longer word is broken, but no path or address.
/// No line begins with a word that Markdown would read as the beginning of a list, a heading or a quote.
pub fn wrapped(text: &str, width: usize, first_indent: &str, other_indent: &str) -> String {
    lines(text, width, first_indent, other_indent).join("\n")
}

pub fn lines(text: &str, width: usize, first_indent: &str, other_indent: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    // An empty text has a line as well: the indent.
    for line in text.trim_end_matches('\n').split('\n') {
        let mut fitting: Vec<&str> = Vec::new();
        let mut used = 0;
        for piece in pieces(line) {
            let indent = if lines.is_empty() { first_indent } else { other_indent };
            if !fitting.is_empty() && columns(indent) + used + columns(piece) > width {
                lines.push(joined(indent, &fitting));
                fitting.clear();
                used = 0;
            }
            let (parts, last) = broken(piece, width.saturating_sub(columns(first_indent).max(columns(other_indent))));
            for part in parts {
                lines.push(joined(if lines.is_empty() { first_indent } else { other_indent }, &[part]));
            }
            fitting.push(last);
            used += columns(last) + 1;
        }
        lines.push(joined(if lines.is_empty() { first_indent } else { other_indent }, &fitting));
    }
    lines
}

/// A piece as parts of at most this many columns, and what is left. What people copy or follow stays whole.
fn broken(piece: &str, width: usize) -> (Vec<&str>, &str) {
    let (mut parts, mut rest) = (Vec::new(), piece);
    while columns(rest) > width && !piece.contains('/') {
        let (end, _) = fit(rest.chars(), width);
        if end == 0 {
            break;
        }
        parts.push(slice(rest, ..end));
        rest = slice(rest, end..);
    }
    (parts, rest)
}

fn joined(indent: &str, pieces: &[&str]) -> String {
    harmless_lines(format!("{indent}{}", pieces.join(" ")).trim_end().to_owned())
}

/// What is not broken: words, each with those after it that must not begin a line.
fn pieces(line: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut at) = (0, 0);
    for word in line.split(' ') {
        if at > start && !word.is_empty() && !begins_block(word) {
            pieces.push(slice(line, start..at).trim());
            start = at;
        }
        at += word.len() + 1;
    }
    pieces.push(slice(line, start..line.len()).trim());
    pieces
}

/// Whether a line that begins with this word may not be read as a part of the paragraph before it.
fn begins_block(word: &str) -> bool {
    let number = word.strip_suffix(['.', ')']).unwrap_or_default();
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_ruler = word.bytes().all(|byte| b"-+*=_#~".contains(&byte));
    is_number || is_ruler || word.starts_with(['>', '|']) || word.starts_with("```") || word.starts_with("~~~")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_broken_at_blanks() {
        assert_eq!(wrapped("one two three", 7, "", ""), "one two\nthree");
        assert_eq!(wrapped("one two three", 7, "- ", "  "), "- one\n  two\n  three");
        assert_eq!(wrapped("a toolongword b", 5, "", ""), "a\ntoolo\nngwor\nd b");
        assert_eq!(wrapped("a too/long/word b", 5, "", ""), "a\ntoo/long/word\nb");
        assert_eq!(wrapped("漢字漢字", 5, "", "  "), "漢\n  字\n  漢\n  字");
        assert_eq!(wrapped("漢字 漢字", 8, "", ""), "漢字\n漢字");
        assert_eq!(wrapped("one\n\ntwo three", 9, "", "  "), "one\n\n  two\n  three");
        assert_eq!(["", "\n", "a\n"].map(|text| wrapped(text, 9, "- ", "")), ["-", "-", "- a"]);
        assert_eq!(wrapped("a", 0, "", ""), "a");
    }

    #[test]
    fn no_line_becomes_a_command() {
        assert_eq!(wrapped("see ::error::x", 12, "- ", "  "), "- see\n  :?error::x");
    }

    #[test]
    fn no_line_becomes_a_list_or_heading() {
        assert_eq!(wrapped("one - two", 5, "", ""), "one -\ntwo");
        assert_eq!(wrapped("see # or 1. too", 5, "", ""), "see #\nor 1.\ntoo");
        assert_eq!(wrapped("not >5 -x", 6, "", ""), "not >5\n-x");
    }
}
