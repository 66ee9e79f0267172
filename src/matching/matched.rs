//! Where a section of the template is in a README, how its heading is worded, and how its place differs from the template.

use super::Matching;
use crate::markdown::section::{Section, SectionId, Sections};
use crate::template::{Template, TemplateId};
use std::ops::Range;

#[derive(Clone, Debug)]
pub struct Match {
    pub section: Option<SectionId>,
    pub heading: Range<usize>,
    pub own: Range<usize>,
    pub subtree: Range<usize>,
    pub wording: Wording,
}

impl Match {
    pub fn has_inside(&self, section: &Section) -> bool {
        self.subtree.contains(&section.heading.start)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    /// As in the template, except for case, punctuation and "(Optional)".
    Template,
    Former,
    /// In the author's wording, with words of the template.
    Own,
    /// In the author's own words; its subsections identify it.
    Structural,
    /// One heading for two sections of the template, or two headings for one section.
    Joint,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shift {
    pub parent_differs: bool,
    pub levels: i16,
}

impl Matching {
    /// The heading of `id`, and how its place differs; `None` if it has no heading.
    pub fn shift(&self, template: &Template, sections: &Sections, id: TemplateId) -> Option<(SectionId, Shift)> {
        let heading = self.place(id)?.section?;
        let wanted = template.get(id);
        let parent_differs = match sections.parent(heading) {
            None => wanted.parent.is_some(),
            Some(parent) => wanted.parent.is_none_or(|around| !self.is_at(around, parent)),
        };
        let levels = i16::from(sections.get(heading).level) - i16::from(wanted.level);
        Some((heading, Shift { parent_differs, levels }))
    }

    /// The same, unless the section is at its place, or has only moved with the section around it.
    pub fn own_shift(&self, template: &Template, sections: &Sections, id: TemplateId) -> Option<(SectionId, Shift)> {
        let (heading, shift) = self.shift(template, sections, id)?;
        let wanted = template.get(id);
        // Where the template of another project skips a level, authors need not.
        let skips = wanted.parent.filter(|_| template.is_asking(id));
        let skipped = skips.map_or(0, |outer| i16::from(wanted.level - template.get(outer).level) - 1);
        let of_parent = || self.shift(template, sections, wanted.parent?);
        let is_along = |outer: Shift| [outer.levels, outer.levels - skipped].contains(&shift.levels);
        let has_moved_along = || shift.levels == 0 || of_parent().is_some_and(|(_, outer)| is_along(outer));
        (shift.parent_differs || !has_moved_along()).then_some((heading, shift))
    }
}
