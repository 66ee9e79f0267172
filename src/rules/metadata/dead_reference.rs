//! `see-also`, `replaces` or `superseded-by` of kep.yaml leads to no KEP.
//!
//! ## Why
//!
//! These keys are how a reader gets from one KEP to the next. KEPs were renumbered and moved in 2020, and many a
//! reference kept the old path.
//!
//! Words, issues and addresses outside the repository of KEPs are not looked at, nor is anything when only a part of
//! the tree is linted.
//!
//! ## Bad
//!
//! ```yaml
//! status: implementable
//! see-also:
//!   - /keps/sig-node/0001-prefetch.md
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: implementable
//! see-also:
//!   - /keps/sig-node/1-prefetch
//! ```

use crate::diagnostic::brief;
use crate::kep::reference;
use crate::kep::schema::is_template_value;
use crate::rules::context::Ctx;
use crate::rules::rule::Level::{Advice, Off, Warning};
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;

/// The rule.
pub const RULE: Rule = Rule {
    name: "dead-reference",
    category: Category::Metadata,
    summary: "a reference of kep.yaml leads to no KEP",
    severity: Ladder { provisional: Advice, active: Warning, stale: Advice, implemented: Advice, closed: Off },
    fix: None,
    reveals: false,
    is_gap: false,
    upstream: &[],
    source: include_str!("dead_reference.rs"),
    checks: Checks::of_kep(check),
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(metadata) = &ctx.kep.metadata else { return };
    let directory = ctx.kep.texts.tree_path.as_deref();
    let references = metadata.values.iter().filter(|(key, field)| {
        matches!(*key, "see-also" | "replaces" | "superseded-by") && !is_template_value(key, &field.text)
    });
    for (key, field) in references {
        let Some(path) = reference::path(&field.text, directory) else { continue };
        if ctx.repository.has_path(&path) != Some(false) {
            continue;
        }
        let finding = out.report(field.span, format!("`{key}` leads to `{}`, which is not there", brief(&path)));
        finding.help = Some(match ctx.repository.nearest_kep(&path) {
            Some(kep) => format!("did you mean `/{}`?", brief(kep)),
            None => "write the path of a KEP's directory, `/keps/<sig>/<number>-<title>`".to_owned(),
        });
    }
}
