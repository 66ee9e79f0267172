//! Positions in a text: byte ranges, and their lines and columns. Every other module uses them to point into a file.

#![warn(missing_docs)]

use crate::bounds;
use crate::search;
use std::collections::BTreeMap;
use std::slice::SliceIndex;

/// Which of a KEP's files a span is in: an index into [`crate::kep::texts::Texts::files`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

impl FileId {
    /// The id of the file at `index`. A KEP has far fewer files than `u32` has values.
    pub fn at(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// The index of the file.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A range of bytes in one file; `start..end`, on character boundaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file that the bytes are in.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: usize,
    /// Offset after the last byte.
    pub end: usize,
}

impl Span {
    /// The bytes `range` of `file`.
    pub fn new(file: FileId, range: std::ops::Range<usize>) -> Self {
        Self { file, start: range.start, end: range.end }
    }

    /// The bytes as a range, to slice the file's text with.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start..self.end
    }
}

/// The part `range` of `text`. All code slices texts with this function: for a range that is out of bounds or cuts a
/// character it returns an empty string, where indexing would panic.
pub fn slice<R: SliceIndex<str, Output = str> + Clone + std::fmt::Debug>(text: &str, range: R) -> &str {
    let part = text.get(range.clone());
    debug_assert!(part.is_some(), "{range:?} is not a valid range of a text of {} bytes", text.len());
    part.unwrap_or_default()
}

/// The items that have the same key together, in the order of the first ones.
pub(crate) fn grouped<K: Clone + Ord, T>(items: impl Iterator<Item = (K, T)>) -> Vec<(K, Vec<T>)> {
    let mut groups: Vec<(K, Vec<T>)> = Vec::new();
    let mut seen: BTreeMap<K, usize> = BTreeMap::new();
    for (key, item) in items {
        let at = *seen.entry(key.clone()).or_insert(groups.len());
        match groups.get_mut(at) {
            Some((_, group)) => group.push(item),
            None => groups.push((key, vec![item])),
        }
    }
    groups
}

/// The items of `list` from `start` on; empty if `start` is out of bounds.
pub fn tail<T>(list: &[T], start: usize) -> &[T] {
    list.get(start..).unwrap_or_default()
}

/// The item, if there is no other.
pub fn only_one<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let only = items.next()?;
    if items.next().is_some() { None } else { Some(only) }
}

/// The last of some items in order that starts at or before `offset`.
pub fn last_until<T>(items: &[T], offset: usize, start: impl Fn(&T) -> usize) -> Option<&T> {
    items.get(items.partition_point(|item| start(item) <= offset).checked_sub(1)?)
}

/// A line and a column as people and editors count them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// 1-based line.
    pub line: usize,
    /// 1-based column, in characters.
    pub column: usize,
}

/// Whether `letter` is not visible, so that it is in an address by accident: a zero-width or no-break space.
pub fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{a0}' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2800}' | '\u{3164}' | '\u{feff}')
}

/// Whether it is white space or nothing for a reader, and a letter for Markdown and YAML.
pub fn is_odd_space(letter: char) -> bool {
    !letter.is_ascii() && (letter.is_whitespace() || is_invisible(letter))
}

/// What looks like the dash of a list.
pub const DASHES: [char; 4] = ['–', '—', '−', '•'];

/// What ends a line: `\n`, `\r\n`, and `\r` alone, as in CommonMark and YAML.
pub const LINE_ENDS: [char; 2] = ['\n', '\r'];

/// The first line of `text`, without its end.
pub fn first_line(text: &str) -> &str {
    search::either(text, b'\n', b'\r').next().map_or(text, |end| slice(text, ..end))
}

/// The line of byte `offset`, without its end.
pub fn line_at(text: &str, offset: usize) -> std::ops::Range<usize> {
    let (before, after) = (slice(text, ..offset), slice(text, offset..));
    last_line_start(before)..offset + first_line(after).len()
}

/// Offset of the first byte of the last line of `text`.
pub fn last_line_start(text: &str) -> usize {
    search::either(text, b'\n', b'\r').next_back().map_or(0, |end| end + 1)
}

/// What ends the lines of what is inserted at byte `offset`: `\n` or `\r\n` as the line before, or else the next one; `\r`
/// in a text whose lines end only with that.
pub fn line_end(text: &str, offset: usize) -> &'static str {
    let next = || slice(text, offset..).find('\n').map(|end| offset + end);
    match slice(text, ..offset).rfind('\n').or_else(next) {
        Some(end) if slice(text, ..end).ends_with('\r') => "\r\n",
        None if text.contains('\r') => "\r",
        Some(_) | None => "\n",
    }
}

/// How many lines end in `text`.
pub fn count_line_ends(text: &str) -> usize {
    text.matches(LINE_ENDS).count() - text.matches("\r\n").count()
}

/// `text` without the line end that it begins with; `None` if it begins with none.
pub fn strip_line_end(text: &str) -> Option<&str> {
    text.strip_prefix("\r\n").or_else(|| text.strip_prefix(LINE_ENDS))
}

/// The line around byte `offset`, without its end; of a long line only what is near.
pub fn line_around(text: &str, offset: usize) -> &str {
    let (before, after) = near(text, offset);
    let start = offset - before.len() + last_line_start(before);
    slice(text, start..offset + first_line(after).len())
}

/// The rest of the line from byte `offset` on, without its end; of a long line only what is near.
pub fn rest_of_line(text: &str, offset: usize) -> &str {
    first_line(near(text, offset).1)
}

/// The last line before byte `offset` that is not blank, without white space around it; of a long line only what is near.
pub fn text_before(text: &str, offset: usize) -> &str {
    let before = near(text, offset).0.trim_end();
    slice(before, last_line_start(before)..).trim_start()
}

/// The first line from byte `offset` on that is not blank, without white space around it; of a long line only what is
/// near.
pub fn text_after(text: &str, offset: usize) -> &str {
    first_line(near(text, offset).1.trim_start()).trim_end()
}

/// Where a line ends that is far enough after byte `offset` for everything that is [`near`] to be before it; `None` if the
/// text ends before that.
pub(crate) fn end_of_near(text: &str, offset: usize) -> Option<usize> {
    const LINES: usize = 4;
    let near = text.ceil_char_boundary(offset.saturating_add(bounds::LINE_BYTES));
    let ends = search::bytes(text.get(near..)?, b'\n').nth(LINES)?;
    Some(near + ends + 1)
}

/// What is near byte `offset`, before and after it.
fn near(text: &str, offset: usize) -> (&str, &str) {
    let start = text.floor_char_boundary(offset.saturating_sub(bounds::LINE_BYTES));
    let end = text.floor_char_boundary(offset.saturating_add(bounds::LINE_BYTES));
    (slice(text, start..offset), slice(text, offset..end))
}

/// The line starts of a text, so that a position takes a binary search instead of a scan of the whole text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    /// Finds the lines of `text`, which end with `\n`, `\r\n` or `\r`.
    pub fn new(text: &str) -> Self {
        let mut starts = Vec::with_capacity(text.len() / 32 + 1);
        starts.push(0);
        starts.extend(search::bytes(text, b'\n').map(|end| end + 1));
        let is_alone = |at: &usize| text.as_bytes().get(at + 1) != Some(&b'\n');
        starts.extend(search::bytes(text, b'\r').filter(is_alone).map(|at| at + 1));
        starts.sort_unstable();
        Self { starts }
    }

    /// The index of the text up to byte `end`.
    pub fn until(&self, end: usize) -> Self {
        Self { starts: self.starts.iter().copied().take(self.line_of(end) + 1).collect() }
    }

    /// The number of lines; after a final newline there is one more, empty line.
    pub fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// Where its lines begin.
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// The 0-based line that holds byte `offset`.
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// The bytes of the 0-based `line` with its newline; empty if there is no such line.
    pub fn line_range(&self, line: usize, text: &str) -> std::ops::Range<usize> {
        let start_of = |at: usize| self.starts.get(at).copied().unwrap_or(text.len());
        start_of(line)..start_of(line + 1)
    }

    /// Line and column of byte `offset` in `text`; an offset after the end counts as the end.
    pub fn position(&self, offset: usize, text: &str) -> Position {
        let offset = offset.min(text.len());
        let line = self.line_of(offset);
        let start = self.starts.get(line).copied().unwrap_or(0);
        let before = text.get(start..offset).unwrap_or_default();
        Position { line: line + 1, column: before.chars().count() + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_count_from_one() {
        let text = "é – x\r\nzwei\n";
        let index = LineIndex::new(text);
        assert_eq!(index.position(text.find('x').expect("there"), text), Position { line: 1, column: 5 });
        assert_eq!(index.position(text.find('z').expect("there"), text), Position { line: 2, column: 1 });
        assert_eq!(index.position(text.len() + 9, text), Position { line: 3, column: 1 });
        assert_eq!(index.line_range(1, text), 10..15);
        assert_eq!(index.line_count(), 3);
    }

    #[test]
    fn the_lines_near_an_offset_are_found() {
        let text = "one\n\n two: x \r\n\n three";
        let at = text.find('x').expect("there");
        assert_eq!(line_around(text, at), " two: x ");
        assert_eq!((text_before(text, at), text_after(text, at)), ("two:", "x"));
        let two = text.find(" two").expect("there");
        assert_eq!((text_before(text, two), text_after(text, two + 9)), ("one", "three"));
        assert_eq!((text_before(text, 0), text_after(text, text.len())), ("", ""));
        assert_eq!(line_around(&"é".repeat(9_000), 9_000).len(), 2 * bounds::LINE_BYTES);
    }

    #[test]
    fn lines_begin_after_line_feeds() {
        let texts = [
            "",
            "\n",
            "a",
            "a\n\nb\r\n c",
            "é\n\n\n\n\n\n\n\u{8a}\n\u{b}\n\u{10a}",
            "12345678\n12345\n1\n",
            "\t\n\u{b}\n\n",
        ];
        for text in texts {
            let ends = text.match_indices('\n').map(|(at, _)| at + 1);
            let starts = std::iter::once(0).chain(ends).collect::<Vec<_>>();
            assert_eq!(LineIndex::new(text).starts(), starts, "{text:?}");
        }
    }

    #[test]
    fn a_carriage_return_alone_ends_a_line() {
        let text = "a\rb\r\nc\n\rd\r";
        let index = LineIndex::new(text);
        let lines: Vec<&str> = (0..index.line_count()).map(|line| &text[index.line_range(line, text)]).collect();
        assert_eq!(lines, ["a\r", "b\r\n", "c\n", "\r", "d\r", ""]);
        assert_eq!(index.position(text.find('d').expect("there"), text), Position { line: 5, column: 1 });
        assert_eq!((first_line(text), last_line_start("a\rb"), last_line_start("b")), ("a", 2, 0));
    }

    #[test]
    fn what_is_inserted_ends_as_the_lines_around_it() {
        let ends = |text: &str| [0, text.len() / 2, text.len()].map(|at| line_end(text, at));
        assert_eq!(ends("").to_vec(), ["\n"; 3]);
        assert_eq!(ends("one line"), ["\n"; 3]);
        for end in ["\n", "\r\n", "\r"] {
            assert_eq!(ends(&format!("a{end}b{end}{end}c")), [end; 3]);
            assert_eq!(count_line_ends(&format!("a{end}b{end}{end}c")), 3);
            assert_eq!(strip_line_end(&format!("{end}a")), Some("a"));
        }
        assert_eq!(strip_line_end("a\n"), None);
        let mixed = "a\r\nb\nc";
        assert_eq!([0, 1, 3, 4, 5, 6].map(|at| line_end(mixed, at)), ["\r\n", "\r\n", "\r\n", "\r\n", "\n", "\n"]);
        assert_eq!(line_end("a\rb\nc\rd", 7), "\n", "git and mdtoc do not know the others");
    }
}
