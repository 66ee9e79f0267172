//! A change moves the KEP on, but leaves `latest-milestone` at a release that is out.
//!
//! ## Why
//!
//! Whoever promotes a KEP works on it for the release under development. Upstream's checks and the Release Team find the
//! KEPs of a release by `latest-milestone`: a KEP with an old one is not tracked, and does not look worked on. Reported
//! only with `--since` and `--staged`, because it takes two versions of kep.yaml to see: the stage moves forward, the
//! status becomes implementable, or the milestone of the stage becomes the release under development. A new KEP, or a new
//! `latest-milestone`, with a release that is out is a warning. A KEP with `0.0` is not part of any release, and is not
//! reported.
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

use crate::kep::field::Field;
use crate::rules::context::Step;
use crate::rules::prelude::*;
use crate::stage::Release;

pub const RULE: Rule = Rule {
    name: "forgotten-milestone",
    summary: "with `--since`: the KEP is moved on, but `latest-milestone` is not",
    severity: Ladder { provisional: Warning, active: Error, stale: Error, implemented: Off, closed: Off },
    docs: docs!("forgotten_milestone.rs"),
    checks: Checks::of_kep(check),
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let (Some(metadata), Some(step)) = (&ctx.kep.metadata, ctx.forgotten_milestone()) else { return };
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
            .help(help(ctx))
            .subject(Subject::named(["latest-milestone"]));
    if let Some(cause) = cause {
        finding.relate(cause, "the change");
    }
    out.report(finding);
}

/// Reports a `latest-milestone` that is written only now. The finding is about its value: of the KEP as it was before the
/// change it says nothing.
fn report_outdated(ctx: &Ctx<'_>, place: &Field<Release>, written: &str, out: &mut Sink<'_>) {
    let finding = Diagnostic::at(place.span, format!("{written} `{}` is out", place.shown()))
        .help(help(ctx))
        .subject(Subject::named(["latest-milestone", &place.text]))
        .at_most(Severity::Warning);
    out.report(finding);
}

fn help(ctx: &Ctx<'_>) -> String {
    format!("set `latest-milestone: \"{}\"`", ctx.planned_release())
}

fn span<T>(field: &Field<T>) -> Span {
    field.span
}
