//! The KEP still has an open `<<[UNRESOLVED]>>` discussion.
//!
//! ## Why
//!
//! `<<[UNRESOLVED]>>` marks a part of the KEP that is still discussed. Reviewers expect all discussions to be resolved
//! in an implementable or implemented KEP, at the latest when it becomes stable. Markers in comments are ignored. Markers
//! in code blocks count, because the template's example is in a code block.
//!
//! It is an error only if the marker begins a line: in a sentence it may be a remark. A marker without its counterpart
//! is reported by `unbalanced-unresolved`.
//!
//! ## Bad
//!
//! ```markdown beta
//! ## Summary
//!
//! <<[UNRESOLVED @alice which images? ]>>
//! Images are pulled ahead of time.
//! <<[/UNRESOLVED]>>
//! ```
//!
//! ## Good
//!
//! ```markdown beta
//! ## Summary
//!
//! The images of daemon sets are pulled ahead of time.
//! ```

use crate::diagnostic::Severity;
use crate::markdown::unresolved::{self, MarkKind};
use crate::rules::context::Ctx;
use crate::rules::rule::Level::{Advice, Error, Off};
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;
use crate::stage::{Phase, Stage};

/// The rule.
pub const RULE: Rule = Rule {
    name: "unresolved-marker",
    category: Category::Text,
    summary: "the KEP still has an open UNRESOLVED discussion",
    severity: Ladder { provisional: Off, active: Error, stale: Advice, implemented: Error, closed: Off },
    fix: None,
    reveals: false,
    is_gap: false,
    upstream: &[],
    source: include_str!("unresolved_marker.rs"),
    checks: Checks::of_kep(check),
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(readme) = ctx.readme else { return };
    let is_late = ctx.target.phase != Phase::Active || ctx.target.stage == Some(Stage::Stable);
    for mark in unresolved::marks(readme.document, readme.text) {
        let is_reported_elsewhere = mark.begins_line && !mark.is_paired;
        if mark.kind == MarkKind::Closer || is_reported_elsewhere {
            continue;
        }
        let finding = out.report(readme.span(mark.span), "open `<<[UNRESOLVED]>>` discussion");
        finding.help = Some("resolve it and remove the marker".to_owned());
        if !is_late || !mark.begins_line {
            finding.at_most(Severity::Warning);
        }
    }
}
