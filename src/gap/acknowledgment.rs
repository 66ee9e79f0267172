//! The line of a test plan in which its authors promise to add tests before the code: "I/we understand the owners …".

use super::content::has_checked_box;
use crate::markdown::Document;
use crate::span::slice;
use crate::stage::Release;
use std::ops::Range;

/// The first release whose template has the line.
pub const SINCE: Release = Release { major: 1, minor: 25 };

/// Wordings of it that authors use, in lower case.
const WORDINGS: [&str; 3] = ["i/we understand the owners", "i understand the owners", "we understand the owners"];

/// What there is of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Acknowledgment {
    /// It is checked.
    Checked,
    /// It is not checked; its bytes.
    Unchecked(Range<usize>),
    /// There is no such line.
    Missing,
}

impl Acknowledgment {
    /// The line in `range`, which is a test plan.
    pub fn of(document: &Document, text: &str, range: Range<usize>) -> Self {
        let is_one = |line: &Range<usize>| {
            let line = slice(text, line.clone()).to_lowercase();
            WORDINGS.iter().any(|wording| line.contains(wording))
        };
        match document.visible_spans(text, range).find(is_one) {
            Some(line) if has_checked_box(slice(text, line.clone())) => Self::Checked,
            Some(line) => Self::Unchecked(line),
            None => Self::Missing,
        }
    }
}
