//! The PRR file of a KEP is missing, or has no entry for its stage.
//!
//! ## Why
//!
//! From v1.21 on, a KEP that is implementable or implemented needs a production readiness review (PRR): an approver for
//! its stage in `keps/prod-readiness/<owning-sig>/<kep-number>.yaml`. Upstream's check fails without one
//! (`pkg/kepval/approval.go`).
//!
//! ## Bad
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

use crate::diagnostic::brief;
use crate::diagnostic::script::Script;
use crate::diagnostic::subject::Subject;
use crate::kep::Kep;
use crate::kep::metadata::Metadata;
use crate::rules::context::Ctx;
use crate::rules::rule::Level::{Error, Off, Warning};
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;
use crate::stage::Stage;

/// The rule.
pub const RULE: Rule = Rule {
    name: "missing-prr",
    category: Category::Approval,
    summary: "the PRR file is missing, or has no entry for the KEP's stage",
    severity: Ladder { provisional: Warning, active: Error, stale: Error, implemented: Error, closed: Off },
    fix: None,
    reveals: false,
    is_gap: false,
    roles: &[],
    upstream: &[Script::Metadata],
    source: include_str!("missing_prr.rs"),
    checks: Checks::of_kep(check),
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Kep { metadata: Some(metadata), owner: Some(sig), review, .. } = ctx.kep else { return };
    let Metadata { number: Some(number), .. } = metadata else { return };
    let stages = ctx.reviewed_stages();
    let Some(stage) = stages.first().filter(|_| ctx.repository.reviews.is_some()) else { return };
    let path = format!("{}/{}/{}.yaml", ctx.repository.reviews_directory, sig, number.text);
    let (path, number) = (brief(&path), number.shown());
    let approvers = ctx.repository.approver_names().join(", ");
    let Some(review) = review else {
        let place = metadata.stage.as_ref().map_or(metadata.top, |field| field.span);
        let finding = out.report(place, format!("missing PRR file `{path}`"));
        finding.subject = Subject::File;
        finding.upstream = metadata.needs_review().then_some(Script::Metadata);
        finding.help =
            Some(format!("add it and ask one of {approvers} for approval:\nkep-number: {number}\n{}", entry(*stage)));
        return;
    };
    let is_missing = |stage: &Stage| review.approval(*stage).is_none() && !review.could_be_typo_of(*stage);
    for stage in stages.into_iter().filter(is_missing) {
        let finding = out.report(review.top, format!("`{path}` has no approver for {stage}"));
        finding.subject = Subject::named([stage.name()]);
        let is_own = metadata.needs_review() && metadata.stage() == Some(stage);
        finding.upstream = is_own.then_some(Script::Metadata);
        finding.help = Some(format!("add to it and ask one of {approvers} for approval:\n{}", entry(stage)));
        if let Some(field) = metadata.stage.as_ref().filter(|_| metadata.stage() == Some(stage)) {
            finding.relate(field.span, format!("required because `stage: {stage}`"));
        }
    }
}

fn entry(stage: Stage) -> String {
    format!("{stage}:\n  approver: \"@<production readiness approver>\"")
}
