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
use crate::repository::code::{InCode, Meant};
use crate::rules::prelude::*;

/// The rule. It is never an error: what it compares with is refreshed from another repository, which must not make a tree
/// fail that passed before.
pub const RULE: Rule = Rule {
    name: "unknown-feature-gate",
    summary: "kep.yaml names a feature gate that Kubernetes does not have",
    severity: Ladder { provisional: Off, active: Warning, stale: Advice, implemented: Advice, closed: Off },
    fix: Some(Safety::Unsafe),
    settings: &["groups", "feature-gates"],
    docs: docs!("unknown_feature_gate.rs"),
    checks: &[Check::Kep(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink) {
    let Some(code) = ctx.in_code().filter(|code| !code.unknown.is_empty()) else { return };
    let mut unlisted = Vec::new();
    for (gate, meant) in ctx.meant_gates(&code) {
        match meant {
            Meant::Near(near) => {
                let message = format!("{}, but it {} `{}`", lacks(ctx, gate), has(&near), near.name);
                report(ctx, &code, gate, &near, message, out);
            }
            Meant::OfReadme(named) => {
                let message = format!("{}; it {} the README's `{}`", lacks(ctx, gate), has(&named), named.name);
                report(ctx, &code, gate, &named, message, out);
            }
            Meant::Named(gates) => unlisted.push((gate, gates)),
            Meant::Unknown => report_absent(ctx, &code, gate, out),
        }
    }
    let Some(((first, named), others)) = unlisted.split_first() else { return };
    let number = ctx.kep.number().unwrap_or_default();
    if let ([], [only]) = (others, named.as_slice()) {
        let names = if only.removed.is_some() { "named" } else { "names" };
        let message = format!("{}; the code's comment at gate `{}` {names} KEP-{number}", lacks(ctx, first), only.name);
        report(ctx, &code, first, only, message, out);
        return;
    }
    let listed = named.iter().take(bounds::LISTED_NAMES).map(|gate| &gate.name);
    let others_shown = others.iter().take(bounds::LISTED_NAMES).map(|(gate, _)| gate.shown());
    let rest = if others.is_empty() { String::new() } else { format!(", nor {}", suggest::list(others_shown, "or")) };
    let message =
        format!("{}{rest}; the code's comments at {} others name KEP-{number}", lacks(ctx, first), named.len());
    let mut finding = Diagnostic::at(first.span, message)
        .help(format!("list the gates that the code has: {}", suggest::list(listed, "and")))
        .subject(Subject::named([&first.text]))
        .covers(unlisted.iter().map(|(gate, _)| Subject::named([&gate.text])).collect());
    others.iter().for_each(|(gate, _)| finding.relate(gate.span, "nor this one"));
    out.report(finding);
}

/// Reports a gate that the code calls `meant`.
fn report(ctx: &Ctx<'_>, code: &InCode<'_>, gate: &Field, meant: &Gate, message: String, out: &mut Sink) {
    let finding = Diagnostic::at(gate.span, message).subject(Subject::named([&gate.text]));
    if code.lists(&meant.name) {
        out.report(finding.help("remove it: the other one is in the list, too"));
        return;
    }
    let write = format!("write `{}`", meant.name);
    // With the old name in the README, the two files would differ.
    if ctx.readme.is_some_and(|readme| names::occurs(readme.text(), &gate.text, 1)) {
        out.report(finding.help(format!("{write} in kep.yaml, and in the README where it names the gate")));
        return;
    }
    out.report(finding.replacement(write, gate.span, &meant.name));
}

/// Reports a gate that is in no release, if no gate of the code seems to be meant.
fn report_absent(ctx: &Ctx<'_>, code: &InCode<'_>, gate: &Field, out: &mut Sink) {
    let Some(metadata) = ctx.kep.metadata.as_ref().filter(|_| ctx.reports_absent_gates(code)) else { return };
    let message = if ctx.repository.has_groups {
        format!("no Kubernetes release up to {} has a feature gate `{}`", ctx.last_known(code.list), gate.shown())
    } else {
        lacks(ctx, gate)
    };
    let help = if metadata.status() == Some(Status::Implemented) {
        "write the name that the code has"
    } else {
        "move `latest-milestone` and the milestones if the feature missed the release; otherwise write the name \
         that the code has"
    };
    out.report(Diagnostic::at(gate.span, message).help(help).subject(Subject::named([&gate.text])));
}

fn lacks(ctx: &Ctx<'_>, gate: &Field) -> String {
    format!("{} has no feature gate `{}`", ctx.repository.owner_of_gates(), gate.shown())
}

/// "has", or "had" for a gate that was removed.
fn has(gate: &Gate) -> &'static str {
    if gate.removed.is_some() { "had" } else { "has" }
}
