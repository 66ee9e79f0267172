//! The level that each heading has once all misplaced sections are at their place, and the edit that does it.

use crate::rules::prelude::*;

pub struct Plan<'a> {
    ctx: &'a Ctx<'a>,
    readme: Readme<'a>,
    levels: Vec<u8>,
    /// The headings of the misplaced sections.
    put: Vec<SectionId>,
}

impl<'a> Plan<'a> {
    pub fn new(ctx: &'a Ctx<'a>, readme: Readme<'a>) -> Self {
        let levels = readme.sections.iter().map(|(_, section)| section.level).collect();
        Self { ctx, readme, levels, put: Vec::new() }
    }

    pub fn level(&self, heading: SectionId) -> u8 {
        self.levels.get(heading.0).copied().unwrap_or_default()
    }

    /// The level of the section `id` below its parent, which may be at another one than in the template.
    fn wanted_level(&self, id: TemplateId) -> u8 {
        let wanted = self.ctx.template.get(id);
        let Some(parent) = wanted.parent else { return wanted.level };
        let place = self.readme.matching().place(parent).and_then(|place| place.section);
        let level = place.map(|heading| wanted.level + self.level(heading));
        let level = level.and_then(|level| level.checked_sub(self.ctx.template.get(parent).level));
        level.unwrap_or(wanted.level)
    }

    pub fn put(&mut self, id: TemplateId, heading: SectionId) {
        self.put.push(heading);
        self.set_level(heading, self.wanted_level(id), SectionId(self.readme.sections.len()));
    }

    /// Gives a heading a level, and those below it that are before `end` theirs: to sections of the template
    /// that below their parent, to others one that is deep enough.
    pub fn set_level(&mut self, heading: SectionId, level: u8, end: SectionId) {
        let Readme { document, .. } = self.readme;
        let sections = &document.sections;
        if let Some(planned) = self.levels.get_mut(heading.0) {
            *planned = level;
        }
        for (below, section) in sections.descendants(heading).take_while(|(below, _)| *below < end) {
            let Some(parent) = section.parent else { continue };
            let (old, new) = (sections.get(parent).level, self.level(parent));
            let owner = self.readme.matching().owner(below);
            let outer = owner.and_then(|owner| self.ctx.template.get(owner).parent);
            let is_at_place = outer.is_some_and(|outer| self.readme.matching().is_at(outer, parent));
            let wanted = owner.map(|owner| self.wanted_level(owner));
            let planned_level = match wanted.filter(|wanted| is_at_place || *wanted == section.level) {
                Some(wanted) => wanted,
                None if new > old => section.level.max(new + 1),
                None => (section.level + new).saturating_sub(old),
            };
            if let Some(planned) = self.levels.get_mut(below.0) {
                *planned = planned_level;
            }
        }
    }

    /// Whether a heading will be directly below that of its parent, without being moved.
    pub fn is_at_place(&self, id: TemplateId, heading: SectionId) -> bool {
        self.is_place(id, heading, heading)
    }

    /// Whether a heading will be directly below that of its parent if it is right above `next`.
    pub fn is_place(&self, id: TemplateId, heading: SectionId, next: SectionId) -> bool {
        let moved = &self.readme.sections.get(heading).subtree;
        let mut before = (0..next.0).rev().map(SectionId);
        let outer = before.find(|outer| {
            let start = self.readme.sections.get(*outer).heading.start;
            self.level(*outer) < self.level(heading) && !moved.contains(&start)
        });
        let outer = outer.filter(|outer| self.readme.sections.title() != Some(*outer));
        match self.ctx.template.get(id).parent {
            Some(parent) => outer.is_some_and(|outer| self.readme.matching().is_at(parent, outer)),
            None => outer.is_none(),
        }
    }

    /// The heading that the section `id` belongs above: the next one in its parent, or the one after that.
    pub fn next(&self, id: TemplateId) -> Option<SectionId> {
        let parent = self.ctx.template.get(id).parent?;
        let matching = self.readme.matching();
        let outer = matching.place(parent)?.section?;
        let mut after = (outer.0 + 1..self.readme.sections.len()).map(SectionId);
        after.find(|heading| {
            let later = matching.owner(*heading).filter(|other| *other > id);
            let is_beside = later.is_some_and(|later| self.ctx.template.get(later).parent == Some(parent));
            self.level(*heading) <= self.level(outer) || is_beside
        })
    }

    /// Whether the section that this one is in so far has an answer without it, and without others that move.
    pub fn leaves_answer(&self, moved: SectionId) -> bool {
        let sections = &self.readme.sections;
        let Some(outer) = sections.parent(moved) else { return true };
        let inside: Vec<SectionId> = self.put.iter().copied().filter(|heading| *heading > outer).collect();
        let is_moved = |at: usize| inside.iter().any(|heading| sections.get(*heading).subtree.contains(&at));
        let lines = self.readme.visible(sections.get(outer).subtree.clone());
        let rest = lines.filter(|(line, _)| !is_moved(line.start)).map(|(_, words)| words);
        Content::of(rest, self.ctx.template, None, self.ctx.target.stage) == Content::Answer
    }

    /// [`Self::levels`], if no other heading would get below another one than before, but those that belong there.
    pub fn levels_in_place(&self, headings: &[SectionId], end: SectionId) -> Option<Vec<Edit>> {
        let edits = self.levels(headings, end)?;
        let places = || edits.iter().map(|edit| edit.span.start);
        let is_changed = |heading: SectionId| {
            let start = self.readme.sections.get(heading).heading.start;
            places().any(|place| place == start)
        };
        let mut open: Vec<SectionId> = Vec::new();
        for (heading, section) in self.readme.sections.iter() {
            while open.pop_if(|outer| self.level(*outer) >= self.level(heading)).is_some() {}
            let parent = open.last().copied();
            open.push(heading);
            let is_meant = headings.contains(&heading) || self.put.contains(&heading);
            if parent == section.parent || is_meant || !(is_changed(heading) || parent.is_some_and(is_changed)) {
                continue;
            }
            let owner = self.readme.matching().owner(heading);
            if !owner.is_some_and(|owner| self.is_at_place(owner, heading)) {
                return None;
            }
        }
        Some(edits)
    }

    /// Whether a heading is at its place, with the right level there, once these edits are made and no others.
    pub fn puts(&self, edits: &[Edit], id: TemplateId, heading: SectionId) -> bool {
        let is_edited = |start: usize| edits.iter().any(|edit| edit.span.start == start);
        let level = |(at, section): (SectionId, &Section)| {
            if is_edited(section.heading.start) { self.level(at) } else { section.level }
        };
        let alone = Plan { levels: self.readme.sections.iter().map(level).collect(), put: Vec::new(), ..*self };
        alone.is_at_place(id, heading) && alone.level(heading) == alone.wanted_level(id)
    }

    /// The edits that give these headings, and those below them that are before `end`, their levels. `None` if
    /// one would be too deep, or is underlined or a title.
    pub fn levels(&self, headings: &[SectionId], end: SectionId) -> Option<Vec<Edit>> {
        let mut changed = Vec::new();
        for heading in headings {
            changed.push(*heading);
            changed.extend(self.readme.sections.descendants(*heading).map(|(below, _)| below));
        }
        changed.sort_unstable();
        changed.dedup();
        changed.retain(|heading| {
            let is_meant = *heading < end || headings.contains(heading);
            is_meant && self.level(*heading) != self.readme.sections.get(*heading).level
        });
        changed.into_iter().map(|heading| self.edit(heading)).collect()
    }

    fn edit(&self, heading: SectionId) -> Option<Edit> {
        const DEEPEST: u8 = 6;
        let section = self.readme.sections.get(heading);
        let level = self.level(heading);
        let end = section.heading.start + usize::from(section.level);
        let is_plain = self.readme.slice(section.heading.start..end).bytes().all(|mark| mark == b'#');
        let text = "#".repeat(level.into());
        let span = self.readme.span(section.heading.start..end);
        // A heading of level 1 may be the title.
        (section.level > 1 && (1..=DEEPEST).contains(&level) && is_plain).then_some(Edit { span, text })
    }
}
