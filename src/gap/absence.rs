//! What explains a missing section: its text or its subsections are elsewhere.

use crate::markdown::Document;
use crate::markdown::title::Title;
use crate::matching::Matching;
use crate::matching::matched::Match;
use crate::stage::Stage;
use crate::template::role::SectionRole;
use crate::template::{Template, TemplateId};
use std::ops::Range;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Absence {
    /// The first of its subsections, if several of them are there: only its heading is missing.
    pub first_subsection: Option<TemplateId>,
    pub text_in: Option<TemplateId>,
}

impl Absence {
    pub fn is_explained(self) -> bool {
        self != Self::default()
    }
}

/// The role of the section that may have the text of one with this role: authors describe the design in the proposal, and
/// from beta on nobody writes a proposal for a design that is approved.
pub fn counterpart(role: SectionRole, stage: Option<Stage>) -> Option<SectionRole> {
    match role {
        SectionRole::Design => Some(SectionRole::Proposal),
        SectionRole::Proposal if stage.is_some_and(|stage| stage >= Stage::Beta) => Some(SectionRole::Design),
        _ => None,
    }
}

/// Whether the section `id` has a heading of its own that the template does not have, or many words.
pub fn says_more(document: &Document, matching: &Matching, id: TemplateId, place: &Match) -> bool {
    let mut below = document.sections.iter().filter(|(_, section)| place.has_inside(section));
    let belongs_to_section =
        |section| matching.owner(section).is_none() && matching.nearest_owner(document, section) == Some(id);
    below.any(|(section, _)| belongs_to_section(section)) || has_many_words(document, place.own.clone())
}

/// Whether a text says more than what the template asks of a section.
pub fn has_many_words(document: &Document, range: Range<usize>) -> bool {
    const MANY: usize = 500;
    document.visible_lines(range).map(|line| line.split_whitespace().count()).sum::<usize>() >= MANY
}

/// Whether a heading is one that authors add after the template's, or one of KEPs, so that it is not part of the section
/// before it.
pub fn is_other(title: &Title) -> bool {
    const BEGINNINGS: [&str; 7] = ["future", "possible", "appendix", "reference", "glossary", "open", "faq"];
    let begins = |first: &String| BEGINNINGS.iter().any(|beginning| first.starts_with(beginning));
    title.words().first().is_some_and(begins) || Template::lender().has_title(title)
}
