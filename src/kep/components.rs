//! The components that depend on a feature gate, as authors list them in the README and in kep.yaml.

use super::field::{Field, List};
use super::metadata::FeatureGate;
use super::names::{self, MARKUP, is_conjunction, words};
use crate::markdown::Document;
use crate::span::slice;
use crate::suggest;
use std::collections::BTreeSet;
use std::ops::Range;

const COMPONENTS: &[(&str, &[&str])] = &[
    ("cloud-controller-manager", &["ccm"]),
    ("kube-apiserver", &["apiserver", "api-server", "kas", "kube-api-server"]),
    ("kube-controller-manager", &["controller-manager", "kcm"]),
    ("kube-proxy", &["kubeproxy", "proxy"]),
    ("kube-scheduler", &["scheduler"]),
    ("kubeadm", &[]),
    ("kubectl", &[]),
    ("kubelet", &[]),
];

/// Short names that several programs have.
const SHARED: [(&str, [&str; 2]); 2] = [
    ("autoscaler", ["cluster-autoscaler", "vertical-pod-autoscaler"]),
    ("controller-manager", ["kube-controller-manager", "cloud-controller-manager"]),
];

/// The programs that a short name in kep.yaml may stand for; none if it is no short name.
pub fn full_names(word: &str) -> Vec<&'static str> {
    let is_word = |name: &&str| name.eq_ignore_ascii_case(word.trim());
    if let Some((_, programs)) = SHARED.iter().find(|(name, _)| is_word(name)) {
        return programs.to_vec();
    }
    COMPONENTS.iter().filter(|(_, others)| others.iter().any(is_word)).map(|(name, _)| *name).collect()
}

/// The component that a name most likely means which no component has.
pub fn meant(word: &str) -> Option<&'static str> {
    let word = word.trim();
    // Nearly all are right.
    if names().any(|name| name == word) {
        return None;
    }
    let meant = suggest::nearest(word, names())?;
    (suggest::is_typo(meant, word) || suggest::is_mixed_up(meant, word)).then_some(meant)
}

pub fn names() -> impl Iterator<Item = &'static str> {
    COMPONENTS.iter().map(|(name, _)| *name)
}

/// Whether all components of feature gates are programs that users run, which are not upgraded with the cluster.
pub fn are_client(gates: &[FeatureGate]) -> bool {
    let is_client =
        |item: &Field| in_line(&item.text).is_some_and(|all| !all.is_empty() && all.iter().all(|it| *it == "kubectl"));
    let are_client = |gate: &FeatureGate| {
        let List { items, .. } = &gate.components;
        !items.is_empty() && items.iter().all(is_client)
    };
    !gates.is_empty() && gates.iter().all(are_client)
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateComponents {
    pub gates: Vec<Range<usize>>,
    pub list: Range<usize>,
    pub components: BTreeSet<&'static str>,
}

/// The lists in the fields `Components depending on the feature gate:` within `range`, each with the gates above it.
/// Lists with other words than names of components are left out.
pub fn listed(document: &Document, range: Range<usize>) -> Vec<GateComponents> {
    let names = document.form_fields(range.clone(), "Feature gate name");
    let mut names = names.into_iter().peekable();
    let mut listed = Vec::new();
    for field in document.form_fields(range, "Components depending on the feature gate") {
        let mut gates = Vec::new();
        while let Some(name) = names.next_if(|name| name.start < field.start) {
            gates.extend(name.values.into_iter().flat_map(|line| names::leading_gates(document.text(), line)));
        }
        let (Some(first), Some(last)) = (field.values.first(), field.values.last()) else { continue };
        let list = first.start..last.end;
        let components: Option<Vec<_>> =
            field.values.iter().map(|line| in_line(document.slice(line.clone()))).collect();
        let components: BTreeSet<&'static str> = components.into_iter().flatten().flatten().collect();
        if !gates.is_empty() && !components.is_empty() {
            listed.push(GateComponents { gates, list, components });
        }
    }
    listed
}

/// The components in a line that only lists names, with explanations in parentheses or after a dash.
pub fn in_line(line: &str) -> Option<Vec<&'static str>> {
    let mut components = Vec::new();
    let (mut is_aside, mut is_open) = (false, false);
    for word in words(line, 0..line.len()).map(|word| slice(line, word)) {
        is_aside |= word.starts_with('(');
        is_open = is_aside || is_conjunction(word);
        if is_aside {
            is_aside = !word.trim_end_matches(['.', ';']).ends_with(')');
            is_open = is_aside;
        } else if !components.is_empty() && matches!(word, "-" | "–" | "—") {
            return Some(components);
        } else if !is_open {
            components.push(component(word)?);
        }
    }
    (!is_open).then_some(components)
}

fn component(word: &str) -> Option<&'static str> {
    let name = word.trim_matches(MARKUP).trim_end_matches([')', ']', '.', ';', ':']).trim_matches(MARKUP);
    let is_name = |known: &str| known.eq_ignore_ascii_case(name);
    let component =
        COMPONENTS.iter().find(|(known, others)| is_name(known) || others.iter().any(|other| is_name(other)));
    component.map(|(known, _)| *known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_list_of_components_or_none() {
        assert_eq!(in_line("`kube-apiserver` (from beta, if on), KCM and Kubelet."), {
            Some(vec!["kube-apiserver", "kube-controller-manager", "kubelet"])
        });
        assert_eq!(in_line("kube-proxy - with nftables"), Some(vec!["kube-proxy"]));
        for other in
            ["the kubelet", "kube-controller-manager via client-go library", "all", "kubelet and", "kubelet (in"]
        {
            assert_eq!(in_line(other), None, "{other}");
        }
    }

    #[test]
    fn a_list_belongs_to_the_gates_above_it() {
        let text = "- Feature gate name: OneGate\n  - Components depending on the feature gate: kubelet\n\
            - Feature gate names: TwoGates, OtherGate\n- Components depending on the feature gate:\n  - kubelet\n  \
            - kube-proxy\n- Components depending on the feature gate: kubectl\n";
        let document = Document::of_text(text);
        let listed = listed(&document, 0..text.len());
        let listed: Vec<_> = listed.iter().map(|list| (list.gates.len(), list.components.len())).collect();
        assert_eq!(listed, [(1, 1), (2, 2)]);
    }
}
