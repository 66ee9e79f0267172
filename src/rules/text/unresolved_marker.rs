//! The KEP still marks something as unresolved.
//!
//! ## Why
//!
//! `<<[UNRESOLVED]>>` says that a part of the KEP is under debate. Reviewers of a KEP that is implementable expect the
//! debate to be over, and an implemented KEP should not say that it is not. Comments do not count; code blocks do, for
//! the template's example stands in one.
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
    summary: "the KEP still marks something as unresolved",
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
            let finding = out.report(readme.span(mark.span), "this is marked as unresolved");
            finding.help = Some("settle it, and remove the marker".to_owned());
        }
    }
}
