//! Where a README has a section of the template, and how its heading is worded.

use crate::markdown::section::SectionId;
use std::ops::Range;

/// Where a README has a section of the template.
#[derive(Clone, Debug)]
pub struct Match {
    /// The section, unless the question is an item of a list.
    pub section: Option<SectionId>,
    /// Bytes of the heading, or of the question.
    pub heading: Range<usize>,
    /// Bytes up to the next heading.
    pub own: Range<usize>,
    /// Bytes of all that belongs to it.
    pub subtree: Range<usize>,
    /// How the heading is worded.
    pub wording: Wording,
}

/// How a heading that stands for a template section is worded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wording {
    /// As in the template, but for case, punctuation and "(Optional)".
    Template,
    /// As in a former template.
    Former,
    /// In the author's way, with the template's words.
    Own,
    /// In words of the author's; its subsections tell what it is.
    Structural,
}
