//! The headings of a text as `mdtoc` finds them. Its parser, gomarkdown with the title blocks of mmark, is not
//! CommonMark. This is a scan over lines that splits the text into blocks as gomarkdown does, and ignores what is in
//! them.
//!
//! A block quote or list item is scanned like a separate text: its lines without the markers.

use super::line::{Heading, Line, fence_marks, is_escaped, without_indent};
use super::link_text::DEPTH;
use crate::span::tail;
use std::collections::BTreeMap;

/// Tags that open an HTML block, which ends with the first closing tag that is followed by a blank line.
const BLOCK_TAGS: &str = "address article aside blockquote canvas dd details dialog div dl dt fieldset figcaption figure footer form h1 \
    h2 h3 h4 h5 h6 header hgroup iframe li main math nav noscript ol output p pre progress script section style \
    table ul video";

const COMMENT_END: &str = "-->";

#[derive(Debug, Default)]
pub(super) struct Outline<'a> {
    pub headings: Vec<Heading<'a>>,
    /// The destinations of links by name. The last definition of a name counts.
    pub definitions: BTreeMap<String, &'a str>,
}

impl<'a> Outline<'a> {
    /// Adds the headings of `lines`, which are nested in `depth` quotes and items.
    pub fn add(&mut self, lines: Vec<Line<'a>>, depth: usize) {
        // Most items of lists are one line of text.
        let is_text = lines.len() < 2 && lines.iter().all(|line| line.begins_with_letter());
        if depth == DEPTH || is_text {
            return;
        }
        let mut blocks = Blocks {
            closing_fences: closing_fences(&lines),
            lines,
            outline: self,
            depth,
            open_tags: Vec::new(),
            closing_comment: 0,
        };
        let mut at = 0;
        while let Some(line) = blocks.lines.get(at) {
            at = blocks.read(at, *line);
        }
    }
}

/// The lines of a text, a quote or an item. The first line begins a block.
struct Blocks<'o, 'a> {
    lines: Vec<Line<'a>>,
    outline: &'o mut Outline<'a>,
    depth: usize,
    /// The lines that can close a fence, by the mark and its count.
    closing_fences: BTreeMap<(u8, usize), Vec<usize>>,
    open_tags: Vec<&'a str>,
    /// The last line that was found to have the end of a comment; no line has one after [`usize::MAX`].
    closing_comment: usize,
}

impl<'a> Blocks<'_, 'a> {
    /// Reads the block that begins with `line`, which has the number `at`. Returns the number of the line after it, or of its
    /// last line if only a part of that line belongs to it.
    fn read(&mut self, at: usize, line: Line<'a>) -> usize {
        if line.is_blank() {
            return at + 1;
        }
        // Most blocks are such paragraphs.
        if line.begins_with_letter() && !begins_table(&self.lines, at) {
            return self.paragraph(at);
        }
        // This looks like a thematic break, but for mmark it is a title block up to the next three marks anywhere.
        for marks in ["---", "%%%"] {
            if let Some(next) = self.cut_after(at, line, marks) {
                return next;
            }
        }
        if let Some((heading, rest)) = line.heading() {
            self.outline.headings.extend(Some(heading).filter(|heading| !heading.content.is_empty()));
            return self.cut(at, rest);
        }
        if let Some(next) = self.html_end(at, line) {
            return next;
        }
        if let Some(next) = self.fence_end(at, line) {
            return next;
        }
        if line.is_rule() {
            return at + 1;
        }
        if line.is_indented() {
            let code = tail(&self.lines, at).iter().take_while(|next| next.is_indented() || next.is_blank());
            return at + code.count();
        }
        if line.quoted().is_some() {
            return self.quote(at);
        }
        if begins_table(&self.lines, at) {
            return at + 2 + tail(&self.lines, at + 2).iter().take_while(|row| row.text.contains('|')).count();
        }
        if let Some(list) = list(&self.lines, at) {
            for text in list.texts {
                self.outline.add(text, self.depth + 1);
            }
            return list.end;
        }
        self.cut_after(at, line, "$$").unwrap_or_else(|| self.paragraph(at))
    }

    /// Replaces line `at` by the `rest` of it.
    fn cut(&mut self, at: usize, rest: Line<'a>) -> usize {
        if let Some(line) = self.lines.get_mut(at) {
            *line = rest;
        }
        at
    }

    /// If `line`, which has the number `at`, begins with `marks`, removes everything up to the next `marks`.
    fn cut_after(&mut self, at: usize, line: Line<'a>, marks: &str) -> Option<usize> {
        let first = line.text.strip_prefix(marks)?;
        if marks == "$$" && first.starts_with('$') {
            return None;
        }
        if let Some(found) = first.find(marks) {
            return Some(self.cut(at, line.from(found + 2 * marks.len())));
        }
        for (number, below) in self.lines.iter().enumerate().skip(at + 1) {
            if let Some(found) = below.text.find(marks) {
                return Some(self.cut(number, below.from(found + marks.len())));
            }
        }
        None
    }

    /// Reads a block quote. It ends with a blank line that is followed by a line without `>`. After a fence anywhere in
    /// a line, all lines up to the closing fence belong to it, quoted or not.
    fn quote(&mut self, start: usize) -> usize {
        let mut quoted = Vec::new();
        let mut at = start;
        while let Some(line) = self.lines.get(at) {
            let after = self.fence_within(at, *line).unwrap_or(at + 1);
            let next_is_other = || self.lines.get(after).is_none_or(|next| next.quoted().is_none() && !next.is_blank());
            if line.is_blank() && next_is_other() {
                at += 1;
                break;
            }
            quoted.push(line.quoted().unwrap_or(*line));
            quoted.extend_from_slice(self.lines.get(at + 1..after).unwrap_or_default());
            at = after;
        }
        self.outline.add(quoted, self.depth + 1);
        at
    }

    /// Reads a paragraph. Lists, comments and indented code do not end it, only what is checked here.
    fn paragraph(&mut self, start: usize) -> usize {
        let mut above: Option<Line<'_>> = None;
        for (at, line) in self.lines.iter().copied().enumerate().skip(start) {
            if line.begins_with_letter() && !begins_table(&self.lines, at) {
                above = Some(line);
                continue;
            }
            if let Some((name, destination)) = line.definition() {
                self.outline.definitions.insert(name, destination);
                return at + 1;
            }
            if line.is_blank() {
                return at + 1;
            }
            if let Some(above) = above {
                if let Some(level) = line.underline() {
                    let span = above.at..line.at + line.content().trim_end().len();
                    let content = above.content().trim_matches(' ');
                    self.outline.headings.push(Heading { level, content, span });
                    return at + 1;
                }
                let is_over = line.heading().is_some()
                    || line.is_rule()
                    || line.quoted().is_some()
                    || self.fence_end(at, line).is_some()
                    || begins_table(&self.lines, at);
                if is_over {
                    return at;
                }
            }
            above = Some(line);
        }
        self.lines.len()
    }

    /// The line after the code block whose fence is `line`. A line that is not closed by exactly the same marks is not a
    /// fence.
    fn fence_end(&self, at: usize, line: Line<'_>) -> Option<usize> {
        let marks = line.fence()?;
        self.closing_fence(at, *marks.as_bytes().first()?, marks.len())
    }

    /// [`Self::fence_end`] for a fence anywhere in the line.
    fn fence_within(&self, at: usize, line: Line<'_>) -> Option<usize> {
        let mut fences = line.fences_within().into_iter();
        fences.find_map(|(mark, most)| (3..=most).rev().find_map(|count| self.closing_fence(at, mark, count)))
    }

    /// The line after the next one that consists of exactly `count` times `mark`.
    fn closing_fence(&self, at: usize, mark: u8, count: usize) -> Option<usize> {
        let closing = self.closing_fences.get(&(mark, count))?;
        closing.get(closing.partition_point(|line| *line <= at)).map(|line| line + 1)
    }

    /// The line after an HTML block, or after a comment with nothing after it on its last line.
    fn html_end(&mut self, at: usize, line: Line<'a>) -> Option<usize> {
        let text = line.text.strip_prefix('<')?;
        if text.starts_with("!--") {
            return self.comment_end(at, line);
        }
        let name = block_tag(text).filter(|name| !self.open_tags.contains(name))?;
        let closing = format!("</{name}>");
        for (number, last) in self.lines.iter().enumerate().skip(at) {
            let trimmed = last.text.trim_end();
            // As after a comment, something must follow the tag.
            let is_closed = trimmed.ends_with(&closing) && trimmed.len() < last.text.len();
            if is_closed && self.lines.get(number + 1).is_none_or(|next| next.is_blank()) {
                return Some((number + 2).min(self.lines.len()));
            }
        }
        self.open_tags.push(name);
        None
    }

    fn comment_end(&mut self, at: usize, line: Line<'_>) -> Option<usize> {
        let opening = line.from("<!-".len());
        if opening.text.contains(COMMENT_END) {
            return ends_with_comment(opening).then_some(at + 1);
        }
        if self.closing_comment <= at {
            let closing = tail(&self.lines, at + 1).iter().position(|last| last.text.contains(COMMENT_END));
            self.closing_comment = closing.map_or(usize::MAX, |found| at + 1 + found);
        }
        let last = self.lines.get(self.closing_comment)?;
        ends_with_comment(*last).then_some(self.closing_comment + 1)
    }
}

fn closing_fences(lines: &[Line<'_>]) -> BTreeMap<(u8, usize), Vec<usize>> {
    let mut fences: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (number, line) in lines.iter().enumerate() {
        if matches!(line.first(), b'`' | b'~')
            && let Some((marks, rest)) = fence_marks(line.content())
            && let Some(mark) = marks.bytes().next()
            && rest.trim_matches(' ').is_empty()
        {
            fences.entry((mark, marks.len())).or_default().push(number);
        }
    }
    fences
}

/// The name of the tag that opens an HTML block, if `text` begins with one, without its bracket.
fn block_tag(text: &str) -> Option<&str> {
    let name = text.split(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or_default();
    BLOCK_TAGS.split(' ').any(|tag| tag == name).then_some(name)
}

/// Whether only blanks and a newline follow the first `-->` in `line`. For mdtoc, a comment at the very end of a text is
/// none.
fn ends_with_comment(line: Line<'_>) -> bool {
    line.text.split_once(COMMENT_END).is_some_and(|(_, rest)| !rest.is_empty() && rest.trim().is_empty())
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

/// How many lines most items have at most.
const USUAL_LINES: usize = 8;

#[derive(Clone, Copy)]
struct Marker {
    is_number: bool,
    /// Bytes up to the end of the marker, with one space.
    width: usize,
}

/// The lines of a list that are read as separate texts, and the number of the line after it.
struct List<'a> {
    texts: Vec<Vec<Line<'a>>>,
    end: usize,
    is_numbered: bool,
    /// Whether an item had a blank line or a heading in it. That item and all after it consist of blocks; those before
    /// it consist of text, in which no line is a heading.
    has_blocks: bool,
    is_over: bool,
}

/// The list that begins with line `at`, if one does.
fn list<'a>(lines: &[Line<'a>], at: usize) -> Option<List<'a>> {
    let is_numbered = marker(*lines.get(at)?)?.is_number;
    let mut list = List { texts: Vec::new(), end: at, is_numbered, has_blocks: false, is_over: false };
    while !list.is_over
        && let Some(first) = lines.get(list.end)
        && let Some(marker) = marker(*first)
    {
        list.item(lines, *first, marker.width);
    }
    Some(list)
}

impl<'a> List<'a> {
    /// Adds the item that begins with the line `first`, of which the marker has this width.
    fn item(&mut self, lines: &[Line<'a>], first: Line<'a>, width: usize) {
        let indent = first.text.len() - without_indent(first.text).len();
        let mut item = Vec::with_capacity(USUAL_LINES);
        item.push(first.from(width).without_spaces());
        // How many lines of the item come before a nested list, and the last of blank lines.
        let (mut before_list, mut blank) = (None, None);
        self.end += 1;
        while let Some(line) = lines.get(self.end) {
            if line.is_blank() {
                blank = Some(*line);
                self.end += 1;
                continue;
            }
            let (depth, mut inner) = unindented(*line);
            let nested = marker(inner).filter(|marker| marker.is_number || !inner.is_rule());
            if depth == 0 && inner.fence().is_some() {
                self.is_over = true;
                break;
            }
            if let Some(nested) = nested {
                if depth <= indent {
                    self.is_over = nested.is_number != self.is_numbered;
                    self.has_blocks |= !self.is_over && blank.is_some();
                    break;
                }
                if depth == 4 && line.text.starts_with(' ') {
                    // The marker keeps one space, so that lists nested in it are deeper.
                    let spaces = inner.text.len() - without_indent(inner.text).len();
                    inner = line.from(3 - spaces);
                }
                before_list.get_or_insert(item.len());
            } else if blank.is_some() && depth < 4 {
                self.is_over = true;
                break;
            }
            self.has_blocks |= blank.is_some() || (nested.is_none() && inner.heading().is_some());
            item.extend(blank.take());
            item.push(inner);
            self.end += 1;
        }
        let nested = item.split_off(before_list.unwrap_or(item.len()));
        if self.has_blocks {
            self.texts.push(item);
        }
        if !nested.is_empty() {
            self.texts.push(nested);
        }
    }
}

fn marker(line: Line<'_>) -> Option<Marker> {
    let text = without_indent(line.text);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let is_number = digits > 0;
    let marks = if is_number { ".)" } else { "*+-" };
    let [mark, b' ' | b'\t', ..] = text.as_bytes().get(digits..)? else { return None };
    let width = line.text.len() - text.len() + digits + 2;
    marks.as_bytes().contains(mark).then_some(Marker { is_number, width })
}

/// The line without up to four spaces or one tab, and the width of what was removed.
fn unindented(line: Line<'_>) -> (usize, Line<'_>) {
    if line.text.starts_with('\t') {
        return (4, line.from(1));
    }
    let spaces = line.text.bytes().take_while(|byte| *byte == b' ').take(4).count();
    (spaces, line.from(spaces))
}
