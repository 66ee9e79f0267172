//! Where a missing section is inserted, and its text: the template's heading, guidance and form, and its required
//! subsections.

use crate::diagnostic::{Edit, Fix, Safety};
use crate::gap::content::Content;
use crate::markdown::is_closed;
use crate::markdown::section::{Section, SectionId};
use crate::mdtoc::{self, Markers};
use crate::rules::context::{Ctx, Readme};
use crate::span::slice;
use crate::suppress::ignore;
use crate::template::TemplateId;
use std::borrow::Cow;
use std::cell::OnceCell;

/// Makes insertions into one README.
pub struct Inserter<'a> {
    ctx: &'a Ctx<'a>,
    readme: Readme<'a>,
    /// Whether a heading added at the document's end would be rendered as a heading.
    is_closed: OnceCell<bool>,
}

/// A place for a heading.
struct Spot {
    /// Where the text before it ends; blank lines may precede this point.
    limit: usize,
    level: u8,
    /// What follows it.
    next: Next,
}

/// What follows a new heading.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// A heading that ends the new section, or nothing.
    Other,
    /// Text that is probably the answer to the new question.
    Answer,
    /// A subsection of the new section.
    Child,
}

impl<'a> Inserter<'a> {
    /// Creates an inserter for this README.
    pub fn new(ctx: &'a Ctx<'a>, readme: Readme<'a>) -> Self {
        Self { ctx, readme, is_closed: OnceCell::new() }
    }

    /// The fix that inserts the section `id`; `None` if its place is not certain.
    pub fn fix(&self, id: TemplateId) -> Option<Fix> {
        let spot = self.spot(id)?;
        let Spot { limit, level, .. } = spot;
        if !self.is_certain(&spot, id) {
            return None;
        }
        let text = self.readme.text;
        let limit = if spot.next == Next::Answer { limit } else { self.before_ignores(limit) };
        let before = slice(text, ..limit).trim_end_matches([' ', '\t', '\r', '\n']);
        if before.is_empty() {
            return None;
        }
        let rest = slice(text, before.len()..);
        let at = before.len() + rest.find(['\r', '\n']).unwrap_or(rest.len());
        // mdtoc would delete a section between the markers of the table of contents.
        let markers = Markers::find(text);
        let is_within = markers.between().is_some_and(|between| between.start <= at && at < between.end);
        if is_within || markers.opening.is_some() != markers.closing.is_some() {
            return None;
        }
        let line_end = mdtoc::newline(self.readme.text);
        let is_crowded = limit < text.len() && slice(text, at..limit).matches('\n').count() < 2;
        let closing = if is_crowded { line_end } else { "" };
        let block = self.block(id, level)?.replace('\n', line_end);
        let edit = Edit { span: self.readme.span(at..at), text: format!("{line_end}{line_end}{block}{closing}") };
        let title = format!("insert `{}`", self.heading(id, level));
        Some(Fix { safety: Safety::Unsafe, title, edits: vec![edit] })
    }

    /// Where the ignores right before byte `limit` begin: they are about what follows them.
    fn before_ignores(&self, mut limit: usize) -> usize {
        let Readme { document, text, .. } = self.readme;
        let before = document.comments.partition_point(|comment| comment.span.end <= limit);
        for comment in document.comments.iter().take(before).rev() {
            let is_next = slice(text, comment.span.end..limit).trim().is_empty();
            if limit == text.len() || !is_next || !comment.is_block || !ignore::is_one(comment.body(text)) {
                break;
            }
            limit = comment.span.start;
        }
        limit
    }

    /// After the nearest preceding section, else before the nearest following one, else at the end of its parent; at
    /// the level of its siblings there.
    fn spot(&self, id: TemplateId) -> Option<Spot> {
        let Ctx { template, .. } = self.ctx;
        let sections = &self.readme.document.sections;
        let around = template.get(id).parent;
        let parent = match around {
            Some(around) => Some(self.readme.matching.place(around)?.section?),
            None => None,
        };
        let siblings = template.iter().filter(|(other, section)| section.parent == around && *other != id);
        let places = siblings.filter_map(|(other, _)| Some((other, self.readme.matching.place(other)?)));
        let mut before = None;
        let mut after = None;
        for (other, place) in places {
            // A heading would not fit among questions in list items.
            let at = place.section?;
            let is_beside = sections.parent(at) == parent;
            let depth = (template.get(other).level, sections.get(at).level);
            if is_beside && other < id {
                before = Some((other, at, place.subtree.end, depth));
            } else if is_beside && after.is_none() {
                after = Some((other, place.heading.start, depth));
            }
        }
        let (limit, (wanted, found), next) = match (before, after) {
            (Some((previous, section, end, depth)), _) => match self.orphaned_answer(id, sections.get(section)) {
                // With several missing questions, it is not certain which of them the text answers.
                Some(_) if previous.0 + 1 != id.0 => return None,
                Some(start) => (start, depth, Next::Answer),
                None => match self.first_child_inside(id, section) {
                    Some(start) => (start, depth, Next::Child),
                    None => (end, depth, Next::Other),
                },
            },
            (None, Some((next, start, depth))) => match self.text_above(id, parent) {
                Some(_) if id.0 + 1 != next.0 => return None,
                Some(start) => (start, depth, Next::Answer),
                None => (start, depth, Next::Other),
            },
            (None, None) => {
                let (limit, depth) = self.end_of(id, parent.or_else(|| sections.title())?)?;
                (limit, depth, Next::Other)
            }
        };
        let level = (template.get(id).level + found).checked_sub(wanted).filter(|level| (1..=6).contains(level))?;
        Some(Spot { limit, level, next })
    }

    /// Where the text above the first question of `parent` begins, if `id` is a question: it may be the answer.
    fn text_above(&self, id: TemplateId, parent: Option<SectionId>) -> Option<usize> {
        let own = self.readme.document.sections.get(parent?).own.clone();
        let mut lines = self.readme.document.visible_spans(self.readme.text, own);
        lines.next().map(|line| line.start).filter(|_| self.ctx.template.get(id).is_question())
    }

    /// Where a second answer begins under the question `previous`, if `id` is a question: "No", "N/A" or the like at the
    /// start of a later paragraph.
    fn orphaned_answer(&self, id: TemplateId, previous: &Section) -> Option<usize> {
        let Readme { document, text, .. } = self.readme;
        if !self.ctx.template.get(id).is_question() {
            return None;
        }
        let lines = document.visible_spans(text, previous.own.clone()).skip(1);
        let mut answers = lines.map(|line| line.start).filter(|start| {
            let is_paragraph = slice(text, ..*start).trim_end_matches([' ', '\t', '\r']).ends_with("\n\n")
                || slice(text, ..*start).ends_with("\n\r\n");
            let (word, _) = slice(text, *start..).split_once(['.', ',', ';', ':', '\r', '\n']).unwrap_or_default();
            is_paragraph && ["yes", "no", "n/a", "none"].iter().any(|answer| word.eq_ignore_ascii_case(answer))
        });
        answers.next()
    }

    /// Where the first subsection of `id` in `section` begins, if `section` has text before it and so does not become
    /// empty when its rest is in the new section.
    fn first_child_inside(&self, id: TemplateId, section: SectionId) -> Option<usize> {
        let Readme { document, text, matching, .. } = self.readme;
        let children = self.ctx.template.children(id).filter_map(|(child, _)| matching.place(child)?.section);
        let inside = children.filter(|child| document.sections.parent(*child) == Some(section));
        let start = inside.map(|child| document.sections.get(child).heading.start).min()?;
        let before = document.visible_lines(text, document.sections.get(section).heading.end..start);
        self.is_answer(before).then_some(start)
    }

    fn is_answer<'b>(&self, lines: impl Iterator<Item = Cow<'b, str>>) -> bool {
        let Ctx { template, target, .. } = self.ctx;
        Content::of(lines, template, None, target.stage) == Content::Answer
    }

    /// The end of the section `parent`, if its last subsection is at the level of the new section or deeper; else the
    /// end of its own text.
    fn end_of(&self, id: TemplateId, parent: SectionId) -> Option<(usize, (u8, u8))> {
        let Ctx { template, .. } = self.ctx;
        let section = self.readme.document.sections.get(parent);
        let wanted = template.get(id).parent.map_or(1, |around| template.get(around).level);
        let level = (template.get(id).level + section.level).checked_sub(wanted)?;
        let last = self.readme.document.sections.children(parent).last();
        let limit =
            if last.is_some_and(|(_, last)| last.level < level) { section.own.end } else { section.subtree.end };
        Some((limit, (wanted, section.level)))
    }

    /// Whether a heading there is directly under its parent, takes no text from the next section, and is rendered.
    fn is_certain(&self, spot: &Spot, id: TemplateId) -> bool {
        let Readme { document, text, matching, .. } = self.readme;
        let sections = &document.sections;
        let begins_line = |at: usize| at == 0 || slice(text, ..at).ends_with(['\n', '\r']);
        if spot.next == Next::Answer {
            let end = sections.at(spot.limit).map_or(text.len(), |at| sections.get(at).own.end);
            // Other rules look into a section with a role: they would check the text against its form.
            return begins_line(spot.limit)
                && !document.is_hidden(spot.limit)
                && self.ctx.template.get(id).role.is_none()
                && self.is_answer(document.visible_lines(text, spot.limit..end));
        }
        let around = sections
            .iter()
            .rev()
            .find(|(_, section)| section.heading.start < spot.limit && section.level < spot.level)
            .map(|(around, _)| around)
            .filter(|around| Some(*around) != sections.title());
        let wanted = self.ctx.template.get(id).parent;
        if around.and_then(|around| matching.owner(around)) != wanted || around.is_some() != wanted.is_some() {
            return false;
        }
        if spot.limit < text.len() {
            let next = sections.iter().find(|(_, section)| section.heading.start == spot.limit);
            let is_end = next.is_some_and(|(_, next)| next.level <= spot.level) || spot.next == Next::Child;
            is_end && spot.limit > 0 && begins_line(spot.limit)
        } else {
            // What is open at the end was opened after the last heading, unless that heading is in a list.
            let last = sections.iter().next_back().map_or(0, |(_, last)| last.heading.start);
            begins_line(last) && *self.is_closed.get_or_init(|| is_closed(slice(text, last..)))
        }
    }

    /// The section `id` and its required subsections that are not elsewhere, without a line end after the last.
    fn block(&self, id: TemplateId, level: u8) -> Option<String> {
        let Ctx { template, requirements, .. } = self.ctx;
        let guidance = template.guidance(id);
        let mut block = self.heading(id, level);
        if !guidance.is_empty() && is_closed(&guidance) {
            block += "\n\n";
            block += &guidance;
        }
        for (child, section) in template.children(id) {
            let is_hidden = self.readme.document.hidden.iter().any(|hidden| section.has_wording(&hidden.title));
            let is_there = is_hidden || self.readme.matching.place(child).is_some();
            if is_there || !requirements.iter().any(|requirement| requirement.section == child) {
                continue;
            }
            let level = (section.level + level).checked_sub(template.get(id).level)?;
            block += "\n\n";
            block += &self.block(child, level).filter(|_| level <= 6)?;
        }
        Some(block)
    }

    fn heading(&self, id: TemplateId, level: u8) -> String {
        format!("{} {}", "#".repeat(level.into()), self.ctx.template.heading(id))
    }
}
