//! The target stage of a KEP has no milestone, or its milestone is after `latest-milestone`.
//!
//! ## Why
//!
//! `latest-milestone` is the last release for which the KEP is worked on, so its stage cannot start after that release:
//! one of the two was not updated. A KEP can stay in a stage for several releases, so an older milestone of the stage
//! is not reported. KEPs without `latest-milestone` are not reported either, nor are those with the `0.0` that old KEPs have,
//! unless the stage is planned for a release that is not out: with `0.0` a KEP is not tracked, and no PRR is asked for.
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

use crate::kep::schema::Flaw;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "stage-milestone",
    summary: "the target stage has no milestone, or one after `latest-milestone`",
    severity: Ladder { provisional: Off, active: Error, stale: Off, implemented: Off, closed: Off },
    docs: docs!("stage_milestone.rs"),
    checks: &[Check::Kep(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink) {
    let (Some(metadata), Some(stage)) = (&ctx.kep.metadata, ctx.target.stage) else { return };
    // Without `latest-milestone`, there is nothing to compare with; the `0.0` of old KEPs is compared with a plan.
    let is_planned = || metadata.milestone_of(stage)?.value.map(|begun| !begun.is_out(ctx.current));
    let latest = ctx.target.release.or_else(|| metadata.milestone().filter(|_| is_planned() == Some(true)));
    if latest.is_none() && ctx.target.given_stage().is_none() {
        return;
    }
    let has_targets = ctx.layout().own().is_some_and(|own| !own.targets.is_empty());
    if ctx.target.is_withdrawal || has_targets {
        return;
    }
    let target = if metadata.stage() == Some(stage) { metadata.stage.as_ref() } else { None };
    // `unknown-key` and others report what could not be read.
    let is_typo = |flaw: &Flaw| [stage.name(), "milestone"].iter().any(|key| flaw.kind.could_be_typo_of(key));
    let is_misspelled = metadata.flaws.iter().any(is_typo);
    if metadata.has_invalid("milestone") || is_misspelled {
        return;
    }
    let milestone = metadata.milestone_of(stage);
    let Some(written) = milestone.filter(|milestone| !milestone.text.is_empty()) else {
        let place = milestone.map(|empty| empty.key).or_else(|| metadata.last_milestone_key());
        let place = place.or(target.map(|target| target.span)).unwrap_or(metadata.top);
        let planned = latest.filter(|latest| latest.is_out(ctx.current) && is_moved_on(ctx, metadata));
        let release = planned.map(|_| ctx.planned_release()).or(latest);
        // In other projects, no release may be known.
        let line = release.map_or(format!("the release of {stage}"), |release| format!("`{stage}: \"{release}\"`"));
        let help = match milestone {
            Some(_) => format!("write {line}"),
            None if metadata.lacks("milestone") => format!("add `milestone:` and under it {line}"),
            None => format!("add {line} under `milestone:`"),
        };
        let finding = Diagnostic::at(place, format!("stage {stage} has no milestone"))
            .help(help)
            .at_most(if stage.is_removal() { Severity::Warning } else { Severity::Error })
            .subject(Subject::named(["milestone", stage.name()]));
        let is_there = target.is_some_and(|target| target.span == place);
        out.report(if is_there { finding } else { ctx.relate_stage(finding) });
        return;
    };
    let Some((latest, begun)) = latest.zip(written.value).filter(|(latest, begun)| begun > latest) else { return };
    // It may be checked for another release than that of kep.yaml.
    let field = metadata.latest_milestone.as_ref().filter(|field| field.value == Some(latest));
    let name = if field.is_some() { "`latest-milestone` " } else { "" };
    let message = format!("the {stage} milestone is {begun}, after {name}{latest}");
    let finding = Diagnostic::at(written.span, message)
        .help(format!("set `latest-milestone: \"{begun}\"`, or correct the {stage} milestone"))
        .yields_to("forgotten-milestone")
        .related(field.map(|field| field.span), "`latest-milestone`")
        .related(target.map(|target| target.span), "the stage");
    out.report(finding);
}

/// Whether the change is a new KEP, or gives it another stage or status, so that the stage is planned now.
fn is_moved_on(ctx: &Ctx<'_>, metadata: &Metadata) -> bool {
    let is_moved = |base: &Metadata| base.stage() != metadata.stage() || base.status() != metadata.status();
    ctx.kep.texts.change.is_some() && ctx.base.is_none_or(is_moved)
}
