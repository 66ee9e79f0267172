//! The line of a test plan in which its authors promise to add tests before the code: "I/we understand the owners …".

use super::content::has_checked_box;
use crate::markdown::Document;
use crate::stage::Release;
use std::ops::Range;

pub const SINCE: Release = Release { major: 1, minor: 25 };

const WORDINGS: [&str; 3] = ["i/we understand the owners", "i understand the owners", "we understand the owners"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Acknowledgment {
    Checked,
    Unchecked(Range<usize>),
    Missing,
}

impl Acknowledgment {
    /// The line in `range`, which is a test plan. It may be wrapped, or in a quote.
    pub fn of(document: &Document, range: Range<usize>) -> Self {
        let lines: Vec<Range<usize>> =
            document.visible_spans(range).filter(|line| !document.is_in_block(line)).collect();
        let words = |at: usize| {
            let line = lines.get(at).map(|line| document.slice(line.clone())).unwrap_or_default();
            line.trim_start_matches(['>', ' ']).to_lowercase()
        };
        for (at, line) in lines.iter().enumerate() {
            let first = words(at);
            let both = format!("{first} {}", words(at + 1));
            // What begins in the next line is found there.
            let begins = |wording: &str| both.find(wording).is_some_and(|start| start < first.len());
            if WORDINGS.iter().any(|wording| begins(wording)) {
                return if has_checked_box(&first) { Self::Checked } else { Self::Unchecked(line.clone()) };
            }
        }
        Self::Missing
    }
}
