//! A stable KEP has unchecked `(R)` items in its Release Signoff Checklist.
//!
//! ## Why
//!
//! The items marked `(R)` are required before a release. At stable all of them are done, and the checklist should show
//! it. One finding gives the number of unchecked items. An item that lost its mark counts as well.
//!
//! ## Bad
//!
//! ```markdown stable
//! ## Release Signoff Checklist
//!
//! - [ ] (R) Graduation criteria is in place
//! ```
//!
//! ## Good
//!
//! ```markdown stable
//! ## Release Signoff Checklist
//!
//! - [x] (R) Graduation criteria is in place
//! ```

use crate::gap::signoff::is_required;
use crate::markdown::checkbox::TaskBox;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "unchecked-signoff",
    summary: "a stable KEP has unchecked (R) items in its signoff checklist",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    roles: &[SectionRole::Signoff],
    docs: docs!("unchecked_signoff.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Sections)
};

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    if ctx.target.stage != Some(Stage::Stable) {
        return;
    }
    let Some((id, place)) = readme.with_role(SectionRole::Signoff) else { return };
    let boxes: Vec<_> = readme.boxes.iter().filter(|item| place.subtree.contains(&item.span.start)).collect();
    let is_marked = |item: &TaskBox| is_required(readme.slice(item.span.end..));
    // An old list has no marks at all.
    let has_marks = boxes.iter().any(|item| is_marked(item));
    let lost = |item: &TaskBox| {
        let text = text_after(readme.text(), item.span.end);
        // What is struck out does not apply.
        let is_struck_out = text.contains("~~") || text.starts_with('~');
        has_marks && !item.ticked && !is_struck_out && ctx.template.signoff_items(id).lost_mark(text)
    };
    let required = boxes.into_iter().filter(|item| is_marked(item) || lost(item));
    let (checked, unchecked): (Vec<_>, Vec<_>) = required.partition(|item| item.ticked);
    let Some(first) = unchecked.first() else { return };
    let total = checked.len() + unchecked.len();
    let title = &ctx.template.get(id).title.text;
    let message = format!("{} of {total} required (R) items are unchecked in the {title}", unchecked.len());
    let items = unchecked.iter().map(|item| Subject::named([text_after(readme.text(), item.span.end)]));
    let finding = Diagnostic::at(readme.span(place.heading.clone()), message)
        .help("check the items that are done")
        .of_section(ctx.template.path(id))
        .related(readme.span(first.span.clone()), "first unchecked item")
        .covers(items.collect());
    out.report(finding);
}
