//! The level that each heading has once all misplaced sections are at their place, and the one edit that each of them needs.

use crate::gap::content::Content;
use crate::markdown::is_closed;
use crate::markdown::section::SectionId;
use crate::mdtoc::Markers;
use crate::rules::lead;
use crate::rules::prelude::*;
use crate::span::line_end;

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

    fn wanted_level(&self, id: TemplateId) -> u8 {
        let wanted = self.ctx.template.get(id);
        let parent = wanted.parent.and_then(|parent| Some((parent, self.readme.matching().place(parent)?.section?)));
        let level = parent.and_then(|(parent, heading)| {
            (wanted.level + self.level(heading)).checked_sub(self.ctx.template.get(parent).level)
        });
        level.unwrap_or(wanted.level)
    }

    /// Gives the section `id` its level below its parent, and its subsections theirs, but for those that have it already.
    pub fn put(&mut self, id: TemplateId, heading: SectionId) {
        let matching = self.readme.matching();
        let level = self.wanted_level(id);
        let headings: Vec<SectionId> = self.readme.sections.descendants(heading).map(|(below, _)| below).collect();
        let stays = |below: &&SectionId| {
            let owner = matching.owner(**below);
            let shift = owner.and_then(|owner| matching.shift(self.ctx.template, &self.readme.sections, owner));
            shift.is_some_and(|(_, shift)| shift.levels == 0)
        };
        let kept: Vec<SectionId> = headings.iter().filter(stays).copied().collect();
        let is_kept = |below: &SectionId| {
            kept.contains(below) || self.readme.sections.ancestors(*below).any(|outer| kept.contains(&outer))
        };
        let moved: Vec<SectionId> =
            std::iter::once(heading).chain(headings.into_iter().filter(|below| !is_kept(below))).collect();
        self.deepen(heading, level, &moved);
        self.put.push(heading);
    }

    /// Gives a heading a level, and all that `moved` along one that is as much deeper, unless it is deep enough.
    pub fn deepen(&mut self, heading: SectionId, level: u8, moved: &[SectionId]) {
        let sections = &self.readme.sections;
        let old = sections.get(heading).level;
        let are_deep = old < level && moved.iter().all(|other| *other == heading || sections.get(*other).level > level);
        for other in moved.iter().filter(|other| **other == heading || !are_deep) {
            if let Some(planned) = self.levels.get_mut(other.0) {
                *planned = (sections.get(*other).level + level).saturating_sub(old);
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
            let is_later = |other: TemplateId| self.ctx.template.get(other).parent == Some(parent) && other > id;
            self.level(*heading) <= self.level(outer) || matching.owner(*heading).is_some_and(is_later)
        })
    }

    /// Whether the section that this one is in so far has an answer without it, and without others that move.
    pub fn leaves_answer(&self, moved: SectionId) -> bool {
        let sections = &self.readme.sections;
        let Some(outer) = sections.parent(moved).filter(|outer| self.readme.matching().owner(*outer).is_some()) else {
            return true;
        };
        let inside: Vec<SectionId> = self.put.iter().copied().filter(|heading| *heading > outer).collect();
        let is_moved = |at: usize| inside.iter().any(|heading| sections.get(*heading).subtree.contains(&at));
        let lines = self.readme.visible(sections.get(outer).subtree.clone());
        let rest = lines.filter(|(line, _)| !is_moved(line.start)).map(|(_, words)| words);
        Content::of(rest, self.ctx.template, None, self.ctx.target.stage) == Content::Answer
    }

    /// These headings and those below them that are before `end`.
    pub fn with_below(&self, headings: &[SectionId], end: SectionId) -> Vec<SectionId> {
        let below = headings.iter().flat_map(|heading| self.readme.sections.descendants(*heading).map(|(id, _)| id));
        let mut all: Vec<SectionId> = headings.iter().copied().chain(below.filter(|below| *below < end)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The edits that give these headings their levels. `None` if one would be too deep, or is underlined or a title.
    pub fn levels(&self, headings: &[SectionId]) -> Option<Vec<Edit>> {
        let is_changed = |heading: &&SectionId| self.level(**heading) != self.readme.sections.get(**heading).level;
        headings.iter().filter(is_changed).map(|heading| self.edit(*heading)).collect()
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

    /// The edits that move a section above another heading, at its new level.
    pub fn moved(&self, heading: SectionId, next: SectionId) -> Option<Vec<Edit>> {
        let section = self.readme.sections.get(heading);
        let limit = lead::start(self.readme, self.readme.sections.get(next).heading.start);
        let cut = lead::start(self.readme, section.heading.start)..section.subtree.end;
        let whole = self.readme.text();
        // Nothing that is open there hides the headings after it.
        let is_between_blocks = |at: usize| {
            slice(whole, ..at).ends_with(['\n', '\r'])
                && at
                    .checked_sub(1)
                    .and_then(|before| self.readme.sections.since_heading(whole, before))
                    .is_some_and(is_closed)
        };
        let contents = Markers::find(whole).between();
        let has_markers = contents.is_some_and(|contents| cut.start < contents.end && contents.start < cut.end);
        // The end of the file stays as it is.
        if cut.end == whole.len()
            || cut.contains(&limit)
            || has_markers
            || ![cut.start, cut.end, limit].into_iter().all(is_between_blocks)
        {
            return None;
        }
        let mut text = self.readme.slice(cut.clone()).trim_end().to_owned();
        let after_all = SectionId(self.readme.sections.len());
        for edit in self.levels(&self.with_below(&[heading], after_all))?.into_iter().rev() {
            let Range { start, end } = edit.span.range();
            text.replace_range(start.checked_sub(cut.start)?..end.checked_sub(cut.start)?, &edit.text);
        }
        let newline = line_end(whole, limit);
        let inserted = Edit { span: self.readme.span(limit..limit), text: format!("{text}{newline}{newline}") };
        Some(vec![Edit { span: self.readme.span(cut), text: String::new() }, inserted])
    }
}
