//! The `kep-number` in a PRR file does not match its file name.
//!
//! ## Why
//!
//! Upstream finds the file by its name and never compares the number in it, so a copied file can keep the wrong number.
//! Leading zeros are ignored.
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
//! kep-number: 7
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
//! kep-number: 0001
//! beta:
//!   approver: "@wojtek-t"
//! ```

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "prr-number-mismatch",
    summary: "`kep-number` in a PRR file does not match its file name",
    severity: Ladder { provisional: Warning, active: Error, stale: Warning, implemented: Warning, closed: Off },
    docs: docs!("prr_number_mismatch.rs"),
    checks: &[Check::Kep(check)],
    ..Rule::of(Category::Approval)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink) {
    let Kep { metadata: Some(metadata), review: Some(review), .. } = ctx.kep else { return };
    // The file was found by the number in kep.yaml, so that is its name.
    let Some((written, named)) = review.number.as_ref().zip(metadata.number.as_ref()) else { return };
    if !number::is_same(&written.text, &named.text) {
        let message =
            format!("`kep-number: {}` does not match the file name `{}.yaml`", written.shown(), named.shown());
        out.report(Diagnostic::at(written.span, message).help(format!("write `kep-number: {}`", named.shown())));
    }
}
