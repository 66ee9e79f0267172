//! Gaps inside sections that are filled: graduation criteria without those of the target stage, and a design that is only
//! tested and reviewed. And sections that other projects may leave out.

use super::absence::has_many_words;
use super::content::Content;
use super::criteria::Criteria;
use super::{Emptiness, Finder, Gap, GapKind, Part, State};
use crate::diagnostic::Severity;
use crate::markdown::section::Section;
use crate::matching::matched::Match;
use crate::requirement::Requirement;
use crate::stage::Stage;
use crate::template::TemplateId;
use crate::template::role::SectionRole;

impl Finder<'_> {
    /// The gap inside the section of `requirement`, which is filled; `reported` are the sections that are gaps.
    pub(super) fn inside(&self, requirement: Requirement, reported: &[TemplateId]) -> Option<Gap> {
        let place = self.matching.place(requirement.section)?;
        match self.template.get(requirement.section).role? {
            SectionRole::GraduationCriteria => self.open_criteria(requirement, place),
            SectionRole::Design if self.lacks_design(requirement.section, place, reported) => {
                let kind = GapKind::Empty(Emptiness::OnlySubsections);
                let requirement = Requirement { cap: Severity::Advice, ..requirement };
                Some(Gap { section: requirement.section, requirement, kind, covers: Vec::new(), part: None })
            }
            _ => None,
        }
    }

    /// Whether it matters that a required section is absent.
    pub(super) fn misses(&self, of: &Requirement) -> bool {
        !of.is_optional && !self.has_no_history(of.section) && !self.is_designed_in_proposal(of.section)
    }

    /// Whether it is the history of what another project has not built yet.
    pub(super) fn has_no_history(&self, id: TemplateId) -> bool {
        let is_history = self.template.get(id).role == Some(SectionRole::History);
        is_history && self.template.is_asking(id) && self.stage < Some(Stage::Beta)
    }

    /// Whether it is the design of another project's proposal, described under several headings of the author's own below
    /// `Proposal`.
    fn is_designed_in_proposal(&self, id: TemplateId) -> bool {
        let is_design = self.template.get(id).role == Some(SectionRole::Design) && self.template.is_of_others;
        let proposal = self.matching.with_role(self.template, SectionRole::Proposal);
        let Some(proposal) = proposal.and_then(|place| place.section) else { return false };
        let children = self.document.sections.children(proposal);
        let is_described = |section: &Section| {
            let lines = self.document.visible_lines(section.subtree.clone());
            Content::of(lines, self.template, None, self.stage) == Content::Answer
        };
        let own = children.filter(|(child, _)| self.matching.owner(*child).is_none());
        is_design && own.filter(|(_, section)| is_described(section)).count() > 1
    }

    /// Whether a section around it is reported for both.
    pub(super) fn is_in_empty_section(&self, id: TemplateId) -> bool {
        let mut around = self.template.ancestors(id).filter(|around| self.matching.is_inside(id, *around));
        around.any(|around| self.is_wholly_unfilled(around))
    }

    fn is_wholly_unfilled(&self, id: TemplateId) -> bool {
        let is_unfilled =
            matches!(self.state(id), Some(State::Unfilled { is_own: true, .. })) && self.template.is_asking(id);
        let place = self.matching.place(id).filter(|_| is_unfilled);
        self.is_wholly_empty(id) || place.is_some_and(|place| self.read(id, &place.subtree).is_placeholder())
    }

    fn open_criteria(&self, requirement: Requirement, place: &Match) -> Option<Gap> {
        let stage = self.stage?;
        let criteria = Criteria::of(self.document, place.subtree.clone(), self.template, stage);
        let Criteria::Open(part, content) = criteria else { return None };
        let kind = GapKind::of(content)?;
        let most = if content == Content::Note { Severity::Warning } else { Severity::Error };
        let requirement = Requirement { cap: requirement.cap.min(most), stage: Some(stage), ..requirement };
        let part = Some(Part { stage, heading: part.line.clone(), text: part.line.start..part.end });
        Some(Gap { section: requirement.section, requirement, kind, covers: Vec::new(), part })
    }

    /// Whether the design has only the template's subsections, and the proposal does not say how it is built. Where a
    /// chapter is reported already, that is enough.
    fn lacks_design(&self, id: TemplateId, place: &Match, reported: &[TemplateId]) -> bool {
        let is_removal = self.stage.is_none_or(Stage::is_removal);
        let level = self.template.get(id).level;
        let has_own_text = || self.read(id, &self.own_text(id, place)) == Content::Answer;
        let is_chapter_reported = || reported.iter().any(|other| self.template.get(*other).level == level);
        !is_removal
            && self.has_only_template_children(place)
            && !has_own_text()
            && !is_chapter_reported()
            && !self.proposes_design()
    }

    /// Whether the proposal says how it is built: in a section of its own, in code, or at length.
    fn proposes_design(&self) -> bool {
        let Some(place) = self.matching.with_role(self.template, SectionRole::Proposal) else { return false };
        let mut sections = self.document.sections.iter();
        let has_own = sections.any(|(id, section)| place.has_inside(section) && self.matching.owner(id).is_none());
        let mut lines = self.document.visible_spans(place.subtree.clone());
        let mut has_code = || lines.any(|line| self.document.is_in_block(&line));
        has_own || has_many_words(self.document, place.subtree.clone()) || has_code()
    }
}
