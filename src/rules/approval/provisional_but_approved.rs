//! The KEP is provisional, but its PRR file names an approver.
//!
//! ## Why
//!
//! The most common reason why the Release Team marks an enhancement as at risk is a status that was never changed to
//! implementable. If the PRR file names an approver and the milestone is not past, the author most likely forgot the status.
//!
//! ## Bad
//!
//! ```yaml
//! kep-number: 1
//! owning-sig: sig-node
//! status: provisional
//! stage: alpha
//! latest-milestone: "v1.37"
//! ```
//!
//! ```yaml prod-readiness/sig-node/1.yaml
//! kep-number: 1
//! alpha:
//!   approver: "@wojtek-t"
//! ```
//!
//! ## Good
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
//! ```

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "provisional-but-approved",
    summary: "the KEP is provisional, but its PRR file names an approver",
    severity: Ladder { provisional: Warning, active: Off, stale: Off, implemented: Off, closed: Off },
    settings: &["groups", "approvers"],
    docs: docs!("provisional_but_approved.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Approval)
};

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    let is_current = metadata.milestone().is_some_and(|milestone| milestone >= ctx.current);
    if metadata.status() != Some(Status::Provisional) || !is_current {
        return;
    }
    let Some(status) = &metadata.status else { return };
    let approver = |stage: Stage| Some((stage, ctx.repository.verdict(ctx.kep, stage).approver()?));
    if let Some((stage, (approver, _))) = Stage::ALL.into_iter().filter_map(approver).next_back() {
        let message = format!("the KEP is provisional, but its PRR file names an approver for {stage}");
        let finding = Diagnostic::at(status.span, message)
            .help("set `status: implementable` if the approvers agree")
            .related(approver.span, "the approver")
            .subject(Subject::named([stage.name()]));
        out.report(finding);
    }
}
