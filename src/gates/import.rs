//! Brings a list of feature gates up to date with the code that has them.

use super::code::{self, Declared};
use super::gate::{Gate, Since};
use super::{Gates, Newest};
use crate::stage::Release;
use std::collections::{BTreeMap, HashSet};

/// The list that Kubernetes generates, from the root of its code on.
pub const VERSIONED: &str = "test/compatibility_lifecycle/reference/versioned_feature_list.yaml";

/// The Go files with the gates of Kubernetes, from the root of its code on, each with the name that the list gives it.
pub const SOURCES: &[(&str, Option<&'static str>)] = &[
    ("pkg/features/kube_features.go", None),
    ("staging/src/k8s.io/apiserver/pkg/features/kube_features.go", Some("apiserver")),
    ("staging/src/k8s.io/apiextensions-apiserver/pkg/features/kube_features.go", Some("apiextensions-apiserver")),
    ("staging/src/k8s.io/controller-manager/pkg/features/kube_features.go", Some("controller-manager")),
    ("staging/src/k8s.io/component-base/logs/api/v1/kube_features.go", Some("component-base/logs")),
    ("staging/src/k8s.io/component-base/metrics/features/kube_features.go", Some("component-base/metrics")),
    ("staging/src/k8s.io/component-base/zpages/features/kube_features.go", Some("component-base/zpages")),
    ("staging/src/k8s.io/client-go/features/known_features.go", Some("client-go")),
    ("cmd/kubeadm/app/features/features.go", Some("kubeadm")),
];

#[derive(Debug)]
pub struct Code {
    pub versioned: Vec<Gate>,
    /// The texts of Go files, each with the name of its list.
    pub sources: Vec<(Option<&'static str>, String)>,
    pub newest: Newest,
    pub is_final: bool,
}

impl Code {
    /// The newest release that the gates name: that of the code, unless no gate changed in it so far.
    pub fn release_of(versioned: &[Gate]) -> Option<Release> {
        let fields = |gate: &Gate| [gate.alpha, gate.beta, gate.ga, gate.deprecated, gate.enabled, gate.locked];
        versioned.iter().flat_map(fields).flatten().map(|since| since.release).max()
    }

    /// The list `old`, up to date with the code: what is gone stays, with the release that lost it. Of a release that is out,
    /// but older than the list, only that it is out is taken.
    pub fn update(self, old: Option<&Gates>) -> Gates {
        let Self { versioned, sources, newest, is_final } = self;
        if let Some(old) =
            old.filter(|old| is_final && (newest.release, newest.date) < (old.newest.release, old.newest.date))
        {
            return Gates { last_final: newest.release.max(old.last_final), ..old.clone() };
        }
        let release = newest.release;
        let mut gates: BTreeMap<String, Gate> = BTreeMap::new();
        for gate in versioned {
            // A comment that is not found says nothing new.
            let (keps, list) =
                old.and_then(|old| old.find(&gate.name)).map(|old| (old.keps, old.list)).unwrap_or_default();
            gates.insert(gate.name.clone(), Gate { keps, list, ..gate });
        }
        let exact: HashSet<String> = gates.keys().cloned().collect();
        for (list, text) in sources {
            for declared in code::declared(&text) {
                let is_exact = exact.contains(&declared.name);
                if !is_exact && declared.specs.is_empty() {
                    continue;
                }
                let known = if is_exact { gates.remove(&declared.name) } else { None };
                let gate = known.unwrap_or_else(|| only_declared(&declared, old, release));
                let list = list.map(str::to_owned);
                gates.insert(declared.name, Gate { keps: declared.keps, list, ..gate });
            }
        }
        for gate in old.into_iter().flat_map(Gates::iter).filter(|gate| !is_after(gate, release)) {
            gates.entry(gate.name.clone()).or_insert_with(|| {
                let removed = gate.removed.filter(|removed| removed.release <= release);
                Gate { removed: removed.or(Some(Since::exactly(release))), ..gate.clone() }
            });
        }
        // Without a list, nothing is known of what is gone.
        let first = old.map_or(release, |old| old.first.min(release));
        let before = Release { minor: release.minor.saturating_sub(1), ..release };
        let known = old.map_or(before, |old| old.last_final);
        let last_final = if is_final { release } else { known.min(release) };
        Gates::new(first, last_final, newest, gates.into_values())
    }
}

/// A gate that only the Go file has. Where that names no release, it is the one in the comment, the one that the list `old`
/// has, or else `release`.
fn only_declared(declared: &Declared, old: Option<&Gates>, release: Release) -> Gate {
    let mut gate = Gate { name: declared.name.clone(), ..Gate::default() };
    if declared.specs.iter().all(|spec| spec.since.is_none()) {
        let known = old.and_then(|old| old.find(&declared.name));
        gate = Gate { removed: None, ..known.unwrap_or(gate) };
        for (key, since) in &declared.stages {
            if let Some(field) = gate.field(key) {
                field.get_or_insert(Since::exactly(*since));
            }
        }
    }
    gate.apply(&declared.specs, release);
    gate
}

fn is_after(gate: &Gate, release: Release) -> bool {
    let begun = [gate.alpha, gate.beta, gate.ga, gate.deprecated].into_iter().flatten().min();
    begun.is_some_and(|since| since.release > release)
}
