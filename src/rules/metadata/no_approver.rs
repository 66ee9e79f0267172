//! `approvers` in kep.yaml is empty, or has only placeholders.
//!
//! ## Why
//!
//! A KEP becomes implementable when its approvers agree. Without an approver it is not clear who decides. Upstream's
//! check accepts an empty list.
//!
//! In another project, `TBD` is a suggestion where its template has it, unless the configuration requires `approvers`.
//!
//! ## Bad
//!
//! ```yaml
//! status: implementable
//! latest-milestone: "v1.37"
//! approvers:
//!   - TBD
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: implementable
//! latest-milestone: "v1.37"
//! approvers:
//!   - TBD
//!   - "@dchen1107"
//! ```

use crate::kep::node_approvers::Lead;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "no-approver",
    summary: "`approvers` is empty",
    severity: Ladder { provisional: Advice, active: Error, stale: Warning, implemented: Advice, closed: Off },
    upstream: &[Script::NodeApprovers],
    docs: docs!("no_approver.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    if !ctx.lacks_approver() {
        return;
    }
    let Some(key) = metadata.approvers.key else { return };
    let span = metadata.approvers.items.first().map_or(key, |approver| approver.span);
    // In SIG Node, upstream requires a tech lead or an assigned approver.
    let is_refused = match ctx.node_lead() {
        Some(Lead::Tech) => true,
        Some(Lead::TechOrAssigned) => metadata.node_approvers.assigned().next().is_none(),
        None => false,
    };
    // Templates of others advise it as code, or have it in their own metadata.
    let template = ctx.template.document.text();
    let is_left_open = ctx.layout().own().is_some_and(|own| !own.keys.required.contains("approvers"));
    let advises = || ["`TBD`", "\n  - TBD"].iter().any(|word| template.contains(word));
    let is_advice = is_left_open && metadata.approvers.items.iter().any(|it| it.text == "TBD") && advises();
    let finding = Diagnostic::at(span, "the KEP has no approver")
        .at_most(if is_advice { Severity::Advice } else { Severity::Error })
        .subject(Subject::named(["approvers"]))
        .upstream(is_refused.then_some(Script::NodeApprovers))
        .help(help(ctx));
    out.report(finding);
}

fn help(ctx: &Ctx<'_>) -> String {
    const MOST: usize = 5;
    if !ctx.layout().is_of_keps() {
        return "name the approvers".to_owned();
    }
    let leads = ctx.kep.owner.as_ref().and_then(|sig| ctx.repository.aliases.leads.get(sig.as_str()));
    let names: Vec<String> = leads.into_iter().flatten().take(MOST).map(|name| brief(name).into_owned()).collect();
    if names.is_empty() {
        return "name the approvers from the owning SIG".to_owned();
    }
    format!("name the approvers from the owning SIG, whose leads are {}", names.join(", "))
}
