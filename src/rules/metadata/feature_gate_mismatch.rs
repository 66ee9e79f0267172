//! The README names a feature gate that kep.yaml does not have.
//!
//! ## Why
//!
//! The gate's name is what operators type and what the docs list. Where README and kep.yaml differ, one of them is
//! almost always misspelt or left behind by a renaming.
//!
//! ## Bad
//!
//! ```markdown alpha
//! ###### How can this feature be enabled / disabled in a live cluster?
//!
//! - [x] Feature gate (also fill in values in `kep.yaml`)
//!   - Feature gate name: ImagePrefech
//! ```
//!
//! ```yaml
//! status: implementable
//! latest-milestone: "v1.37"
//! feature-gates:
//!   - name: ImagePrefetch
//!     components:
//!       - kubelet
//! ```
//!
//! ## Good
//!
//! ```markdown alpha
//! ###### How can this feature be enabled / disabled in a live cluster?
//!
//! - [x] Feature gate (also fill in values in `kep.yaml`)
//!   - Feature gate name: ImagePrefetch
//! ```
//!
//! ```yaml
//! status: implementable
//! latest-milestone: "v1.37"
//! feature-gates:
//!   - name: ImagePrefetch
//!     components:
//!       - kubelet
//! ```

use crate::rules::Level::{Advice, Error, Off};
use crate::rules::{Category, Ctx, Fixable, Ladder, Rule, Sink};
use crate::span::slice;
use crate::suggest;

/// The rule.
pub const RULE: Rule = Rule {
    name: "feature-gate-mismatch",
    category: Category::Metadata,
    summary: "the README names a feature gate that kep.yaml does not have",
    severity: Ladder { provisional: Off, active: Error, stale: Advice, implemented: Advice, closed: Off },
    fix: Fixable::No,
    source: include_str!("feature_gate_mismatch.rs"),
    check,
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let (Some(metadata), Some(readme)) = (&ctx.kep.metadata, ctx.readme) else { return };
    let gates: Vec<&str> = metadata.feature_gate_names().map(|name| name.text.as_str()).collect();
    let Some(key) = metadata.feature_gates_key.filter(|_| !gates.is_empty()) else { return };
    for named in readme.gates(ctx.template) {
        let name = slice(readme.text, named.clone());
        if gates.contains(&name) {
            continue;
        }
        let finding = out.report(readme.span(named), format!("kep.yaml has no feature gate `{name}`"));
        finding.help = Some(match suggest::nearest(name, gates.iter().copied()) {
            Some(gate) => format!("did you mean `{gate}`?"),
            None => "add it to `feature-gates` in kep.yaml, or correct it here".to_owned(),
        });
        finding.relate(key, format!("kep.yaml has {}", suggest::list(&gates, "and")));
    }
}
