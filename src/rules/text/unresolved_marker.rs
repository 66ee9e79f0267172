//! The KEP still has an open `<<[UNRESOLVED]>>` discussion.
//!
//! ## Why
//!
//! `<<[UNRESOLVED]>>` marks a part of the KEP that is still discussed. Reviewers expect all discussions to be resolved
//! in an implementable or implemented KEP. Markers in comments are ignored. Markers in code blocks count, because the
//! template's example is in a code block.
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

use crate::markdown::unresolved::{self, MarkKind};
use crate::rules::context::Ctx;
use crate::rules::rule::Level::{Error, Off, Warning};
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;

/// The rule.
pub const RULE: Rule = Rule {
    name: "unresolved-marker",
    category: Category::Text,
    summary: "the KEP still has an open UNRESOLVED discussion",
    severity: Ladder { provisional: Off, active: Warning, stale: Warning, implemented: Error, closed: Off },
    fix: None,
    reveals: false,
    is_gap: false,
    upstream: &[],
    source: include_str!("unresolved_marker.rs"),
    checks: Checks::of_kep(check),
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(readme) = ctx.readme else { return };
    for mark in unresolved::marks(readme.document, readme.text) {
        if mark.kind != MarkKind::Closer {
            let finding = out.report(readme.span(mark.span), "open `<<[UNRESOLVED]>>` discussion");
            finding.help = Some("resolve it and remove the marker".to_owned());
        }
    }
}
