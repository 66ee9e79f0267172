//! A KEP of SIG Node lacks a tech lead or an assigned approver, or a marker does not match OWNERS.
//!
//! ## Why
//!
//! From v1.36 on, an alpha KEP of SIG Node must list a tech lead in `approvers`. At a later stage it must
//! list a tech lead or an approver marked `# sig-node-assigned-approver`. A person marked as assigned
//! approver or reviewer must be in the OWNERS file next to kep.yaml, and everybody in that file must be
//! marked. Upstream checks both for KEPs of every status (`pkg/nodeapprovers`), since v1.37: nothing is
//! reported for an earlier release. The tech leads are the members of the alias `sig-node-tech-leads`.
//!
//! ## Bad
//!
//! ```yaml
//! owning-sig: sig-node
//! status: implementable
//! stage: beta
//! latest-milestone: "v1.37"
//! approvers:
//!   - "@alice"
//! ```
//!
//! ## Good
//!
//! ```yaml
//! owning-sig: sig-node
//! status: implementable
//! stage: beta
//! latest-milestone: "v1.37"
//! approvers:
//!   - "@mrunalp"
//! ```

use crate::kep::field::List;
use crate::kep::node_approvers::{APPROVER, Lead, Person, REVIEWER, handle};
use crate::rules::prelude::*;

const TECH_LEADS: usize = 10;

pub const RULE: Rule = Rule {
    name: "node-approver",
    summary: "SIG Node: missing tech lead approver, or marker not backed by OWNERS",
    severity: Ladder::everywhere(Error),
    upstream: &[Script::NodeApprovers],
    docs: docs!("node_approver.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Approval)
};

/// The release under development when upstream's check of this came, in June 2026.
const SINCE: Release = Release { major: 1, minor: 37 };

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    if ctx.current < SINCE && !ctx.is_upstream() {
        return;
    }
    let node = &metadata.node_approvers;
    let owners = ctx.kep.owners.as_ref();
    if let Some(owners) = owners {
        let problems = owners.tree.problems.iter().map(|it| Diagnostic::at(it.span, &it.message));
        for finding in problems.chain(owners.flaws.iter().map(of_flaw)) {
            let Span { file, start, .. } = finding.span;
            let subject = Subject::near(line_around(&ctx.kep.texts.file(file).text, start));
            out.report(finding.help("fix OWNERS").upstream(Script::NodeApprovers).subject(subject));
        }
    }
    // What cannot be read is reported as such; upstream's script fails all the same.
    let can_read = |key: &str| !metadata.has_invalid(key) || ctx.is_upstream();
    if can_read("approvers") {
        check_marked(&node.approvers, APPROVER, owners.map(|owners| &owners.approvers), out);
    }
    if can_read("reviewers") {
        check_marked(&node.reviewers, REVIEWER, owners.map(|owners| &owners.reviewers), out);
    }
    // `no-approver` reports an empty list.
    if let Some(lead) = ctx.node_lead()
        && !ctx.lacks_approver()
        && can_read("approvers")
    {
        check_lead(ctx, metadata, lead, out);
    }
}

/// Every marked person must be in OWNERS, and every person in OWNERS must be marked.
fn check_marked(list: &[Person], marker: &str, owners: Option<&List>, out: &mut Sink) {
    let owned = || owners.iter().flat_map(|owners| &owners.items);
    let known: HashSet<String> = owned().map(|owner| handle(&owner.text)).collect();
    let marked: HashSet<&str> =
        list.iter().filter(|person| person.is_marked(marker)).map(|person| person.handle.as_str()).collect();
    let what = marker.trim_start_matches("sig-node-").replace('-', " ");
    for person in list.iter().filter(|person| person.is_marked(marker)) {
        let name = brief(&person.handle);
        let (problem, state, help) = if owners.is_none() {
            ("there is no OWNERS file", "no OWNERS", format!("add an OWNERS file with `{name}` next to `kep.yaml`"))
        } else if known.contains(&person.handle) {
            continue;
        } else {
            ("is not in OWNERS", "not in OWNERS", format!("add `{name}` to OWNERS, or remove the marker"))
        };
        let finding = Diagnostic::at(person.span, format!("`{name}` is marked as {what}, but {problem}"))
            .help(help)
            .upstream(Script::NodeApprovers)
            .subject(Subject::named([marker, state, &person.handle]));
        out.report(finding);
    }
    for owner in owned().filter(|owner| !marked.contains(handle(&owner.text).as_str())) {
        let finding =
            Diagnostic::at(owner.span, format!("`{}` is in OWNERS, but is not marked as {what}", owner.shown()))
                .subject(Subject::named([marker, &owner.text]))
                .help(format!("mark the name with `# {marker}` in `kep.yaml`, or remove it from OWNERS"))
                .upstream(Script::NodeApprovers);
        out.report(finding);
    }
}

fn check_lead(ctx: &Ctx<'_>, metadata: &Metadata, lead: Lead, out: &mut Sink) {
    let place = metadata.approvers.key.unwrap_or(metadata.top);
    let node = &metadata.node_approvers;
    let tech_leads = &ctx.repository.aliases.tech_leads;
    let has_lead = node.approvers.iter().any(|person| tech_leads.contains(&person.handle));
    let names = tech_leads.iter().map(String::as_str).take(TECH_LEADS).collect::<Vec<_>>().join(", ");
    let names = if names.is_empty() { Cow::Borrowed("the members of `sig-node-tech-leads`") } else { brief(&names) };
    match lead {
        Lead::Tech => {
            for approver in node.assigned() {
                let finding = Diagnostic::at(approver.span, "alpha KEPs in sig-node cannot have an assigned approver")
                    .subject(Subject::named(["assigned", &approver.handle]))
                    .help(format!("remove the marker: a tech lead approves alpha KEPs ({names})"))
                    .upstream(Script::NodeApprovers);
                out.report(finding);
            }
            if !has_lead {
                let finding = Diagnostic::at(place, "alpha KEPs in sig-node need a tech lead in `approvers`")
                    .help(format!("add one of {names}"))
                    .upstream(Script::NodeApprovers)
                    .subject(Subject::named(["no tech lead"]));
                out.report(finding);
            }
        }
        Lead::TechOrAssigned if !has_lead && node.assigned().next().is_none() => {
            let finding =
                Diagnostic::at(place, "KEPs in sig-node need a tech lead or an assigned approver in `approvers`")
                    .subject(Subject::named(["no tech lead or assigned approver"]))
                    .help(format!("add one of {names}, or mark an approver with `# {APPROVER}`"))
                    .upstream(Script::NodeApprovers);
            out.report(finding);
        }
        Lead::TechOrAssigned => {}
    }
}
