//! The `owning-sig` of kep.yaml is not the SIG in whose directory the KEP lies.
//!
//! ## Why
//!
//! People look for a KEP in its SIG's directory, and tools for its production readiness review in the directory of
//! `owning-sig`.
//!
//! ## Bad
//!
//! ```yaml
//! owning-sig: sig-network
//! status: implementable
//! ```
//!
//! ## Good
//!
//! ```yaml
//! owning-sig: sig-node
//! status: implementable
//! ```

use crate::diagnostic::brief;
use crate::kep::schema::is_template_value;
use crate::rules::context::Ctx;
use crate::rules::rule::Level::{Advice, Off, Warning};
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;

/// The rule.
pub const RULE: Rule = Rule {
    name: "owning-sig-mismatch",
    category: Category::Metadata,
    summary: "the owning SIG is not the one in whose directory the KEP lies",
    severity: Ladder { provisional: Advice, active: Warning, stale: Advice, implemented: Advice, closed: Off },
    fix: None,
    reveals: false,
    is_gap: false,
    upstream: &[],
    source: include_str!("owning_sig_mismatch.rs"),
    checks: Checks::of_kep(check),
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(owner) = ctx.kep.metadata.as_ref().and_then(|metadata| metadata.owning_sig.as_ref()) else { return };
    let Some(sig) = ctx.kep.texts.sig() else { return };
    let is_reported_elsewhere = owner.text.is_empty() || is_template_value("owning-sig", &owner.text);
    if is_reported_elsewhere || owner.text == *sig {
        return;
    }
    let finding = out.report(owner.span, format!("`{}` owns the KEP, but it lies in `{}`", owner.shown(), brief(sig)));
    finding.help = Some(match ctx.repository.groups.contains(sig) {
        true => format!("write `owning-sig: {sig}`, or move the KEP"),
        false => format!("move the KEP to `keps/{}`", owner.shown()),
    });
}
