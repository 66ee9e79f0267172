//! Reads what Kubernetes' code says of feature gates: `versioned_feature_list.yaml`, which is generated from it, with the stages
//! of each; and the Go files that declare them, with the comment above each name, and its stages where no list has them.

use super::gate::{Gate, Since, is_name};
use crate::span::slice;
use crate::stage::Release;
use crate::yaml::plain::{self, Problem};
use serde::Deserialize;
use std::collections::HashMap;

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

/// The gates of `versioned_feature_list.yaml`.
pub fn versioned(text: &str) -> Result<Vec<Gate>, Problem> {
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

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    /// Its name, which the constant may not have.
    pub name: String,
    /// The numbers of the KEPs in its comment, without leading zeros.
    pub keps: Vec<String>,
    /// The releases of stages in its comment, by their keys in a list of gates.
    pub stages: Vec<(&'static str, Release)>,
    /// What the file says of its stages.
    pub specs: Vec<Spec>,
}

/// The gates that a Go file declares, in its order. Lines are enough: the code is formatted by `gofmt`, and a
/// test of Kubernetes keeps the form.
pub fn declared(text: &str) -> Vec<Declared> {
    let mut gates: Vec<Declared> = Vec::new();
    let mut indices: HashMap<&str, usize> = HashMap::new();
    let (mut comment, mut current) = (Declared::default(), None);
    for line in text.lines().map(str::trim) {
        if let Some(words) = line.strip_prefix("//") {
            comment.add(words.trim());
        } else if let Some((constant, name)) = constant(line) {
            indices.insert(constant, gates.len());
            gates.push(Declared { name: name.to_owned(), ..std::mem::take(&mut comment) });
        } else if !line.is_empty() {
            comment = Declared::default();
            current = key(line).or(current);
            let gate = current.and_then(|constant| indices.get(constant)).and_then(|index| gates.get_mut(*index));
            if let (Some(gate), Some(spec)) = (gate, spec(line)) {
                gate.specs.push(spec);
            }
        }
    }
    gates
}

impl Declared {
    /// Takes what a line of its comment says.
    fn add(&mut self, line: &str) {
        let Some((label, rest)) = line.split_once(':') else { return };
        let key = match label.trim_end().to_ascii_lowercase().as_str() {
            // A comment begins with its owner. What is above it was about another gate, which is gone.
            "owner" | "owners" => return *self = Self::default(),
            // `key` is a typo that the code has.
            "kep" | "keps" | "key" => return self.keps.extend(numbers(rest)),
            "alpha" => "alpha",
            "beta" => "beta",
            "ga" | "stable" => "ga",
            "deprecated" => "deprecated",
            _ => return,
        };
        let release = rest.split_whitespace().next().and_then(|word| Release::parse(word.trim_end_matches(',')));
        self.stages.extend(release.map(|release| (key, release)));
    }
}

/// The numbers of KEPs in the rest of a line, as in `https://kep.k8s.io/1234, 5678`.
fn numbers(text: &str) -> Vec<String> {
    let mut numbers: Vec<String> = Vec::new();
    for word in text.split([' ', '/', ',', '#']) {
        let length = word.bytes().take_while(u8::is_ascii_digit).count();
        let digits = slice(word, ..length).trim_start_matches('0');
        if (2..=6).contains(&digits.len()) && !numbers.iter().any(|known| known == digits) {
            numbers.push(digits.to_owned());
        }
    }
    numbers
}

/// The constant and the gate of a line such as `A featuregate.Feature = "A"`, `A = featuregate.Feature("A")` or `A = "A"`.
fn constant(line: &str) -> Option<(&str, &str)> {
    let (left, right) = line.strip_prefix("const ").unwrap_or(line).split_once('=')?;
    let mut words = left.split_whitespace();
    let constant = words.next()?;
    let is_typed = words.next().is_none_or(|of| of == "Feature" || of.ends_with(".Feature"));
    let right = right.trim();
    let value = right.strip_prefix("featuregate.Feature(").or_else(|| right.strip_prefix("Feature(")).unwrap_or(right);
    let name = value.strip_prefix('"')?.split('"').next()?;
    (is_typed && words.next().is_none() && is_name(name)).then_some((constant, name))
}

/// The constant of a line that begins what a table says of it: `A: {`.
fn key(line: &str) -> Option<&str> {
    let (name, rest) = line.split_once(':')?;
    let name = name.rsplit('.').next()?;
    let is_constant = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (is_constant && rest.trim_start().starts_with('{')).then_some(name)
}

/// What a line such as `{Version: version.MustParse("1.30"), Default: false, PreRelease: featuregate.Alpha},` says.
fn spec(line: &str) -> Option<Spec> {
    let word = |field: &str| {
        let value = line.split_once(field)?.1.trim_start();
        Some(slice(value, ..value.find([',', '}']).unwrap_or(value.len())).trim())
    };
    let stage = word("PreRelease:")?.rsplit('.').next().and_then(stage_key)?;
    let since = word("Version:").and_then(|version| Release::parse(version.split('"').nth(1)?));
    let is_so = |field: &str| word(field) == Some("true");
    Some(Spec { since, stage, is_on: is_so("Default:"), is_locked: is_so("LockToDefault:") })
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
        let gates = versioned(&format!("# generated\n- name: OneGate\n  versionedSpecs:\n{}", specs.concat()));
        let lines: Vec<String> = gates.expect("it is well-formed").iter().map(ToString::to_string).collect();
        let line = r#"- {name: OneGate, alpha: "1.8", beta: "1.10", ga: "1.33", enabled: "1.31", locked: "1.33"}"#;
        assert_eq!(lines, [line]);
    }

    #[test]
    fn another_form_is_refused() {
        let refused = |text: &str| versioned(text).map(|_| ()).expect_err(text).message;
        assert!(refused("- name: OneGate\n").contains("versionedSpecs"));
        let spec = |stage: &str, version: &str| {
            let spec = format!("{{default: true, lockToDefault: false, preRelease: {stage}, version: \"{version}\"}}");
            refused(&format!("- name: OneGate\n  versionedSpecs: [{spec}]\n"))
        };
        assert_eq!(spec("Gamma", "1.2"), "`OneGate` has a stage that is not known");
        assert_eq!(spec("Beta", ""), "`OneGate` has a version that is no release");
        assert!(versioned("- name: no gate\n  versionedSpecs: []\n").is_err());
    }

    #[test]
    fn the_forms_of_a_constant_are_read() {
        for line in [
            r#"OneGate featuregate.Feature = "OneGate""#,
            r#"OneGate = featuregate.Feature("OneGate")"#,
            r#"OneGate = "OneGate""#,
            r#"OneGate Feature = "OneGate" // why"#,
            r#"const OneGate featuregate.Feature = "OneGate""#,
        ] {
            assert_eq!(constant(line), Some(("OneGate", "OneGate")), "{line}");
        }
        assert_eq!(
            constant(r#"CPUQuota featuregate.Feature = "CustomCPUQuota""#),
            Some(("CPUQuota", "CustomCPUQuota"))
        );
        for line in ["OneGate = otherName", r#"prefix = "KUBE_""#, r#"x := f("OneGate")"#, r#"a string = "OneGate""#] {
            assert_eq!(constant(line), None, "{line}");
        }
    }

    #[test]
    fn the_numbers_of_a_comment_are_those_of_keps() {
        for (text, expected) in [
            (" https://kep.k8s.io/2400", vec!["2400"]),
            ("  http://kep.k8s.io/3085, 4138", vec!["3085", "4138"]),
            (" https://kep.k8s.io/0024 and https://kep.k8s.io/24", vec!["24"]),
            (" https://github.com/kubernetes/enhancements/tree/master/keps/sig-node/1287-in-place-v2-33", vec!["1287"]),
            (" https://kep.k8s.io/NNN", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(numbers(text), expected, "{text}");
        }
    }

    #[test]
    fn a_comment_belongs_to_the_next_constant() {
        let text = "const (\n\t// owner: @a\n\t// kep: https://kep.k8s.io/11\n\t// alpha: v1.30\n\t// GA: v1.35\n\n\t// It \
                    does.\n\tOneGate Feature = \"OneGate\"\n\n\t// owner: @b\n\t// kep :  https://kep.k8s.io/22\n\n\t// owner: \
                    @c\n\t// kep:\n\tTwoGate Feature = \"TwoGate\"\n\tBareGate Feature = \"BareGate\"\n)\n";
        let gates = declared(text);
        let seen: Vec<_> = gates.iter().map(|gate| (gate.name.as_str(), gate.keps.len(), gate.stages.len())).collect();
        assert_eq!(seen, [("OneGate", 1, 2), ("TwoGate", 0, 0), ("BareGate", 0, 0)]);
    }

    #[test]
    fn the_stages_of_a_table_are_read() {
        let text = "const (\n\tA1 Feature = \"AlphaGate\"\n\tB1 = \"BetaGate\"\n)\nvar x = FeatureList{\n\tB1: {FeatureSpec: \
                    featuregate.FeatureSpec{Default: true, PreRelease: featuregate.Beta}},\n\tfeatures.A1: {\n\t\t{Version: \
                    version.MustParse(\"1.30\"), Default: false, PreRelease: featuregate.Alpha},\n\t\t{Version: \
                    version.MustParse(\"1.35\"), Default: true, PreRelease: featuregate.GA, LockToDefault: true}, // \
                    remove\n\t},\n}\n";
        let release = |minor| Some(Release { major: 1, minor });
        let spec = |since, stage, is_on, is_locked| Spec { since, stage, is_on, is_locked };
        let specs: Vec<_> = declared(text).into_iter().map(|gate| gate.specs).collect();
        let alpha = vec![spec(release(30), "alpha", false, false), spec(release(35), "ga", true, true)];
        assert_eq!(specs, [alpha, vec![spec(None, "beta", true, false)]]);
    }
}
