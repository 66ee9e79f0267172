//! The headings of a text as `mdtoc` finds them. Its parser, gomarkdown with the title blocks of mmark, is not
//! CommonMark. This is a scan over lines that splits the text into blocks as gomarkdown does, and ignores what is in
//! them.
//!
//! A block quote or list item is scanned like a separate text: its lines without the markers.

use super::line::{Heading, Line, fence_marks, is_escaped};
use super::list;
use crate::bounds;
use crate::span::{slice, tail};
use std::collections::HashMap;

/// Tags that open an HTML block, which ends with the first closing tag that is followed by a blank line.
const BLOCK_TAGS: &str = "address article aside blockquote canvas dd details dialog div dl dt fieldset figcaption figure footer form h1 \
    h2 h3 h4 h5 h6 header hgroup iframe li main math nav noscript ol output p pre progress script section style \
    table ul video";

pub(super) const COMMENT_END: &str = "-->";

#[derive(Debug, Default)]
pub(super) struct Outline<'a> {
    pub headings: Vec<Heading<'a>>,
    pub references: Vec<(String, &'a str)>,
    depth: usize,
    known: Known<'a>,
}

/// Results of earlier searches in the remaining lines, so that no search is repeated.
#[derive(Debug, Default)]
struct Known<'a> {
    open_tags: Vec<&'a str>,
    /// The lines that can close a fence, by the mark and its count.
    fences: Option<HashMap<(u8, usize), Vec<usize>>>,
    /// The next line that closes a comment, and whether nothing follows on that line.
    comment_end: Option<(usize, bool)>,
}

impl<'a> Outline<'a> {
    /// Scans lines; the first one begins a block.
    pub fn scan(&mut self, lines: &mut [Line<'a>]) {
        if self.depth == bounds::MDTOC_DEPTH {
            return;
        }
        self.depth += 1;
        let known = std::mem::take(&mut self.known);
        let mut at = 0;
        while at < lines.len() {
            at = self.block(lines, at);
        }
        self.known = known;
        self.depth -= 1;
    }

    /// Scans the block that begins with line `at`. Returns the index of the line after it, or of its last line if only
    /// a part of that line belongs to it.
    fn block(&mut self, lines: &mut [Line<'a>], at: usize) -> usize {
        let Some(line) = lines.get(at).copied() else { return at + 1 };
        // This looks like a thematic break, but for mmark it is a title block up to the next three marks anywhere.
        for marks in ["---", "%%%"] {
            if let Some(next) = cut_after(lines, at, marks) {
                return next;
            }
        }
        if let Some((heading, rest)) = line.heading() {
            self.add(heading);
            if let Some(first) = lines.get_mut(at) {
                *first = rest;
            }
            return at + usize::from(rest.is_blank());
        }
        if let Some(next) = self.html_end(lines, at) {
            return next;
        }
        if let Some(next) = self.fence_end(lines, at) {
            return next;
        }
        if line.is_blank() || line.is_rule() {
            return at + 1;
        }
        if line.is_indented() {
            let is_code = |next: &&Line<'_>| next.is_indented() || next.is_blank();
            return at + tail(lines, at).iter().take_while(is_code).count();
        }
        if line.quoted().is_some() {
            return self.quote(lines, at);
        }
        if begins_table(lines, at) {
            return at + 2 + tail(lines, at + 2).iter().take_while(|row| row.text.contains('|')).count();
        }
        if list::begins(line) {
            return list::read(self, lines, at);
        }
        if let Some(next) = cut_after(lines, at, "$$") {
            return next;
        }
        self.paragraph(lines, at)
    }

    fn add(&mut self, heading: Heading<'a>) {
        if !heading.content.is_empty() {
            self.headings.push(heading);
        }
    }

    /// Scans a block quote. It ends with a blank line that is followed by a line without `>`. After a fence anywhere in
    /// a line, all lines up to the closing fence belong to it, quoted or not.
    fn quote(&mut self, lines: &[Line<'a>], start: usize) -> usize {
        let mut quoted = Vec::new();
        let mut at = start;
        while let Some(line) = lines.get(at) {
            let after = self.fence_within(lines, at).unwrap_or(at + 1);
            let next_is_other = || lines.get(after).is_none_or(|next| next.quoted().is_none() && !next.is_blank());
            if line.is_blank() && next_is_other() {
                at += 1;
                break;
            }
            quoted.push(line.quoted().unwrap_or(*line));
            quoted.extend_from_slice(lines.get(at + 1..after).unwrap_or_default());
            at = after;
        }
        self.scan(&mut quoted);
        at
    }

    /// Scans a paragraph. Lists, comments and indented code do not end it, only what is checked here.
    fn paragraph(&mut self, lines: &mut [Line<'a>], start: usize) -> usize {
        let mut above = None;
        for (at, line) in lines.iter().copied().enumerate().skip(start) {
            if let Some(reference) = line.reference() {
                self.references.push(reference);
                return at + 1;
            }
            if line.is_blank() {
                return at + 1;
            }
            let Some(above) = above.replace(line) else { continue };
            if let Some(level) = line.underline() {
                let span = above.at..line.at + line.content().trim_end().len();
                self.add(Heading { level, content: above.content().trim_matches(' '), span });
                return at + 1;
            }
            let is_over = line.heading().is_some()
                || line.is_rule()
                || line.quoted().is_some()
                || self.fence_end(lines, at).is_some()
                || begins_table(lines, at);
            if is_over {
                return at;
            }
        }
        lines.len()
    }

    /// The line after the code block whose fence is line `at`. A line that is not closed by exactly the same marks is
    /// not a fence.
    fn fence_end(&mut self, lines: &[Line<'a>], at: usize) -> Option<usize> {
        let marks = lines.get(at)?.fence()?;
        self.closing_fence(lines, at, *marks.as_bytes().first()?, marks.len())
    }

    /// [`Self::fence_end`] for a fence anywhere in the line.
    fn fence_within(&mut self, lines: &[Line<'a>], at: usize) -> Option<usize> {
        let mut fences = lines.get(at)?.fences_within();
        fences.find_map(|(mark, most)| (3..=most).rev().find_map(|count| self.closing_fence(lines, at, mark, count)))
    }

    /// The line after the next one that consists of exactly `count` times `mark`.
    fn closing_fence(&mut self, lines: &[Line<'a>], at: usize, mark: u8, count: usize) -> Option<usize> {
        let closing = self.known.fences.get_or_insert_with(|| {
            let mut fences: HashMap<(u8, usize), Vec<usize>> = HashMap::new();
            let may_close = |(_, line): &(usize, &Line<'_>)| matches!(line.first(), b'`' | b'~');
            for (number, line) in lines.iter().enumerate().filter(may_close) {
                let Some((marks, rest)) = fence_marks(line.content()) else { continue };
                if let Some(first) = marks.bytes().next()
                    && rest.trim_matches(' ').is_empty()
                {
                    fences.entry((first, marks.len())).or_default().push(number);
                }
            }
            fences
        });
        let closing = closing.get(&(mark, count))?;
        closing.get(closing.partition_point(|line| *line <= at)).map(|line| line + 1)
    }

    /// The line after an HTML block, or after a comment with nothing after it on its last line.
    fn html_end(&mut self, lines: &[Line<'a>], at: usize) -> Option<usize> {
        let text = lines.get(at)?.text.strip_prefix('<')?;
        if text.starts_with("!--") {
            return self.comment_end(lines, at);
        }
        let name = block_tag(text).filter(|name| !self.known.open_tags.contains(name))?;
        let closing = format!("</{name}>");
        let is_blank = |number: usize| lines.get(number).is_none_or(|line| line.is_blank());
        // As after a comment, something must follow the tag.
        let is_closed = |line: &Line<'_>| {
            let trimmed = line.text.trim_end();
            trimmed.ends_with(&closing) && trimmed.len() < line.text.len()
        };
        let is_last = |last: &usize| lines.get(*last).is_some_and(is_closed) && is_blank(last + 1);
        let last = (at..lines.len()).find(is_last);
        if last.is_none() {
            self.known.open_tags.push(name);
        }
        Some((last? + 2).min(lines.len()))
    }

    fn comment_end(&mut self, lines: &[Line<'a>], at: usize) -> Option<usize> {
        let opening = lines.get(at)?.from("<!-".len());
        if opening.text.contains(COMMENT_END) {
            return ends_with_comment(opening).then_some(at + 1);
        }
        let known = self.known.comment_end.filter(|(last, _)| *last > at);
        let (last, is_end) = known.unwrap_or_else(|| {
            let left = tail(lines, at + 1);
            let found = left.iter().position(|line| line.text.contains(COMMENT_END));
            let is_end = found.and_then(|found| left.get(found)).is_some_and(|line| ends_with_comment(*line));
            (found.map_or(usize::MAX, |found| at + 1 + found), is_end)
        });
        self.known.comment_end = Some((last, is_end));
        is_end.then(|| last + 1)
    }
}

/// The name of the tag that opens an HTML block, if `text` begins with one, without its bracket.
pub(super) fn block_tag(text: &str) -> Option<&str> {
    let name = text.split(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or_default();
    BLOCK_TAGS.split(' ').any(|tag| tag == name).then_some(name)
}

/// Whether only blanks and a newline follow the first `-->` in `line`. For mdtoc, a comment at the very end of a text is
/// none.
pub(super) fn ends_with_comment(line: Line<'_>) -> bool {
    line.text.split_once(COMMENT_END).is_some_and(|(_, rest)| !rest.is_empty() && rest.trim().is_empty())
}

/// If line `at` begins with `marks`, removes everything up to the next `marks`. Returns the index of the line where the
/// scan continues.
fn cut_after(lines: &mut [Line<'_>], at: usize, marks: &str) -> Option<usize> {
    let line = *lines.get(at)?;
    if !line.text.starts_with(marks) || (marks == "$$" && slice(line.text, 2..).starts_with('$')) {
        return None;
    }
    for (index, other) in lines.iter_mut().enumerate().skip(at) {
        let start = if index == at { marks.len() } else { 0 };
        if let Some(found) = slice(other.text, start..).find(marks) {
            *other = other.from(start + found + marks.len());
            return Some(index);
        }
    }
    None
}

/// Whether a table begins with line `at`: a header, and a line of dashes with as many columns.
fn begins_table(lines: &[Line<'_>], at: usize) -> bool {
    let (Some(header), Some(dashes)) = (lines.get(at), lines.get(at + 1)) else { return false };
    if !matches!(dashes.first(), b'|' | b':' | b'-') {
        return false;
    }
    let header = header.content();
    let pipes = |row: &str| row.match_indices('|').filter(|(pipe, _)| !is_escaped(row, *pipe)).count();
    let mut columns = pipes(header) + 1;
    if columns == 1 {
        return false;
    }
    columns -= usize::from(header.starts_with('|'));
    columns -= usize::from(header.len() > 2 && header.ends_with('|') && !is_escaped(header, header.len() - 1));
    let dashes = dashes.content();
    let dashes = dashes.strip_prefix('|').unwrap_or(dashes).trim_matches(' ');
    let mut cells = dashes.strip_suffix('|').unwrap_or(dashes).split('|').map(|cell| cell.trim_matches(' '));
    let is_dashes = |cell: &str| {
        let inner = cell.strip_prefix(':').unwrap_or(cell);
        let inner = inner.strip_suffix(':').unwrap_or(inner);
        cell.len() >= 3 && inner.bytes().all(|byte| byte == b'-')
    };
    let count = cells.clone().count();
    count == columns && cells.all(is_dashes)
}
