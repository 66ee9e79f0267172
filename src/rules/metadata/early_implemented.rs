//! The KEP is implemented, but its stage is not stable, or its feature is not stable yet.
//!
//! ## Why
//!
//! A KEP is implemented when its feature is stable or removed. Until then it is implementable, and reviewers ask for
//! the next stage. KEPs that deprecate or remove something are implemented at their own stages. A stable milestone
//! after the release under development contradicts the status too. It is at most a suggestion if
//! `latest-milestone` is `0.0`: the KEP is not part of any release.
//!
//! ## Bad
//!
//! ```yaml
//! status: implemented
//! stage: beta
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: implemented
//! stage: stable
//! ```

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "early-implemented",
    summary: "the KEP is implemented, but its feature is not stable",
    severity: Ladder { provisional: Off, active: Off, stale: Off, implemented: Warning, closed: Off },
    docs: docs!("early_implemented.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    let (Some(stage), Some(field), Some(status)) = (metadata.stage(), &metadata.stage, &metadata.status) else {
        return;
    };
    if metadata.status() != Some(Status::Implemented) {
        return;
    }
    let stable = ctx.layout().stage_word(Stage::Stable);
    let implementable = ctx.layout().status_word(Status::Implementable);
    if stage < Stage::Stable {
        let is_old = metadata.milestone().is_some_and(Release::is_unknown);
        let finding = Diagnostic::at(field.span, format!("the KEP is implemented, but its stage is {stage}"))
            .help(format!("set `stage: {stable}`, or `status: {implementable}` until it is"))
            .at_most(if is_old { Severity::Advice } else { Severity::Error })
            .related(status.span, "implemented");
        out.report(finding);
        return;
    }
    let planned = metadata.milestone_of(Stage::Stable);
    if let Some(planned) = planned.filter(|milestone| milestone.value.is_some_and(|release| release > ctx.current))
        && stage == Stage::Stable
        && ctx.knows_releases()
    {
        let message = format!("the KEP is implemented, but its stable milestone is `{}`", planned.shown());
        let finding = Diagnostic::at(planned.span, message)
            .help(format!("set `status: {implementable}` until that release, or correct the milestone"))
            .related(status.span, "implemented");
        out.report(finding);
    }
}
