//! An implementable KEP has not moved for more than three releases.
//!
//! ## Why
//!
//! Nobody is asked to fill in such a KEP section by section, so this one piece of advice stands for all that it would
//! owe. At stage stable the feature is most likely out, and only the status was never set to implemented.
//!
//! ## Bad
//!
//! ```yaml
//! status: implementable
//! stage: beta
//! latest-milestone: "v1.20"
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: implementable
//! stage: beta
//! latest-milestone: "v1.37"
//! ```

use crate::rules::context::Ctx;
use crate::rules::rule::Level::{Advice, Off};
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;
use crate::stage::Stage;

/// The rule.
pub const RULE: Rule = Rule {
    name: "stale-kep",
    category: Category::Metadata,
    summary: "an implementable KEP has not moved for more than three releases",
    severity: Ladder { provisional: Off, active: Off, stale: Advice, implemented: Off, closed: Off },
    fix: None,
    reveals: false,
    is_gap: false,
    upstream: &[],
    source: include_str!("stale_kep.rs"),
    checks: Checks::of_kep(check),
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(metadata) = &ctx.kep.metadata else { return };
    let Some(status) = &metadata.status else { return };
    let milestone = metadata.milestone().filter(|milestone| !milestone.is_unknown());
    let (span, message) = match (&metadata.latest_milestone, milestone) {
        (Some(field), Some(milestone)) => {
            (field.span, format!("the KEP is implementable, but was last worked on for {milestone}"))
        }
        _ => (status.span, "the KEP is implementable, but does not say for which release".to_owned()),
    };
    let current = ctx.current;
    let finding = out.report(span, message);
    finding.help = Some(if metadata.stage() == Some(Stage::Stable) {
        "set `status: implemented` if the feature is stable".to_owned()
    } else {
        format!("set `latest-milestone` if it is worked on for {current}, or else change `status`")
    });
    if span != status.span {
        finding.relate(status.span, "implementable");
    }
}
