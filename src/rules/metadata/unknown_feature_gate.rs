//! kep.yaml names a feature gate that Kubernetes does not have.
//!
//! ## Why
//!
//! Operators type the name of the gate. A name that Kubernetes doesn't have does nothing or stops the component. Names often
//! change in code review, after the KEP was merged, and nobody goes back to the KEP.
//!
//! What Kubernetes has is in a list, which says for which release it is complete. A KEP for a later release is only told of a
//! gate that it most likely means. Gates of components that are not part of Kubernetes are not compared. In other repositories
//! nothing is reported unless the configuration names a list of their gates.
//!
//! ## Bad
//!
//! ```yaml
//! status: implementable
//! latest-milestone: "v1.36"
//! feature-gates:
//!   - name: EnvFile
//!     components:
//!       - kubelet
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: implementable
//! latest-milestone: "v1.36"
//! feature-gates:
//!   - name: EnvFiles
//!     components:
//!       - kubelet
//! ```

use crate::gates::gate::Gate;
use crate::kep::field::Field;
use crate::kep::names;
use crate::repository::code::{InCode, Meant};
use crate::rules::prelude::*;
use crate::stage::{Phase, Status};

/// The rule. It is never an error: what it compares with is refreshed from another repository, which must not make a tree
/// fail that passed before.
pub const RULE: Rule = Rule {
    name: "unknown-feature-gate",
    summary: "kep.yaml names a feature gate that Kubernetes does not have",
    severity: Ladder { provisional: Off, active: Warning, stale: Advice, implemented: Advice, closed: Off },
    fix: Some(Safety::Unsafe),
    settings: &["groups", "feature-gates"],
    docs: docs!("unknown_feature_gate.rs"),
    checks: Checks::of_kep(check),
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(code) = ctx.in_code().filter(|code| !code.unknown.is_empty()) else { return };
    let readme = ctx.gates_of_readme();
    for gate in &code.unknown {
        let meant = code.meant(&gate.text, &readme);
        let Some((message, help)) = words(ctx, &code, gate, &meant) else { continue };
        let mut finding = Diagnostic::at(gate.span, message).help(help).subject(Subject::named([&gate.text]));
        // With the old name in the README, the two files would differ.
        let is_in_readme = readme.contains(&gate.text.as_str());
        let is_fixable = |right: &&Gate| !is_in_readme && !code.lists(&right.name);
        if let (Some(meant), [_]) = (meant.only().filter(is_fixable), code.unknown.as_slice()) {
            let edit = Edit { span: gate.span, text: meant.name.clone() };
            let title = format!("write `{}`", meant.name);
            finding.fix = Some(Fix { title, safety: Safety::Unsafe, edits: vec![edit] });
        }
        out.report(finding);
    }
}

/// The message and the help; `None` if nothing is to be said.
fn words(ctx: &Ctx<'_>, code: &InCode<'_>, gate: &Field, meant: &Meant) -> Option<(String, String)> {
    let name = gate.shown();
    let owner = ctx.repository.owner_of_gates();
    let is_in_readme = ctx.readme.is_some_and(|readme| names::occurs(readme.text(), &gate.text, 1));
    let also = if is_in_readme { " and where the README means the gate" } else { "" };
    let write = format!("write the name in the code, in kep.yaml{also} (list of {})", code.list.as_of());
    let message = match meant {
        Meant::Named(gates) => {
            let number = ctx.kep.number().unwrap_or_default();
            let its = if ctx.repository.has_groups { "its code" } else { "it" };
            let (first, others) = gates.split_first()?;
            let names = if gates.iter().all(is_gone) { "named" } else { "names" };
            if !others.is_empty() {
                let at = format!("{} others, for example `{}`", gates.len(), first.name);
                let message = format!("{owner} has no feature gate `{name}`; {its} {names} KEP-{number} at {at}");
                return Some((message, "list each gate that the code has".to_owned()));
            }
            format!("{owner} has no feature gate `{name}`; {its} {names} KEP-{number} at `{}`", first.name)
        }
        Meant::Near(near) => format!("{owner} has no feature gate `{name}`, but it {} `{}`", has(near), near.name),
        Meant::OfReadme(named) => {
            format!("{owner} has no feature gate `{name}`; it {} the README's `{}`", has(named), named.name)
        }
        Meant::Unknown => return absent(ctx, code, owner, &name),
    };
    let is_listed = meant.only().is_some_and(|right| code.lists(&right.name));
    Some((message, if is_listed { "remove it: the other one is in the list, too".to_owned() } else { write }))
}

/// The message and the help if no gate of the code seems to be meant, and the release is out.
fn absent(ctx: &Ctx<'_>, code: &InCode<'_>, owner: &str, name: &str) -> Option<(String, String)> {
    let metadata = ctx.kep.metadata.as_ref()?;
    let (latest, last) = (metadata.milestone()?, code.list.last_final);
    if !ctx.has_final_code(latest) || !code.list.is_complete_for(latest) || ctx.target.phase == Phase::Stale {
        return None;
    }
    let release = if ctx.repository.has_groups { format!(" {last}") } else { String::new() };
    let message = format!("{owner}{release} has no feature gate `{name}`, and `latest-milestone` is {latest}");
    let help = if metadata.status() == Some(Status::Implemented) {
        "write the name that the code has"
    } else {
        "if the feature missed the release, move `latest-milestone` and the milestones; if the code has another name, \
         write that one"
    };
    Some((message, help.to_owned()))
}

/// "has", or "had" for a gate that was removed.
fn has(gate: &Gate) -> &'static str {
    if is_gone(gate) { "had" } else { "has" }
}

fn is_gone(gate: &Gate) -> bool {
    gate.removed.is_some()
}
