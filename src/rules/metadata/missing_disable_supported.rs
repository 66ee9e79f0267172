//! kep.yaml has no `disable-supported`, or no value for it.
//!
//! ## Why
//!
//! `disable-supported` says whether the feature can be disabled again. It is one of the production readiness answers
//! required from alpha, since v1.19, if the feature has a gate. A key without a value says nothing.
//!
//! ## Bad
//!
//! ```yaml
//! status: implementable
//! stage: alpha
//! latest-milestone: "v1.37"
//! feature-gates:
//!   - name: ImagePrefetch
//!     components:
//!       - kubelet
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: implementable
//! stage: alpha
//! latest-milestone: "v1.37"
//! feature-gates:
//!   - name: ImagePrefetch
//!     components:
//!       - kubelet
//! disable-supported: true
//! ```

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "missing-disable-supported",
    summary: "kep.yaml has no `disable-supported`, or no value for it",
    severity: Ladder { provisional: Off, active: Warning, stale: Off, implemented: Off, closed: Off },
    roles: &[SectionRole::Enablement],
    docs: docs!("missing_disable_supported.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

const SINCE: Release = Release { major: 1, minor: 19 };

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    let is_named = || ctx.readme.is_some_and(|readme| !readme.gates().is_empty());
    let has_gate = metadata.feature_gate_names().next().is_some() || is_named();
    let is_required =
        has_gate && ctx.target.stage.is_some() && ctx.target.release.is_some_and(|release| release >= SINCE);
    let entry = metadata.tree.root.as_ref().and_then(|root| root.get("disable-supported"));
    let empty = entry.filter(|entry| entry.value.is_null()).map(|entry| entry.key.span);
    let is_absent = metadata.lacks("disable-supported") || empty.is_some();
    if !is_required || !is_absent || metadata.has_invalid("disable-supported") {
        return;
    }
    let span = empty.unwrap_or_else(|| metadata.stage.as_ref().map_or(metadata.top, |stage| stage.key));
    let (what, verb) = if empty.is_some() { ("has no value", "write") } else { ("is missing", "add") };
    let finding =
        Diagnostic::at(span, format!("`disable-supported` {what}")).subject(Subject::named(["disable-supported"]));
    let help = format!("{verb} `disable-supported: true` if the feature can be disabled again, otherwise `false`");
    out.report(finding.help(help));
}
