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

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "missing-successor",
    summary: "the KEP is replaced, but has no `superseded-by`",
    severity: Ladder { provisional: Off, active: Off, stale: Off, implemented: Off, closed: Advice },
    docs: docs!("missing_successor.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

fn check(_: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    let Some(status) = &metadata.status else { return };
    let is_replaced = metadata.status() == Some(Status::Replaced) || status.text.eq_ignore_ascii_case("superseded");
    let written = metadata.tree.root.as_ref().and_then(|root| Some(&root.get("superseded-by")?.value));
    let is_invalid = metadata.has_invalid("superseded-by") && written.and_then(|it| it.as_str()) != Some("");
    let has_successor = metadata.superseded_by.items.iter().any(|item| !item.text.trim().is_empty());
    if is_replaced && !has_successor && !is_invalid {
        let help = match status.comment.as_deref().and_then(reference::in_comment) {
            Some(kep) => format!("add `superseded-by:` with the KEP that the comment names, `{}`", brief(kep)),
            None => "add `superseded-by:` with the path of the KEP that replaces it".to_owned(),
        };
        out.report(Diagnostic::at(status.span, "the KEP is replaced, but has no `superseded-by`").help(help));
    }
}
