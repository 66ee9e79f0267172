//! A template heading is under another parent or at another level than in the template.
//!
//! ## Why
//!
//! Readers and the table of contents rely on the template's structure. The section still counts as present. Sections
//! that moved together are one finding.
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

use crate::diagnostic::brief;
use crate::diagnostic::subject::Subject;
use crate::markdown::section::SectionId;
use crate::rules::context::{Ctx, Readme};
use crate::rules::rule::Level::{Advice, Off};
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;
use crate::template::TemplateId;
use std::borrow::Cow;

/// The rule.
pub const RULE: Rule = Rule {
    name: "misplaced-section",
    category: Category::Sections,
    summary: "a template heading is under another parent or at another level",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    fix: None,
    reveals: false,
    is_gap: false,
    roles: &[],
    upstream: &[],
    source: include_str!("misplaced_section.rs"),
    checks: Checks::of_kep(check),
};

/// How a section's place differs from the template.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Shift {
    parent_differs: bool,
    levels: i16,
}

/// Sections of one template parent that are together elsewhere.
struct Move {
    shift: Shift,
    from: Option<TemplateId>,
    to: Option<SectionId>,
    sections: Vec<(TemplateId, SectionId)>,
}

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(readme) = ctx.readme else { return };
    for Move { shift, to, sections, .. } in moves(ctx, readme) {
        let Some(&(id, at)) = sections.first() else { continue };
        let finding = out
            .report(readme.span(readme.document.sections.get(at).heading.clone()), message(ctx, readme, id, to, shift));
        let wanted = ctx.template.get(id);
        let heading = format!("{} {}", "#".repeat(wanted.level.into()), wanted.title.text);
        let under = wanted.parent.map(|parent| format!(" under `{}`", ctx.template.get(parent).title.text));
        let others = match sections.len() - 1 {
            0 => String::new(),
            1 => "; 1 more section needs the same change".to_owned(),
            count => format!("; {count} more sections need the same change"),
        };
        finding.help = Some(format!("write it as `{heading}`{}{others}", under.unwrap_or_default()));
        let path = ctx.template.path(id);
        finding.subject = Subject::named(&path);
        finding.section = Some(path);
        finding.covers = sections.iter().map(|(id, _)| Subject::named(ctx.template.path(*id))).collect();
    }
}

/// The misplaced sections; those that moved together form one move, which has a required section. Not reported: a section
/// whose parent is missing or moved by the same levels.
fn moves(ctx: &Ctx<'_>, readme: Readme<'_>) -> Vec<Move> {
    let mut moves: Vec<Move> = Vec::new();
    for (id, wanted) in ctx.template.iter() {
        let has_parent = wanted.parent.is_none_or(|parent| readme.matching.place(parent).is_some());
        let Some((at, shift)) = shift(ctx, readme, id).filter(|_| has_parent) else { continue };
        let parent_levels =
            wanted.parent.and_then(|parent| self::shift(ctx, readme, parent)).map(|(_, shift)| shift.levels);
        if !shift.parent_differs && (shift.levels == 0 || parent_levels == Some(shift.levels)) {
            continue;
        }
        let to = readme.document.sections.parent(at);
        let is_same = |other: &&mut Move| other.shift == shift && other.from == wanted.parent && other.to == to;
        match moves.iter_mut().find(is_same) {
            Some(other) => other.sections.push((id, at)),
            None => moves.push(Move { shift, from: wanted.parent, to, sections: vec![(id, at)] }),
        }
    }
    let is_required = |id: TemplateId| {
        let directive = ctx.template.directive(ctx.template.get(id).source);
        directive.is_some_and(|directive| directive.required)
    };
    moves.retain(|moved| moved.sections.iter().any(|(id, _)| is_required(*id)));
    moves
}

fn shift(ctx: &Ctx<'_>, readme: Readme<'_>, id: TemplateId) -> Option<(SectionId, Shift)> {
    let at = readme.matching.place(id)?.section?;
    let wanted = ctx.template.get(id);
    let parent_differs = match readme.document.sections.parent(at) {
        None => wanted.parent.is_some(),
        Some(parent) => wanted.parent.is_none_or(|around| !readme.matching.is_at(around, parent)),
    };
    let levels = i16::from(readme.document.sections.get(at).level) - i16::from(wanted.level);
    Some((at, Shift { parent_differs, levels }))
}

fn message(ctx: &Ctx<'_>, readme: Readme<'_>, id: TemplateId, to: Option<SectionId>, shift: Shift) -> String {
    let wanted = ctx.template.get(id);
    let title = &wanted.title.text;
    if !shift.parent_differs {
        let level = i16::from(wanted.level);
        return format!("section `{title}` is at level {}, expected level {level}", level + shift.levels);
    }
    let to = to.map(|to| {
        let written = readme.document.sections.get(to).title.text.as_str();
        let owner = readme.matching.owner(to).map(|owner| ctx.template.get(owner).title.text.as_str());
        owner.filter(|title| *title == written).map_or_else(|| brief(written), Cow::Borrowed)
    });
    let from = wanted.parent.map(|parent| ctx.template.get(parent).title.text.as_str());
    match (to, from) {
        (Some(to), Some(from)) => format!("section `{title}` is under `{to}`, expected directly under `{from}`"),
        (Some(to), None) => format!("section `{title}` is under `{to}`, expected at the top level"),
        (None, from) => format!("section `{title}` is at the top level, expected under `{}`", from.unwrap_or_default()),
    }
}
