//! A KEP of SIG Node lacks a tech lead or an assigned approver, or a marker does not match OWNERS.
//!
//! ## Why
//!
//! From v1.36 on, an alpha KEP of SIG Node must list a tech lead in `approvers`. At a later stage it must list a tech
//! lead or an approver marked `# sig-node-assigned-approver`. A person marked as assigned approver or reviewer must be
//! in the OWNERS file next to kep.yaml. Upstream checks both (`cmd/nodeapprovers`). The tech leads are the members of
//! the alias `sig-node-tech-leads`.
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

use crate::diagnostic::brief;
use crate::kep::field::{Field, List};
use crate::kep::metadata::Metadata;
use crate::kep::milestone;
use crate::rules::context::Ctx;
use crate::rules::rule::Level::{Error, Off};
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;
use crate::stage::{Stage, Status};
use std::collections::HashSet;

/// The rule.
pub const RULE: Rule = Rule {
    name: "node-approver",
    category: Category::Approval,
    summary: "SIG Node: missing tech lead approver, or marker not backed by OWNERS",
    severity: Ladder { provisional: Off, active: Error, stale: Off, implemented: Off, closed: Off },
    fix: None,
    reveals: false,
    is_gap: false,
    upstream: &["hack/verify-node-approvers.sh"],
    source: include_str!("node_approver.rs"),
    checks: Checks::of_kep(check),
};

const SIG: &str = "sig-node";
const APPROVER: &str = "sig-node-assigned-approver";
const REVIEWER: &str = "sig-node-assigned-reviewer";

/// How many tech leads a help names at most.
const MOST_NAMES: usize = 10;

/// The minor release since which a tech lead is required.
const SINCE: u64 = 36;

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(metadata) = &ctx.kep.metadata else { return };
    if let Some(owners) = &ctx.kep.owners {
        for (span, message) in owners
            .problems
            .iter()
            .map(|problem| (problem.span, problem.message.clone()))
            .chain(owners.flaws.iter().map(|flaw| (flaw.span, flaw.kind.message())))
        {
            out.report(span, message).help = Some("fix OWNERS".to_owned());
        }
    }
    let owners = ctx.kep.owners.as_ref();
    check_marked(&metadata.approvers, APPROVER, owners.map(|owners| &owners.approvers), out);
    check_marked(&metadata.reviewers, REVIEWER, owners.map(|owners| &owners.reviewers), out);
    let is_over = matches!(metadata.status(), Some(Status::Withdrawn | Status::Rejected | Status::Replaced));
    let minor = metadata.latest_milestone.as_ref().and_then(|field| milestone::as_nodeapprovers_reads_it(&field.text));
    let is_checked = !is_over && ctx.kep.texts.sig() == Some(SIG);
    if let Some(minor) = minor.filter(|minor| is_checked && *minor >= SINCE) {
        check_tech_lead(ctx, metadata, minor >= u64::from(ctx.current.minor), out);
    }
}

/// Every marked person must be in OWNERS.
fn check_marked(list: &List, marker: &str, owners: Option<&List>, out: &mut Sink<'_>) {
    let known: HashSet<String> =
        owners.iter().flat_map(|owners| &owners.items).map(|owner| handle(&owner.text)).collect();
    for marked in list.items.iter().filter(|item| is_marked(item, marker)) {
        let handle = handle(&marked.text);
        let name = brief(&handle);
        let what = marker.trim_start_matches("sig-node-").replace('-', " ");
        match owners {
            None => {
                let finding =
                    out.report(marked.span, format!("`{name}` is marked as {what}, but there is no OWNERS file"));
                finding.help = Some(format!("add an OWNERS file with `{name}` next to `kep.yaml`"));
            }
            Some(_) if !known.contains(&handle) => {
                let finding = out.report(marked.span, format!("`{name}` is marked as {what}, but is not in OWNERS"));
                finding.help = Some(format!("add `{name}` to OWNERS, or remove the marker"));
            }
            Some(_) => {}
        }
    }
}

fn check_tech_lead(ctx: &Ctx<'_>, metadata: &Metadata, is_upcoming: bool, out: &mut Sink<'_>) {
    let approvers = &metadata.approvers;
    let place = approvers.key.unwrap_or(metadata.top);
    let has_lead = approvers.items.iter().any(|item| ctx.repository.tech_leads.contains(&handle(&item.text)));
    let marked: Vec<&Field> = approvers.items.iter().filter(|item| is_marked(item, APPROVER)).collect();
    let names = ctx.repository.tech_leads.iter().map(String::as_str).take(MOST_NAMES).collect::<Vec<_>>().join(", ");
    let names = brief(&names);
    if metadata.stage() == Some(Stage::Alpha) {
        if !is_upcoming {
            return;
        }
        for approver in marked {
            let finding = out.report(approver.span, "alpha KEPs in sig-node cannot have an assigned approver");
            finding.help = Some(format!("remove the marker: a tech lead approves alpha KEPs ({names})"));
        }
        if !has_lead {
            let finding = out.report(place, "alpha KEPs in sig-node need a tech lead in `approvers`");
            finding.help = Some(format!("add one of {names}"));
        }
    } else if !has_lead && marked.is_empty() {
        let finding = out.report(place, "KEPs in sig-node need a tech lead or an assigned approver in `approvers`");
        finding.help = Some(format!("add one of {names}, or mark an approver with `# {APPROVER}`"));
    }
}

fn is_marked(item: &Field, marker: &str) -> bool {
    item.comment.as_deref() == Some(marker)
}

/// A GitHub handle for comparison: in lower case, without `@` and spaces.
fn handle(text: &str) -> String {
    let text = text.trim();
    text.strip_prefix('@').unwrap_or(text).to_lowercase()
}
