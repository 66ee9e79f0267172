//! A line of a table of contents.

use std::ops::Range;

/// A heading that is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// 1 to 5.
    pub level: usize,
    /// Its line of the table of contents, without the newline.
    pub line: String,
    /// Bytes of the heading's line, or of both of them.
    pub heading: Range<usize>,
}
