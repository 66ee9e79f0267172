//! kep.yaml is not YAML.
//!
//! ## Why
//!
//! Upstream's tools stop at the first such file. What could be read of it is used, and the README is linted all the
//! same.
//!
//! ## Bad
//!
//! ```yaml
//! status: implementable
//! authors:
//!   - @alice
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: implementable
//! authors:
//!   - "@alice"
//! ```

use crate::rules::Level::Error;
use crate::rules::{Category, Ctx, Fixable, Ladder, Rule, Sink};

/// The rule.
pub const RULE: Rule = Rule {
    name: "invalid-yaml",
    category: Category::Metadata,
    summary: "kep.yaml is not YAML",
    severity: Ladder::everywhere(Error),
    fix: Fixable::No,
    source: include_str!("invalid_yaml.rs"),
    check,
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(metadata) = &ctx.kep.metadata else { return };
    for problem in &metadata.problems {
        out.report(problem.span, problem.message.as_str()).help.clone_from(&problem.help);
    }
}
