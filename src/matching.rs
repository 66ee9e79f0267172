//! Which heading of a README matches which section of the template.
//!
//! The level is ignored, and the parent only breaks ties. A heading matches if it has the current or a former wording;
//! else if it shortens or extends the wording under the same parent; else if it is at the template's place and has all
//! of its words or most of its subsections. There is no fuzzier match: similar titles are mostly other sections.

pub mod matched;
mod question;

use self::matched::{Match, Wording};
use self::question::Questions;
use crate::markdown::Document;
use crate::markdown::section::{Section, SectionId};
use crate::markdown::title::{is_subsequence, is_truncation, share_first_words};
use crate::suggest;
use crate::template::role::SectionRole;
use crate::template::{Template, TemplateId, TemplateSection};
use std::collections::HashMap;

/// How many first words an unmatched heading must share with a question to be its likely match.
const LIKELY_WORDS: usize = 8;

/// How many of the template's words a heading must keep if it drops others.
const SEVERAL_WORDS: usize = 3;

/// The result of matching.
#[derive(Clone, Debug)]
pub struct Matching {
    places: Vec<Option<Match>>,
    owners: Vec<Option<TemplateId>>,
    /// Duplicates of a template heading under the same parents.
    pub duplicates: Vec<(TemplateId, SectionId)>,
}

#[expect(clippy::indexing_slicing, reason = "the lists have an entry for every id of the template and the document")]
impl Matching {
    /// Matches the headings of `document`, whose text is `text`, to the sections of `template`.
    pub fn new(template: &Template, document: &Document, text: &str) -> Self {
        let mut matcher = Matcher {
            template,
            document,
            places: vec![None; template.sections.len()],
            owners: vec![None; document.sections.len()],
            own: Vec::new(),
        };
        matcher.match_wordings();
        matcher.match_questions(text);
        matcher.own = matcher.own_headings();
        for (id, _) in template.iter() {
            matcher.match_truncation(id);
            matcher.match_place(id);
        }
        for (id, _) in template.iter() {
            matcher.match_elsewhere(id);
        }
        let duplicates = matcher.duplicates();
        Self { places: matcher.places, owners: matcher.owners, duplicates }
    }

    /// Where `id` is in the README.
    pub fn place(&self, id: TemplateId) -> Option<&Match> {
        self.places[id.0].as_ref()
    }

    /// Where the section of `template` with this role is in the README.
    pub fn with_role(&self, template: &Template, role: SectionRole) -> Option<&Match> {
        self.place(template.with_role(role)?)
    }

    /// The template section that a heading matches.
    pub fn owner(&self, id: SectionId) -> Option<TemplateId> {
        self.owners.get(id.0).copied().flatten()
    }

    /// The innermost template section around a heading, itself included.
    pub fn nearest_owner(&self, document: &Document, id: SectionId) -> Option<TemplateId> {
        std::iter::once(id).chain(document.sections.ancestors(id)).find_map(|around| self.owner(around))
    }

    /// An unmatched heading that begins like the missing section `id` and has the right parent.
    pub fn likely(&self, template: &Template, document: &Document, id: TemplateId) -> Option<SectionId> {
        let wanted = &template.get(id).words;
        let around = template.get(id).parent;
        let mut unmatched = document.sections.iter().filter(|(heading, _)| self.owner(*heading).is_none());
        let found = unmatched.find(|(heading, section)| {
            let parent = document.sections.parent(*heading).map(|parent| self.owner(parent));
            parent.flatten() == around && share_first_words(&section.title.words(), wanted, LIKELY_WORDS)
        });
        found.map(|(heading, _)| heading)
    }

    /// The unmatched heading whose wording is nearest to the missing section `id`.
    pub fn similar(&self, template: &Template, document: &Document, id: TemplateId) -> Option<SectionId> {
        let unmatched: Vec<(SectionId, &Section)> = document
            .sections
            .iter()
            .filter(|(heading, section)| self.owner(*heading).is_none() && section.level > 1)
            .collect();
        let titles = unmatched.iter().map(|(_, section)| section.title.text.as_str());
        let nearest = suggest::nearest(&template.get(id).title.text, titles)?;
        unmatched.iter().find(|(_, section)| section.title.text == nearest).map(|(heading, _)| *heading)
    }
}

struct Matcher<'a> {
    template: &'a Template,
    document: &'a Document,
    places: Vec<Option<Match>>,
    owners: Vec<Option<TemplateId>>,
    /// Headings that have no title of the template, with their words.
    own: Vec<(SectionId, Vec<String>)>,
}

#[expect(clippy::indexing_slicing, reason = "the lists have an entry for every id of the template and the document")]
impl Matcher<'_> {
    fn match_wordings(&mut self) {
        let mut by_key: HashMap<&str, Vec<SectionId>> = HashMap::new();
        let title = self.document.sections.title();
        for (id, section) in self.document.sections.iter().filter(|(id, _)| Some(*id) != title) {
            by_key.entry(&section.title.key).or_default().push(id);
        }
        for (id, wanted) in self.template.iter().filter(|(_, wanted)| !wanted.title.key.is_empty()) {
            let wordings = std::iter::once((&wanted.title, Wording::Template))
                .chain(wanted.former.iter().map(|former| (former, Wording::Former)));
            let best = wordings
                .flat_map(|(title, wording)| {
                    by_key.get(title.key.as_str()).into_iter().flatten().map(move |at| (*at, wording))
                })
                .filter(|(at, _)| self.owners[at.0].is_none())
                .min_by_key(|(at, wording)| {
                    let section = self.document.sections.get(*at);
                    let parent_differs = self.parent_owner(*at) != Some(wanted.parent);
                    (*wording == Wording::Former, parent_differs, section.level != wanted.level, *at)
                });
            if let Some((at, wording)) = best {
                self.assign(id, at, wording);
            }
        }
    }

    fn match_questions(&mut self, text: &str) {
        if self.document.bold_items.is_empty() {
            return;
        }
        let mut questions = Questions::read(self.document, text);
        for (id, wanted) in self.template.iter().filter(|(id, _)| self.places[id.0].is_none()) {
            questions.claim(id, wanted, text);
        }
        for (id, place) in questions.places(self.document, text.len()) {
            self.places[id.0] = Some(place);
        }
    }

    /// A shortened or extended question under its parent; ambiguous headings are not matched.
    fn match_truncation(&mut self, id: TemplateId) {
        if self.places[id.0].is_some() {
            return;
        }
        let fits = |wanted: &TemplateSection, words: &[String]| {
            is_truncation(&wanted.words, words)
                || wanted.former.iter().any(|former| is_truncation(&former.words(), words))
        };
        let wanted = self.template.get(id);
        let candidates: Vec<_> = self.unmatched_at_place(id).filter(|(_, words)| fits(wanted, words)).collect();
        let [(at, words)] = candidates[..] else { return };
        let matches = self.template.iter().filter(|(other, section)| {
            section.parent == wanted.parent && self.places[other.0].is_none() && fits(section, words)
        });
        if matches.count() == 1 {
            self.assign(id, at, Wording::Own);
        }
    }

    /// A heading at the template's place that has all of its words in order, or several of them and no others, or most
    /// of its subsections.
    fn match_place(&mut self, id: TemplateId) {
        if self.places[id.0].is_some() {
            return;
        }
        let wanted = self.template.get(id);
        let children: Vec<TemplateId> = self.template.children(id).map(|(child, _)| child).collect();
        let has_most_subsections = |at: SectionId| {
            let subtree = &self.document.sections.get(at).subtree;
            let inside = children.iter().filter(|child| {
                self.places[child.0].as_ref().is_some_and(|place| subtree.contains(&place.heading.start))
            });
            inside.count() * 2 > children.len()
        };
        let is_question = wanted.title.text.ends_with('?');
        let is_alike = |words: &[String]| {
            let has_several = !is_question && words.len() >= SEVERAL_WORDS;
            is_subsequence(&wanted.words, words) || (has_several && is_subsequence(words, &wanted.words))
        };
        let found = self.unmatched_at_place(id).find(|(at, words)| is_alike(words) || has_most_subsections(*at));
        let Some((at, words)) = found else { return };
        let wording = if is_alike(words) { Wording::Own } else { Wording::Structural };
        self.assign(id, at, wording);
    }

    /// The only heading of the document, at any place, that has all of the template's words in order; one word is not
    /// enough.
    fn match_elsewhere(&mut self, id: TemplateId) {
        let wanted = &self.template.get(id).words;
        if self.places[id.0].is_some() || wanted.len() < 2 {
            return;
        }
        let found: Vec<_> = self.unmatched().filter(|(_, words)| is_subsequence(wanted, words)).collect();
        if let [(at, _)] = found[..] {
            self.assign(id, at, Wording::Own);
        }
    }

    /// Unmatched headings that have the template's parent around them.
    fn unmatched_at_place(&self, id: TemplateId) -> impl Iterator<Item = (SectionId, &[String])> {
        let parent = self.template.get(id).parent;
        self.unmatched().filter(move |(at, _)| self.parent_owner(*at) == Some(parent))
    }

    /// Headings that are not matched yet and have no title of the template, with their words.
    fn unmatched(&self) -> impl Iterator<Item = (SectionId, &[String])> {
        let own = self.own.iter().filter(|(at, _)| self.owners[at.0].is_none());
        own.map(|(at, words)| (*at, words.as_slice()))
    }

    fn own_headings(&self) -> Vec<(SectionId, Vec<String>)> {
        let title = self.document.sections.title();
        let own = self.document.sections.iter().filter(|(at, section)| {
            self.owners[at.0].is_none() && Some(*at) != title && !self.template.has_title(&section.title)
        });
        own.map(|(at, section)| (at, section.title.words())).collect()
    }

    /// The template section that the heading's parent matches: `None` if the parent is the author's own, `Some(None)`
    /// at the top level.
    fn parent_owner(&self, id: SectionId) -> Option<Option<TemplateId>> {
        match self.document.sections.parent(id) {
            None => Some(None),
            Some(parent) => self.owners[parent.0].map(Some),
        }
    }

    fn assign(&mut self, id: TemplateId, at: SectionId, wording: Wording) {
        let section = self.document.sections.get(at);
        self.owners[at.0] = Some(id);
        self.places[id.0] = Some(Match {
            section: Some(at),
            heading: section.heading.clone(),
            own: section.own.clone(),
            subtree: section.subtree.clone(),
            wording,
        });
    }

    fn duplicates(&self) -> Vec<(TemplateId, SectionId)> {
        let sections = &self.document.sections;
        let chain =
            |id: SectionId| sections.ancestors(id).map(|around| &sections.get(around).title.key).collect::<Vec<_>>();
        let mut duplicates = Vec::new();
        let unowned = sections
            .iter()
            .filter(|(at, section)| self.owners[at.0].is_none() && self.template.has_title(&section.title));
        for (at, section) in unowned {
            let original = self.template.iter().find(|(id, wanted)| {
                let first = self.places[id.0].as_ref().and_then(|place| place.section);
                wanted.title.key == section.title.key && first.is_some_and(|first| chain(first) == chain(at))
            });
            duplicates.extend(original.map(|(id, _)| (id, at)));
        }
        duplicates
    }
}
