//! Which heading of the author's own probably is a missing section.

use super::Matching;
use crate::markdown::Document;
use crate::markdown::section::{Section, SectionId};
use crate::markdown::title::{share_first_words, shared_words};
use crate::suggest;
use crate::template::{Template, TemplateId};

/// How many first words an unmatched heading must share with a question to be its likely match.
const LIKELY_WORDS: usize = 8;

impl Matching {
    /// The unmatched heading that is probably the missing section `id`: one that begins like it under the right parent,
    /// one that the template names as similar, elsewhere one that begins like a subsection of it, the one with the nearest
    /// wording, or elsewhere one that has a part of its title: `Risks` of "Security, Risks, and Mitigations".
    pub fn probable(&self, template: &Template, document: &Document, id: TemplateId) -> Option<SectionId> {
        let unmatched = document.sections.iter().filter(|(heading, section)| {
            self.owner(*heading).is_none() && section.level > 1 && !template.has_title(&section.title)
        });
        let unmatched: Vec<(SectionId, &Section)> = unmatched.collect();
        let wanted = template.get(id);
        let is_under_parent = |heading: SectionId| {
            let parent = document.sections.parent(heading).map(|parent| self.owner(parent));
            parent.flatten() == wanted.parent
        };
        let begins_alike = unmatched.iter().find(|(heading, section)| {
            share_first_words(&section.title.words(), &wanted.words, LIKELY_WORDS) && is_under_parent(*heading)
        });
        let is_named = || {
            let mut names = wanted.similar.iter();
            names.find_map(|name| unmatched.iter().find(|(_, section)| section.title.key == name.key))
        };
        let begins_subsection = || {
            unmatched.iter().find(|(_, section)| {
                let mut titles = template.children(id).map(|(_, subsection)| subsection.title.stems());
                let shares_word = || shared_words(&wanted.title.text, &section.title.text).0 > 0;
                let has_words = template.is_of_others && section.title.words().len() > 1;
                has_words && shares_word() && titles.any(|title| title.starts_with(&section.title.stems()))
            })
        };
        let is_nearest = || {
            let titles = unmatched.iter().map(|(_, section)| section.title.text.as_str());
            let nearest = suggest::nearest(&wanted.title.text, titles)?;
            // "Implementation Plan" is no "Implementation History". Elsewhere, a title must say nothing else.
            let (shared, count) = shared_words(&wanted.title.text, nearest);
            let (own, all) = shared_words(nearest, &wanted.title.text);
            let is_meant_elsewhere = shared >= 2 && own == all;
            unmatched.iter().find(|(heading, section)| {
                let is_meant = is_under_parent(*heading) && shared >= count.min(2);
                section.title.text == nearest && (is_meant || is_meant_elsewhere)
            })
        };
        let is_listed = || {
            let parts = wanted.title.text.split(", ").map(|part| part.trim_start_matches("and "));
            let parts: Vec<&str> = parts.filter(|_| template.is_of_others).collect();
            let is_part = |title: &str| parts.len() > 2 && parts.iter().any(|part| part.eq_ignore_ascii_case(title));
            unmatched.iter().find(|(_, section)| is_part(&section.title.text) && section.level == wanted.level)
        };
        let found = begins_alike.or_else(is_named).or_else(begins_subsection).or_else(is_nearest).or_else(is_listed);
        found.map(|(heading, _)| *heading)
    }
}
