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

use crate::diagnostic::script::Script;
use crate::kep::schema::FlawKind;
use crate::rules::context::Ctx;
use crate::rules::rule::Level::Error;
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;

/// The rule.
pub const RULE: Rule = Rule {
    name: "duplicate-key",
    category: Category::Metadata,
    summary: "duplicate key in kep.yaml",
    severity: Ladder::everywhere(Error),
    fix: None,
    reveals: true,
    is_gap: false,
    roles: &[],
    upstream: &[Script::Metadata],
    source: include_str!("duplicate_key.rs"),
    checks: Checks::of_kep(check),
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(metadata) = &ctx.kep.metadata else { return };
    for flaw in &metadata.flaws {
        let FlawKind::DuplicateKey { first, .. } = &flaw.kind else { continue };
        let finding = out.report(flaw.span, flaw.kind.message());
        finding.help = Some(flaw.kind.help());
        finding.upstream = Some(Script::Metadata);
        finding.relate(*first, "first occurrence");
    }
}
