//! The feature is stable in a release that is out, but the status is still implementable; or it is in one, and
//! the status is provisional.
//!
//! ## Why
//!
//! A KEP is implemented when its feature is stable. While the status is implementable, tools count the KEP as
//! open work, and the Release Team asks for the next stage. The feature gates in the code of Kubernetes say
//! whether it is stable: if they are before that, `missed-milestone` reports it. What is provisional is only a
//! proposal: if all gates of the KEP have reached its stage, it was implemented, and the status was never changed.
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

use crate::repository::code::Standing;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "outdated-status",
    summary: "the feature is in a release that is out, but the status is that of a plan",
    severity: Ladder { provisional: Warning, active: Warning, stale: Advice, implemented: Off, closed: Off },
    fix: Some(Safety::Unsafe),
    settings: &["groups", "feature-gates"],
    docs: docs!("outdated_status.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    let (Some(status), Some(stage)) = (&metadata.status, &metadata.stage) else { return };
    let Some(plan) = ctx.past_plan().filter(|plan| plan.is_done(metadata)) else { return };
    let implemented = ctx.layout().status_word(Status::Implemented);
    let stable = plan.milestone;
    let finding = if let Standing::Reached(gate, since) = plan.standing
        && metadata.status() == Some(Status::Provisional)
    {
        let is_stable = plan.stage == Stage::Stable;
        let next = if is_stable { implemented } else { ctx.layout().status_word(Status::Implementable) };
        let message = format!("the KEP is provisional, but `{}` is {} since {since}", gate.shown(), plan.stage);
        Diagnostic::at(status.span, message)
            .help(format!("set `status: {next}` if the approvers agree"))
            .related(gate.span, "this gate")
    } else if let Standing::Reached(gate, since) = plan.standing {
        let message = format!("the status is implementable, but `{}` is stable since {since}", gate.shown());
        let write = |field: Span, text: &str| Edit { span: field, text: text.to_owned() };
        let mut edits = vec![write(status.span, implemented)];
        let mut title = format!("set `status: {implemented}`");
        if metadata.stage() != Some(Stage::Stable) {
            let word = ctx.layout().stage_word(Stage::Stable);
            edits.push(write(stage.span, word));
            title += &format!(" and `stage: {word}`");
        }
        Diagnostic::at(status.span, message).edits(title, edits).related(gate.span, "this gate")
    } else {
        let message = format!("the status is implementable, but the stable milestone `{}` is out", stable.shown());
        Diagnostic::at(status.span, message)
            .help(format!("set `status: {implemented}` if the feature is stable; otherwise plan a later release"))
            .related(stable.span, "the stable milestone")
    };
    out.report(finding.yields_to(plan.yields_to));
}
