//! Where a missing section is inserted, and its text: the template's heading, guidance and form, and its
//! required subsections.

use super::place::Place;
use crate::gap::Gap;
use crate::markdown::is_closed;
use crate::markdown::paragraph::is_list_item;
use crate::matching::Matching;
use crate::rules::lead;
use crate::rules::prelude::*;
use crate::span::{count_line_ends, strip_line_end};
use crate::template::Template;
use std::cell::OnceCell;

const DEEPEST: u8 = 6;

pub struct Inserter<'a> {
    ctx: &'a Ctx<'a>,
    readme: Readme<'a>,
    template: &'a Template,
    matching: &'a Matching,
    /// Whether a heading added at the document's end would be rendered as a heading.
    is_closed: OnceCell<bool>,
}

struct Spot {
    limit: usize,
    level: u8,
    next: Next,
    /// The section that the place is named by, and the word before it.
    named: Option<(&'static str, TemplateId)>,
}

/// The section that a new one goes after, or before.
#[derive(Clone, Copy)]
enum Neighbor {
    Before(TemplateId, SectionId),
    After(TemplateId, SectionId),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Other,
    /// Text that is probably the answer to the new question.
    Answer,
    /// A subsection of the new section, which is in this one so far.
    Child(SectionId),
}

impl<'a> Inserter<'a> {
    pub fn new(ctx: &'a Ctx<'a>, readme: Readme<'a>) -> Self {
        Self { ctx, readme, template: ctx.template, matching: readme.matching(), is_closed: OnceCell::new() }
    }

    /// The fix that inserts the section `id`, and its place; `None` if that is not certain. It goes above its subsection
    /// `first`, if that is given.
    pub fn insertion(&self, id: TemplateId, first: Option<TemplateId>) -> Option<(Fix, Place)> {
        if self.hidden(id).is_some() || first.is_none() && self.is_torn(id) {
            return None;
        }
        let spot = match first {
            Some(first) => self.spot_above(id, first),
            None => self.spot(id),
        };
        let certain = spot.filter(|spot| self.is_certain(spot, id)).and_then(|spot| self.inserted(id, &spot));
        if certain.is_some() || self.ctx.target.scope == Scope::Certain {
            return certain;
        }
        self.inserted(id, &self.likely_spot(id)?)
    }

    fn inserted(&self, id: TemplateId, spot: &Spot) -> Option<(Fix, Place)> {
        let blocks = self.blocks(id, spot)?;
        let edits: Option<Vec<Edit>> =
            blocks.iter().map(|(limit, block)| self.edit(*limit, spot.next, block)).collect();
        let title = format!("insert `{}`", self.heading(id, spot.level));
        Some((
            Fix { safety: Safety::Unsafe, title, edits: edits? },
            Place::named(self.ctx, self.readme, spot.named, spot.level),
        ))
    }

    /// The fix that inserts the heading of `id` above the line at `start`, which has its words; `None` if
    /// the line is inside of a paragraph or of a list item.
    pub fn above_line(&self, id: TemplateId, start: usize) -> Option<Fix> {
        let parent = self.template.get(id).parent?;
        let outer = self.matching.place(parent)?.section?;
        let level = self.level(id, self.template.get(parent).level, outer)?;
        let (before, line) = (self.readme.slice(..start), first_line(self.readme.slice(start..)));
        let begins_block = is_list_item(line) || count_line_ends(slice(before, before.trim_end().len()..)) > 1;
        let around = &self.readme.sections.get(outer).subtree;
        let is_inside = around.contains(&start) && !self.readme.is_hidden(start);
        let since_heading = self.readme.sections.since_heading(self.readme.text(), start);
        if !begins_block || !is_inside || !since_heading.is_some_and(is_closed) {
            return None;
        }
        let heading = self.heading(id, level);
        let edits = vec![self.edit(start, Next::Answer, &heading)?];
        Some(Fix { safety: Safety::Unsafe, title: format!("insert `{heading}`"), edits })
    }

    /// Above the subsection `first`, if nothing but subsections of `id` can come to be below the new heading.
    fn spot_above(&self, id: TemplateId, first: TemplateId) -> Option<Spot> {
        let sections = &self.readme.sections;
        let heading = self.matching.place(first)?.section?;
        let limit = sections.get(heading).heading.start;
        let level = self.template.get(id).level;
        let (named, depth) = (Some(("above", first)), sections.get(heading).level);
        match self.parent(heading) {
            Some(outer) if sections.get(outer).level == level => {
                let before = sections.get(outer).heading.end..limit;
                let has_text = self.is_answer(self.readme.visible_lines(before));
                has_text.then_some(Spot { limit, level, next: Next::Child(outer), named })
            }
            None if depth > level => Some(Spot { limit, level, next: Next::Other, named }),
            _ => None,
        }
    }

    fn edit(&self, limit: usize, next: Next, block: &str) -> Option<Edit> {
        let text = self.readme.text();
        let limit = if next == Next::Answer { limit } else { lead::start(self.readme, limit) };
        let before = slice(text, ..limit).trim_end_matches([' ', '\t', '\r', '\n']);
        if before.is_empty() {
            let lines = format!("{block}\n\n").replace('\n', line_end(text, limit));
            let is_whole = self.ctx.target.scope != Scope::Certain;
            return is_whole.then(|| Edit { span: self.readme.span(limit..limit), text: lines });
        }
        let rest = slice(text, before.len()..);
        let at = before.len() + rest.find(['\r', '\n']).unwrap_or(rest.len());
        // mdtoc would delete a section between the markers of the table of contents, and not list one before
        // it.
        let markers = Markers::find(text);
        let is_before = markers.closing.as_ref().is_some_and(|closing| at < closing.end);
        if is_before || markers.opening.is_some() != markers.closing.is_some() {
            return None;
        }
        let is_crowded = limit < text.len() && count_line_ends(slice(text, at..limit)) < 2;
        let closing = if is_crowded { "\n" } else { "" };
        // Also in a file with several kinds of line ends, the line above keeps its own.
        let below = slice(text, at..);
        let newline = match strip_line_end(below) {
            Some(after) => slice(below, ..below.len() - after.len()),
            None => line_end(text, at),
        };
        let lines = format!("\n\n{block}{closing}").replace('\n', newline);
        Some(Edit { span: self.readme.span(at..at), text: lines })
    }

    /// Between the sections beside it and at their level, else at the end of the section around it.
    fn spot(&self, id: TemplateId) -> Option<Spot> {
        let wanted_parent = self.template.get(id).parent;
        let parent = match wanted_parent {
            Some(wanted_parent) => Some(self.matching.place(wanted_parent)?.section?),
            None => None,
        };
        let siblings = self.template.iter().filter(|(_, section)| section.parent == wanted_parent);
        let mut places = siblings.filter_map(|(other, _)| self.matching.place(other));
        // A heading would not fit among questions in list items.
        if places.any(|place| place.section.is_none()) {
            return None;
        }
        let under = wanted_parent.map(|around| ("under", around));
        match self.neighbor(id, parent) {
            Some(Neighbor::Before(previous, section)) => self.spot_after(id, previous, section),
            Some(Neighbor::After(next, section)) => {
                let level = self.level(id, self.template.get(next).level, section)?;
                if let Some(limit) = self.text_above(id, parent) {
                    let is_next = id.0 + 1 == next.0;
                    return is_next.then_some(Spot { limit, level, next: Next::Answer, named: under });
                }
                let limit = self.readme.sections.get(section).heading.start;
                let under = under.filter(|_| !self.template.is_of_others);
                Some(Spot { limit, level, next: Next::Other, named: under.or(Some(("before", next))) })
            }
            None => self.spot_at_end(id, parent.or_else(|| self.only_title())?),
        }
    }

    /// The section that `id` goes after or before, of those beside it in `parent`: the fewest of them are on
    /// the wrong side of it, also where they are not in the template's order. In other projects, it goes before the next
    /// one of the template, if that is behind the previous one.
    fn neighbor(&self, id: TemplateId, parent: Option<SectionId>) -> Option<Neighbor> {
        let siblings = self.template.iter().filter(|(_, it)| it.parent == self.template.get(id).parent);
        let headings = siblings.filter_map(|(other, _)| Some((self.matching.place(other)?.section?, other)));
        let mut beside: Vec<(SectionId, TemplateId)> =
            headings.filter(|(heading, _)| self.parent(*heading) == parent).collect();
        if self.template.is_of_others {
            let previous = beside.iter().rfind(|(_, other)| *other < id);
            let mut after = beside.iter().filter(|(_, other)| *other > id);
            let next = after.next().filter(|(heading, _)| previous.is_none_or(|(before, _)| before < heading));
            let next = next.map(|(heading, other)| Neighbor::After(*other, *heading));
            return next.or_else(|| previous.map(|(heading, other)| Neighbor::Before(*other, *heading)));
        }
        beside.sort_unstable();
        let (first, next) = *beside.first()?;
        let mut wrong = beside.iter().filter(|(_, other)| *other < id).count();
        let (mut least, mut best) = (wrong, Neighbor::After(next, first));
        for (heading, other) in beside {
            if other < id {
                wrong -= 1;
            } else {
                wrong += 1;
            }
            if wrong <= least {
                (least, best) = (wrong, Neighbor::Before(other, heading));
            }
        }
        Some(best)
    }

    /// The place beside its neighbor, or at the end of the section around it, whatever text is there.
    fn likely_spot(&self, id: TemplateId) -> Option<Spot> {
        let heading_of = |other: TemplateId| Some((other, self.matching.place(other)?.section?));
        let outer = self.template.ancestors(id).find_map(heading_of);
        let sections = &self.readme.sections;
        let neighbor = self.neighbor(id, outer.map(|(_, heading)| heading));
        let (limit, level, named) = match (neighbor, outer) {
            (Some(Neighbor::Before(previous, heading)), _) => {
                let (last, limit) = self.last_before(id, previous, heading);
                (limit, sections.get(heading).level, Some(("after", last)))
            }
            (Some(Neighbor::After(next, heading)), _) => {
                let Section { heading, level, .. } = sections.get(heading);
                (heading.start, *level, Some(("before", next)))
            }
            (None, Some((around, heading))) => {
                let level = self.level(id, self.template.get(around).level, heading)?;
                (self.end_inside(heading, level), level, Some(("under", around)))
            }
            (None, None) => (self.readme.text().len(), self.template.get(id).level, None),
        };
        Some(Spot { limit, level, next: Next::Other, named })
    }

    /// Whether a subsection of `id`, or one that the template has right beside it, is somewhere else in another project.
    fn is_torn(&self, id: TemplateId) -> bool {
        let parent = self.template.get(id).parent;
        let heading_of = |other: TemplateId| self.matching.place(other)?.section;
        let around = parent.and_then(heading_of);
        let siblings: Vec<TemplateId> =
            self.template.iter().filter(|(_, it)| it.parent == parent).map(|(other, _)| other).collect();
        let place = siblings.iter().position(|other| *other == id).unwrap_or_default();
        let beside = [place.checked_sub(1), Some(place + 1)].into_iter().flatten().filter_map(|at| siblings.get(at));
        let mut headings = beside.filter_map(|other| heading_of(*other));
        let has_child = || self.template.children(id).any(|(child, _)| heading_of(child).is_some());
        self.template.is_of_others && (headings.any(|heading| self.parent(heading) != around) || has_child())
    }

    /// The end of the section `parent` for a new heading; that of its own text, if what follows is at a higher level.
    fn end_inside(&self, parent: SectionId, level: u8) -> usize {
        let section = self.readme.sections.get(parent);
        let is_shallow = self.readme.sections.children(parent).any(|(_, child)| child.level < level);
        if is_shallow { section.own.end } else { section.subtree.end }
    }

    fn spot_after(&self, id: TemplateId, previous: TemplateId, section: SectionId) -> Option<Spot> {
        let level = self.level(id, self.template.get(previous).level, section)?;
        if let Some(limit) = self.orphaned_answer(id, self.readme.sections.get(section)) {
            // With several missing questions, it is not certain which of them the text answers.
            let is_next = previous.0 + 1 == id.0;
            return is_next.then_some(Spot { limit, level, next: Next::Answer, named: Some(("after", previous)) });
        }
        if let Some((first, limit)) = self.first_child_inside(id, section) {
            return Some(Spot { limit, level, next: Next::Child(section), named: Some(("above", first)) });
        }
        let (last, limit) = self.last_before(id, previous, section);
        Some(Spot { limit, level, next: Next::Other, named: Some(("after", last)) })
    }

    /// The last section from `previous` on, with its end, that the template has before `id`: sections that should be
    /// inside of another one may follow it.
    fn last_before(&self, id: TemplateId, previous: TemplateId, section: SectionId) -> (TemplateId, usize) {
        let Section { level, subtree, .. } = self.readme.sections.get(section);
        let end = self.matching.place(previous).map_or(subtree.end, |place| place.subtree.end);
        let after = self.readme.sections.iter().skip_while(|(_, next)| next.heading.start < end);
        let beside = after.take_while(|(_, next)| next.level >= *level).filter(|(_, next)| next.level == *level);
        let before = beside.map_while(|(at, next)| match self.matching.owner(at) {
            // Other projects describe there what is before it.
            None if self.template.is_of_others && *level > 2 => Some((previous, next.subtree.end)),
            owner => Some((owner.filter(|owner| *owner < id)?, next.subtree.end)),
        });
        before.last().unwrap_or((previous, end))
    }

    /// The level of the section `id`, if one that has the level `wanted` in the template has that of
    /// `beside` in the KEP.
    fn level(&self, id: TemplateId, wanted: u8, beside: SectionId) -> Option<u8> {
        let level = self.template.get(id).level + self.readme.sections.get(beside).level;
        level.checked_sub(wanted).filter(|level| *level >= 1).map(|level| level.min(DEEPEST))
    }

    /// Whether a heading has the whole KEP or a part of it below it: the title, and others of its level that
    /// are no section of the template.
    fn is_title(&self, id: SectionId) -> bool {
        let is_like_it = self.readme.sections.get(id).level == 1 && self.matching.owner(id).is_none();
        is_like_it || self.readme.sections.title() == Some(id)
    }

    fn only_title(&self) -> Option<SectionId> {
        only_one(self.readme.sections.iter().map(|(id, _)| id).filter(|id| self.is_title(*id)))
    }

    fn parent(&self, id: SectionId) -> Option<SectionId> {
        self.readme.sections.parent(id).filter(|parent| !self.is_title(*parent))
    }

    /// Where the text above the first question of `parent` begins, if `id` is a question: it may be the
    /// answer.
    fn text_above(&self, id: TemplateId, parent: Option<SectionId>) -> Option<usize> {
        if !self.template.get(id).is_question() {
            return None;
        }
        let text = self.readme.sections.get(parent?).own.clone();
        self.readme.visible_spans(text).next().map(|line| line.start)
    }

    /// Where a second answer begins under the question `previous`, if `id` is a question: "No", "N/A" or the
    /// like at the start of a later paragraph.
    fn orphaned_answer(&self, id: TemplateId, previous: &Section) -> Option<usize> {
        if !self.template.get(id).is_question() {
            return None;
        }
        let lines = self.readme.visible_spans(previous.own.clone()).skip(1);
        let mut answers = lines.map(|line| line.start).filter(|start| {
            let before = self.readme.slice(..*start);
            let is_paragraph =
                before.trim_end_matches([' ', '\t', '\r']).ends_with("\n\n") || before.ends_with("\n\r\n");
            let (word, _) =
                self.readme.slice(*start..).split_once(['.', ',', ';', ':', '\r', '\n']).unwrap_or_default();
            is_paragraph && ["yes", "no", "n/a", "none"].iter().any(|answer| word.eq_ignore_ascii_case(answer))
        });
        answers.next()
    }

    /// The first subsection of `id` in `section` and where it begins, if `section` has text before it and so
    /// does not become empty when its rest is in the new section.
    fn first_child_inside(&self, id: TemplateId, section: SectionId) -> Option<(TemplateId, usize)> {
        let inside = self.children_inside(id, section).into_iter();
        let (first, start) = inside.map(|(part, child)| (part, child.heading.start)).min_by_key(|(_, start)| *start)?;
        let before = self.readme.visible_lines(self.readme.sections.get(section).heading.end..start);
        self.is_answer(before).then_some((first, start))
    }

    /// The subsections of `id` that are directly in `section`, in the order of the template.
    fn children_inside(&self, id: TemplateId, section: SectionId) -> Vec<(TemplateId, &Section)> {
        let children = self.template.children(id).map(|(child, _)| child);
        let inside = children.filter_map(|child| Some((child, self.matching.place(child)?.section?)));
        let inside = inside.filter(|(_, at)| self.readme.sections.parent(*at) == Some(section));
        inside.map(|(child, at)| (child, self.readme.sections.get(at))).collect()
    }

    fn is_answer<'b>(&self, lines: impl Iterator<Item = Cow<'b, str>>) -> bool {
        Content::of(lines, self.template, None, self.ctx.target.stage) == Content::Answer
    }

    /// The end of the section `parent`, if its last subsection is at the level of the new section or deeper;
    /// else the end of its own text.
    fn spot_at_end(&self, id: TemplateId, parent: SectionId) -> Option<Spot> {
        let section = self.readme.sections.get(parent);
        let wanted = self.template.get(id).parent.map_or(1, |outer| self.template.get(outer).level);
        let level = self.level(id, wanted, parent)?;
        // A section that goes above one of those in this section ends it.
        let ends_section = |gap: &Gap| {
            let GapKind::Missing(absence) = &gap.kind else { return false };
            let first = absence.first_subsection.and_then(|first| self.matching.place(first));
            let is_inside = first.is_some_and(|first| section.subtree.contains(&first.heading.start));
            is_inside && self.template.get(gap.section).level < self.template.get(id).level
        };
        if self.readme.gaps().iter().any(ends_section) {
            return None;
        }
        let under = self.template.get(id).parent.map(|around| ("under", around));
        Some(Spot { limit: self.end_inside(parent, level), level, next: Next::Other, named: under })
    }

    /// Whether a heading there is directly under its parent, takes no text from the next section, and is
    /// rendered.
    fn is_certain(&self, spot: &Spot, id: TemplateId) -> bool {
        let (sections, text) = (&self.readme.sections, self.readme.text());
        let begins_line = |offset: usize| offset == 0 || slice(text, ..offset).ends_with(['\n', '\r']);
        if spot.next == Next::Answer {
            let end = sections.at(spot.limit).map_or(text.len(), |section| sections.get(section).own.end);
            // Other rules look into a section with a role: they would check the text against its form.
            return begins_line(spot.limit)
                && sections.since_heading(text, spot.limit).is_some_and(is_closed)
                && self.template.get(id).role.is_none()
                && self.is_answer(self.readme.visible_lines(spot.limit..end));
        }
        let outer = sections
            .iter()
            .rev()
            .find(|(_, section)| section.heading.start < spot.limit && section.level < spot.level)
            .map(|(outer, _)| outer)
            .filter(|outer| !self.is_title(*outer));
        let wanted = self.template.get(id).parent;
        if outer.and_then(|it| self.matching.owner(it)) != wanted || outer.is_some() != wanted.is_some() {
            return false;
        }
        if spot.limit < text.len() {
            let next = sections.iter().find(|(_, section)| section.heading.start == spot.limit);
            let is_end = next.is_some_and(|(_, next)| next.level <= spot.level) || matches!(spot.next, Next::Child(_));
            is_end && spot.limit > 0 && begins_line(spot.limit)
        } else {
            self.is_rendered_at_end()
        }
    }

    fn is_rendered_at_end(&self) -> bool {
        let text = self.readme.text();
        *self.is_closed.get_or_init(|| self.readme.sections.since_heading(text, text.len()).is_some_and(is_closed))
    }

    /// The section `id` and its required subsections that are not elsewhere, each part with what it goes
    /// before: there are several if subsections follow that are there already. `None` if these cannot be
    /// part of the new section.
    fn blocks(&self, id: TemplateId, spot: &Spot) -> Option<Vec<(usize, String)>> {
        let Spot { limit, level, next, .. } = *spot;
        let mut blocks = vec![(limit, self.start_of_block(id, level))];
        let parts = self.parts_of_block(id, level)?;
        let Next::Child(section) = next else {
            let (_, block) = blocks.first_mut()?;
            parts.iter().for_each(|(_, part)| *block += part);
            return Some(blocks);
        };
        let inside = self.children_inside(id, section);
        let depth =
            |child: TemplateId| (self.template.get(child).level + level).checked_sub(self.template.get(id).level);
        // A deeper one would be in the part before it.
        let are_beside = inside.iter().all(|(child, subsection)| depth(*child) == Some(subsection.level));
        if self.takes_others(id, section, limit) || (!parts.is_empty() && !are_beside) {
            return None;
        }
        for (child, part) in parts {
            let before =
                inside.iter().rfind(|(other, _)| *other < child).map_or(limit, |(_, before)| before.subtree.end);
            if before == self.readme.text().len() && !self.is_rendered_at_end() {
                return None;
            }
            match blocks.iter_mut().find(|(end, _)| *end == before) {
                Some((_, block)) => *block += &part,
                None => blocks.push((before, part)),
            }
        }
        blocks.iter_mut().for_each(|(_, block)| *block = block.trim_start_matches('\n').to_owned());
        Some(blocks)
    }

    /// Whether sections of the template that do not belong to `id` follow `limit` in `section`.
    fn takes_others(&self, id: TemplateId, section: SectionId, limit: usize) -> bool {
        let mut rest = self.readme.sections.children(section).filter(|(_, it)| it.heading.start >= limit);
        let is_other = |owner: TemplateId| self.template.ancestors(owner).all(|ancestor| ancestor != id);
        rest.any(|(child, _)| self.matching.owner(child).is_some_and(is_other))
    }

    /// The heading of `id` with the template's guidance, without a line end after it.
    fn start_of_block(&self, id: TemplateId, level: u8) -> String {
        let guidance = self.template.guidance(id);
        let mut block = self.heading(id, level);
        if !guidance.is_empty() && is_closed(&guidance) {
            block += "\n\n";
            block += &guidance;
        }
        block
    }

    /// The required subsections of `id` that are nowhere else, each with its own and an empty line before it.
    fn parts_of_block(&self, id: TemplateId, level: u8) -> Option<Vec<(TemplateId, String)>> {
        let is_reported = |section: TemplateId| {
            let missing = self.readme.gaps().iter().filter(|gap| matches!(gap.kind, GapKind::Missing(_)));
            missing.into_iter().any(|gap| gap.section == section)
        };
        let mut parts = Vec::new();
        for (child, section) in self.template.children(id) {
            let is_present = self.hidden(child).is_some() || self.matching.place(child).is_some();
            let is_asked = self.ctx.requirements.iter().any(|it| it.section == child && !it.is_optional);
            if is_present || is_reported(child) || !is_asked {
                continue;
            }
            let depth = (section.level + level).checked_sub(self.template.get(id).level)?.min(DEEPEST);
            let level = if depth > level { depth } else { return None };
            let inner = self.parts_of_block(child, level)?;
            let inner: String = inner.into_iter().map(|(_, part)| part).collect();
            parts.push((child, format!("\n\n{}{inner}", self.start_of_block(child, level))));
        }
        Some(parts)
    }

    pub fn hidden(&self, id: TemplateId) -> Option<&HiddenHeading> {
        self.readme.hidden.iter().find(|hidden| self.template.get(id).has_wording(&hidden.title))
    }

    fn heading(&self, id: TemplateId, level: u8) -> String {
        format!("{} {}", "#".repeat(level.into()), self.template.heading(id))
    }
}
