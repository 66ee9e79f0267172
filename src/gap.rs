//! The required sections that a README does not fill, each reported once. A missing parent is reported instead of its
//! children; a parent that is empty only because its children are is not reported.

pub mod answer;
pub mod content;
pub mod field;
pub mod leftover;

use self::content::Content;
use crate::diagnostic::Severity;
use crate::markdown::Document;
use crate::markdown::hidden::Hiding;
use crate::markdown::section::SectionId;
use crate::markdown::title::Title;
use crate::matching::Matching;
use crate::matching::matched::Match;
use crate::requirement::Requirement;
use crate::template::role::SectionRole;
use crate::template::{Template, TemplateId};
use std::ops::Range;

/// A required section that is not filled.
#[derive(Clone, Debug)]
pub struct Gap {
    /// The section.
    pub section: TemplateId,
    /// Why it is required.
    pub requirement: Requirement,
    /// What is there instead.
    pub kind: GapKind,
}

/// What is there instead of a filled section.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum GapKind {
    /// No heading.
    Missing,
    /// Text, but none of its several required subsections.
    MissingParts(Vec<TemplateId>),
    /// A heading in a comment; the range of the heading.
    CommentedOut(Range<usize>),
    /// A heading with nothing below it.
    Empty {
        /// Whether the next heading is the author's own, at the same or a higher level, and so ends the section.
        next_is_sibling: bool,
    },
    /// Only blank form lines and words like TBD.
    Placeholder,
    /// Only the template's guidance.
    TemplateText,
}

#[derive(Clone, Debug)]
enum State {
    Filled,
    Absent,
    /// Hidden by a block that is never closed; `swallowed-heading` reports it.
    Swallowed,
    CommentedOut(Range<usize>),
    Unfilled {
        kind: Unfilled,
        /// Whether the text above its subsections is the placeholder.
        is_own: bool,
    },
}

#[derive(Clone, Copy, Debug)]
enum Unfilled {
    Empty,
    Placeholder,
    TemplateText,
}

/// The gaps of a README, in the template's order.
pub fn find(
    template: &Template,
    document: &Document,
    text: &str,
    matching: &Matching,
    requirements: &[Requirement],
) -> Vec<Gap> {
    let finder = Finder { template, document, text, matching };
    let states: Vec<(Requirement, State)> =
        requirements.iter().map(|requirement| (*requirement, finder.state(requirement.section))).collect();
    let coverage = Coverage { finder: &finder, states: &states };
    let gaps = states.iter().filter_map(|(requirement, state)| {
        let kind = coverage.gap(requirement.section, state)?;
        let mut requirement = *requirement;
        if let GapKind::MissingParts(parts) = &kind {
            let caps = requirements.iter().filter(|part| parts.contains(&part.section)).map(|part| part.cap);
            requirement.cap = caps.max().unwrap_or(Severity::Error);
        }
        Some(Gap { section: requirement.section, requirement, kind })
    });
    gaps.collect()
}

struct Finder<'a> {
    template: &'a Template,
    document: &'a Document,
    text: &'a str,
    matching: &'a Matching,
}

impl Finder<'_> {
    fn state(&self, id: TemplateId) -> State {
        match self.matching.place(id) {
            Some(place) => self.content(id, place),
            None => self.absence(id),
        }
    }

    fn absence(&self, id: TemplateId) -> State {
        let wanted = self.template.get(id);
        let hidden = self.document.hidden.iter().find(|hidden| wanted.has_wording(&hidden.title));
        match hidden {
            None => State::Absent,
            Some(hidden) if hidden.by == Hiding::Comment => State::CommentedOut(hidden.span.clone()),
            Some(_) => State::Swallowed,
        }
    }

    fn content(&self, id: TemplateId, place: &Match) -> State {
        let role = self.template.get(id).role;
        let is_signoff = role == Some(SectionRole::Signoff);
        let read = |range: &Range<usize>| {
            let lines = self.document.visible_lines(self.text, range.clone());
            Content::of(lines, self.template, role)
        };
        if !is_signoff && read(&place.own).is_placeholder_word() && self.has_only_template_children(place) {
            return State::Unfilled { kind: Unfilled::Placeholder, is_own: true };
        }
        let kind = match read(&place.subtree) {
            Content::Nothing => Unfilled::Empty,
            Content::Answer => return State::Filled,
            _ if is_signoff => return State::Filled,
            Content::PlaceholderWord | Content::Form => Unfilled::Placeholder,
            Content::Guidance => Unfilled::TemplateText,
        };
        State::Unfilled { kind, is_own: false }
    }

    fn has_only_template_children(&self, place: &Match) -> bool {
        let children = place.section.into_iter().flat_map(|section| self.document.sections.children(section));
        children.into_iter().all(|(child, _)| self.matching.owner(child).is_some())
    }

    fn is_followed_by_own_heading(&self, place: &Match) -> bool {
        let Some(SectionId(at)) = place.section else { return false };
        let level = self.document.sections.get(SectionId(at)).level;
        let next = self.document.sections.iter().nth(at + 1);
        next.is_some_and(|(next, section)| {
            section.level <= level && self.matching.owner(next).is_none() && !is_appendix(&section.title)
        })
    }
}

/// Whether a heading is one that authors add after the template's, so that it is not part of the section before it.
fn is_appendix(title: &Title) -> bool {
    const BEGINNINGS: [&str; 7] = ["future", "possible", "appendix", "reference", "glossary", "open", "faq"];
    title.words().first().is_some_and(|first| BEGINNINGS.iter().any(|beginning| first.starts_with(beginning)))
}

/// The states of all required sections, to decide which of them are reported.
struct Coverage<'a> {
    finder: &'a Finder<'a>,
    states: &'a [(Requirement, State)],
}

impl Coverage<'_> {
    fn gap(&self, id: TemplateId, state: &State) -> Option<GapKind> {
        match state {
            State::Swallowed => None,
            State::Filled => self.missing_parts(id).map(GapKind::MissingParts),
            State::Absent if self.is_covered_by_ancestor(id) => None,
            State::Absent => Some(GapKind::Missing),
            State::CommentedOut(_) if self.is_covered_by_ancestor(id) => None,
            State::CommentedOut(span) => Some(GapKind::CommentedOut(span.clone())),
            State::Unfilled { is_own: false, .. } if self.has_required_descendant_inside(id) => None,
            State::Unfilled { kind: Unfilled::Empty, .. } => {
                let place = self.finder.matching.place(id);
                let next_is_sibling = place.is_some_and(|place| self.finder.is_followed_by_own_heading(place));
                Some(GapKind::Empty { next_is_sibling })
            }
            State::Unfilled { kind: Unfilled::Placeholder, .. } => Some(GapKind::Placeholder),
            State::Unfilled { kind: Unfilled::TemplateText, .. } => Some(GapKind::TemplateText),
        }
    }

    fn state(&self, id: TemplateId) -> Option<&State> {
        self.states.iter().find(|(requirement, _)| requirement.section == id).map(|(_, state)| state)
    }

    /// Whether a section around the absent section `id` is reported instead of it.
    fn is_covered_by_ancestor(&self, id: TemplateId) -> bool {
        self.finder.template.ancestors(id).any(|around| match self.state(around) {
            Some(State::Absent | State::Swallowed | State::CommentedOut(_)) => true,
            Some(State::Unfilled { .. }) => !self.has_required_descendant(around),
            Some(State::Filled) => self.missing_parts(around).is_some_and(|parts| parts.contains(&id)),
            None => false,
        })
    }

    /// The required sections directly below the filled section `id`, if there are several and all of them are absent.
    fn missing_parts(&self, id: TemplateId) -> Option<Vec<TemplateId>> {
        let required: Vec<(TemplateId, &State)> = self
            .finder
            .template
            .children(id)
            .filter_map(|(child, _)| self.state(child).map(|state| (child, state)))
            .collect();
        let are_absent = required.iter().all(|(_, state)| matches!(state, State::Absent));
        (required.len() > 1 && are_absent).then(|| required.into_iter().map(|(child, _)| child).collect())
    }

    fn required_descendants(&self, id: TemplateId) -> impl Iterator<Item = &Match> {
        let below = self.states.iter().map(|(requirement, _)| requirement.section);
        below
            .filter(move |other| self.finder.template.ancestors(*other).any(|around| around == id))
            .filter_map(|other| self.finder.matching.place(other))
    }

    fn has_required_descendant(&self, id: TemplateId) -> bool {
        self.required_descendants(id).next().is_some()
    }

    /// Whether a required section below `id` is in its subtree: the finding about that section is enough.
    fn has_required_descendant_inside(&self, id: TemplateId) -> bool {
        let Some(place) = self.finder.matching.place(id) else { return false };
        self.required_descendants(id).any(|below| place.subtree.contains(&below.heading.start))
    }
}
