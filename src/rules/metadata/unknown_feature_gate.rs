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
use crate::repository::code::{InCode, Meant};
use crate::rules::prelude::*;
use crate::stage::Phase;

/// The rule. It is never an error: what it compares with is refreshed from another repository, which must not make a tree
/// fail that passed before.
pub const RULE: Rule = Rule {
    name: "unknown-feature-gate",
    category: Category::Metadata,
    summary: "kep.yaml names a feature gate that Kubernetes does not have",
    severity: Ladder { provisional: Off, active: Warning, stale: Advice, implemented: Advice, closed: Off },
    fix: Some(Safety::Unsafe),
    docs: docs!("unknown_feature_gate.rs"),
    checks: Checks::of_kep(check),
    ..Rule::DEFAULT
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(code) = ctx.in_code().filter(|code| !code.unknown.is_empty()) else { return };
    let readme = ctx.gates_of_readme();
    for gate in &code.unknown {
        let meant = code.meant(&gate.text, &readme);
        let Some((message, help)) = words(ctx, &code, gate, &meant) else { continue };
        let finding = out.report(gate.span, message);
        finding.help = Some(help);
        finding.subject = Subject::named([&gate.text]);
        // With the old name in the README, the two files would differ.
        let is_in_readme = readme.contains(&gate.text.as_str());
        if let (Some(meant), [_], false) = (meant.only(), code.unknown.as_slice(), is_in_readme) {
            let edit = Edit { span: gate.span, text: meant.name.clone() };
            let title = format!("write `{}`", meant.name);
            finding.fix = Some(Fix { title, safety: Safety::Unsafe, edits: vec![edit] });
        }
    }
}

/// The message and the help; `None` if nothing is to be said.
fn words(ctx: &Ctx<'_>, code: &InCode<'_>, gate: &Field, meant: &Meant) -> Option<(String, String)> {
    let (name, of_list) = (gate.shown(), code.list.as_of());
    let owner = if ctx.repository.has_groups { "Kubernetes" } else { "the code" };
    let write = || format!("write the name in the code, in kep.yaml and in the README (list of {of_list})");
    Some(match meant {
        Meant::Named(gates) => {
            let number = ctx.kep.number().unwrap_or_default();
            let its = if ctx.repository.has_groups { "its code" } else { "it" };
            let (at, help) = named(gates, write)?;
            (format!("{owner} has no feature gate `{name}`; {its} names KEP-{number} at {at}"), help)
        }
        Meant::Near(near) => (format!("{owner} has no feature gate `{name}`, but it has `{}`", near.name), write()),
        Meant::OfReadme(named) => {
            (format!("{owner} has no feature gate `{name}`; it has the README's `{}`", named.name), write())
        }
        Meant::Unknown => {
            let latest = ctx.kep.metadata.as_ref()?.milestone()?;
            if latest > code.list.last_final || ctx.target.phase == Phase::Stale {
                return None;
            }
            let owner =
                if ctx.repository.has_groups { format!("{owner} {}", code.list.last_final) } else { owner.to_owned() };
            let message = format!("{owner} has no feature gate `{name}`, and `latest-milestone` is {latest}");
            let help = "if the feature missed the release, move `latest-milestone` and the milestones; if the code has another \
                        name, write that one";
            (message, help.to_owned())
        }
    })
}

/// The gates at which the code names the KEP, and what to do about them.
fn named(gates: &[Gate], write: impl Fn() -> String) -> Option<(String, String)> {
    let (first, others) = gates.split_first()?;
    Some(match others.len() {
        0 => (format!("`{}`", first.name), write()),
        count => {
            let at = format!("{} others, for example `{}`", count + 1, first.name);
            (at, "list each gate that the code has".to_owned())
        }
    })
}
