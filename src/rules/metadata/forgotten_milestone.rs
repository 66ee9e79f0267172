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
    checks: &[Check::Kep(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink) {
    if let Some(finding) = finding(ctx) {
        let (span, release) = (finding.span, format!("\"{}\"", ctx.planned_release()));
        out.report(finding.replacement(format!("set `latest-milestone: {release}`"), span, release));
    }
}

/// How the change moves the KEP on while its `latest-milestone` names a release that is out.
fn finding(ctx: &Ctx<'_>) -> Option<Diagnostic> {
    let (metadata, change) = (ctx.kep.metadata.as_ref()?, ctx.kep.texts.change.as_ref()?);
    let place = metadata.latest_milestone.as_ref()?;
    let is_open = matches!(metadata.status(), Some(Status::Provisional | Status::Implementable));
    let latest = metadata.milestone().filter(|latest| latest.is_out(ctx.current) && is_open)?;
    let still = |moved: &str, cause: Span| {
        let message = format!("{moved}, but `latest-milestone` is still `{}`", place.shown());
        let finding = Diagnostic::at(place.span, message).related(cause, "the change");
        Some(finding.subject(Subject::named(["latest-milestone"])))
    };
    // It is about the value: of the KEP as it was before the change it says nothing.
    let outdated = |written: &str| {
        let finding = Diagnostic::at(place.span, format!("{written} `{}` is out", place.shown()));
        let subject = Subject::named(["latest-milestone", &place.text]);
        Some(finding.subject(subject).at_most(Severity::Warning))
    };
    // `placeholder-value` and `stage-milestone` report these.
    let is_reported = metadata.template_milestone().is_some()
        || metadata.stage().and_then(|stage| metadata.milestone_of(stage)?.value) > Some(latest);
    let Some(base) = ctx.base else {
        let is_new = change.base.is_none() && !is_reported;
        return if is_new { outdated("the KEP is new, but its `latest-milestone`") } else { None };
    };
    let (stage, old) = (metadata.stage(), base.stage());
    let begun = |version: &Metadata| version.milestone_of(stage?)?.value;
    let begins_now = |version: &Metadata| begun(version) == Some(ctx.current);
    // Whoever writes down only now when the stage was reached works on nothing.
    let reached = |version: &Metadata| begun(version).filter(|begun| begun.is_out(ctx.current));
    if stage > old && reached(metadata).is_some() && reached(metadata) != reached(base) {
        return None;
    }
    let became = Some(Status::Implementable);
    match (stage, old) {
        (Some(stage), Some(old)) if stage > old => {
            still(&format!("the stage moves from {old} to {stage}"), metadata.stage.as_ref()?.span)
        }
        _ if metadata.status() == became && base.status() != became => {
            still("the KEP becomes implementable", metadata.status.as_ref()?.span)
        }
        (Some(stage), _) if begins_now(metadata) && !begins_now(base) => {
            let milestone = metadata.milestone_of(stage)?.span;
            still(&format!("the {stage} milestone becomes {}", ctx.current), milestone)
        }
        // A release that was missed is taken back to the one before.
        _ if base.milestone().is_none_or(|earlier| earlier < latest) && !is_reported => {
            outdated("the new `latest-milestone`")
        }
        _ => None,
    }
}
