//! A value of kep.yaml is of another kind than upstream's tools expect.
//!
//! ## Why
//!
//! Upstream's decoder refuses text where a list belongs, a list where text belongs, and so on. Any number, date or word
//! passes for text, quoted or not, and nothing at all passes for everything.
//!
//! ## Bad
//!
//! ```yaml
//! status: provisional
//! authors: "@alice"
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: provisional
//! authors:
//!   - "@alice"
//! ```

use crate::kep::schema::FlawKind;
use crate::rules::context::Ctx;
use crate::rules::rule::Level::Error;
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;

/// The rule.
pub const RULE: Rule = Rule {
    name: "wrong-type",
    category: Category::Metadata,
    summary: "a value of kep.yaml is of another kind than upstream's tools expect",
    severity: Ladder::everywhere(Error),
    fix: None,
    reveals: false,
    is_gap: false,
    upstream: &["hack/verify-kep-metadata.sh"],
    source: include_str!("wrong_type.rs"),
    checks: Checks::of_kep(check),
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(metadata) = &ctx.kep.metadata else { return };
    for flaw in &metadata.flaws {
        if let FlawKind::WrongType { .. } | FlawKind::NoKeys(_) = flaw.kind {
            out.report(flaw.span, flaw.kind.message()).help = Some(flaw.kind.help());
        }
    }
}
