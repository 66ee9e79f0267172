//! An entry of a table of contents.

use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TocEntry {
    pub level: usize,
    /// Its line in the table of contents, without the newline.
    pub line: String,
    /// Bytes of the heading's line; for an underlined heading, of both lines.
    pub heading: Range<usize>,
}
