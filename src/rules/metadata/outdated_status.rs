//! The feature is stable in a release that is out, but the status is still implementable.
//!
//! ## Why
//!
//! A KEP is implemented when its feature is stable. While the status is implementable, tools count the KEP as open
//! work, and the Release Team asks for the next stage.
//!
//! ## Bad
//!
//! ```yaml
//! status: implementable
//! stage: stable
//! latest-milestone: "v1.36"
//! milestone:
//!   stable: "v1.36"
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: implemented
//! stage: stable
//! latest-milestone: "v1.36"
//! milestone:
//!   stable: "v1.36"
//! ```

use crate::rules::context::Ctx;
use crate::rules::rule::Level::{Advice, Off, Warning};
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;

/// The rule.
pub const RULE: Rule = Rule {
    name: "outdated-status",
    category: Category::Metadata,
    summary: "the feature is stable in a release that is out, but the status is implementable",
    severity: Ladder { provisional: Off, active: Warning, stale: Advice, implemented: Off, closed: Off },
    fix: None,
    reveals: false,
    is_gap: false,
    roles: &[],
    upstream: &[],
    source: include_str!("outdated_status.rs"),
    checks: Checks::of_kep(check),
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(metadata) = &ctx.kep.metadata else { return };
    let (Some(stable), Some(status)) = (metadata.shipped(ctx.current), &metadata.status) else { return };
    let message = format!("the status is implementable, but the stable milestone `{}` is out", stable.shown());
    let finding = out.report(status.span, message);
    finding.help = Some("set `status: implemented` if the feature is stable, or plan a later release".to_owned());
    finding.relate(stable.span, "the stable milestone");
}
