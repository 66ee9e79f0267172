//! Backticks in a text, as Markdown reads them.

use crate::span::slice;

pub enum Part<'a> {
    Text(&'a str),
    Code { inner: &'a str, whole: &'a str },
    Unpaired(&'a str),
}

pub fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = text;
    // A run of backticks that does not occur again is looked for once, so that the cost stays linear.
    let mut unpaired = Vec::new();
    while let Some(start) = rest.find('`') {
        let (before, code) = rest.split_at(start);
        parts.push(Part::Text(before));
        let ticks = count_at_start(code);
        let (opening, inner) = code.split_at(ticks);
        let length = if unpaired.contains(&ticks) { None } else { find_run(inner, ticks) };
        let end = match length {
            Some(length) => {
                let end = ticks + length + ticks;
                parts.push(Part::Code { inner: slice(inner, ..length), whole: slice(code, ..end) });
                end
            }
            None => {
                unpaired.push(ticks);
                parts.push(Part::Unpaired(opening));
                ticks
            }
        };
        rest = slice(code, end..);
    }
    parts.push(Part::Text(rest));
    parts
}

/// The backticks around a text so that none in it ends its code span.
pub fn around(text: &str) -> String {
    "`".repeat(longest_run(text) + 1)
}

/// The fence of a code block with these lines, none of which ends it.
pub fn fence(lines: &str) -> String {
    "`".repeat(longest_run(lines).max(2) + 1)
}

fn longest_run(text: &str) -> usize {
    text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default()
}

fn count_at_start(text: &str) -> usize {
    text.len() - text.trim_start_matches('`').len()
}

/// Where the next run of exactly `ticks` backticks begins.
fn find_run(text: &str, ticks: usize) -> Option<usize> {
    let mut start = 0;
    // Each piece is some backticks and at most one other character after them.
    for piece in text.split_inclusive(|letter| letter != '`') {
        if count_at_start(piece) == ticks {
            return Some(start);
        }
        start += piece.len();
    }
    None
}
