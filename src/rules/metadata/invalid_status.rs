//! The `status` of kep.yaml is none of the statuses there are.
//!
//! ## Why
//!
//! Upstream's check of kep.yaml does not look at the word, and a misspelt status even switches its production readiness
//! check off. Until it is mended the KEP counts as provisional.
//!
//! ## Bad
//!
//! ```yaml
//! status: implementible
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: implementable
//! ```

use crate::rules::Level::Error;
use crate::rules::{Category, Ctx, Fixable, Ladder, Rule, Sink};
use crate::stage::Status;
use crate::suggest;

/// The rule.
pub const RULE: Rule = Rule {
    name: "invalid-status",
    category: Category::Metadata,
    summary: "the status of kep.yaml is none of the statuses there are",
    severity: Ladder::everywhere(Error),
    fix: Fixable::No,
    source: include_str!("invalid_status.rs"),
    check,
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(status) = ctx.kep.metadata.as_ref().and_then(|metadata| metadata.status.as_ref()) else { return };
    if status.text.is_empty() || Status::from_name(&status.text).is_some() {
        return;
    }
    let finding = out.report(status.span, format!("`{}` is not a status", status.text));
    finding.help = Some(suggest::help(&status.text, &Status::ALL.map(Status::name)));
}
