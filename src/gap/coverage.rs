//! Which of the unfilled sections are reported: each gap once.

use super::{Emptiness, Finder, GapKind, State, Unfilled};
use crate::matching::matched::Match;
use crate::requirement::Requirement;
use crate::template::TemplateId;

/// The states of all required sections, to decide which of them are reported.
pub(super) struct Coverage<'a> {
    pub finder: &'a Finder<'a>,
    pub states: &'a [(Requirement, State)],
}

impl Coverage<'_> {
    /// The gap to report for `id`, which is in this state.
    pub fn gap(&self, id: TemplateId, state: &State) -> Option<GapKind> {
        match state {
            State::Swallowed => None,
            State::Filled => self.missing_parts(id).map(GapKind::MissingParts),
            State::Absent if self.is_covered_by_ancestor(id) => None,
            State::Absent => Some(GapKind::Missing),
            State::CommentedOut(_) if self.is_covered_by_ancestor(id) => None,
            State::CommentedOut(span) => Some(GapKind::CommentedOut(span.clone())),
            State::Unfilled { .. } if self.is_in_empty_section(id) => None,
            State::Unfilled { .. } if self.is_wholly_empty(id) => Some(GapKind::Empty(Emptiness::WithSubsections)),
            State::Unfilled { is_own: false, .. } if self.has_required_descendant_inside(id) => None,
            State::Unfilled { kind: Unfilled::Empty, .. } => {
                let place = self.finder.matching.place(id);
                let emptiness = place.map(|place| self.finder.emptiness(id, place));
                Some(GapKind::Empty(emptiness.unwrap_or(Emptiness::Unexplained)))
            }
            State::Unfilled { kind: Unfilled::Placeholder | Unfilled::Note, .. } => Some(GapKind::Placeholder),
            State::Unfilled { kind: Unfilled::TemplateText, .. } => Some(GapKind::TemplateText),
        }
    }

    fn state(&self, id: TemplateId) -> Option<&State> {
        self.states.iter().find(|(requirement, _)| requirement.section == id).map(|(_, state)| state)
    }

    /// Whether a section around the absent section `id` is reported instead of it. A section that is there decides for
    /// all sections around it.
    fn is_covered_by_ancestor(&self, id: TemplateId) -> bool {
        for around in self.finder.template.ancestors(id) {
            match self.state(around) {
                Some(State::Swallowed | State::CommentedOut(_)) => return true,
                Some(State::Absent) if !self.has_most_children_elsewhere(around) => return true,
                Some(State::Absent) => {}
                Some(State::Unfilled { .. }) => return self.is_reported_for_all(around),
                Some(State::Filled) => return self.missing_parts(around).is_some_and(|parts| parts.contains(&id)),
                None if self.finder.matching.place(around).is_some() => return false,
                None => {}
            }
        }
        false
    }

    /// Whether most of the required subsections of the absent section `id` are there: then only its heading is missing.
    fn has_most_children_elsewhere(&self, id: TemplateId) -> bool {
        let children = self.finder.template.children(id).filter(|(child, _)| self.state(*child).is_some());
        let (found, absent): (Vec<_>, Vec<_>) =
            children.partition(|(child, _)| self.finder.matching.place(*child).is_some());
        found.len() > absent.len()
    }

    /// Whether the finding about the unfilled section `id` is enough for its subsections.
    fn is_reported_for_all(&self, id: TemplateId) -> bool {
        !self.has_required_descendant(id) || self.is_wholly_empty(id) || self.is_in_empty_section(id)
    }

    /// Whether `id` and its several required subsections have headings, but nothing else.
    fn is_wholly_empty(&self, id: TemplateId) -> bool {
        let Some(place) = self.finder.matching.place(id) else { return false };
        let is_inside = |child: TemplateId| {
            let child = self.finder.matching.place(child);
            child.is_some_and(|child| place.subtree.contains(&child.heading.start))
        };
        let children = self.finder.template.children(id).filter(|(child, _)| self.state(*child).is_some());
        self.state(id).is_some_and(State::is_empty) && children.filter(|(child, _)| is_inside(*child)).count() > 1
    }

    /// Whether `id` is inside a wholly empty section.
    fn is_in_empty_section(&self, id: TemplateId) -> bool {
        let Some(place) = self.finder.matching.place(id) else { return false };
        self.finder.template.ancestors(id).any(|around| {
            let around_place = self.finder.matching.place(around);
            around_place.is_some_and(|around| around.subtree.contains(&place.heading.start))
                && self.is_wholly_empty(around)
        })
    }

    /// The required sections directly below the filled section `id`, if all of them are absent, and there are several or
    /// the only one is a question.
    fn missing_parts(&self, id: TemplateId) -> Option<Vec<TemplateId>> {
        let required: Vec<(TemplateId, &State)> = self
            .finder
            .template
            .children(id)
            .filter_map(|(child, _)| self.state(child).map(|state| (child, state)))
            .collect();
        let are_absent = required.iter().all(|(_, state)| matches!(state, State::Absent));
        let is_question = |(id, _): &(TemplateId, &State)| self.finder.template.get(*id).is_question();
        let is_list = required.len() > 1 || required.first().is_some_and(is_question);
        (is_list && are_absent).then(|| required.into_iter().map(|(child, _)| child).collect())
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
