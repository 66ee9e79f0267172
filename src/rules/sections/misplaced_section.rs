//! A template heading is under another parent or at another level than in the template.
//!
//! ## Why
//!
//! Readers and the table of contents rely on the template's structure. The section still counts as present. Sections
//! that moved together are one finding. If a heading before them ends their parent too early, the finding is there.
//!
//! The fix gives headings another level. It is unsafe because text that follows may belong to another section then.
//!
//! ## Bad
//!
//! ```markdown alpha
//! ## Design Details
//!
//! A new field.
//!
//! ## Test Plan
//!
//! Unit tests.
//! ```
//!
//! ## Good
//!
//! ```markdown alpha
//! ## Design Details
//!
//! A new field.
//!
//! ### Test Plan
//!
//! Unit tests.
//! ```

mod plan;

use self::plan::Plan;
use crate::matching::matched::{Shift, Wording};
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "misplaced-section",
    summary: "a template heading is under another parent or at another level",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    fix: Some(Safety::Unsafe),
    roles: &[SectionRole::GraduationCriteria],
    docs: docs!("misplaced_section.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Sections)
};

struct Move {
    shift: Shift,
    from: Option<TemplateId>,
    to: Option<SectionId>,
    sections: Vec<(TemplateId, SectionId)>,
    cause: Cause,
    /// The author's own headings that are beside them at their level, and move along.
    beside: Vec<SectionId>,
    /// The sections that will be at their place once these are.
    following: Vec<(TemplateId, SectionId)>,
}

enum Cause {
    Elsewhere,
    Other(TemplateId),
    /// These headings, which are not the template's, end the parent too early.
    Ended(Vec<SectionId>),
}

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    let moves = moves(ctx, readme);
    let mut plan = Plan::new(ctx, readme);
    for moved in &moves {
        match &moved.cause {
            Cause::Ended(headings) => {
                let Some(&(id, begun)) = moved.sections.first() else { continue };
                let outer = ctx.template.get(id).parent.map_or(0, |parent| ctx.template.get(parent).level);
                for ending in headings {
                    // What comes after the first section of the parent is not of this heading.
                    plan.set_level(*ending, level_within(ctx, readme, outer, *ending), begun);
                }
            }
            Cause::Elsewhere | Cause::Other(_) => {
                moved.sections.iter().for_each(|(id, heading)| plan.put(*id, *heading));
                let Some(level) = moved.sections.first().map(|(_, first)| plan.level(*first)) else { continue };
                let end = SectionId(readme.sections.len());
                moved.beside.iter().for_each(|own| plan.set_level(*own, level, end));
            }
        }
    }
    for moved in &moves {
        let Some(&(id, _)) = moved.sections.first() else { continue };
        let finding = match &moved.cause {
            Cause::Ended(headings) => of_ended(ctx, readme, moved, headings, &plan),
            Cause::Elsewhere | Cause::Other(_) => of_moved(ctx, readme, moved, &plan),
        };
        let Some(finding) = finding else { continue };
        let all = moved.sections.iter().chain(&moved.following);
        let covers = all.map(|(section, _)| Subject::named(ctx.template.path(*section))).collect();
        out.report(finding.of_section(ctx.template.path(id)).covers(covers));
    }
}

fn of_moved(ctx: &Ctx<'_>, readme: Readme<'_>, moved: &Move, plan: &Plan<'_>) -> Option<Diagnostic> {
    let &(id, first) = moved.sections.first()?;
    let section = readme.sections.get(first);
    let message = message(ctx, readme, id, moved.to, moved.shift);
    let others = same_change("section", moved.sections.len() - 1 + moved.beside.len());
    let written = heading(plan.level(first), &section.title.text);
    let as_written = if plan.level(first) == section.level { String::new() } else { format!(", as `{written}`") };
    let headings = moved.sections.iter().map(|(_, heading)| heading).chain(&moved.beside);
    let headings: Vec<SectionId> = headings.copied().collect();
    let end = SectionId(readme.sections.len());
    let next = plan.next(id).filter(|next| *next != first && plan.is_place(id, first, *next));
    // What another heading brought there comes back with that one.
    if plan.is_at_place(id, first) && plan.level(first) == section.level {
        return None;
    }
    // Elsewhere, the order of the template is no rule, a heading far below may be another section, and an author may give
    // one more weight.
    if !ctx.layout().is_of_keps() && (!plan.is_at_place(id, first) || moved.shift.levels != 1) {
        return None;
    }
    let (help, edits) = if plan.is_at_place(id, first) {
        let are_at_place = moved.sections.iter().all(|(other, heading)| plan.is_at_place(*other, *heading));
        let parent = ctx.template.get(id).parent.map(|parent| &ctx.template.get(parent).title.text);
        let under = parent.map(|parent| format!(" under `{parent}`")).unwrap_or_default();
        let edits = if are_at_place { plan.levels_in_place(&headings, end) } else { None };
        let edits =
            edits.filter(|edits| moved.sections.iter().all(|(other, heading)| plan.puts(edits, *other, *heading)));
        (format!("write it as `{written}`{under}"), edits)
    } else if let Some(next) = next {
        let above = heading(plan.level(next), &readme.sections.get(next).title.text);
        (format!("move it above `{above}`{as_written}"), None)
    } else {
        let parent = ctx.template.get(ctx.template.get(id).parent?);
        (format!("move it into `{}`{as_written}", parent.title.text), None)
    };
    let edits = edits.filter(|_| !moved.shift.parent_differs || plan.leaves_answer(first));
    // Without a fix, the same change of another section might move text that is not its own.
    let others = if edits.is_none() && !ctx.layout().is_of_keps() { String::new() } else { others };
    let finding = Diagnostic::at(readme.span(section.heading.clone()), message).help(format!("{help}{others}"));
    Some(finding.fix(fix(help, edits)))
}

/// The finding about headings that end the parent of the sections too early, at the first of them.
fn of_ended(
    ctx: &Ctx<'_>,
    readme: Readme<'_>,
    moved: &Move,
    headings: &[SectionId],
    plan: &Plan<'_>,
) -> Option<Diagnostic> {
    let (&(id, begun), (first, others)) = (moved.sections.first()?, headings.split_first()?);
    let parent = ctx.template.get(ctx.template.get(id).parent?);
    let ended = readme.sections.get(*first);
    let title = &ctx.template.get(id).title.text;
    let ending = heading(ended.level, &ended.title.text);
    let message = format!("`{ending}` ends `{}` before `{title}`", parent.title.text);
    let edits = plan.levels_in_place(headings, begun);
    let has_subsections = plan.levels(headings, begun).is_some_and(|all| all.len() > headings.len());
    let deeper = if has_subsections { ", and its subsections one level deeper" } else { "" };
    let written = heading(plan.level(*first), &ended.title.text);
    let help = format!("write it as `{written}`{deeper}");
    let more = same_change("heading", others.len());
    let span = readme.span(ended.heading.clone());
    let mut finding = Diagnostic::at(span, message).help(format!("{help}{more}"));
    for other in others {
        finding.relate(readme.span(readme.sections.get(*other).heading.clone()), "ends it, too");
    }
    for (_, section) in &moved.sections {
        let owner = format!("belongs to `{}`", parent.title.text);
        finding.relate(readme.span(readme.sections.get(*section).heading.clone()), owner);
    }
    Some(finding.fix(fix(help, edits)))
}

fn fix(help: String, edits: Option<Vec<Edit>>) -> Option<Fix> {
    let edits = edits.filter(|edits| !edits.is_empty())?;
    Some(Fix { safety: Safety::Unsafe, title: help, edits })
}

fn same_change(what: &str, count: usize) -> String {
    match count {
        0 => String::new(),
        1 => format!("; 1 more {what} needs the same change"),
        count => format!("; {count} more {what}s need the same change"),
    }
}

/// The level of a heading inside a section of level `outer`: the criteria for a stage are below all criteria.
fn level_within(ctx: &Ctx<'_>, readme: Readme<'_>, outer: u8, heading: SectionId) -> u8 {
    let sections = &readme.sections;
    let criteria = || {
        let before = SectionId(heading.0.checked_sub(1)?);
        let owner = readme.matching().nearest_owner(readme.document, before)?;
        let is_criteria = ctx.template.get(owner).role == Some(SectionRole::GraduationCriteria);
        is_criteria.then(|| ctx.template.get(owner).level + 1)
    };
    let names_stage = sections.get(heading).title.words().iter().any(|word| Stage::from_word(word).is_some());
    let below_criteria = if names_stage { criteria() } else { None };
    below_criteria.unwrap_or(outer + 1)
}

fn heading(level: u8, title: &str) -> String {
    format!("{} {}", "#".repeat(level.into()), brief(title))
}

/// The misplaced sections; those that moved together form one move, which has a required section. Not reported: a section
/// whose parent is missing or moved by the same levels, and one that will be at its place once another is.
fn moves(ctx: &Ctx<'_>, readme: Readme<'_>) -> Vec<Move> {
    let sections = &readme.sections;
    let mut moves: Vec<Move> = Vec::new();
    let is_required = |id: TemplateId| {
        let directive = ctx.template.directive(ctx.template.get(id).source);
        directive.is_some_and(|directive| directive.required && !directive.is_optional)
    };
    for (id, wanted) in ctx.template.iter() {
        let has_parent = wanted.parent.is_none_or(|parent| readme.matching().place(parent).is_some());
        if !has_parent {
            continue;
        }
        let Some((heading, shift)) = readme.matching().own_shift(ctx.template, sections, id) else { continue };
        if !ctx.layout().is_of_keps() && (!is_required(id) || is_of_author(ctx, readme, id, heading)) {
            continue;
        }
        let to = sections.parent(heading);
        // `duplicate-section` reports a second heading of the parent.
        let expected = wanted.parent.and_then(|parent| readme.matching().place(parent)?.section);
        let title = |section: SectionId| &sections.get(section).title.key;
        if to != expected && to.zip(expected).is_some_and(|(to, expected)| title(to) == title(expected)) {
            continue;
        }
        let moved_along = |other: &&mut Move| other.shift == shift && other.from == wanted.parent && other.to == to;
        match moves.iter_mut().find(moved_along) {
            Some(other) => other.sections.push((id, heading)),
            None => {
                let cause = cause(ctx, readme, id, heading, shift);
                let beside = if shift.parent_differs { Vec::new() } else { own_beside(readme, heading) };
                let first = vec![(id, heading)];
                let from = wanted.parent;
                moves.push(Move { shift, from, to, sections: first, cause, beside, following: Vec::new() });
            }
        }
    }
    moves.retain(|moved| moved.sections.iter().any(|(id, _)| is_required(*id)));
    joined(moves)
}

/// Whether the author may need a heading there: with another name, one of several with its title, or of a design in
/// the proposal.
fn is_of_author(ctx: &Ctx<'_>, readme: Readme<'_>, id: TemplateId, heading: SectionId) -> bool {
    let title = &readme.sections.get(heading).title.key;
    let is_repeated = readme.sections.iter().filter(|(_, section)| section.title.key == *title).count() > 1;
    let mut designs = [Some(id), ctx.template.get(id).parent].into_iter().flatten();
    let has_other_name = readme.matching().place(id).is_some_and(|place| place.wording == Wording::Former);
    is_repeated
        || has_other_name
        || designs.any(|design| readme.matching().is_design_of_proposal(ctx.template, &readme.sections, design))
}

/// The headings with the parent and the level of `heading` that no section of the template has.
fn own_beside(readme: Readme<'_>, heading: SectionId) -> Vec<SectionId> {
    let sections = &readme.sections;
    let Some(parent) = sections.parent(heading) else { return Vec::new() };
    let level = sections.get(heading).level;
    let beside = sections.children(parent).filter(|(_, section)| section.level == level).map(|(beside, _)| beside);
    beside.filter(|beside| readme.matching().owner(*beside).is_none()).collect()
}

/// The moves without those that another one explains, or that have the same cause: their sections are added to that one.
fn joined(moves: Vec<Move>) -> Vec<Move> {
    let mut joined: Vec<Move> = Vec::new();
    let (following, others): (Vec<Move>, Vec<Move>) =
        moves.into_iter().partition(|moved| matches!(moved.cause, Cause::Other(_)));
    for moved in others {
        let same = joined.iter_mut().find(|other| match (&other.cause, &moved.cause) {
            (Cause::Ended(one), Cause::Ended(other)) => one.first() == other.first(),
            _ => false,
        });
        match same {
            Some(other) => other.sections.extend(moved.sections),
            None => joined.push(moved),
        }
    }
    for moved in following {
        let is_cause = |id: TemplateId| matches!(moved.cause, Cause::Other(other) if other == id);
        match joined.iter_mut().find(|other| other.sections.iter().any(|(id, _)| is_cause(*id))) {
            Some(other) => other.following.extend(moved.sections),
            None => joined.push(moved),
        }
    }
    joined
}

fn cause(ctx: &Ctx<'_>, readme: Readme<'_>, id: TemplateId, heading: SectionId, shift: Shift) -> Cause {
    let sections = &readme.sections;
    let parent = ctx.template.get(id).parent;
    let shift_of_parent = parent.and_then(|parent| readme.matching().shift(ctx.template, sections, parent));
    let Some((parent, (outer, outer_shift))) = parent.zip(shift_of_parent) else { return Cause::Elsewhere };
    if shift.levels != 0 || outer >= heading {
        return Cause::Elsewhere;
    }
    // The headings after the parent that the section would have to be deeper than.
    let level = ctx.template.get(parent).level;
    let between = || (outer.0 + 1..heading.0).map(SectionId);
    let mut ending = between().filter(|other| sections.get(*other).level <= level).peekable();
    let is_higher = |owner: &TemplateId| {
        let moved = readme.matching().shift(ctx.template, sections, *owner);
        moved.is_some_and(|(_, moved)| moved.levels < 0)
    };
    if ending.peek().is_none() {
        let inner =
            sections.parent(heading).filter(|inner| *inner > outer).and_then(|inner| readme.matching().owner(inner));
        return match inner.filter(is_higher) {
            Some(inner) => Cause::Other(inner),
            None if outer_shift.levels != 0 => Cause::Other(parent),
            None => Cause::Elsewhere,
        };
    }
    let (mut ending_headings, mut others) = (Vec::new(), Vec::new());
    for end in ending {
        let Some(owner) = readme.matching().owner(end) else {
            ending_headings.push(end);
            continue;
        };
        // Another section at its right level: the author has put this one below that.
        if !is_higher(&owner) {
            return Cause::Elsewhere;
        }
        others.push(owner);
    }
    match others.first() {
        Some(other) if ending_headings.is_empty() => Cause::Other(*other),
        _ => Cause::Ended(ending_headings),
    }
}

fn message(ctx: &Ctx<'_>, readme: Readme<'_>, id: TemplateId, to: Option<SectionId>, shift: Shift) -> String {
    let wanted = ctx.template.get(id);
    let title = &wanted.title.text;
    if !shift.parent_differs {
        let level = i16::from(wanted.level);
        return format!("section `{title}` is at level {}, expected level {level}", level + shift.levels);
    }
    let to = to.map(|to| {
        let written = readme.sections.get(to).title.text.as_str();
        let owner = readme.matching().owner(to).map(|owner| ctx.template.get(owner).title.text.as_str());
        owner.filter(|expected| *expected == written).map_or_else(|| brief(written), Cow::Borrowed)
    });
    let from = wanted.parent.map(|parent| ctx.template.get(parent).title.text.as_str());
    match (to, from) {
        (Some(to), Some(from)) => format!("section `{title}` is under `{to}`, expected directly under `{from}`"),
        (Some(to), None) => format!("section `{title}` is under `{to}`, expected at the top level"),
        (None, from) => format!("section `{title}` is at the top level, expected under `{}`", from.unwrap_or_default()),
    }
}
