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

use crate::rules::prelude::*;

/// The rule.
pub const RULE: Rule = Rule {
    name: "outdated-status",
    category: Category::Metadata,
    summary: "the feature is stable in a release that is out, but the status is implementable",
    severity: Ladder { provisional: Off, active: Warning, stale: Advice, implemented: Off, closed: Off },
    docs: docs!("outdated_status.rs"),
    checks: Checks::of_kep(check),
    ..Rule::DEFAULT
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(metadata) = &ctx.kep.metadata else { return };
    let (Some(stable), Some(status)) = (metadata.shipped(ctx.current), &metadata.status) else { return };
    let message = format!("the status is implementable, but the stable milestone `{}` is out", stable.shown());
    let finding = out.report(status.span, message);
    finding.help = Some("set `status: implemented` if the feature is stable, or plan a later release".to_owned());
    finding.relate(stable.span, "the stable milestone");
}
