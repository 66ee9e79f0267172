//! The PRR file of a KEP is missing, or has no entry for its stage.
//!
//! ## Why
//!
//! From v1.21 on, a KEP that is implementable or implemented needs a production readiness review (PRR): an approver for
//! its stage in `keps/prod-readiness/<owning-sig>/<kep-number>.yaml`. Upstream's check fails without one
//! (`pkg/kepval/approval.go`). What is withdrawn in the release under development was reviewed before: `--stage` asks for no
//! new review.
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

use crate::kep::Kep;
use crate::kep::review::{APPROVER, entry};
use crate::repository::verdict::Verdict;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "missing-prr",
    summary: "the PRR file is missing, or has no entry for the KEP's stage",
    severity: Ladder { provisional: Warning, active: Error, stale: Error, implemented: Error, closed: Off },
    settings: &["groups"],
    upstream: &[Script::Metadata],
    docs: docs!("missing_prr.rs"),
    checks: Checks::of_kep(check),
    ..Rule::of(Category::Approval)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Kep { metadata: Some(metadata), owner: Some(sig), .. } = ctx.kep else { return };
    let Some(number) = &metadata.number else { return };
    if ctx.repository.reviews.is_none() {
        return;
    }
    if is_reviewed_under_another_number(ctx, sig, number, out) {
        return;
    }
    let path = format!("{}/{sig}/{}.yaml", ctx.repository.shown_reviews(), number.text);
    let (path, number) = (brief(&path), number.shown());
    let ask = || format!("ask one of {} for approval", ctx.repository.approver_names().join(", "));
    for stage in ctx.reviewed_stages() {
        let entry = entry(stage, APPROVER);
        let is_target = metadata.stage() == Some(stage);
        match ctx.repository.verdict(ctx.kep, stage) {
            Verdict::NoFile | Verdict::Elsewhere(_) => {
                let place = metadata.stage.as_ref().map_or(metadata.top, |field| field.span);
                let finding = Diagnostic::at(place, format!("missing PRR file `{path}`"))
                    .subject(Subject::File)
                    .upstream(metadata.needs_review().then_some(Script::Metadata))
                    .help(format!("add it and {}:\nkep-number: {number}\n{entry}", ask()));
                out.report(finding);
                return;
            }
            Verdict::NoEntry => {
                let place = ctx.kep.review.as_ref().map_or(metadata.top, |review| review.top);
                let mut finding = Diagnostic::at(place, format!("`{path}` has no approver for {stage}"))
                    .subject(Subject::named([stage.name()]))
                    .upstream((metadata.reviewed_stage() == Some(stage)).then_some(Script::Metadata))
                    .help(format!("add to it and {}:\n{entry}", ask()));
                if let Some(field) = &metadata.stage
                    && is_target
                {
                    finding.relate(field.span, format!("required because `stage: {stage}`"));
                }
                out.report(finding);
            }
            // `invalid-prr` and `prr-approver` report what is wrong with an entry.
            Verdict::Unclear | Verdict::NoApprover(_) | Verdict::NotApprover { .. } | Verdict::Approved { .. } => {}
        }
    }
}

/// Whether the PRR file of the directory's number is there, so that `kep-number` alone is wrong. Upstream compares it as text.
fn is_reviewed_under_another_number(ctx: &Ctx<'_>, sig: &str, written: &Field, out: &mut Sink<'_>) -> bool {
    let Some(number) = ctx.kep.number().filter(|number| *number != written.text) else { return false };
    let is_there = ctx.repository.reviews_of(number).iter().any(|review| review.sig == sig && review.name == number);
    if ctx.kep.review.is_some() || !is_there || ctx.reviewed_stages().is_empty() {
        return false;
    }
    let message = format!("no PRR file is called `{}.yaml`, but one is `{number}.yaml`", written.shown());
    let finding = Diagnostic::at(written.span, message)
        .subject(Subject::File)
        .upstream(ctx.kep.metadata.as_ref().is_some_and(Metadata::needs_review).then_some(Script::Metadata))
        .help(format!("write `kep-number: {number}`"));
    out.report(finding);
    true
}
