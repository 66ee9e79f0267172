//! A KEP's directory has a kep.yaml, but no README.md.
//!
//! ## Why
//!
//! The KEP itself is the README. Upstream's check does not miss it, so such a directory can stay unnoticed.
//!
//! ## Bad
//!
//! ```yaml
//! status: implementable
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: implementable
//! ```
//!
//! ```markdown
//! # KEP-1: Prefetch images
//! ```

use crate::rules::Level::{Error, Warning};
use crate::rules::{Category, Ctx, Fixable, Ladder, Rule, Sink};
use crate::span::Span;

/// The rule.
pub const RULE: Rule = Rule {
    name: "missing-readme",
    category: Category::Metadata,
    summary: "a KEP's directory has a kep.yaml, but no README.md",
    severity: Ladder { provisional: Error, active: Error, stale: Error, implemented: Error, closed: Warning },
    fix: Fixable::No,
    source: include_str!("missing_readme.rs"),
    check,
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(metadata) = ctx.kep.metadata.as_ref().filter(|_| !ctx.kep.texts.has_readme) else { return };
    let text = &ctx.kep.texts.file(metadata.file).text;
    let first_line = text.lines().next().unwrap_or_default().len();
    let finding = out.report(Span::new(metadata.file, 0..first_line), "the KEP has no `README.md`");
    finding.help = Some("copy `README.md` from the template's directory and fill it in".to_owned());
}
