//! What the headings of a repository's template ask for where they have no directive. If the template comes from
//! the built-in one, a heading that both have, also in other words or with a new title, has the directive there.
//! Any other heading asks for itself, as a suggestion.

use super::Matching;
use super::matched::Wording;
use crate::markdown::Document;
use crate::markdown::section::SectionId;
use crate::source::SourceFile;
use crate::span::{FileId, Span};
use crate::stage::Stage;
use crate::template::directive::{self, Directive};
use crate::template::{Template, TemplateId, headings};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

impl Template {
    /// Reads a template that a user names; invalid directives are listed in `problems`. The headings of a template
    /// with directives are optional where they have none.
    pub fn parse(file: impl Into<Arc<SourceFile>>) -> Self {
        let document = Document::parse(FileId(0), file.into());
        let (directives, problems) = directive::collect(&document);
        if directives.is_empty() {
            return Self::borrowing(document);
        }
        Self::new(document, directives, problems).with_roles_of_titles()
    }

    pub fn of_repository(file: impl Into<Arc<SourceFile>>) -> Self {
        Self::borrowing(Document::parse(FileId(0), file.into()))
    }

    fn borrowing(document: Document) -> Self {
        let (own, problems) = directive::collect(&document);
        let ancestry = Ancestry::of(&document);
        let mut directives: BTreeMap<SectionId, Directive> = own.into_iter().collect();
        let (mut asking, mut titles) = (Vec::new(), BTreeSet::new());
        for (id, section) in headings(&document) {
            let is_repeated = !titles.insert((document.sections.parent(id), &section.title.key));
            if directives.contains_key(&id) {
                continue;
            }
            let mut path = std::iter::once(id).chain(document.sections.ancestors(id));
            let is_optional = path.any(|part| document.sections.get(part).title.is_optional());
            let ancestor = ancestry.sections.get(&id);
            let lent = ancestor.and_then(|ancestor| Self::lender().lend(*ancestor, &section.title));
            if let Some(lent) = lent {
                directives.insert(id, Directive { required: lent.required && !is_optional, ..lent });
            } else if !is_optional && !is_repeated {
                let around = document.sections.ancestors(id).find_map(|around| directives.get(&around));
                let stage = around.map_or(Some(Stage::Alpha), |directive| directive.stage);
                let asked = Directive::asking(Span::new(document.file, section.text.clone()));
                directives.insert(id, Directive { stage, ..asked });
                asking.push(id);
            }
        }
        let mut template = Self::new(document, directives.into_iter().collect(), problems).with_roles_of_titles();
        template.is_borrowing = true;
        template.asking = asking;
        template.renamed = ancestry.renamed;
        template
    }
}

/// The sections of the built-in template that the headings of another one come from; none if most do not.
#[derive(Default)]
struct Ancestry {
    sections: BTreeMap<SectionId, TemplateId>,
    /// Those of them that have another title there.
    renamed: Vec<(SectionId, TemplateId)>,
}

impl Ancestry {
    fn of(document: &Document) -> Self {
        let matching = Matching::new(Template::lender(), document);
        let mut ancestry = Self::default();
        for (id, _) in headings(document) {
            let Some(ancestor) = matching.owner(id) else { continue };
            ancestry.sections.insert(id, ancestor);
            let wording = matching.place(ancestor).map(|place| place.wording);
            if matches!(wording, Some(Wording::Own | Wording::Structural | Wording::Joint)) {
                ancestry.renamed.push((id, ancestor));
            }
        }
        if ancestry.sections.len() * 2 < headings(document).count() {
            return Self::default();
        }
        let unknown = headings(document).filter(|(id, _)| !ancestry.sections.contains_key(id));
        let found = unknown.filter_map(|(id, _)| Some((id, renamed_from(document, &ancestry.sections, id)?)));
        let found: Vec<(SectionId, TemplateId)> = found.collect();
        ancestry.sections.extend(found.iter().copied());
        ancestry.renamed.extend(found);
        ancestry.renamed.sort_unstable();
        ancestry
    }
}

/// The section of the built-in template whose title was changed to that of `heading`: the only one that is gone
/// between the same neighbors, below the same heading, at the same level.
fn renamed_from(
    document: &Document,
    ancestors: &BTreeMap<SectionId, TemplateId>,
    heading: SectionId,
) -> Option<TemplateId> {
    let sections = &document.sections;
    let parent = sections.parent(heading);
    let siblings = headings(document).filter(|(id, _)| sections.parent(*id) == parent);
    let siblings: Vec<SectionId> = siblings.map(|(id, _)| id).collect();
    let at = siblings.iter().position(|id| *id == heading)?;
    let known = |id: Option<SectionId>| match id {
        Some(id) => ancestors.get(&id).copied().map(Some),
        None => Some(None),
    };
    let parent = known(parent)?;
    let before = known(at.checked_sub(1).and_then(|before| siblings.get(before)).copied())?;
    let after = known(siblings.get(at + 1).copied())?;
    let is_after = |id: TemplateId| before.is_none_or(|before| id > before);
    let is_before = |id: TemplateId| after.is_none_or(|after| id < after);
    let beside = Template::lender().iter().filter(|(_, section)| section.parent == parent);
    let mut between = beside.filter(|(id, _)| is_after(*id) && is_before(*id));
    let (only, section) = between.next()?;
    let is_gone = between.next().is_none() && !ancestors.values().any(|other| *other == only);
    if is_gone && section.level == sections.get(heading).level { Some(only) } else { None }
}
