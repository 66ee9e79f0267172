//! A feature gate in kep.yaml has no name or no components, or kep.yaml has no gate and the README names one.
//!
//! ## Why
//!
//! Production readiness reviewers use kep.yaml to see which components a gate affects, and scripts compare the names of
//! the gates with the code.
//!
//! ## Bad
//!
//! ```yaml
//! status: implementable
//! latest-milestone: "v1.37"
//! feature-gates:
//!   - name: ImagePrefetch
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: implementable
//! latest-milestone: "v1.37"
//! feature-gates:
//!   - name: ImagePrefetch
//!     components:
//!       - kubelet
//! ```

use crate::rules::prelude::*;

/// How many gates a help adds to kep.yaml.
const ADDED_GATES: usize = 10;

pub const RULE: Rule = Rule {
    name: "feature-gate-incomplete",
    summary: "a feature gate in kep.yaml has no name or components, is missing, or is listed twice",
    severity: Ladder { provisional: Off, active: Warning, stale: Off, implemented: Off, closed: Off },
    roles: &[SectionRole::Enablement],
    settings: &["groups"],
    docs: docs!("feature_gate_incomplete.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    for gate in metadata.feature_gates.iter().filter(|gate| !gate.is_none()) {
        check_gate(gate, metadata, ctx.repository.has_groups, out);
    }
    check_repeated(metadata, out);
    if metadata.feature_gates.iter().all(FeatureGate::is_none) {
        check_absence(ctx, metadata, out);
    }
}

/// Checks one gate; the components are those of Kubernetes.
fn check_gate(gate: &FeatureGate, metadata: &Metadata, needs_components: bool, out: &mut Sink) {
    match &gate.name {
        Some(name) if !name.text.is_empty() => {
            if needs_components && gate.components.items.is_empty() && !metadata.has_invalid("components") {
                let finding = Diagnostic::at(name.span, format!("feature gate `{}` has no components", name.shown()))
                    .help("list under `components:` the components for which it must be enabled");
                out.report(finding);
            }
        }
        _ if metadata.has_invalid("name") => {}
        _ => out.report(Diagnostic::at(gate.span, "feature gate has no name").help("add `name:`")),
    }
}

fn check_repeated(metadata: &Metadata, out: &mut Sink) {
    let names = metadata.feature_gate_names().map(|name| (name.text.as_str(), name));
    for (_, places) in grouped(names) {
        let Some((first, again)) = places.split_first() else { continue };
        for name in again {
            let finding = Diagnostic::at(name.span, format!("feature gate `{}` is listed twice", name.shown()))
                .help("keep one entry, with all its components")
                .related(first.span, "first entry");
            out.report(finding);
        }
    }
}

fn check_absence(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    if metadata.has_invalid("feature-gates") {
        return;
    }
    let Some(readme) = ctx.readme else { return };
    let gates = readme.gates();
    let Some(first) = gates.first() else { return };
    let name = |gate: &Range<usize>| brief(readme.slice(gate.clone())).into_owned();
    let entry = |gate: &Range<usize>| format!("\n  - name: {}\n    components:\n      - <component>", name(gate));
    let entries: String = gates.iter().take(ADDED_GATES).map(entry).collect();
    let message = format!("kep.yaml has no feature gate, but the README names `{}`", name(first));
    let finding = Diagnostic::at(metadata.feature_gates_key.unwrap_or(metadata.top), message)
        .help(format!("add to kep.yaml:\nfeature-gates:{entries}"))
        .related(readme.span(first.clone()), "named here")
        .subject(Subject::named(["feature-gates"]));
    out.report(finding);
}
