//! A change moves the KEP on, but leaves `latest-milestone` at a release that is out.
//!
//! ## Why
//!
//! Whoever promotes a KEP works on it for the release under development. Upstream's checks and the Release Team find the
//! KEPs of a release by `latest-milestone`: a KEP with an old one is not tracked, and does not look worked on. Reported
//! only with `--since` and `--staged`, because it takes two versions of kep.yaml to see: the stage moves forward, the
//! status becomes implementable, or the milestone of the stage becomes the release under development. A new KEP, or a new
//! `latest-milestone`, with a release that is out is a warning. A KEP with `0.0` is not part of any release, and is not
//! reported, nor is one whose change writes down that the stage was reached in a release that is out.
//!
//! ## Bad
//!
//! ```yaml base.yaml
//! status: implementable
//! stage: alpha
//! latest-milestone: "v1.35"
//! ```
//!
//! ```yaml
//! status: implementable
//! stage: beta
//! latest-milestone: "v1.35"
//! ```
//!
//! ## Good
//!
//! ```yaml base.yaml
//! status: implementable
//! stage: alpha
//! latest-milestone: "v1.35"
//! ```
//!
//! ```yaml
//! status: implementable
//! stage: beta
//! latest-milestone: "v1.37"
//! ```

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "forgotten-milestone",
    summary: "with `--since`: the KEP is moved on, but `latest-milestone` is not",
    severity: Ladder { provisional: Warning, active: Error, stale: Error, implemented: Off, closed: Off },
    fix: Some(Safety::Unsafe),
    docs: docs!("forgotten_milestone.rs"),
    checks: Checks::of_kep(check),
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let (Some(metadata), Some(step)) = (&ctx.kep.metadata, step(ctx)) else { return };
    let Some(place) = &metadata.latest_milestone else { return };
    let begun = metadata.stage().and_then(|stage| metadata.milestone_of(stage));
    let stage = metadata.stage().map(|stage| stage.name()).unwrap_or_default();
    let (moved, cause) = match step {
        Step::Stage { old } => (format!("the stage moves from {old} to {stage}"), metadata.stage.as_ref().map(span)),
        Step::Status => ("the KEP becomes implementable".to_owned(), metadata.status.as_ref().map(span)),
        Step::Milestone => (format!("the {stage} milestone becomes {}", ctx.current), begun.map(span)),
        Step::New => return report_outdated(ctx, place, "the KEP is new, but its `latest-milestone`", out),
        Step::LatestMilestone => return report_outdated(ctx, place, "the new `latest-milestone`", out),
    };
    let mut finding =
        Diagnostic::at(place.span, format!("{moved}, but `latest-milestone` is still `{}`", place.shown()))
            .subject(Subject::named(["latest-milestone"]));
    finding = with_release(ctx, place, finding);
    if let Some(cause) = cause {
        finding.relate(cause, "the change");
    }
    out.report(finding);
}

/// How a change moves a KEP on, while its latest milestone is an earlier release than the current one.
#[derive(Clone, Copy, Debug)]
enum Step {
    Stage {
        old: Stage,
    },
    Status,
    /// The milestone of its stage becomes the current release.
    Milestone,
    New,
    LatestMilestone,
}

/// What the change does to the KEP while its `latest-milestone` names a release that is out.
fn step(ctx: &Ctx<'_>) -> Option<Step> {
    let (metadata, change) = (ctx.kep.metadata.as_ref()?, ctx.kep.texts.change.as_ref()?);
    let is_open = matches!(metadata.status(), Some(Status::Provisional | Status::Implementable));
    let latest = metadata.milestone().filter(|latest| latest.is_out(ctx.current) && is_open)?;
    // `placeholder-value` and `stage-milestone` report these.
    let is_reported = metadata.template_milestone().is_some()
        || metadata.stage().and_then(|stage| metadata.milestone_of(stage)?.value) > Some(latest);
    let Some(base) = ctx.base else {
        return (change.base.is_none() && !is_reported).then_some(Step::New);
    };
    let (stage, old) = (metadata.stage(), base.stage());
    let begins_now = |version: &Metadata| {
        let begun = stage.and_then(|stage| version.milestone_of(stage)?.value);
        begun == Some(ctx.current)
    };
    // Whoever writes down only now when the stage was reached works on nothing.
    let reached = |version: &Metadata| version.milestone_of(stage?)?.value.filter(|begun| begun.is_out(ctx.current));
    if stage > old && reached(metadata).is_some() && reached(metadata) != reached(base) {
        return None;
    }
    let became = Some(Status::Implementable);
    match (stage, old) {
        (Some(stage), Some(old)) if stage > old => Some(Step::Stage { old }),
        _ if metadata.status() == became && base.status() != became => Some(Step::Status),
        _ if begins_now(metadata) && !begins_now(base) => Some(Step::Milestone),
        // A release that was missed is taken back to the one before.
        _ if base.milestone().is_none_or(|earlier| earlier < latest) && !is_reported => Some(Step::LatestMilestone),
        _ => None,
    }
}

/// Reports a `latest-milestone` that is written only now. The finding is about its value: of the KEP as it was before the
/// change it says nothing.
fn report_outdated(ctx: &Ctx<'_>, place: &Field<Release>, written: &str, out: &mut Sink<'_>) {
    let finding = Diagnostic::at(place.span, format!("{written} `{}` is out", place.shown()))
        .subject(Subject::named(["latest-milestone", &place.text]))
        .at_most(Severity::Warning);
    out.report(with_release(ctx, place, finding));
}

fn with_release(ctx: &Ctx<'_>, place: &Field<Release>, finding: Diagnostic) -> Diagnostic {
    let release = format!("\"{}\"", ctx.planned_release());
    finding.replacement(format!("set `latest-milestone: {release}`"), place.span, release)
}

fn span<T>(field: &Field<T>) -> Span {
    field.span
}
