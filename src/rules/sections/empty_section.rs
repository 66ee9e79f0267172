//! A required section has a heading and nothing below it.
//!
//! ## Why
//!
//! An empty section reads as an oversight: a reviewer cannot tell "there is nothing to say" from "nobody thought about
//! it". Comments, link definitions and further headings are nothing.
//!
//! ## Bad
//!
//! ```markdown alpha
//! ## Summary
//!
//! <!-- What the KEP is about. -->
//!
//! ## Motivation
//!
//! Pods start slowly.
//! ```
//!
//! ## Good
//!
//! ```markdown alpha
//! ## Summary
//!
//! Images are pulled ahead of time.
//!
//! ## Motivation
//!
//! Pods start slowly.
//! ```

use crate::gap::GapKind;
use crate::rules::context::Ctx;
use crate::rules::rule::Level::{Advice, Error, Off};
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;

/// The rule.
pub const RULE: Rule = Rule {
    name: "empty-section",
    category: Category::Sections,
    summary: "a required section has a heading and nothing below it",
    severity: Ladder { provisional: Advice, active: Error, stale: Off, implemented: Off, closed: Off },
    fix: None,
    reveals: false,
    is_gap: true,
    upstream: &[],
    source: include_str!("empty_section.rs"),
    checks: Checks::of_kep(check),
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(readme) = ctx.readme else { return };
    for gap in readme.gaps {
        let GapKind::Empty { next_is_sibling } = gap.kind else { continue };
        let Some(place) = readme.matching.place(gap.section) else { continue };
        let title = &ctx.template.get(gap.section).title.text;
        let reason = gap.requirement.reason();
        let (message, help) = if next_is_sibling {
            (
                format!("section `{title}` is empty: its subsections are written as its siblings"),
                format!("set the headings that belong to it one level deeper: {reason}"),
            )
        } else {
            (format!("section `{title}` is empty"), format!("fill it in, or say why it does not apply: {reason}"))
        };
        let finding = out.report(readme.span(place.heading.clone()), message);
        finding.help = Some(help);
        ctx.describe_gap(finding, gap);
    }
}
