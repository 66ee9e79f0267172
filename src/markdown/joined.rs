//! Lines that were meant to be apart, and that Markdown joins into one paragraph: dates, the fields of a form, and the rows
//! of a table.

use super::Document;
use super::checkbox::TaskBox;
use super::form::{self, FormItem};
use super::table::{Table, columns, has_text_from};
use crate::span::{LINE_ENDS, count_line_ends, slice};
use std::ops::Range;

/// The lines in `range` that begin with a date or a release, of those paragraphs that have several of them.
pub fn dates(document: &Document, range: Range<usize>) -> Vec<Range<usize>> {
    let text = document.text();
    let mut joined: Vec<Range<usize>> = Vec::new();
    // The last dated line of the paragraph, and where the paragraph ends so far.
    let (mut last, mut end): (Option<Range<usize>>, usize) = (None, range.start);
    for line in document.visible_spans(range) {
        let source = slice(text, line.clone());
        let begins_block = source.starts_with(['-', '*', '+', '>', '<', '|']) && !source.starts_with("**");
        let is_text = !begins_block && !document.is_in_block(&line);
        if !is_text || ends_line(text, end) || !is_next(slice(text, end..line.start)) {
            last = None;
        }
        end = line.end;
        let is_dated = is_text && !source.contains('|') && (begins_with_date(source) || begins_with_release(source));
        if is_dated && let Some(first) = last.replace(line.clone()) {
            joined.extend((joined.last() != Some(&first)).then_some(first));
            joined.push(line);
        }
    }
    joined
}

/// Markup that may be around a date.
const MARKUP: [char; 6] = ['*', '_', '`', '(', '[', ']'];

/// Whether a line begins with `2026-05-02`, `2026-05`, `2026/5/2` or `May 2`.
fn begins_with_date(line: &str) -> bool {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let line = line.trim_start_matches(MARKUP);
    let is_month = MONTHS.iter().any(|month| line.starts_with(month));
    if is_month {
        let day = line.trim_start_matches(char::is_alphabetic).trim_start_matches('.').strip_prefix(' ');
        return day.is_some_and(|day| day.trim_start().starts_with(|first: char| first.is_ascii_digit()));
    }
    let (year, rest) = digits(line);
    let month = rest.strip_prefix(['-', '/', '.']).map(|rest| digits(rest).0.len());
    year.len() == 4 && matches!(month, Some(1 | 2))
}

/// Whether a line begins with `v1.36:`, `1.36 - ` or `v1.36 (`.
fn begins_with_release(line: &str) -> bool {
    let line = line.trim_start_matches(MARKUP);
    let (major, rest) = digits(line.strip_prefix('v').unwrap_or(line));
    let (minor, rest) = digits(rest.strip_prefix('.').unwrap_or_default());
    let rest = rest.strip_prefix('.').map_or(rest, |patch| digits(patch).1);
    let rest = rest.trim_start_matches(['*', '_', '`', ')', ']']).trim_start();
    let is_apart = rest.starts_with([':', '(', '–', '—']) || rest.starts_with("- ");
    major.len() == 1 && !minor.is_empty() && is_apart
}

/// The digits that `text` begins with, and what is after them.
fn digits(text: &str) -> (&str, &str) {
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    (slice(text, ..text.len() - rest.len()), rest)
}

/// The lines in `range` that are meant as items below a checkbox, and are indented so deep that they are a part of its text
/// or code.
pub fn items(document: &Document, range: Range<usize>) -> Vec<Range<usize>> {
    /// What makes a line code, or the text of the item above, below the text of an item that begins with `- `.
    const TOO_DEEP: usize = "- ".len() + 4;
    let text = document.text();
    let mut joined = Vec::new();
    let goes_deep = |task: &TaskBox| {
        let below = slice(text, task.span.end..).split_once('\n').map(|(_, below)| below.trim_start_matches(LINE_ENDS));
        below.is_some_and(|below| below.starts_with("      "))
    };
    if !document.boxes.iter().any(goes_deep) {
        return joined;
    }
    for FormItem { line: box_line, below, .. } in document.form_items(range) {
        let depth = form::indent(text, &box_line);
        let is_item = |line: &Range<usize>| {
            let body = slice(text, line.clone()).strip_prefix(['-', '*', '+']);
            body.is_some_and(|body| body.starts_with(' '))
        };
        let too_deep = below.iter().take_while(|(field, around)| *around >= depth + TOO_DEEP && is_item(field));
        let starts_below = |field: &Range<usize>| {
            is_next(slice(text, box_line.end..field.start)) || document.code_around(field.start).is_some()
        };
        if below.first().is_some_and(|(first, _)| starts_below(first)) {
            joined.extend(too_deep.map(|(field, _)| field.clone()));
        }
    }
    joined
}

/// The lines of dashes and bars that are text, because the line above has another number of columns.
pub fn tables(document: &Document) -> Vec<Range<usize>> {
    let text = document.text();
    let mut lines = Vec::new();
    let mut before = 0..0;
    for line in document.visible_lines.within(0..text.len()) {
        let above = std::mem::replace(&mut before, line.clone());
        if !matches!(text.as_bytes().get(line.start), Some(b'|' | b'-' | b':')) {
            continue;
        }
        let row = slice(text, line.clone());
        let header = slice(text, above.clone());
        let is_header = || header.contains('|') && is_next(slice(text, above.end..line.start));
        if is_delimiter(row) && is_header() && columns(header) != columns(row) && !document.is_hidden(line.start) {
            lines.push(line);
        }
    }
    lines
}

/// A row of a table that has more cells than the header: pages do not show the last ones.
pub struct WideRow {
    pub line: Range<usize>,
    pub of_header: usize,
    pub cells: usize,
}

/// The rows with text in a cell that pages do not show.
pub fn wide_rows(document: &Document) -> Vec<WideRow> {
    const HEADER_AND_DASHES: usize = 2;
    let mut rows = Vec::new();
    for Table { span, columns: of_header } in &document.tables {
        let mut end = span.start;
        for (number, line) in document.slice(span.clone()).split_inclusive('\n').enumerate() {
            let row = line.trim_start_matches([' ', '\t', '>']);
            let first = end + line.len() - row.len();
            end += line.len();
            let row = row.trim_end();
            let cells = columns(row);
            if number >= HEADER_AND_DASHES && cells > *of_header && has_text_from(row, *of_header) {
                rows.push(WideRow { line: first..first + row.len(), of_header: *of_header, cells });
            }
        }
    }
    rows
}

/// Whether a row is the one below the header.
fn is_delimiter(row: &str) -> bool {
    let has_only_marks = row.bytes().all(|mark| matches!(mark, b'|' | b'-' | b':' | b' ' | b'\t'));
    has_only_marks && row.contains('|') && (row.contains("--") || row.starts_with('|') && row.contains('-'))
}

/// Whether nothing but one line end is between two lines.
fn is_next(between: &str) -> bool {
    between.trim().is_empty() && count_line_ends(between) == 1
}

/// Whether the line that ends at `end` ends on the page, too.
fn ends_line(text: &str, end: usize) -> bool {
    let before = slice(text, ..end);
    let breaks = ["\\", "<br>", "<br/>", "<br />"];
    slice(text, end..).starts_with("  ") || breaks.iter().any(|sign| before.ends_with(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<&str> {
        let document = Document::of_text(text);
        dates(&document, 0..text.len()).into_iter().map(|line| &text[line]).collect()
    }

    #[test]
    fn all_kinds_of_dates_are_read() {
        let dates = ["2024-01-02: a", "2024/1/2 a", "2024.01 a", "May 2, 2024: a", "Sept. 2 2024 a", "**2024-01**: a"];
        let releases = ["v1.30: a", "1.30 - a", "v1.30.1 (alpha)", "`1.30`: a"];
        for date in dates.into_iter().chain(releases) {
            assert_eq!(lines(&format!("2024-01-01: b\n{date}\n")), ["2024-01-01: b", date]);
        }
        for other in ["1.30 and later", "1999 a", "May I", "12-10 a"] {
            assert_eq!(lines(&format!("2024-01-01: b\n{other}\n")), Vec::<&str>::new());
        }
    }

    #[test]
    fn items_are_found_that_are_indented_too_deep() {
        let text = "- [x] a\n      - b\n      - c\n- [x] d\n    - e\n- [x] f\n\n      - g\n  - [x] h\n      - i\n";
        let document = Document::of_text(text);
        let found: Vec<&str> = items(&document, 0..text.len()).into_iter().map(|line| &text[line]).collect();
        assert_eq!(found, ["- b", "- c", "- g"]);
    }

    #[test]
    fn rows_of_a_table_that_is_none_are_found() {
        let text = "|a|b|\n|--|\n|c|d|\n\n|a|b|\n|--|--|\n|--|--|\n\n---\n\na | b\n\n| -- |\n\n```\n|a|b|\n|--|\n```\n";
        let document = Document::of_text(text);
        assert_eq!(tables(&document), vec![6..10]);
    }

    #[test]
    fn rows_with_more_cells_than_the_header_are_found() {
        let text =
            "|a|b|\n|-|-|\n|c|d|\n|e|f|g|\n|h|i||\n|j\\|k|l|\n|`m|n`|o\n\n|p|q|r|\n\n> a | b\n> - | -\n> s | t | u\n";
        let rows = wide_rows(&Document::of_text(text));
        let found: Vec<(&str, usize)> = rows.iter().map(|row| (&text[row.line.clone()], row.cells)).collect();
        assert_eq!(found, [("|e|f|g|", 3), ("|`m|n`|o", 3), ("s | t | u", 3)]);
    }

    #[test]
    fn lines_of_one_paragraph_are_joined() {
        assert_eq!(lines("2024-01: a\nb\n2024-02: c\n2024-03: d\n").len(), 3);
        assert_eq!(lines("2024-01: a\r\n2024-02: c\r\n").len(), 2);
        for apart in ["\n\n", "  \n", "\\\n", "<br>\n", "\n- ", "\n<!-- x -->\n\n", "\n---\n"] {
            assert_eq!(lines(&format!("2024-01: a{apart}2024-02: b\n")), Vec::<&str>::new(), "{apart:?}");
        }
    }
}
