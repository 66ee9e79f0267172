//! Places in a text: byte ranges, and their lines and columns. Apart from everything else because every other module points with it.

use std::slice::SliceIndex;

/// Which of a KEP's texts a span lies in: an index into [`crate::kep::Texts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

impl FileId {
    /// The id of the file at `index`. A KEP has far fewer files than there are ids.
    pub fn at(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// The index of the file.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A range of bytes in one file; `start..end`, on character boundaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file that the bytes are in.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: usize,
    /// Offset behind the last byte.
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

/// The part `range` of `text`. Every slice of a text is taken here: a range that is no part of it, because it ends behind
/// the text or cuts a character, gives nothing where the same slice by index would end the run.
pub fn slice<R: SliceIndex<str, Output = str> + Clone + std::fmt::Debug>(text: &str, range: R) -> &str {
    let part = text.get(range.clone());
    debug_assert!(part.is_some(), "{range:?} is no part of a text of {} bytes", text.len());
    part.unwrap_or_default()
}

/// The items of `list` from `start` on; none behind its end.
pub fn tail<T>(list: &[T], start: usize) -> &[T] {
    list.get(start..).unwrap_or_default()
}

/// A line and a column as people and editors count them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// 1-based line.
    pub line: usize,
    /// 1-based column, in characters.
    pub column: usize,
}

/// The line starts of a text, so that a position costs a binary search and not a scan of the whole text.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    /// Finds the lines of `text`; `\n` ends a line, and so does `\r\n`.
    pub fn new(text: &str) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        Self { starts: std::iter::once(0).chain(ends).collect() }
    }

    /// How many lines there are; a final newline begins an empty one.
    pub fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// The 0-based line that holds byte `offset`.
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// The bytes of the 0-based `line`, its newline included; empty behind the last line.
    pub fn line_range(&self, line: usize, text: &str) -> std::ops::Range<usize> {
        let start = self.starts.get(line).copied().unwrap_or(text.len());
        start..self.starts.get(line + 1).copied().unwrap_or(text.len())
    }

    /// Line and column of byte `offset` in `text`; an offset behind the end is the end.
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
}
