//! A PRR file does not match its schema.
//!
//! ## Why
//!
//! Upstream decodes PRR files strictly: an unknown or duplicate key, a missing `kep-number` or a wrong type fails its
//! check if the KEP is implementable or implemented, from v1.21 on. For other KEPs, and for KEPs of older releases,
//! this rule reports a warning.
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
//! Beta:
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
//! beta:
//!   approver: "@wojtek-t"
//! ```

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "invalid-prr",
    summary: "a PRR file does not match its schema",
    severity: Ladder { provisional: Warning, active: Error, stale: Error, implemented: Error, closed: Warning },
    upstream: &[Script::Metadata],
    docs: docs!("invalid_prr.rs"),
    checks: &[Check::Kep(check)],
    ..Rule::of(Category::Approval)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink) {
    let Kep { metadata: Some(metadata), review: Some(review), .. } = ctx.kep else { return };
    let upstream = metadata.needs_review().then_some(Script::Metadata);
    let limit = if upstream.is_some() { Severity::Error } else { Severity::Warning };
    for problem in &review.tree.problems {
        let text = &ctx.kep.texts.file(review.file).text;
        out.report(of_problem(problem, text).upstream(upstream).at_most(limit));
    }
    // `prr-approver` reports a missing approver.
    for flaw in review.flaws.iter().filter(|flaw| flaw.kind != FlawKind::MissingKey("approver")) {
        let mut finding = of_flaw(flaw).upstream(upstream).at_most(limit);
        match &flaw.kind {
            FlawKind::DuplicateKey { first, .. } => finding.relate(*first, "first occurrence"),
            FlawKind::MissingKey(key) => finding.subject = Subject::named(["missing", key]),
            _ => {}
        }
        out.report(finding);
    }
}
