//! Reads `versioned_feature_list.yaml`, which Kubernetes generates from its code: each feature gate with its stages.

use super::gate::{Gate, Since, is_name};
use crate::stage::Release;
use crate::yaml::plain::{self, Problem};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    name: String,
    versioned_specs: Vec<Written>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    default: bool,
    lock_to_default: bool,
    pre_release: String,
    version: String,
}

/// What a gate is from a release on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The release; `None` if the code does not say it.
    pub since: Option<Release>,
    /// The key of its stage in a list of gates.
    pub stage: &'static str,
    pub is_on: bool,
    pub is_locked: bool,
}

impl Gate {
    /// Sets the fields that `specs`, in the order of releases, say. What has no release is from `otherwise` on.
    pub(super) fn apply(&mut self, specs: &[Spec], otherwise: Release) {
        for Spec { since, stage, is_on, is_locked } in specs {
            let keys = [(*stage, true), ("enabled", *is_on), ("locked", *is_locked)];
            for (key, _) in keys.into_iter().filter(|(_, is_so)| *is_so) {
                if let Some(field) = self.field(key) {
                    field.get_or_insert(Since::exactly(since.unwrap_or(otherwise)));
                }
            }
        }
    }
}

/// The key of a stage that the code calls `name`; GA is an empty text there.
pub fn stage_key(name: &str) -> Option<&'static str> {
    Some(match name {
        "Alpha" => "alpha",
        "Beta" => "beta",
        "GA" | "" => "ga",
        "Deprecated" => "deprecated",
        _ => return None,
    })
}

pub fn read(text: &str) -> Result<Vec<Gate>, Problem> {
    let entries: Vec<Entry> = plain::read(text)?;
    let gate = |Entry { name, versioned_specs }: Entry| {
        let problem = |message: String| {
            let offset = text.find(&format!("name: {name}")).unwrap_or_default();
            Problem { offset, message, help: Some("is this the list of Kubernetes?".to_owned()) }
        };
        if !is_name(&name) {
            return Err(problem("this is no name of a feature gate".to_owned()));
        }
        let spec = |spec: &Written| {
            let stage = stage_key(&spec.pre_release);
            let stage = stage.ok_or_else(|| problem(format!("`{name}` has a stage that is not known")))?;
            let since = Release::parse(&spec.version);
            let since = since.ok_or_else(|| problem(format!("`{name}` has a version that is no release")))?;
            Ok(Spec { since: Some(since), stage, is_on: spec.default, is_locked: spec.lock_to_default })
        };
        let mut specs = versioned_specs.iter().map(spec).collect::<Result<Vec<Spec>, Problem>>()?;
        specs.sort_by_key(|Spec { since, .. }| *since);
        let mut gate = Gate { name: name.clone(), ..Gate::default() };
        gate.apply(&specs, Release::CURRENT);
        Ok(gate)
    };
    entries.into_iter().map(gate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_release_of_each_state_counts() {
        let spec = |on: bool, locked: bool, stage: &str, version: &str| {
            format!(
                "  - default: {on}\n    lockToDefault: {locked}\n    preRelease: {stage}\n    version: \"{version}\"\n"
            )
        };
        let specs = [
            spec(true, false, "Beta", "1.31"),
            spec(false, false, "Alpha", "1.8"),
            spec(false, false, "Beta", "1.10"),
            spec(true, true, "GA", "1.33"),
        ];
        let gates = read(&format!("# generated\n- name: OneGate\n  versionedSpecs:\n{}", specs.concat()));
        let lines: Vec<String> = gates.expect("it is well-formed").iter().map(ToString::to_string).collect();
        let line = r#"- {name: OneGate, alpha: "1.8", beta: "1.10", ga: "1.33", enabled: "1.31", locked: "1.33"}"#;
        assert_eq!(lines, [line]);
    }

    #[test]
    fn another_form_is_refused() {
        let refused = |text: &str| read(text).map(|_| ()).expect_err(text).message;
        assert!(refused("- name: OneGate\n").contains("versionedSpecs"));
        let spec = |stage: &str, version: &str| {
            let spec = format!("{{default: true, lockToDefault: false, preRelease: {stage}, version: \"{version}\"}}");
            refused(&format!("- name: OneGate\n  versionedSpecs: [{spec}]\n"))
        };
        assert_eq!(spec("Gamma", "1.2"), "`OneGate` has a stage that is not known");
        assert_eq!(spec("Beta", ""), "`OneGate` has a version that is no release");
        assert!(read("- name: no gate\n  versionedSpecs: []\n").is_err());
    }
}
