//! The PRR file approves a later stage than the stage in kep.yaml.
//!
//! ## Why
//!
//! A PRR approver is added when a KEP is promoted. If the PRR is approved for beta and kep.yaml says alpha, the author
//! most likely forgot to change `stage`.
//!
//! ## Bad
//!
//! ```yaml
//! kep-number: 1
//! owning-sig: sig-node
//! status: implementable
//! stage: alpha
//! latest-milestone: "v1.37"
//! ```
//!
//! ```yaml prod-readiness/sig-node/1.yaml
//! kep-number: 1
//! alpha:
//!   approver: "@wojtek-t"
//! beta:
//!   approver: "@wojtek-t"
//! ```
//!
//! ## Good
//!
//! ```yaml
//! kep-number: 1
//! owning-sig: sig-node
//! status: implementable
//! stage: beta
//! latest-milestone: "v1.37"
//! ```
//!
//! ```yaml prod-readiness/sig-node/1.yaml
//! kep-number: 1
//! alpha:
//!   approver: "@wojtek-t"
//! beta:
//!   approver: "@wojtek-t"
//! ```

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "prr-ahead-of-stage",
    summary: "the PRR file approves a later stage than kep.yaml's",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    settings: &["groups", "approvers"],
    docs: docs!("prr_ahead_of_stage.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Approval)
};

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    if ctx.stage_not_raised().is_some() {
        return;
    }
    let (Some(stage), Some(field)) = (metadata.stage(), &metadata.stage) else { return };
    let later = Stage::ALL.into_iter().filter(|later| *later > stage);
    let mut approved = later.filter_map(|later| Some((later, ctx.repository.verdict(ctx.kep, later).approver()?)));
    let Some((reached, (approver, _))) = approved.next_back() else { return };
    let message = format!("the stage is {stage}, but the PRR is approved for {reached}");
    let finding = Diagnostic::at(field.span, message)
        .help(format!("set `stage: {reached}` if the KEP targets it"))
        .related(approver.span, "approved here")
        .subject(Subject::named([stage.name(), reached.name()]));
    out.report(finding);
}
