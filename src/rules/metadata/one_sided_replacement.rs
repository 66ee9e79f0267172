//! `replaces` in kep.yaml names a KEP whose status is not replaced.
//!
//! ## Why
//!
//! A reader who finds the old KEP must see that it is no longer current. Its status and `superseded-by` say so. The KEP
//! often belongs to another SIG, which has to agree. It is looked up in the repository around, also when one KEP is linted.
//!
//! ## Bad
//!
//! ```yaml
//! status: implementable
//! latest-milestone: "v1.37"
//! replaces:
//!   - /keps/sig-node/2-warm-images
//! ```
//!
//! ```yaml keps/sig-node/2-warm-images/kep.yaml
//! kep-number: 2
//! status: implementable
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: implementable
//! latest-milestone: "v1.37"
//! replaces:
//!   - /keps/sig-node/2-warm-images
//! ```
//!
//! ```yaml keps/sig-node/2-warm-images/kep.yaml
//! kep-number: 2
//! status: replaced
//! ```

use crate::rules::context::ReplacedKep;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "one-sided-replacement",
    summary: "`replaces` names a KEP whose status is not replaced",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Advice, closed: Off },
    docs: docs!("one_sided_replacement.rs"),
    checks: &[Check::Replaced(check)],
    ..Rule::of(Category::Metadata)
};

fn check(replaced: &ReplacedKep, status: Status, out: &mut Sink) {
    if status != Status::Replaced {
        let message = format!("`replaces` names `{}`, but its status is {}", brief(&replaced.path), status.name());
        let finding = Diagnostic::at(replaced.span, message)
            .subject(Subject::named([&replaced.path]))
            .help("set `status: replaced` and `superseded-by` there, or use `see-also` here");
        out.report(finding);
    }
}
