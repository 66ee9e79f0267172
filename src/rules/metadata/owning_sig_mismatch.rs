//! The `owning-sig` in kep.yaml does not match the SIG directory of the KEP.
//!
//! ## Why
//!
//! People look for a KEP in the directory of its SIG, and tools look for its PRR file in the directory of `owning-sig`.
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

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "owning-sig-mismatch",
    summary: "`owning-sig` does not match the KEP's directory",
    severity: Ladder { provisional: Advice, active: Warning, stale: Advice, implemented: Advice, closed: Off },
    settings: &["groups"],
    docs: docs!("owning_sig_mismatch.rs"),
    checks: &[Check::Kep(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink) {
    let Some(owner) = ctx.kep.metadata.as_ref().and_then(|metadata| metadata.owning_sig.as_ref()) else { return };
    if !ctx.repository.has_groups || owner.text.is_empty() || is_template_value("owning-sig", &owner.text) {
        return;
    }
    let Some(sig) = ctx.kep.texts.sig() else {
        if ctx.kep.texts.tree_path.is_some() {
            let message = format!("`owning-sig` is `{}`, but the KEP is directly in `keps`", owner.shown());
            out.report(Diagnostic::at(owner.span, message).help(format!("move the KEP to `keps/{}`", owner.shown())));
        }
        return;
    };
    // While `owning-sig` is unknown, the KEP belongs to the SIG of its directory: `unknown-sig` reports it.
    if owner.text == *sig || ctx.kep.owner.as_deref() == Some(sig) {
        return;
    }
    let message = format!("`owning-sig` is `{}`, but the KEP is in `keps/{}`", owner.shown(), brief(sig));
    let help = if ctx.repository.groups.contains(sig) {
        format!("write `owning-sig: {sig}`, or move the KEP")
    } else {
        format!("move the KEP to `keps/{}`", owner.shown())
    };
    // It says that the PRR file is in the directory of the other SIG.
    let has_review_elsewhere = ctx.kep.review.is_none() && !ctx.kep.stray_reviews.is_empty();
    let finding = Diagnostic::at(owner.span, message).help(help);
    out.report(finding.yields_to(has_review_elsewhere.then_some("missing-prr")));
}
