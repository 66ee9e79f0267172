//! The README and kep.yaml list different components for a feature gate.
//!
//! ## Why
//!
//! Operators must enable the gate in each of its components. If the two lists differ, one of them misses a component.
//!
//! In kep.yaml, each item is the name of one component, as its program is called.
//!
//! Lists with other words than the names of components are not compared.
//!
//! ## Bad
//!
//! ```markdown alpha
//! ###### How can this feature be enabled / disabled in a live cluster?
//!
//! - [x] Feature gate (also fill in values in `kep.yaml`)
//!   - Feature gate name: ImagePrefetch
//!   - Components depending on the feature gate: kubelet, kube-apiserver
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
//!   - Components depending on the feature gate: kubelet, kube-apiserver
//! ```
//!
//! ```yaml
//! status: implementable
//! latest-milestone: "v1.37"
//! feature-gates:
//!   - name: ImagePrefetch
//!     components:
//!       - kubelet
//!       - kube-apiserver
//! ```

use crate::kep::components;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "gate-components-mismatch",
    summary: "a feature gate's components differ in README and kep.yaml, or have wrong names",
    severity: Ladder { provisional: Off, active: Warning, stale: Advice, implemented: Advice, closed: Off },
    fix: Some(Safety::Unsafe),
    roles: &[SectionRole::Enablement],
    settings: &["groups"],
    docs: docs!("gate_components_mismatch.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    if ctx.repository.has_groups {
        metadata.feature_gates.iter().for_each(|gate| check_names(gate, out));
    }
    let Some(readme) = ctx.readme.filter(|_| ctx.target.phase == Phase::Active) else { return };
    let Some((_, place)) = readme.with_role(SectionRole::Enablement) else { return };
    let known: BTreeMap<&str, &FeatureGate> =
        metadata.feature_gates.iter().filter_map(|gate| Some((gate.real_name()?.text.as_str(), gate))).collect();
    for list in components::listed(readme.document, place.subtree.clone()) {
        let gates: Option<Vec<&FeatureGate>> =
            list.gates.iter().map(|gate| known.get(readme.slice(gate.clone())).copied()).collect();
        let Some((gates, wanted)) = gates.and_then(|gates| components_of(&gates).map(|all| (gates, all))) else {
            continue;
        };
        let added: Vec<&str> = list.components.difference(&wanted).copied().collect();
        let removed: Vec<&str> = wanted.difference(&list.components).copied().collect();
        if added.is_empty() && removed.is_empty() {
            continue;
        }
        // One with a component that the README lacks, or else the first.
        let mut differing = gates.iter().copied().filter(|gate| {
            components_of(&[gate]).is_some_and(|own| removed.iter().any(|component| own.contains(component)))
        });
        let gate = differing.next().or_else(|| gates.first().copied());
        let Some(name) = gate.and_then(FeatureGate::real_name) else { continue };
        let message = format!("kep.yaml lists other components for feature gate `{}`", name.shown());
        let change = |(kind, component): (&str, &&str)| Subject::named([name.text.as_str(), kind, component]);
        let changes = added.iter().map(|it| ("added", it)).chain(removed.iter().map(|it| ("removed", it)));
        let help = match (added.as_slice(), removed.as_slice()) {
            (added, []) => {
                format!("add {} to `components` in kep.yaml, or correct the README", suggest::list(added, "and"))
            }
            ([], removed) => format!("add {} here, or correct kep.yaml", suggest::list(removed, "and")),
            (added, removed) => {
                let (added, removed) = (suggest::list(added, "and"), suggest::list(removed, "and"));
                format!("correct one of the lists: only here is {added}, only in kep.yaml is {removed}")
            }
        };
        let finding = Diagnostic::at(readme.span(list.list), message)
            .help(help)
            .related(name.span, "listed in kep.yaml")
            .subject(Subject::named([&name.text]))
            .covers(changes.map(change).collect());
        out.report(finding);
    }
}

/// Reports the short and misspelled names of components, which no program has, and several components in one item.
fn check_names(gate: &FeatureGate, out: &mut Sink) {
    let items = &gate.components.items;
    for item in items {
        let finding = |what: &str| {
            let finding = Diagnostic::at(item.span, format!("`{}` {what}", item.shown()));
            finding.subject(Subject::named(["component", &item.text]))
        };
        if components::in_line(&item.text.replace(['/', ';'], ",")).is_some_and(|all| all.len() > 1) {
            out.report(finding("names several components").help("write one component per item"));
            continue;
        }
        let mut programs = components::full_names(&item.text);
        let meant = components::meant(&item.text).filter(|_| programs.is_empty());
        programs.extend(meant);
        let finding = match meant {
            Some(_) => finding("is not the name of a component").at_most(Severity::Advice),
            None => finding("is not the full name of a component"),
        };
        match programs.as_slice() {
            [] => {}
            [only] if items.iter().any(|other| other.text == *only) => {
                out.report(finding.help(format!("remove it: `{only}` is in the list, too")));
            }
            [only] => {
                let help = if meant.is_some() { format!("did you mean `{only}`?") } else { format!("write `{only}`") };
                out.report(finding.replacement(help, item.span, *only));
            }
            programs => out.report(finding.help(format!("write {}", suggest::list(programs, "or")))),
        }
    }
}

/// The components of some gates; `None` if one has none, or one that is not known.
fn components_of(gates: &[&FeatureGate]) -> Option<BTreeSet<&'static str>> {
    let mut all = BTreeSet::new();
    for gate in gates {
        if gate.components.items.is_empty() {
            return None;
        }
        for item in &gate.components.items {
            all.extend(components::in_line(&item.text)?);
        }
    }
    Some(all)
}
