//! kep.yaml still has a placeholder from the template.
//!
//! ## Why
//!
//! Tools and the Release Team use the values in kep.yaml as they are: a KEP whose approver is `@oscar.doe` has no real
//! approver. Upstream's check accepts such values.
//!
//! ## Bad
//!
//! ```yaml
//! title: Prefetch images
//! status: implementable
//! latest-milestone: "v1.37"
//! creation-date: yyyy-mm-dd
//! feature-gates:
//!   - name: MyFeature
//!     components:
//!       - kubelet
//! ```
//!
//! ## Good
//!
//! ```yaml
//! title: Prefetch images
//! status: implementable
//! latest-milestone: "v1.37"
//! creation-date: 2026-07-01
//! feature-gates:
//!   - name: ImagePrefetch
//!     components:
//!       - kubelet
//! ```

use crate::kep::schema::is_template_value;
use crate::rules::context::Ctx;
use crate::rules::rule::Level::{Advice, Error, Warning};
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;

/// The rule.
pub const RULE: Rule = Rule {
    name: "placeholder-value",
    category: Category::Metadata,
    summary: "kep.yaml still has a placeholder from the template",
    severity: Ladder { provisional: Warning, active: Error, stale: Warning, implemented: Warning, closed: Advice },
    fix: None,
    reveals: false,
    is_gap: false,
    upstream: &[],
    source: include_str!("placeholder_value.rs"),
    checks: Checks::of_kep(check),
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(metadata) = &ctx.kep.metadata else { return };
    for (key, field) in &metadata.values {
        if is_template_value(key, &field.text) {
            let finding = out.report(field.span, format!("`{}` is still the template placeholder", field.shown()));
            finding.help = Some(match is_needed(key) {
                true => format!("write this KEP's `{key}`"),
                false => format!("write this KEP's `{key}`, or remove it"),
            });
        }
    }
}

/// Whether every KEP needs this key at some stage.
fn is_needed(key: &str) -> bool {
    !matches!(key, "participating-sigs" | "last-updated" | "see-also" | "replaces" | "feature-gates.name" | "metrics")
}
