//! The feature is stable in a release that is out, but the status is still implementable.
//!
//! ## Why
//!
//! A KEP is implemented when its feature is stable. While the status is implementable, tools count the KEP as open
//! work, and the Release Team asks for the next stage. If the feature gates are not stable in Kubernetes, it is not reported:
//! the feature missed the release.
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

use crate::repository::code::InCode;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "outdated-status",
    summary: "the feature is stable in a release that is out, but the status is implementable",
    severity: Ladder { provisional: Off, active: Warning, stale: Advice, implemented: Off, closed: Off },
    settings: &["groups", "feature-gates"],
    docs: docs!("outdated_status.rs"),
    checks: Checks::of_metadata(check),
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink<'_>) {
    let (Some(stable), Some(status)) = (metadata.shipped(ctx.current), &metadata.status) else { return };
    // The feature is not stable then: `missed-release` reports it.
    let is_below = |code: InCode<'_>| {
        let last = code.list.last_final.min(ctx.current);
        stable.value.is_some_and(|release| release <= last) && code.below(Stage::Stable, last).is_some()
    };
    if ctx.repository.in_code(ctx.kep).is_some_and(is_below) {
        return;
    }
    let message = format!("the status is implementable, but the stable milestone `{}` is out", stable.shown());
    let finding = Diagnostic::at(status.span, message)
        .help("set `status: implemented` if the feature is stable, or plan a later release")
        .related(stable.span, "the stable milestone");
    out.report(finding);
}
