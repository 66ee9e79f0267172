//! The README names a feature gate that kep.yaml does not have.
//!
//! ## Why
//!
//! Operators type the name of the gate, and the documentation lists it. When the README and kep.yaml differ, one of
//! them almost always has a typo or an old name. Which one is wrong is said where Kubernetes has only one of the two names. A
//! gate that another KEP lists is a suggestion, and so is, in an active KEP, a name anywhere in the README
//! that is a typo of a gate in kep.yaml.
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

mod near;

use crate::repository::code::{InCode, Meant};
use crate::rules::prelude::*;

/// The longest list of the gates in kep.yaml that a message shows, in characters.
const GATE_LIST_CHARACTERS: usize = 200;

pub const RULE: Rule = Rule {
    name: "feature-gate-mismatch",
    summary: "the README names a feature gate that kep.yaml does not have",
    severity: Ladder { provisional: Off, active: Error, stale: Advice, implemented: Advice, closed: Off },
    fix: Some(Safety::Unsafe),
    roles: &[SectionRole::Enablement],
    settings: &["groups", "feature-gates"],
    docs: docs!("feature_gate_mismatch.rs"),
    checks: &[Check::Kep(check)],
    ..Rule::of(Category::Metadata)
};

/// How often a README must use a name so that kep.yaml is most likely wrong.
const OFTEN: usize = 2;

fn check(ctx: &Ctx<'_>, out: &mut Sink) {
    let (Some(metadata), Some(readme)) = (&ctx.kep.metadata, ctx.readme) else { return };
    let Some(key) = metadata.feature_gates_key else { return };
    let gates: Vec<&Field> = metadata.feature_gate_names().collect();
    if gates.is_empty() {
        return;
    }
    near::check(ctx, &gates, out);
    let known: HashSet<&str> = gates.iter().map(|gate| gate.text.as_str()).collect();
    let unknown = readme.gates().into_iter().filter(|place| !known.contains(readme.slice(place.clone())));
    let mut unknown: Vec<Range<usize>> = unknown.collect();
    if unknown.is_empty() {
        return;
    }
    let code = ctx.repository.in_code(ctx.kep);
    let covering = code.as_ref().filter(|code| code.covers(metadata));
    let meant_by_code = covering.map(|covering| ctx.meant_gates(covering)).unwrap_or_default();
    // `unknown-feature-gate` says that kep.yaml is wrong.
    let is_meant = |name: &str| meant_by_code.iter().any(|(_, meant)| meant.has(name));
    unknown.retain(|place| !is_meant(readme.slice(place.clone())));
    let compared: Vec<&Field> = gates.iter().copied().take(bounds::COMPARED_NAMES).collect();
    let names: Vec<Cow<'_, str>> = compared.iter().map(|gate| gate.shown()).collect();
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    let list = listed(&names, gates.len());
    let unused = compared.iter().copied().filter(|gate| !names::occurs(readme.text(), &gate.text, 1)).collect();
    let is_only = unknown.len() == 1;
    let mut choice =
        Choice { compared: &compared, unused, is_only, code: code.as_ref(), meant_by_code: &meant_by_code };
    let mut suggestions = 0..bounds::COMPARED_NAMES;
    for place in unknown {
        let name = readme.slice(place.clone());
        if let Some(gate) = compared.iter().find(|gate| names::occurs(&gate.text, name, 1)) {
            let message = format!("`{}` is more than the name of a feature gate", gate.shown());
            out.report(Diagnostic::at(gate.span, message).help(format!("write `{}`", brief(name))));
            continue;
        }
        let is_compared = suggestions.next().is_some();
        let is_often = is_compared && names::occurs(readme.text(), name, OFTEN);
        let is_others = ctx.repository.other_kep_of(name, ctx.kep.number()).is_some();
        let is_wrong = !is_others && (is_often || choice.is_misspelled_in_kep_yaml(name));
        if let Some(gate) = is_wrong.then(|| choice.take_wrong(name)).flatten() {
            report_kep_yaml(gate, readme.span(place), &brief(name), out);
            continue;
        }
        let meant = is_compared.then(|| choice.meant(name)).flatten();
        let finding = of_readme(ctx, name, readme.span(place), meant);
        out.report(finding.related(key, format!("kep.yaml has {list}")));
    }
}

/// The gates of kep.yaml that a name in the README may stand for.
struct Choice<'a> {
    compared: &'a [&'a Field],
    unused: Vec<&'a Field>,
    /// Whether only one name in the README is not in kep.yaml.
    is_only: bool,
    code: Option<&'a InCode<'a>>,
    /// What the gates mean that the code does not have, if the list says something of the KEP's release.
    meant_by_code: &'a [(&'a Field, Meant)],
}

impl<'a> Choice<'a> {
    /// Takes the gate that kep.yaml most likely should call `name`.
    fn take_wrong(&mut self, name: &str) -> Option<&'a Field> {
        let near = self.near(name);
        let is_pair = self.is_only && self.unused.len() == 1;
        let index = self.unused.iter().position(|gate| is_pair || near == Some(*gate))?;
        let gate = self.unused.get(index)?;
        let is_wrong = !self.is_decided(gate, name) && !self.is_typo_of_code(gate);
        is_wrong.then(|| self.unused.swap_remove(index))
    }

    /// Whether the code has `name`, and not a gate of kep.yaml that is a typo of it.
    fn is_misspelled_in_kep_yaml(&self, name: &str) -> bool {
        let Some(code) = self.code.filter(|code| code.list.find(name).is_some()) else { return false };
        let is_typo = |gate: &str| suggest::is_typo(name, gate) && code.list.find(gate).is_none();
        self.unused.iter().any(|gate| is_typo(&gate.text))
    }

    /// The gate that `name` most likely means, and whether Kubernetes has it and not the other.
    fn meant(&self, name: &str) -> Option<(&'a Field, bool)> {
        let typo = || self.compared.iter().copied().find(|gate| suggest::is_typo(name, &gate.text));
        let pair = || match (self.unused.as_slice(), self.compared) {
            ([only], _) | (_, [only]) => Some(*only).filter(|gate| self.is_only && self.is_decided(gate, name)),
            _ => None,
        };
        let gate = typo().or_else(|| self.near(name)).or_else(pair);
        let gate = gate.filter(|gate| !self.is_typo_of_code(gate))?;
        Some((gate, self.is_decided(gate, name)))
    }

    fn near(&self, name: &str) -> Option<&'a Field> {
        let near = suggest::nearest(name, self.unused.iter().map(|gate| gate.text.as_str()))?;
        self.unused.iter().copied().find(|gate| gate.text == near)
    }

    /// Whether the code has another gate that is meant: `unknown-feature-gate` reports it.
    fn is_typo_of_code(&self, gate: &Field) -> bool {
        let is_clear =
            |meant: &Meant| matches!(meant, Meant::Near(_)) || matches!(meant, Meant::Named(it) if it.len() == 1);
        self.meant_by_code.iter().any(|(unknown, meant)| unknown.text == gate.text && is_clear(meant))
    }

    /// Whether the code has the gate of kep.yaml, and never had `name`.
    fn is_decided(&self, gate: &Field, name: &str) -> bool {
        self.code.is_some_and(|code| code.lists(&gate.text) && code.list.find(name).is_none())
    }
}

/// The finding about a name in the README that kep.yaml does not have.
fn of_readme(ctx: &Ctx<'_>, name: &str, place: Span, meant: Option<(&Field, bool)>) -> Diagnostic {
    let other = if meant.is_none() { ctx.repository.other_kep_of(name, ctx.kep.number()) } else { None };
    let of_other = other.map(|kep| format!(", which is a gate of KEP-{kep}")).unwrap_or_default();
    let finding = Diagnostic::at(place, format!("kep.yaml has no feature gate `{}`{of_other}", brief(name)))
        .at_most(if other.is_some() { Severity::Advice } else { Severity::Error })
        .subject(Subject::named([name]));
    let help = match (meant, other) {
        (Some((gate, _)), _) if !name.is_ascii() => {
            format!("write `{}`: this one has an invisible character", gate.shown())
        }
        (Some((gate, true)), _) => {
            let owner = ctx.repository.owner_of_gates();
            format!("write `{}` here: {owner} has that gate, and not this one", gate.shown())
        }
        (Some((gate, false)), _) => format!("did you mean `{}`?", gate.shown()),
        (None, Some(_)) => "name only the gates of this KEP here, or add it to `feature-gates`".to_owned(),
        (None, None) => "add it to `feature-gates` in kep.yaml, or correct it here".to_owned(),
    };
    match (meant, ctx.readme) {
        (Some((gate, _)), Some(readme)) if suggest::is_typo(name, &gate.text) => {
            let edits = near::replacements(&readme, names::places(readme.text(), name), &gate.text);
            finding.edits(format!("write `{}`", gate.shown()), edits).help(help)
        }
        (Some((gate, true)), _) => finding.replacement(help, place, &gate.text),
        _ => finding.help(help),
    }
}

/// Reports a gate of kep.yaml that the README calls `name` throughout.
fn report_kep_yaml(gate: &Field, place: Span, name: &str, out: &mut Sink) {
    let message = format!("kep.yaml has feature gate `{}`, but the README only uses `{name}`", gate.shown());
    let finding = Diagnostic::at(gate.span, message)
        .help(format!("write `{name}` here, or correct the README"))
        .related(place, "named here");
    out.report(finding);
}

/// As many of `gates`, the first of `count`, as fit in a line: "`A` and `B`".
fn listed(gates: &[&str], count: usize) -> String {
    let mut length = 0;
    let fits = |gate: &&&str| {
        length += gate.chars().count();
        length <= GATE_LIST_CHARACTERS
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
        let long = "C".repeat(GATE_LIST_CHARACTERS);
        assert_eq!(listed(&["A", &long, "B"], 90), "`A` and 89 more");
    }
}
