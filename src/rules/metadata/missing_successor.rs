//! The KEP is replaced, but does not say by which.
//!
//! ## Why
//!
//! Who finds a replaced KEP wants the one that carries on; `superseded-by` is where to look.
//!
//! ## Bad
//!
//! ```yaml
//! status: replaced
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: replaced
//! superseded-by:
//!   - /keps/sig-node/2-prefetch-again
//! ```

use crate::rules::context::Ctx;
use crate::rules::rule::Level::{Advice, Off};
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;
use crate::stage::Status;

/// The rule.
pub const RULE: Rule = Rule {
    name: "missing-successor",
    category: Category::Metadata,
    summary: "the KEP is replaced, but does not say by which",
    severity: Ladder { provisional: Off, active: Off, stale: Off, implemented: Off, closed: Advice },
    fix: None,
    reveals: false,
    is_gap: false,
    upstream: &[],
    source: include_str!("missing_successor.rs"),
    checks: Checks::of_kep(check),
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(metadata) = ctx.kep.metadata.as_ref().filter(|data| data.status() == Some(Status::Replaced)) else {
        return;
    };
    let Some(status) = &metadata.status else { return };
    if !metadata.is_refused("superseded-by") && metadata.superseded_by.items.is_empty() {
        let finding = out.report(status.span, "the KEP is replaced, but does not say by which");
        finding.help = Some("add `superseded-by:` with the path of the KEP that carries on".to_owned());
    }
}
