//! Which heading of a README matches which section of the template.
//!
//! The level is ignored, and the parent only breaks ties. A heading matches if it has the current or a former wording,
//! in the singular or plural; else if it shortens or extends the wording under the same parent; else if it is at the
//! template's place and has all of its words, or no text but most of its subsections. A heading with the words of two
//! titles matches both. There is no fuzzier match: similar titles are mostly other sections.

mod borrowed;
mod form;
pub(crate) mod matched;
mod probable;
#[cfg(test)]
mod tests;
mod unheaded;
pub(crate) mod written;

use self::form::{Form, Headings};
use self::matched::{Match, Wording};
use self::unheaded::{LEAST_BEGINNING, Questions, labels};
use crate::markdown::Document;
use crate::markdown::section::{Section, SectionId, Sections};
use crate::markdown::title::{self, Title, has_phrase, has_words_of_both, is_subsequence, is_truncation};
use crate::stage::{Release, Stage};
use crate::template::role::SectionRole;
use crate::template::{Template, TemplateId, TemplateSection};
use std::ops::Range;

/// How many of the template's words a heading must keep if it drops others.
const SEVERAL_WORDS: usize = 3;

#[derive(Clone, Debug)]
pub struct Matching {
    places: Vec<Option<Match>>,
    owners: Vec<Option<TemplateId>>,
    /// Duplicates of a template heading under the same parents.
    pub duplicates: Vec<(TemplateId, SectionId)>,
}

#[expect(clippy::indexing_slicing, reason = "the lists have an entry for every id of the template and the document")]
impl Matching {
    /// Matches the headings of `document` to the sections of `template`.
    pub fn new(template: &Template, document: &Document) -> Self {
        let mut matcher = Matcher {
            template,
            document,
            places: vec![None; template.sections.len()],
            owners: vec![None; document.sections.len()],
            own: Vec::new(),
            title: document.sections.title().filter(|_| !template.finds_no_title(document)),
            questionnaire: None,
        };
        matcher.match_all();
        let duplicates = matcher.duplicates();
        Self { places: matcher.places, owners: matcher.owners, duplicates }
    }

    pub fn place(&self, id: TemplateId) -> Option<&Match> {
        self.places[id.0].as_ref()
    }

    /// The bytes of a section before the next one of the template, which may be in it.
    pub fn text_of(&self, place: &Match) -> Range<usize> {
        let end = self.next_after(place).unwrap_or(place.subtree.end).min(place.subtree.end);
        place.own.start.min(end)..end
    }

    /// Where the next section of the template begins, wherever that is.
    pub fn next_after(&self, place: &Match) -> Option<usize> {
        let later = self.places.iter().flatten().map(|other| other.heading.start);
        later.filter(|start| *start > place.heading.start).min()
    }

    /// Where the section of `template` with this role is in the README.
    pub fn with_role(&self, template: &Template, role: SectionRole) -> Option<&Match> {
        self.place(template.with_role(role)?)
    }

    /// Whether `id` is the design, and is described directly below the proposal.
    pub fn is_design_of_proposal(&self, template: &Template, sections: &Sections, id: TemplateId) -> bool {
        let around = self.place(id).and_then(|place| sections.parent(place.section?));
        let owner = around.and_then(|around| self.owner(around));
        let is_in_proposal = owner.is_some() && owner == template.with_role(SectionRole::Proposal);
        is_in_proposal && template.get(id).role == Some(SectionRole::Design)
    }

    /// The template section that a heading matches.
    pub fn owner(&self, id: SectionId) -> Option<TemplateId> {
        self.owners.get(id.0).copied().flatten()
    }

    /// The innermost template section around a heading, itself included.
    pub fn nearest_owner(&self, document: &Document, id: SectionId) -> Option<TemplateId> {
        std::iter::once(id).chain(document.sections.ancestors(id)).find_map(|around| self.owner(around))
    }

    /// Whether the section `id` is in the section `outer`.
    pub fn is_inside(&self, id: TemplateId, outer: TemplateId) -> bool {
        let places = self.place(id).zip(self.place(outer));
        places.is_some_and(|(inner, around)| around.subtree.contains(&inner.heading.start))
    }

    pub fn is_at(&self, id: TemplateId, heading: SectionId) -> bool {
        self.place(id).is_some_and(|place| place.section == Some(heading))
    }
}

struct Matcher<'a> {
    template: &'a Template,
    document: &'a Document,
    places: Vec<Option<Match>>,
    owners: Vec<Option<TemplateId>>,
    /// Headings that have no title of the template, with their words.
    own: Vec<(SectionId, Vec<String>)>,
    /// The title of the document, unless it begins with a section.
    title: Option<SectionId>,
    questionnaire: Option<Range<usize>>,
}

#[expect(clippy::indexing_slicing, reason = "the lists have an entry for every id of the template and the document")]
impl<'a> Matcher<'a> {
    fn match_all(&mut self) {
        let sections = self.document.sections.iter().filter(|(heading, _)| Some(*heading) != self.title);
        let own = sections.filter(|(_, section)| !self.template.has_title(&section.title));
        self.own = own.map(|(heading, section)| (heading, section.title.words())).collect();
        let exact = self.headings(Form::Exact);
        if let Some(id) = self.template.with_role(SectionRole::Questionnaire) {
            self.match_title(id, &exact, None);
            if self.places[id.0].is_none() {
                self.match_place(id);
            }
            self.questionnaire = self.places[id.0].as_ref().map(|place| self.questionnaire_from(id, place));
        }
        self.match_titles(&exact, None);
        self.match_questions();
        self.match_labels();
        self.match_titles(&self.headings(Form::Stems), None);
        self.match_titles(&self.headings(Form::Question), Some(Wording::Own));
        self.match_beginnings();
        self.match_missing(&[Self::match_truncation, Self::match_place]);
        self.match_missing(&[Self::match_elsewhere]);
        self.match_missing(&[Self::match_joint, Self::match_halves]);
    }

    /// Tries these on each section that has no place, until one of them finds it.
    fn match_missing(&mut self, attempts: &[fn(&mut Self, TemplateId)]) {
        for (id, _) in self.template.iter() {
            for attempt in attempts {
                if self.places[id.0].is_none() {
                    attempt(self, id);
                }
            }
        }
    }

    /// The headings that are not matched yet, without the document's title.
    fn headings(&self, form: Form) -> Headings<'a> {
        let all = self.document.sections.iter();
        let free = all.filter(|(heading, _)| Some(*heading) != self.title && self.owners[heading.0].is_none());
        Headings::new(form, free.map(|(heading, section)| (heading, &section.title)))
    }

    fn match_titles(&mut self, headings: &Headings<'_>, wording: Option<Wording>) {
        // Few headings are questions in the author's own words.
        for (id, _) in self.template.iter().filter(|_| !headings.are_none()) {
            self.match_title(id, headings, wording);
        }
    }

    /// Matches the best of the headings that have a current or former title of `id`, if `id` is not matched yet.
    fn match_title(&mut self, id: TemplateId, headings: &Headings<'_>, wording: Option<Wording>) {
        if self.places[id.0].is_some() {
            return;
        }
        let wanted = self.template.get(id);
        let wordings = std::iter::once(Wording::Template).chain(std::iter::repeat(Wording::Former));
        let titles = wanted.titles().zip(&wanted.forms).zip(wordings);
        let best = titles
            .flat_map(|((title, forms), by_title)| {
                headings.get(title, forms).map(move |heading| (heading, by_title, title))
            })
            .filter(|(heading, by_title, title)| {
                let is_place = self.parent_owner(*heading) == Some(wanted.parent);
                // A former title of one word, such as "Implementation", may be anything elsewhere. Other projects
                // have it below a heading with the same words: "Non-Goals" below "Goals and Non-Goals".
                let is_near = self.template.is_of_others && self.repeats_parent(*heading);
                let is_certain = *by_title == Wording::Template
                    || is_place
                    || is_near
                    || title.text.contains(' ')
                    || (wanted.role == Some(SectionRole::Design) && self.is_in_proposal(*heading));
                let is_taken = self.owners[heading.0].is_some() || (!is_place && self.is_begun_at_place(id));
                !is_taken && is_certain && self.may_be_at(id, *heading)
            })
            .min_by_key(|(heading, by_title, _)| {
                let section = self.document.sections.get(*heading);
                let parent_differs = self.parent_owner(*heading) != Some(wanted.parent);
                (*by_title == Wording::Former, parent_differs, section.level != wanted.level, *heading)
            });
        if let Some((heading, by_title, _)) = best {
            self.assign(id, heading, wording.unwrap_or(by_title));
        }
    }

    /// Whether a heading at the place of a section of another project has all of its words first.
    fn is_begun_at_place(&self, id: TemplateId) -> bool {
        let wanted = &self.template.get(id).words;
        self.template.is_asking(id) && self.unmatched_at_place(id).any(|(_, words)| words.starts_with(wanted))
    }

    /// Whether the words of a heading are a part of those of its parent.
    fn repeats_parent(&self, heading: SectionId) -> bool {
        let sections = &self.document.sections;
        let words = |id: SectionId| sections.get(id).title.words();
        sections.parent(heading).is_some_and(|parent| has_phrase(&words(parent), &words(heading)))
    }

    /// Whether a heading is directly below the proposal, where authors describe the design as well.
    fn is_in_proposal(&self, heading: SectionId) -> bool {
        let proposal = self.template.with_role(SectionRole::Proposal);
        proposal.is_some_and(|proposal| self.parent_owner(heading) == Some(Some(proposal)))
    }

    /// Whether `id` may be at this heading: a section of the questionnaire only inside it. Questions are long enough to
    /// be recognized anywhere.
    fn may_be_at(&self, id: TemplateId, heading: SectionId) -> bool {
        let Some(questionnaire) = &self.questionnaire else { return true };
        let is_questionnaire =
            |section: TemplateId| self.template.get(section).role == Some(SectionRole::Questionnaire);
        let is_limited = self.template.ancestors(id).any(is_questionnaire) && !self.template.get(id).is_question();
        !is_limited || questionnaire.contains(&self.document.sections.get(heading).heading.start)
    }

    /// From the heading of the questionnaire to the next section of the template beside it. Its parts may be at its
    /// own level.
    fn questionnaire_from(&self, id: TemplateId, place: &Match) -> Range<usize> {
        let level = place.section.map_or(1, |heading| self.document.sections.get(heading).level);
        let others = self.template.iter().filter(|(other, _)| *other != id && !self.template.is_below(*other, id));
        let keys: Vec<&str> = others.map(|(_, section)| section.title.key.as_str()).collect();
        let sections = self.document.sections.iter().map(|(_, section)| section);
        let mut beside = sections.filter(|it| it.heading.start > place.heading.start && it.level <= level);
        let next = beside.find(|section| keys.contains(&section.title.key.as_str()));
        let end = next.map_or(self.document.text().len(), |next| next.heading.start);
        place.heading.start..end.max(place.subtree.end)
    }

    fn match_questions(&mut self) {
        if self.document.bold_items.is_empty() {
            return;
        }
        let mut questions = Questions::read(self.document);
        for (id, wanted) in self.template.iter().filter(|(id, _)| self.places[id.0].is_none()) {
            questions.claim(id, wanted);
        }
        questions.claim_beginnings(self.template, |id| self.places[id.0].is_none());
        for (id, place) in questions.places() {
            self.places[id.0] = Some(place);
        }
    }

    /// Labels in the text of the test plan, such as "Unit tests:", count for its headings.
    fn match_labels(&mut self) {
        let Some(plan) = self.template.with_role(SectionRole::TestPlan) else { return };
        let Some(place) = &self.places[plan.0] else { return };
        let children = self.template.children(plan).filter(|(child, _)| self.places[child.0].is_none());
        for (id, labelled) in labels(self.document, place.subtree.clone(), children.collect()) {
            self.places[id.0] = Some(labelled);
        }
    }

    /// A question of the questionnaire that only begins as in the template: "What are the SLIs for this feature?"
    fn match_beginnings(&mut self) {
        let Some(questionnaire) = &self.questionnaire else { return };
        let free = self.unmatched().filter_map(|(candidate, _)| {
            let Section { title, heading, .. } = self.document.sections.get(candidate);
            let beginning = if questionnaire.contains(&heading.start) { title.beginning() } else { Vec::new() };
            (beginning.len() >= LEAST_BEGINNING).then_some((candidate, beginning))
        });
        for (heading, beginning) in free.collect::<Vec<_>>() {
            let questions = self.template.iter().filter(|(_, section)| section.is_question());
            let mut alike = questions.filter(|(_, section)| section.title.question_words().starts_with(&beginning));
            if let (Some((id, _)), None) = (alike.next(), alike.next())
                && self.places[id.0].is_none()
            {
                self.assign(id, heading, Wording::Own);
            }
        }
    }

    /// A shortened or extended question under its parent; ambiguous headings are not matched.
    fn match_truncation(&mut self, id: TemplateId) {
        let fits = |wanted: &TemplateSection, words: &[String]| {
            is_truncation(&wanted.words, words)
                || wanted.former.iter().any(|former| is_truncation(&former.words(), words))
        };
        let wanted = self.template.get(id);
        let candidates: Vec<_> = self.unmatched_at_place(id).filter(|(_, words)| fits(wanted, words)).collect();
        let [(heading, words)] = candidates[..] else { return };
        let matches = self.template.iter().filter(|(other, section)| {
            section.parent == wanted.parent && self.places[other.0].is_none() && fits(section, words)
        });
        if matches.count() == 1 {
            self.assign(id, heading, Wording::Own);
        }
    }

    /// A heading at the template's place that has all of its words in order, or several of them and no others, or most
    /// of its subsections.
    fn match_place(&mut self, id: TemplateId) {
        let wanted = self.template.get(id);
        let is_alike = |words: &[String]| {
            let has_several = !wanted.is_question() && words.len() >= SEVERAL_WORDS;
            is_subsequence(&wanted.words, words) || (has_several && is_subsequence(words, &wanted.words))
        };
        let alike = self
            .unmatched_at_place(id)
            .filter(|(_, words)| is_alike(words) && !self.fits_other(id, words, wanted.words.len() + 1))
            .min_by_key(|(heading, words)| (words.len().abs_diff(wanted.words.len()), *heading));
        if let Some((heading, _)) = alike {
            return self.assign(id, heading, Wording::Own);
        }
        let holder = self
            .unmatched_at_place(id)
            .find(|(heading, words)| self.only_holds_subsections(id, *heading) && !self.fits_other(id, words, 1));
        if let Some((heading, _)) = holder {
            self.assign(id, heading, Wording::Structural);
        }
    }

    /// Whether a heading with these words also has all words of a missing section beside `id`, at least `least` words.
    fn fits_other(&self, id: TemplateId, words: &[String], least: usize) -> bool {
        let parent = self.template.get(id).parent;
        self.template.iter().any(|(other, section)| {
            other != id
                && section.parent == parent
                && self.places[other.0].is_none()
                && section.words.len() >= least
                && is_subsequence(&section.words, words)
        })
    }

    /// Whether the heading has most of the subsections of `id`, and no text before the first of them.
    fn only_holds_subsections(&self, id: TemplateId, heading: SectionId) -> bool {
        let section = self.document.sections.get(heading);
        let children = || self.template.children(id);
        let starts = children().filter_map(|(child, _)| Some(self.places[child.0].as_ref()?.heading.start));
        let inside: Vec<usize> = starts.filter(|start| section.subtree.contains(start)).collect();
        let Some(first) = inside.iter().min() else { return false };
        let mut text = self.document.visible_spans(section.heading.end..*first);
        inside.len() * 2 > children().count() && text.next().is_none()
    }

    /// The only heading of the document, at any place, that has all of the template's words in order: one after another,
    /// or from its first word on. One word is only enough for a stage.
    fn match_elsewhere(&mut self, id: TemplateId) {
        let wanted = &self.template.get(id).words;
        let is_alike = |words: &[String]| match wanted.as_slice() {
            // Another project's stage with its release: "Alpha (v1.6)".
            [stage] => {
                let is_stage = self.template.is_asking(id) && Stage::from_word(stage).is_some();
                let version = words.strip_prefix(std::slice::from_ref(stage)).map(|version| version.join("."));
                is_stage && version.is_some_and(|it| it.starts_with('v') && Release::parse(&it).is_some())
            }
            // "Services in Scope" is another phrase than "In Scope".
            [first, ..] => {
                let is_phrase = || !title::is_preposition(first) && has_phrase(words, wanted);
                is_subsequence(wanted, words) && (words.first() == Some(first) || is_phrase())
            }
            [] => false,
        };
        let alike: Vec<_> =
            self.unmatched().filter(|(heading, words)| is_alike(words) && self.may_be_at(id, *heading)).collect();
        if let [(heading, _)] = alike[..] {
            self.assign(id, heading, Wording::Own);
        }
    }

    /// A heading that matches a section beside `id` in the author's words, and has the words of both titles, or a
    /// title that other projects have for both.
    fn match_joint(&mut self, id: TemplateId) {
        let wanted = self.template.get(id);
        let shared = self.template.iter().find_map(|(other, section)| {
            let place = self.places[other.0].as_ref()?;
            if section.parent != wanted.parent {
                return None;
            }
            let title = &self.document.sections.get(place.section?).title;
            let is_joint = match place.wording {
                Wording::Own => has_words_of_both(&title.words(), &section.words, &wanted.words),
                Wording::Former | Wording::Joint => self.template.is_of_others && wanted.has_wording(title),
                _ => false,
            };
            is_joint.then(|| (other, place.clone()))
        });
        let Some((other, place)) = shared else { return };
        let joint = Some(Match { wording: Wording::Joint, ..place });
        self.places[other.0] = joint.clone();
        self.places[id.0] = joint;
    }

    /// Two neighboring headings that have the two halves of a title: "Risks" and "Mitigations".
    fn match_halves(&mut self, id: TemplateId) {
        if self.unmatched_at_place(id).nth(1).is_none() {
            return;
        }
        let wanted = &self.template.get(id).title;
        let Some((one, other)) = wanted.text.split_once(" and ") else { return };
        let (one, other) = (Title::new(one).stems(), Title::new(other).stems());
        let half = |half: &str| {
            let has_half = |heading: SectionId| self.document.sections.get(heading).title.stems() == half;
            self.unmatched_at_place(id).map(|(heading, _)| heading).find(|heading| has_half(*heading))
        };
        let (Some(first), Some(second)) = (half(&one), half(&other)) else { return };
        let (before, after) = (self.document.sections.get(first), self.document.sections.get(second));
        if before.subtree.end != after.heading.start || before.level != after.level {
            return;
        }
        self.owners[second.0] = Some(id);
        let subtree = before.subtree.start..after.subtree.end;
        self.assign(id, first, Wording::Joint);
        if let Some(place) = &mut self.places[id.0] {
            place.subtree = subtree;
        }
    }

    /// Unmatched headings that have the template's parent around them.
    fn unmatched_at_place(&self, id: TemplateId) -> impl Iterator<Item = (SectionId, &[String])> {
        let parent = self.template.get(id).parent;
        self.unmatched().filter(move |(heading, _)| self.parent_owner(*heading) == Some(parent))
    }

    /// Headings that are not matched yet and have no title of the template, with their words.
    fn unmatched(&self) -> impl Iterator<Item = (SectionId, &[String])> {
        let free = self.own.iter().filter(|(heading, _)| self.owners[heading.0].is_none());
        free.map(|(heading, words)| (*heading, words.as_slice()))
    }

    /// The template section that the heading's parent matches: `None` if the parent is the author's own, `Some(None)`
    /// at the top level.
    fn parent_owner(&self, id: SectionId) -> Option<Option<TemplateId>> {
        match self.document.sections.parent(id) {
            None => Some(None),
            Some(parent) => self.owners[parent.0].map(Some),
        }
    }

    fn assign(&mut self, id: TemplateId, heading: SectionId, wording: Wording) {
        let section = self.document.sections.get(heading);
        self.owners[heading.0] = Some(id);
        self.places[id.0] = Some(Match {
            section: Some(heading),
            heading: section.heading.clone(),
            own: section.own.clone(),
            subtree: section.subtree.clone(),
            wording,
        });
    }

    fn duplicates(&self) -> Vec<(TemplateId, SectionId)> {
        let sections = &self.document.sections;
        let chain = |id: SectionId| sections.ancestors(id).map(|around| &sections.get(around).title.key);
        let unowned = sections.iter().filter(|(heading, _)| self.owners[heading.0].is_none());
        let titled = unowned.filter(|(_, section)| self.template.has_title(&section.title));
        let duplicates = titled.filter_map(|(heading, section)| {
            let (original, _) = self.template.iter().find(|(id, wanted)| {
                let first = self.places[id.0].as_ref().and_then(|place| place.section);
                wanted.title.key == section.title.key && first.is_some_and(|first| chain(first).eq(chain(heading)))
            })?;
            Some((original, heading))
        });
        duplicates.collect()
    }
}
