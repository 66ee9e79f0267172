//! The README names a feature gate that kep.yaml does not have.
//!
//! ## Why
//!
//! Operators type the name of the gate, and the documentation lists it. When the README and kep.yaml differ, one of
//! them almost always has a typo or an old name. A gate that another KEP lists is advice.
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

use crate::bounds;
use crate::kep::field::Field;
use crate::kep::names;
use crate::rules::prelude::*;
use crate::suggest;
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

/// The rule.
pub const RULE: Rule = Rule {
    name: "feature-gate-mismatch",
    category: Category::Metadata,
    summary: "the README names a feature gate that kep.yaml does not have",
    severity: Ladder { provisional: Off, active: Error, stale: Advice, implemented: Advice, closed: Off },
    roles: &[SectionRole::Enablement],
    docs: docs!("feature_gate_mismatch.rs"),
    checks: Checks::of_kep(check),
    ..Rule::DEFAULT
};

/// How often a README must use a name so that kep.yaml is most likely wrong.
const OFTEN: usize = 2;

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let (Some(metadata), Some(readme)) = (&ctx.kep.metadata, ctx.readme) else { return };
    let Some(key) = metadata.feature_gates_key else { return };
    let gates: Vec<&Field> = metadata.feature_gate_names().collect();
    if gates.is_empty() {
        return;
    }
    let known: HashSet<&str> = gates.iter().map(|gate| gate.text.as_str()).collect();
    let unknown = readme.gates(ctx.template).into_iter().filter(|place| !known.contains(readme.slice(place.clone())));
    let unknown: Vec<Range<usize>> = unknown.collect();
    if unknown.is_empty() {
        return;
    }
    let known_names: Vec<Cow<'_, str>> = gates.iter().take(bounds::COMPARED_GATES).map(|gate| gate.shown()).collect();
    let known_names: Vec<&str> = known_names.iter().map(AsRef::as_ref).collect();
    let list = listed(&known_names, gates.len());
    let mut unused: Vec<&Field> = gates
        .into_iter()
        .take(bounds::COMPARED_GATES)
        .filter(|gate| !names::occurs(readme.text(), &gate.text, 1))
        .collect();
    let is_only = unknown.len() == 1 && unused.len() == 1;
    let mut suggestions = 0..bounds::COMPARED_GATES;
    for place in unknown {
        let name = readme.slice(place.clone());
        let is_compared = suggestions.next().is_some();
        if is_compared && names::occurs(readme.text(), name, OFTEN) {
            let near = suggest::nearest(name, unused.iter().map(|gate| gate.text.as_str()));
            let meant = unused.iter().position(|gate| is_only || near == Some(gate.text.as_str()));
            if let Some(index) = meant {
                report_kep_yaml(unused.swap_remove(index), readme.span(place), &brief(name), out);
                continue;
            }
        }
        let typo = || known_names.iter().copied().find(|gate| suggest::is_typo(name, gate));
        let near = || suggest::nearest(name, unused.iter().map(|gate| gate.text.as_str())).map(brief);
        let meant = if is_compared { typo().map(Cow::Borrowed).or_else(near) } else { None };
        let other = if meant.is_none() { ctx.repository.other_kep_of(name, ctx.kep.number()) } else { None };
        let shown_name = brief(name);
        let message = match other {
            Some(kep) => format!("kep.yaml has no feature gate `{shown_name}`, which is a gate of KEP-{kep}"),
            None => format!("kep.yaml has no feature gate `{shown_name}`"),
        };
        let finding = out.report(readme.span(place), message);
        finding.help = Some(match (meant, other) {
            (Some(gate), _) => format!("did you mean `{gate}`?"),
            (None, Some(_)) => "name only the gates of this KEP here, or add it to `feature-gates`".to_owned(),
            (None, None) => "add it to `feature-gates` in kep.yaml, or correct it here".to_owned(),
        });
        if other.is_some() {
            finding.at_most(Severity::Advice);
        }
        finding.relate(key, format!("kep.yaml has {list}"));
        finding.subject = Subject::named([name]);
    }
}

/// Reports a gate of kep.yaml that the README calls `name` throughout.
fn report_kep_yaml(gate: &Field, place: Span, name: &str, out: &mut Sink<'_>) {
    let message = format!("kep.yaml has feature gate `{}`, but the README only uses `{name}`", gate.shown());
    let finding = out.report(gate.span, message);
    finding.help = Some(format!("write `{name}` here, or correct the README"));
    finding.relate(place, "named here");
}

/// As many of `gates`, the first of `count`, as fit in a line: "`A` and `B`".
fn listed(gates: &[&str], count: usize) -> String {
    let mut length = 0;
    let fits = |gate: &&&str| {
        length += gate.chars().count();
        length <= bounds::GATE_LIST_CHARACTERS
    };
    let fitting = gates.iter().take_while(fits).count();
    let (first, _) = gates.split_at_checked(fitting).unwrap_or_default();
    match count - first.len() {
        0 => suggest::list(first, "and"),
        more => {
            format!("{} and {more} more", first.iter().map(|gate| format!("`{gate}`")).collect::<Vec<_>>().join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_gates_is_cut_where_the_line_is_full() {
        assert_eq!(listed(&["A", "B"], 2), "`A` and `B`");
        let long = "C".repeat(bounds::GATE_LIST_CHARACTERS);
        assert_eq!(listed(&["A", &long, "B"], 90), "`A` and 89 more");
    }
}
