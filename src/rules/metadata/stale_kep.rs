//! The `latest-milestone` of an implementable KEP is more than three releases old.
//!
//! ## Why
//!
//! kep-lint reports this one finding instead of one for each section that such a KEP lacks. If the feature is stable in
//! a release that is out, `outdated-status` reports it.
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

use crate::kep::milestone;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "stale-kep",
    summary: "implementable, but `latest-milestone` is more than three releases old",
    severity: Ladder { provisional: Off, active: Off, stale: Advice, implemented: Off, closed: Off },
    docs: docs!("stale_kep.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    let Some(status) = &metadata.status else { return };
    // `outdated-status` reports a feature that is stable.
    if ctx.past_plan().is_some_and(|plan| plan.is_done(metadata)) {
        return;
    }
    // Other rules report a milestone that cannot be read, and one without a dot.
    let is_unread = match &metadata.latest_milestone {
        Some(field) => field.value.is_none() && milestone::as_kepval_reads_it(&field.text).is_some(),
        None => !metadata.lacks("latest-milestone") || metadata.front_matter.cut.is_some(),
    };
    if is_unread {
        return;
    }
    let milestone = metadata.milestone().filter(|milestone| !milestone.is_unknown());
    let (span, message) = match (&metadata.latest_milestone, milestone) {
        (Some(field), Some(milestone)) => (field.span, format!("implementable, but `latest-milestone` is {milestone}")),
        _ => (status.span, "implementable, but has no valid `latest-milestone`".to_owned()),
    };
    let (current, implemented) = (ctx.current, ctx.layout().status_word(Status::Implemented));
    let help = match metadata.stage() {
        Some(Stage::Stable) => format!("set `status: {implemented}` if the feature is stable"),
        Some(stage) if stage.is_removal() => {
            format!("set `status: {implemented}` if the feature is gone, or update `latest-milestone` for {current}")
        }
        _ => format!("update `latest-milestone` if you target {current}; otherwise change `status`"),
    };
    let finding = Diagnostic::at(span, message).subject(Subject::File).help(help);
    out.report(if span == status.span { finding } else { finding.related(status.span, "implementable") });
}
