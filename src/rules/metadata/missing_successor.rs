//! The KEP is replaced, but has no `superseded-by`.
//!
//! ## Why
//!
//! A reader who finds a replaced KEP needs the KEP that replaces it. `superseded-by` is the place to look.
//!
//! ## Bad
//!
//! ```yaml
//! status: replaced
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: replaced
//! superseded-by:
//!   - /keps/sig-node/2-prefetch-again
//! ```

use crate::kep::reference;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "missing-successor",
    summary: "the KEP is replaced, but has no `superseded-by`",
    severity: Ladder { provisional: Off, active: Off, stale: Off, implemented: Off, closed: Advice },
    docs: docs!("missing_successor.rs"),
    checks: Checks::of_kep(check),
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(metadata) = ctx.kep.metadata.as_ref().filter(|data| data.status() == Some(Status::Replaced)) else {
        return;
    };
    let Some(status) = &metadata.status else { return };
    if !metadata.has_invalid("superseded-by") && metadata.superseded_by.items.is_empty() {
        let help = match status.comment.as_deref().and_then(reference::in_comment) {
            Some(kep) => format!("add `superseded-by:` with the KEP that the comment names, `{}`", brief(kep)),
            None => "add `superseded-by:` with the path of the KEP that replaces it".to_owned(),
        };
        out.report(Diagnostic::at(status.span, "the KEP is replaced, but has no `superseded-by`").help(help));
    }
}
