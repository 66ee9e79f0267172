//! A heading has a former, truncated or drawn-out wording of a template heading.
//!
//! ## Why
//!
//! The section counts as present, but readers who search a KEP for the template's words do not find it. Case,
//! punctuation and "(Optional)" never matter.
//!
//! ## Bad
//!
//! ```markdown beta
//! ###### How can a rollout fail? Can it impact already running workloads?
//!
//! The kubelet may not start.
//! ```
//!
//! ## Good
//!
//! ```markdown beta
//! ###### How can a rollout or rollback fail? Can it impact already running workloads?
//!
//! The kubelet may not start.
//! ```

use crate::matching::Wording;
use crate::rules::Level::{Advice, Off};
use crate::rules::{Category, Ctx, Fixable, Ladder, Rule, Sink};

/// The rule.
pub const RULE: Rule = Rule {
    name: "renamed-section",
    category: Category::Sections,
    summary: "a heading has a former, truncated or drawn-out wording of a template heading",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    fix: Fixable::No,
    source: include_str!("renamed_section.rs"),
    check,
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(readme) = ctx.readme else { return };
    for (id, wanted) in ctx.template.iter() {
        let Some(place) = readme.matching.place(id) else { continue };
        // Optional headings, such as user stories, are there to be given words of one's own.
        let is_required = ctx.template.directive(wanted.source).is_some_and(|directive| directive.required);
        let is_renamed = match place.wording {
            Wording::Template | Wording::Foreign => false,
            Wording::Former => true,
            Wording::Own => is_required,
        };
        let Some(at) = place.section.filter(|_| is_renamed) else { continue };
        let section = readme.document.sections.get(at);
        let message = match place.wording {
            Wording::Former => format!("heading `{}` has a former template's wording", section.title.text),
            _ => format!("heading `{}` is not worded as in the template", section.title.text),
        };
        let finding = out.report(readme.span(section.text.clone()), message);
        finding.help = Some(format!("write `{}`", wanted.title.text));
        finding.section = Some(ctx.template.path(id));
    }
}
