//! Where a section of the template is in a README, and how its heading is worded.

use crate::markdown::section::{Section, SectionId};
use std::ops::Range;

#[derive(Clone, Debug)]
pub struct Match {
    pub section: Option<SectionId>,
    pub heading: Range<usize>,
    pub own: Range<usize>,
    pub subtree: Range<usize>,
    pub wording: Wording,
}

impl Match {
    pub fn has_inside(&self, section: &Section) -> bool {
        let start = section.heading.start;
        start > self.heading.start && self.subtree.contains(&start)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    /// As in the template, except for case, punctuation and "(Optional)".
    Template,
    Former,
    /// In the author's wording, with words of the template.
    Own,
    /// In the author's own words; its subsections identify it.
    Structural,
    /// One heading for two sections of the template, or two headings for one section.
    Joint,
}
