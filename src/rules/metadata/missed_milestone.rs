//! The milestone of a later stage is out, or its enhancements freeze is past, but the KEP is still at an
//! earlier stage.
//!
//! ## Why
//!
//! The milestones say when each stage is planned. If the release of a later stage is out, either the feature
//! did not reach that stage and the plan is old, or it did and `stage` was not updated. If the release is
//! being made, and its enhancements freeze is past on the day of the newest commit of the default branch, a
//! KEP whose `latest-milestone` is older missed it as well: without git, nothing is said of that.
//!
//! ## Bad
//!
//! ```yaml
//! status: implementable
//! stage: alpha
//! latest-milestone: "v1.35"
//! milestone:
//!   alpha: "v1.35"
//!   beta: "v1.36"
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: implementable
//! stage: alpha
//! latest-milestone: "v1.35"
//! milestone:
//!   alpha: "v1.35"
//!   beta: "v1.38"
//! ```

use crate::kep::field::Field;
use crate::kep::metadata::Metadata;
use crate::rules::prelude::*;
use crate::stage::{Release, Stage, Status};

pub const RULE: Rule = Rule {
    name: "missed-milestone",
    summary: "the milestone of a later stage is out, or its enhancements freeze is past",
    severity: Ladder { provisional: Off, active: Warning, stale: Off, implemented: Off, closed: Off },
    docs: docs!("missed_milestone.rs"),
    checks: Checks::of_kep(check),
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(metadata) = ctx.kep.metadata.as_ref().filter(|data| data.status() == Some(Status::Implementable)) else {
        return;
    };
    let (Some(stage), Some(target)) = (metadata.stage(), &metadata.stage) else { return };
    if ctx.stage_not_raised().is_some() {
        return;
    }
    if let Some((missed, field)) = last_missed(metadata, stage, ctx.current) {
        let message = format!("the {missed} milestone `{}` is out, but the stage is {stage}", field.shown());
        let help = format!("set `stage: {missed}` if the feature is {missed}, or plan a later release");
        out.report(Diagnostic::at(field.span, message).help(help).related(target.span, "the stage"));
        return;
    }
    let (Some((release, day)), Some(latest)) = (ctx.frozen(), &metadata.latest_milestone) else { return };
    let is_frozen = |later: Stage, field: &Field<Release>| is_after(later, stage) && field.value == Some(release);
    let mut planned = metadata.milestones.iter().filter(|(later, field)| is_frozen(*later, field));
    if let Some((later, field)) = planned.next_back().filter(|_| latest.value.is_some_and(|latest| latest < release)) {
        let message = format!(
            "{later} is planned for {release}, whose enhancements freeze was on {day}, but `latest-milestone` is {}",
            latest.shown()
        );
        let help = format!("plan a later release, or set `latest-milestone: \"{release}\"` if {later} is in {release}");
        out.report(Diagnostic::at(field.span, message).help(help).related(target.span, "the stage"));
    }
}

/// The last stage after `target` whose milestone is out.
fn last_missed(metadata: &Metadata, target: Stage, current: Release) -> Option<(Stage, &Field<Release>)> {
    // `milestone-order` reports a milestone that is before that of the KEP's stage.
    let begun = metadata.milestone_of(target).and_then(|field| field.value);
    let is_missed = |release: Release| release.is_out(current) && begun.is_none_or(|begun| release >= begun);
    let later = Stage::ALL.into_iter().rev().filter(|stage| is_after(*stage, target));
    later
        .filter_map(|stage| Some((stage, metadata.milestone_of(stage)?)))
        .find(|(_, field)| field.value.is_some_and(is_missed))
}

/// Whether a KEP at `stage` can go on to `later`.
fn is_after(later: Stage, stage: Stage) -> bool {
    later > stage && later.is_removal() == stage.is_removal()
}
