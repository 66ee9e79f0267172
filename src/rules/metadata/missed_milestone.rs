//! The milestone of a stage is out, or its enhancements freeze is past, but the KEP or its feature gates are
//! at an earlier stage.
//!
//! ## Why
//!
//! The milestones say when each stage is planned. If the release of a stage is out, either the feature did
//! not reach that stage and the plan is old, or it did and `stage` was not updated. The feature gates in the
//! code of Kubernetes decide, where all own gates of the KEP are on the same side. The Release Team, tools
//! and readers take the milestones for what was released.
//!
//! If the release is being made, and its enhancements freeze is past on the day of the newest commit of the
//! default branch, a KEP whose `latest-milestone` is older missed it as well: without git, nothing is said of
//! that. The name `missed-release`, which a part of this rule had, is still accepted.
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

use crate::gates::gate::Presence;
use crate::repository::code::Standing;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "missed-milestone",
    summary: "the milestone of a stage is out or frozen, but the KEP or its gates are before the stage",
    severity: Ladder { provisional: Off, active: Warning, stale: Advice, implemented: Off, closed: Off },
    settings: &["groups", "feature-gates"],
    docs: docs!("missed_milestone.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    let (Some(stage), Some(target)) = (metadata.stage(), &metadata.stage) else { return };
    let plan = ctx.past_plan().filter(|plan| !plan.is_done(metadata));
    if let Some(plan) = plan
        && let Some(finding) = of_plan(ctx, metadata, &plan)
    {
        let finding = if plan.stage == stage { finding } else { finding.related(target.span, "the stage") };
        out.report(finding.yields_to(plan.yields_to));
        return;
    }
    let (Some((release, day)), Some(latest)) = (frozen(ctx), &metadata.latest_milestone) else { return };
    if metadata.status() != Some(Status::Implementable)
        || ctx.target.phase == Phase::Stale
        || ctx.stage_not_raised().is_some()
    {
        return;
    }
    let is_frozen = |later: Stage, field: &Field<Release>| later.comes_after(stage) && field.value == Some(release);
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

/// The release being made whose enhancements freeze is past on the day of the tree, with that day. Without git, nothing is
/// known of days, and of releases after the one that is meant neither.
fn frozen(ctx: &Ctx<'_>) -> Option<(Release, &'static str)> {
    let day = ctx.repository.told.on_day.filter(|day| day.is_frozen && day.release <= ctx.current)?;
    Some((day.release, day.freeze?))
}

/// The finding about a stage whose release is out; `None` if it was not missed.
fn of_plan(ctx: &Ctx<'_>, metadata: &Metadata, plan: &PastPlan<'_>) -> Option<Diagnostic> {
    let PastPlan { stage, milestone, .. } = plan;
    let own = metadata.stage()?;
    let is_later = *stage != own;
    // `stale-kep` says that nobody works on it.
    if is_later && ctx.target.phase == Phase::Stale {
        return None;
    }
    let is_of_stage = metadata.milestone_of(*stage).is_some_and(|field| field.span == milestone.span);
    let planned = if is_of_stage {
        format!("the {stage} milestone is {}", milestone.shown())
    } else {
        format!("the stage is {stage} and `latest-milestone` is {}", milestone.shown())
    };
    let at = |message: String| Diagnostic::at(milestone.span, message);
    match &plan.standing {
        Standing::Below(gates) => {
            let ((gate, presence), others) = gates.split_first()?;
            let is = match presence {
                Presence::At(reached) => format!("is still {reached}"),
                _ => "is in no release yet".to_owned(),
            };
            let more = match others.len() {
                0 => String::new(),
                1 => " and another gate is before that stage, too".to_owned(),
                count => format!(", and {count} other gates are before that stage, too"),
            };
            let mut finding = at(format!("{planned}, but `{}` {is}{more}", gate.shown()));
            finding.help = Some(format!("plan a later {stage} milestone"));
            gates.iter().for_each(|(each, _)| finding.relate(each.span, "this gate"));
            Some(finding)
        }
        standing if is_later => {
            let help = match standing {
                Standing::Reached(gate, since) => {
                    format!("set `stage: {stage}`: `{}` is {stage} since {since}", gate.shown())
                }
                _ => format!("set `stage: {stage}` if the feature is {stage}; otherwise plan a later release"),
            };
            let milestone = milestone.shown();
            Some(at(format!("the {stage} milestone `{milestone}` is out, but the stage is {own}")).help(help))
        }
        Standing::Reached(gate, since) => {
            let early = milestone.value.filter(|release| since.release > *release && !since.is_or_earlier)?;
            // A gate that came later says nothing of those that were there in time.
            ctx.in_code()?.below(own, early)?;
            let finding = at(format!("{planned}, but `{}` is {stage} since {since}", gate.shown()));
            Some(finding.help(format!("write `\"{since}\"`")))
        }
        Standing::Unclear => None,
    }
}
