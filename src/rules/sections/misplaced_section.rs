//! A template heading stands under another parent or at another level than in the template.
//!
//! ## Why
//!
//! Readers and the table of contents rely on the template's order. The section still counts as present. Sections that
//! moved together are one finding.
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

use crate::kep::section::SectionId;
use crate::rules::Level::{Advice, Off};
use crate::rules::{Category, Ctx, Fixable, Ladder, Readme, Rule, Sink};
use crate::template::TemplateId;

/// The rule.
pub const RULE: Rule = Rule {
    name: "misplaced-section",
    category: Category::Sections,
    summary: "a template heading stands under another parent or at another level",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    fix: Fixable::No,
    source: include_str!("misplaced_section.rs"),
    check,
};

/// How a section stands apart from its place in the template.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Shift {
    parent_differs: bool,
    levels: i16,
}

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(readme) = ctx.readme else { return };
    let mut told: Vec<(Option<TemplateId>, Option<SectionId>, Shift)> = Vec::new();
    for (id, wanted) in ctx.template.iter() {
        let Some((at, shift)) = shift(ctx, readme, id) else { continue };
        let moved_with =
            wanted.parent.and_then(|parent| self::shift(ctx, readme, parent)).map(|(_, shift)| shift.levels);
        let is_moved = shift.parent_differs || (shift.levels != 0 && moved_with != Some(shift.levels));
        let group = (wanted.parent, readme.document.sections.parent(at), shift);
        if !is_moved || told.contains(&group) {
            continue;
        }
        told.push(group);
        let section = readme.document.sections.get(at);
        let finding = out.report(readme.span(section.heading.clone()), message(ctx, id, shift));
        let level = "#".repeat(wanted.level.into());
        let parent = wanted.parent.map(|parent| format!(" below `{}`", ctx.template.get(parent).title.text));
        finding.help = Some(format!("write it as `{level} {}`{}", wanted.title.text, parent.unwrap_or_default()));
        finding.section = Some(ctx.template.path(id));
    }
}

fn shift(ctx: &Ctx<'_>, readme: Readme<'_>, id: TemplateId) -> Option<(SectionId, Shift)> {
    let at = readme.matching.place(id)?.section?;
    let wanted = ctx.template.get(id);
    let parent = readme.document.sections.parent(at);
    let parent_differs = match parent {
        None => wanted.parent.is_some(),
        Some(parent) => readme.matching.owner(parent) != wanted.parent || wanted.parent.is_none(),
    };
    let levels = i16::from(readme.document.sections.get(at).level) - i16::from(wanted.level);
    Some((at, Shift { parent_differs, levels }))
}

fn message(ctx: &Ctx<'_>, id: TemplateId, shift: Shift) -> String {
    let wanted = ctx.template.get(id);
    let title = &wanted.title.text;
    match wanted.parent {
        Some(parent) if shift.parent_differs => {
            format!("section `{title}` stands outside `{}`", ctx.template.get(parent).title.text)
        }
        None if shift.parent_differs => format!("section `{title}` stands inside another section"),
        _ => {
            let level = i16::from(wanted.level);
            format!("section `{title}` is at level {}, not {level}", level + shift.levels)
        }
    }
}
