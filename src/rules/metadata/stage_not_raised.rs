//! A later stage has the milestone that is `latest-milestone`, but `stage` was not raised to it.
//!
//! ## Why
//!
//! `latest-milestone` is the release that the KEP is worked on for. If the milestone of beta is that release
//! and `stage` still says alpha, one of them is wrong: all that beta asks for is left out, the KEP looks
//! ready, and the Release Team tracks it for the wrong stage. Nothing is wrong if the milestone of the stage
//! itself is the same release.
//!
//! There are two ways out. If the PRR file has an approver for the later stage, the KEP goes there: set
//! `stage`. Else either the plan was changed, and the milestone of the later stage has to move, or the stage
//! was forgotten, and a PRR is needed as well.
//! A comment behind `stage` is a reason: then it is a warning, without a fix.
//!
//! ## Bad
//!
//! ```yaml
//! status: implementable
//! stage: alpha
//! latest-milestone: "v1.37"
//! milestone:
//!   alpha: "v1.36"
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
//!   alpha: "v1.36"
//!   beta: "v1.37"
//! ```

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "stage-not-raised",
    summary: "`latest-milestone` is the milestone of a later stage than `stage`",
    severity: Ladder { provisional: Off, active: Error, stale: Error, implemented: Off, closed: Off },
    fix: Some(Safety::Unsafe),
    docs: docs!("stage_not_raised.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    let (Some((later, milestone)), Some(stage)) = (ctx.stage_not_raised(), &metadata.stage) else { return };
    let message =
        format!("`{later}` is {} as `latest-milestone`, but the stage is {}", milestone.shown(), stage.shown());
    let set = format!("set `stage: {later}`");
    let subject = Subject::named([&stage.text, later.name()]);
    let finding = Diagnostic::at(stage.span, message).subject(subject).related(milestone.span, "the milestone");
    // Who gives a reason behind it means it.
    let has_reason = stage.comment.as_ref().is_some_and(|comment| !comment.trim().is_empty());
    out.report(if has_reason {
        finding.at_most(Severity::Warning).help(format!("move `milestone.{later}`, or {set}"))
    } else if let Some((approver, _)) = ctx.repository.verdict(ctx.kep, later).approver() {
        finding
            .edits(set, vec![Edit { span: stage.span, text: later.name().to_owned() }])
            .related(approver.span, format!("the PRR is approved for {later}"))
    } else {
        let ask = if ctx.has_groups() { " and ask for PRR" } else { "" };
        finding.help(format!("move `milestone.{later}`, or {set}{ask}"))
    });
}
