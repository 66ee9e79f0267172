//! The required sections that a README does not fill, each reported once. A missing parent is reported instead of its
//! children; a parent that is empty only because its children are is not reported.

pub(crate) mod absence;
pub(crate) mod acknowledgment;
pub(crate) mod announced;
pub(crate) mod answer;
pub mod content;
pub(crate) mod criteria;
pub(crate) mod field;
mod inside;
pub(crate) mod leftover;
pub(crate) mod linked;
mod phrases;
mod plans;
pub(crate) mod prose;
pub(crate) mod signoff;

use self::absence::Absence;
use self::content::Content;
use crate::diagnostic::Severity;
use crate::markdown::Document;
use crate::markdown::hidden::Hiding;
use crate::markdown::section::SectionId;
use crate::matching::Matching;
use crate::matching::matched::Match;
use crate::requirement::Requirement;
use crate::stage::Stage;
use crate::template::role::SectionRole;
use crate::template::{Template, TemplateId};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

#[derive(Clone, Debug)]
pub struct Gap {
    pub section: TemplateId,
    pub requirement: Requirement,
    pub kind: GapKind,
    /// The required sections that are not filled in and that it stands for, if these are not just its own: those around
    /// and below it that are not reported because it is.
    pub covers: Vec<TemplateId>,
    pub part: Option<Part>,
}

#[derive(Clone, Debug)]
pub struct Part {
    pub stage: Stage,
    pub heading: Range<usize>,
    pub text: Range<usize>,
}

impl Gap {
    pub fn remedy(&self, template: &Template) -> String {
        let remedy = match template.get(self.section) {
            section if section.is_question() => "answer it, or write why it does not apply",
            _ if template.always_applies(self.section) => "write this section",
            _ => "fill it in, or write why it does not apply",
        };
        format!("{remedy}; {}", self.requirement.reason(template))
    }
}

#[derive(Clone, Debug)]
pub enum GapKind {
    Missing(Absence),
    /// Text, but none of its several required subsections.
    MissingParts(Vec<TemplateId>),
    CommentedOut(Range<usize>),
    Empty(Emptiness),
    Placeholder,
    TemplateText,
}

impl GapKind {
    /// That of a section with only this; `None` if it is an answer.
    fn of(content: Content) -> Option<Self> {
        match content {
            Content::Nothing => Some(Self::Empty(Emptiness::Unexplained)),
            Content::PlaceholderWord | Content::Form | Content::Note => Some(Self::Placeholder),
            Content::Guidance => Some(Self::TemplateText),
            Content::Answer => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Emptiness {
    Unexplained,
    /// All of its several required subsections are there and empty too.
    WithSubsections,
    /// The next heading is the author's own, at the same level, and so ends the section.
    SubsectionsBeside,
    /// The section has the template's subsections, and no text of its own.
    OnlySubsections,
    /// The text of the section is probably under the next heading, another section of the template.
    TextInNext(TemplateId),
}

#[derive(Clone, Debug)]
enum State {
    Filled,
    Absent,
    /// Hidden by a block that is never closed; `swallowed-heading` reports it.
    Swallowed,
    CommentedOut(Range<usize>),
    Unfilled {
        content: Content,
        /// Whether the text above its subsections is the placeholder.
        is_own: bool,
    },
}

/// The gaps of the README of the KEP in `directory`, a path from `keps` on, in the template's order.
pub fn find(
    template: &Template,
    document: &Document,
    matching: &Matching,
    requirements: &[Requirement],
    stage: Option<Stage>,
    directory: &str,
) -> Vec<Gap> {
    let questionnaire = matching.with_role(template, SectionRole::Questionnaire);
    let is_inherited =
        questionnaire.is_some_and(|place| prose::is_link_to_kep(document, place.subtree.clone(), directory));
    let mut finder = Finder { template, document, matching, stage, directory, is_inherited, states: Vec::new() };
    let found = requirements.iter().map(|requirement| (*requirement, finder.find_state(requirement.section)));
    finder.states = found.filter(|(of, state)| !matches!(state, State::Absent) || finder.misses(of)).collect();
    let states = &finder.states;
    let kinds: Vec<Option<GapKind>> =
        states.iter().map(|(requirement, state)| finder.gap(requirement.section, state)).collect();
    let covers = finder.covers(&kinds);
    let gaps = states.iter().zip(kinds).filter_map(|((requirement, state), kind)| {
        let kind = kind?;
        let mut requirement = *requirement;
        if let GapKind::MissingParts(parts) = &kind {
            let caps = requirements.iter().filter(|part| parts.contains(&part.section)).map(|part| part.cap);
            requirement.cap = caps.max().unwrap_or(Severity::Error);
        }
        requirement.cap = requirement.cap.min(finder.cap(requirement.section, state, &kind));
        let covers = covers.get(&requirement.section).cloned().unwrap_or_default();
        Some(Gap { section: requirement.section, requirement, kind, covers, part: None })
    });
    let mut gaps: Vec<Gap> = gaps.collect();
    let reported: Vec<TemplateId> = gaps.iter().map(|gap| gap.section).collect();
    let filled = states.iter().filter(|(of, state)| matches!(state, State::Filled) && !reported.contains(&of.section));
    gaps.extend(filled.filter_map(|(requirement, _)| finder.inside(*requirement, &reported)));
    gaps.sort_by_key(|gap| gap.section);
    gaps
}

struct Finder<'a> {
    template: &'a Template,
    document: &'a Document,
    matching: &'a Matching,
    stage: Option<Stage>,
    directory: &'a str,
    /// Whether the questionnaire is only a link to another KEP, from which this one inherits its text.
    is_inherited: bool,
    /// The states of all required sections, to decide which of them are reported.
    states: Vec<(Requirement, State)>,
}

impl Finder<'_> {
    fn find_state(&self, id: TemplateId) -> State {
        if let Some(place) = self.matching.place(id) {
            return self.content(id, place);
        }
        let wanted = self.template.get(id);
        let mut named = self.document.hidden.iter().filter(|hidden| hidden.is_named);
        match named.find(|hidden| wanted.has_wording(&hidden.title)) {
            None => State::Absent,
            Some(hidden) if hidden.by == Hiding::Comment => State::CommentedOut(hidden.span.clone()),
            Some(_) => State::Swallowed,
        }
    }

    fn content(&self, id: TemplateId, place: &Match) -> State {
        let role = self.template.get(id).role;
        let is_signoff = role == Some(SectionRole::Signoff);
        // A title may say that nothing follows.
        let is_omitted = || place.section.is_some_and(|own| self.document.sections.get(own).title.is_omitted());
        if self.has_no_history(id) || self.template.is_asking(id) && is_omitted() {
            return State::Filled;
        }
        let (above, whole) = (self.own_text(id, place), self.read(id, &place.subtree));
        let own = if above == place.subtree { whole } else { self.read(id, &above) };
        let may_be_heading = self.template.is_asking(id) || self.template.holds_only_questions(id);
        let is_heading = || may_be_heading && self.is_answered_below(id);
        if !is_signoff && own.is_placeholder() && self.has_only_template_children(place) && !is_heading() {
            return State::Unfilled { content: own, is_own: true };
        }
        let is_filled = match whole {
            Content::Nothing => self.has_telling_heading(place),
            Content::Form => is_signoff || self.template.is_prefilled(id),
            Content::Answer => true,
            _ => is_signoff,
        };
        if is_filled { State::Filled } else { State::Unfilled { content: whole, is_own: false } }
    }

    /// Whether a heading of the author's own below the section says something itself: "As a user, I want …".
    fn has_telling_heading(&self, place: &Match) -> bool {
        const LEAST_WORDS: usize = 5;
        let below = place.section.into_iter().flat_map(|section| self.document.sections.descendants(section));
        let mut titles = below.filter_map(|(id, section)| {
            let words = self.matching.owner(id).map_or(0, |owner| self.template.get(owner).words.len() + LEAST_WORDS);
            (words <= section.title.words().len()).then_some(&section.title)
        });
        titles.any(|title| {
            let is_telling = title.text.ends_with('.') || title.words().len() >= LEAST_WORDS;
            is_telling && !self.template.has_title(title)
        })
    }

    fn is_answered_below(&self, id: TemplateId) -> bool {
        self.template.children(id).any(|(child, _)| {
            let state = self.matching.place(child).map(|place| self.content(child, place));
            matches!(state, Some(State::Filled)) || self.is_answered_below(child)
        })
    }

    fn read(&self, id: TemplateId, range: &Range<usize>) -> Content {
        let lines = self.document.visible_lines(range.clone());
        Content::of(lines, self.template, self.template.get(id).role, self.stage)
    }

    fn has_only_template_children(&self, place: &Match) -> bool {
        let mut children = place.section.into_iter().flat_map(|section| self.document.sections.children(section));
        children.all(|(child, _)| self.matching.owner(child).is_some())
    }

    /// The text of a section before its subsections, of which some may be list items.
    fn own_text(&self, id: TemplateId, place: &Match) -> Range<usize> {
        let children = self.template.children(id).filter_map(|(child, _)| self.matching.place(child));
        let inside = children.map(|child| child.heading.start).filter(|start| place.own.contains(start));
        place.own.start..inside.min().unwrap_or(place.own.end)
    }

    fn emptiness(&self, id: TemplateId) -> Emptiness {
        let sections = &self.document.sections;
        let heading = self.matching.place(id).and_then(|place| place.section);
        let next = heading.and_then(|SectionId(heading)| sections.iter().nth(heading + 1));
        let Some((heading, (next, section))) = heading.zip(next) else { return Emptiness::Unexplained };
        let is_part = |part| self.template.is_asking(id) && self.template.get(part).parent == Some(id);
        let is_own = self.matching.owner(next).map_or_else(|| !absence::is_other(&section.title), is_part);
        match self.matching.owner(next) {
            _ if section.level == sections.get(heading).level && is_own => Emptiness::SubsectionsBeside,
            Some(other) if self.begins_lines_with(id, other, section.own.clone()) => Emptiness::TextInNext(other),
            _ => Emptiness::Unexplained,
        }
    }

    /// Whether lines in `range` begin with the words of `id` that the section `other` there does not have: "For upgrade,
    /// …" and "For downgrade, …" under `Version Skew Strategy`.
    fn begins_lines_with(&self, id: TemplateId, other: TemplateId, range: Range<usize>) -> bool {
        let (wanted, other) = (self.template.get(id), self.template.get(other));
        let mut missing: Vec<&String> = wanted.words.iter().filter(|word| !other.words.contains(word)).collect();
        if missing.len() < 2 || wanted.is_question() || other.parent != wanted.parent {
            return false;
        }
        for line in self.document.visible_lines(range) {
            let mut words = phrases::words(&line);
            let first = words.next().unwrap_or_default();
            let first = if first.eq_ignore_ascii_case("for") { words.next().unwrap_or_default() } else { first };
            missing.retain(|word| !first.eq_ignore_ascii_case(word));
        }
        missing.is_empty()
    }

    /// The section that has the text of the missing section `id`, if it says more than the template asks of it.
    fn counterpart(&self, id: TemplateId) -> Option<TemplateId> {
        // How KEPs are written says nothing of other proposals.
        let role = self.template.get(id).role.filter(|_| !self.template.is_asking(id))?;
        let other = self.template.with_role(absence::counterpart(role, self.stage)?)?;
        let place = self.matching.place(other)?;
        absence::says_more(self.document, self.matching, other, place).then_some(other)
    }

    /// The highest severity of a gap that other text of the KEP explains or answers.
    fn cap(&self, id: TemplateId, state: &State, kind: &GapKind) -> Severity {
        // What it is about, a KEP says itself.
        let mut always = self.template.iter().map(|(other, _)| other);
        let summary = always.find(|other| self.template.always_applies(*other));
        if self.is_inherited && summary != Some(id) {
            return Severity::Advice;
        }
        let is_parent = matches!(kind, GapKind::MissingParts(_));
        let chapters = self.template.ancestors(id).chain(is_parent.then_some(id));
        let mut places = chapters.filter_map(|chapter| Some((chapter, self.matching.place(chapter)?)));
        let answers = |own| prose::answers_for_subsections(self.document, own, self.directory);
        if places.any(|(chapter, place)| answers(self.own_text(chapter, place))) {
            return Severity::Advice;
        }
        match kind {
            GapKind::MissingParts(parts) if parts.iter().any(|part| self.is_named_in_plan(*part)) => Severity::Advice,
            GapKind::Missing(_) if self.is_named_in_plan(id) => Severity::Advice,
            GapKind::MissingParts(_) if self.says_nothing(id) => Severity::Error,
            GapKind::MissingParts(_) | GapKind::Empty(Emptiness::SubsectionsBeside | Emptiness::TextInNext(_)) => {
                Severity::Warning
            }
            GapKind::Missing(absence) if absence.is_explained() => Severity::Warning,
            _ if matches!(state, State::Unfilled { content: Content::Note, .. }) => Severity::Warning,
            _ => Severity::Error,
        }
    }

    /// Whether the text of a whole chapter is "Nothing." or the like, or a design that names none of its parts.
    fn says_nothing(&self, id: TemplateId) -> bool {
        const CHAPTERS: [SectionRole; 3] = [SectionRole::Proposal, SectionRole::Design, SectionRole::Questionnaire];
        let role = self.template.get(id).role.filter(|role| CHAPTERS.contains(role));
        let Some((role, place)) = role.zip(self.matching.place(id)) else { return false };
        let text = self.document.visible_lines(place.subtree.clone()).collect::<Vec<_>>().join("\n").to_lowercase();
        let names_part = || self.template.children(id).any(|(_, part)| text.contains(&part.title.text.to_lowercase()));
        let is_silent = || !answer::begins_not_applicable(&text) && !names_part();
        answer::is_bare(&text) || (role == SectionRole::Design && is_silent())
    }

    /// Whether the text of the test plan names the tests of the section `id`.
    fn is_named_in_plan(&self, id: TemplateId) -> bool {
        let wanted = self.template.get(id);
        let plan = wanted.parent.filter(|plan| self.template.get(*plan).role == Some(SectionRole::TestPlan));
        let Some((plan, place)) = plan.and_then(|plan| Some((plan, self.matching.place(plan)?))) else { return false };
        let lines = self.document.visible_lines(self.own_text(plan, place));
        let lines = lines.filter(|line| !self.template.is_form_line(line));
        let text = lines.collect::<Vec<_>>().join("\n");
        wanted.titles().any(|title| prose::names_tests(&text, title))
    }

    fn gap(&self, id: TemplateId, state: &State) -> Option<GapKind> {
        match state {
            State::Swallowed => None,
            State::Filled => self.missing_parts(id).map(GapKind::MissingParts),
            State::Absent if self.is_covered_by_ancestor(id) => None,
            State::Absent => Some(GapKind::Missing(self.absence(id))),
            State::CommentedOut(_) if self.is_covered_by_ancestor(id) => None,
            State::CommentedOut(span) => Some(GapKind::CommentedOut(span.clone())),
            State::Unfilled { .. } if self.is_in_empty_section(id) => None,
            State::Unfilled { .. } if self.is_wholly_empty(id) => Some(GapKind::Empty(Emptiness::WithSubsections)),
            State::Unfilled { is_own: false, .. } if self.has_required_descendant_inside(id) => None,
            State::Unfilled { content: Content::Nothing, .. } => Some(GapKind::Empty(self.emptiness(id))),
            State::Unfilled { content, .. } => GapKind::of(*content),
        }
    }

    /// What each gap stands for, where that is not just its own section. A section that is not filled in and not
    /// reported is covered by the nearest gap around it, or else by the first gap in it.
    fn covers(&self, kinds: &[Option<GapKind>]) -> BTreeMap<TemplateId, Vec<TemplateId>> {
        let reported =
            || self.states.iter().zip(kinds).filter_map(|((it, _), kind)| Some((it.section, kind.as_ref()?)));
        let gaps: BTreeSet<TemplateId> = reported().map(|(id, _)| id).collect();
        let mut covers: BTreeMap<TemplateId, Vec<TemplateId>> = BTreeMap::new();
        for ((requirement, state), kind) in self.states.iter().zip(kinds) {
            let id = requirement.section;
            if kind.is_some() || matches!(state, State::Filled | State::Swallowed) {
                continue;
            }
            let is_swallowed = |ancestor: &TemplateId| matches!(self.state(*ancestor), Some(State::Swallowed));
            let mut ancestors = self.template.ancestors(id).take_while(|ancestor| !is_swallowed(ancestor));
            let inside = || gaps.iter().copied().find(|gap| self.template.is_below(*gap, id));
            if let Some(gap) = ancestors.find(|ancestor| gaps.contains(ancestor)).or_else(inside) {
                covers.entry(gap).or_default().push(id);
            }
        }
        for (id, kind) in reported() {
            // A section that is filled and lacks its parts is not a gap itself.
            if !matches!(kind, GapKind::MissingParts(_)) {
                covers.entry(id).and_modify(|covered| covered.insert(0, id));
            }
        }
        covers
    }

    /// Whether the state of `other` decides what is reported of `id`: a section that only the repository's
    /// template has hides nothing of Kubernetes'.
    fn counts_for(&self, id: TemplateId, other: TemplateId) -> bool {
        self.template.is_asking(id) || !self.template.is_asking(other)
    }

    /// The required sections directly below `id` that decide what is reported of it.
    fn required_children(&self, id: TemplateId) -> impl Iterator<Item = (TemplateId, &State)> {
        let children = self.template.children(id).filter(move |(child, _)| self.counts_for(id, *child));
        children.filter_map(|(child, _)| Some((child, self.state(child)?)))
    }

    fn state(&self, id: TemplateId) -> Option<&State> {
        self.states.iter().find(|(requirement, _)| requirement.section == id).map(|(_, state)| state)
    }

    fn absence(&self, id: TemplateId) -> Absence {
        let children = self.template.children(id);
        let places = children.filter_map(|(child, _)| Some((self.matching.place(child)?.heading.start, child)));
        let places: BTreeSet<(usize, TemplateId)> = places.collect();
        let first = places.first().filter(|_| places.len() > 1).map(|(_, child)| *child);
        let first_subsection = first.filter(|child| self.cuts_nothing(*child, id));
        Absence { first_subsection, text_in: self.counterpart(id) }
    }

    /// Whether a heading for `id` above `child` takes no sections from the one that `child` is in.
    fn cuts_nothing(&self, child: TemplateId, id: TemplateId) -> bool {
        let Some(heading) = self.matching.place(child).and_then(|place| place.section) else { return true };
        let sections = &self.document.sections;
        sections.ancestors(heading).all(|around| {
            let Some(outer) = self.matching.owner(around).filter(|outer| *outer > id) else { return true };
            let after = sections.descendants(around).filter(|(below, _)| *below > heading);
            let mut owners = after.filter_map(|(below, _)| self.matching.owner(below));
            !owners.any(|owner| self.template.is_below(owner, outer))
        })
    }

    /// Whether a section around the absent section `id` is reported instead of it. A section that is there decides for
    /// all sections around it.
    fn is_covered_by_ancestor(&self, id: TemplateId) -> bool {
        for around in self.template.ancestors(id).filter(|around| self.counts_for(id, *around)) {
            match self.state(around) {
                Some(State::Swallowed | State::CommentedOut(_)) => return true,
                Some(State::Absent) if self.is_only_heading(around) => {}
                Some(State::Absent) => return true,
                Some(State::Unfilled { .. }) => {
                    let has_required = self.required_descendants(around).next().is_some();
                    return !has_required || self.is_wholly_empty(around) || self.is_in_empty_section(around);
                }
                Some(State::Filled) => return self.missing_parts(around).is_some_and(|parts| parts.contains(&id)),
                None if self.matching.place(around).is_some() => return false,
                // Nothing of a section that may be left out is there.
                None if self.template.is_left_open(around) && !self.has_part(around) => return true,
                None => {}
            }
        }
        false
    }

    fn has_part(&self, id: TemplateId) -> bool {
        self.template.children(id).any(|(child, _)| self.matching.place(child).is_some())
    }

    /// Whether only the heading of the absent section `id` is missing: its text or most of its required subsections are
    /// there.
    fn is_only_heading(&self, id: TemplateId) -> bool {
        let (present, absent): (Vec<_>, Vec<_>) =
            self.required_children(id).partition(|(child, _)| self.matching.place(*child).is_some());
        present.len() > absent.len() || self.absence(id).is_explained()
    }

    fn is_wholly_empty(&self, id: TemplateId) -> bool {
        let inside = self.required_children(id).filter(|(child, _)| self.matching.is_inside(*child, id));
        matches!(self.state(id), Some(State::Unfilled { content: Content::Nothing, .. })) && inside.count() > 1
    }

    /// The required sections directly below the filled section `id`, if all of them are absent, and there are several or
    /// the only one is a question.
    fn missing_parts(&self, id: TemplateId) -> Option<Vec<TemplateId>> {
        let required: Vec<(TemplateId, &State)> = self.required_children(id).collect();
        let are_absent = required.iter().all(|(_, state)| matches!(state, State::Absent));
        let is_question = |(part, _): &(TemplateId, &State)| self.template.get(*part).is_question();
        let is_list = required.len() > 1 || required.first().is_some_and(is_question);
        (is_list && are_absent).then(|| required.into_iter().map(|(child, _)| child).collect())
    }

    fn required_descendants(&self, id: TemplateId) -> impl Iterator<Item = TemplateId> {
        let required = self.states.iter().map(|(requirement, _)| requirement.section);
        let below = required.filter(move |other| self.counts_for(id, *other) && self.template.is_below(*other, id));
        below.filter(|other| self.matching.place(*other).is_some())
    }

    /// Whether a required section below `id` is in its subtree: the finding about that section is enough.
    fn has_required_descendant_inside(&self, id: TemplateId) -> bool {
        self.required_descendants(id).any(|below| self.matching.is_inside(below, id))
    }
}
