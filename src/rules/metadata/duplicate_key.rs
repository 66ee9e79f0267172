//! kep.yaml has the same key twice.
//!
//! ## Why
//!
//! Upstream's decoder rejects a mapping that has the same key twice, even if the values are equal. Other tools use one
//! of the two values, and not always the same one.
//!
//! ## Bad
//!
//! ```yaml
//! status: provisional
//! stage: alpha
//! stage: beta
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: provisional
//! stage: beta
//! ```

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "duplicate-key",
    summary: "duplicate key in kep.yaml",
    severity: Ladder::everywhere(Error),
    reveals: true,
    upstream: &[Script::Metadata],
    docs: docs!("duplicate_key.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

fn check(_: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    for flaw in &metadata.flaws {
        let FlawKind::DuplicateKey { first, .. } = &flaw.kind else { continue };
        out.report(of_flaw(flaw).upstream(Script::Metadata).related(*first, "first occurrence"));
    }
}
