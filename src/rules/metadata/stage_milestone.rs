//! The stage that a KEP aims at has no milestone, or one after its latest milestone.
//!
//! ## Why
//!
//! `latest-milestone` is the last release that the KEP is worked on for, so the stage that it is in cannot begin after
//! it: one of the two was not moved. Staying in a stage for some releases is normal and not reported, and so are KEPs
//! without a latest milestone, or with the `0.0` that old ones were given.
//!
//! ## Bad
//!
//! ```yaml
//! status: implementable
//! stage: beta
//! latest-milestone: "v1.36"
//! milestone:
//!   beta: "v1.37"
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: implementable
//! stage: beta
//! latest-milestone: "v1.37"
//! milestone:
//!   beta: "v1.37"
//! ```

use crate::diagnostic::Severity;
use crate::rules::context::Ctx;
use crate::rules::rule::Level::{Advice, Error, Off};
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;

/// The rule.
pub const RULE: Rule = Rule {
    name: "stage-milestone",
    category: Category::Metadata,
    summary: "the stage aimed at has no milestone, or one after the latest milestone",
    severity: Ladder { provisional: Off, active: Error, stale: Off, implemented: Advice, closed: Off },
    fix: None,
    reveals: false,
    is_gap: false,
    upstream: &[],
    source: include_str!("stage_milestone.rs"),
    checks: Checks::of_kep(check),
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    // Without a latest milestone, or with the `0.0` of old KEPs, there is nothing to compare with.
    let (Some(metadata), Some(stage), Some(latest)) = (&ctx.kep.metadata, ctx.target.stage, ctx.target.release) else {
        return;
    };
    let own = metadata.stage.as_ref().filter(|_| metadata.stage() == Some(stage));
    let Some(field) = metadata.milestone_of(stage).filter(|field| !field.text.is_empty()) else {
        let place = own.map_or(metadata.top, |field| field.span);
        let finding = out.report(place, format!("there is no milestone for stage {stage}"));
        finding.help = Some(format!("add `{stage}: \"{latest}\"` below `milestone:`"));
        if stage.is_removal() {
            finding.at_most(Severity::Warning);
        }
        return;
    };
    let Some(begun) = field.value.filter(|begun| *begun > latest) else { return };
    let message = format!("the milestone of {stage} is {begun}, after the latest milestone {latest}");
    let finding = out.report(field.span, message);
    finding.help = Some(format!("set `latest-milestone: \"{begun}\"`, or correct the milestone of {stage}"));
    if let Some(latest) = &metadata.latest_milestone {
        finding.relate(latest.span, "the latest milestone");
    }
    ctx.relate_stage(finding);
}
