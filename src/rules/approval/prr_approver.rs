//! The PRR approver is missing, or is not in `prod-readiness-approvers`.
//!
//! ## Why
//!
//! Upstream's check accepts as approver of the KEP's stage only a member of the aliases `prod-readiness-approvers` and
//! `prod-readiness-approvers-emeritus` in `OWNERS_ALIASES`, spelled exactly as there. The other stages of the file may
//! have any approver, but must have one.
//!
//! ## Bad
//!
//! ```yaml
//! kep-number: 1
//! owning-sig: sig-node
//! status: implementable
//! stage: beta
//! latest-milestone: "v1.37"
//! ```
//!
//! ```yaml prod-readiness/sig-node/1.yaml
//! kep-number: 1
//! beta:
//!   approver: TBD
//! ```
//!
//! ## Good
//!
//! ```yaml
//! kep-number: 1
//! owning-sig: sig-node
//! status: implementable
//! stage: beta
//! latest-milestone: "v1.37"
//! ```
//!
//! ```yaml prod-readiness/sig-node/1.yaml
//! kep-number: 1
//! beta:
//!   approver: "@wojtek-t"
//! ```

use crate::repository::shared::{SharedFile, SharedKind};
use crate::repository::verdict::Verdict;
use crate::rules::prelude::*;
use crate::yaml::plain::Problem;

pub const RULE: Rule = Rule {
    name: "prr-approver",
    summary: "PRR approver is missing or not in `prod-readiness-approvers`",
    severity: Ladder { provisional: Warning, active: Error, stale: Error, implemented: Error, closed: Off },
    settings: &["groups", "approvers"],
    upstream: &[Script::Metadata],
    docs: docs!("prr_approver.rs"),
    checks: &[Check::Kep(check), Check::Shared(check_shared)],
    ..Rule::of(Category::Approval)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink) {
    let Kep { metadata: Some(metadata), review: Some(review), .. } = ctx.kep else { return };
    let is_before_reviews = metadata.status().is_some_and(Status::is_reviewed) && !metadata.is_reviewed();
    if ctx.target.is_withdrawal || is_before_reviews && !ctx.target.is_given {
        return;
    }
    for flaw in review.flaws.iter().filter(|flaw| flaw.kind == FlawKind::MissingKey("approver")) {
        let finding = Diagnostic::at(flaw.span, "PRR approver is missing")
            .upstream(metadata.needs_review().then_some(Script::Metadata))
            .help("add `approver:` with a member of `prod-readiness-approvers`");
        out.report(finding);
    }
    let stages: BTreeSet<Stage> = ctx.target.given_stage().into_iter().chain(metadata.stage()).collect();
    for stage in stages {
        let Verdict::NotApprover { approver, meant } = ctx.repository.verdict(ctx.kep, stage) else { continue };
        let names = ctx.repository.approver_names();
        let written = approver.text.strip_prefix('@').unwrap_or(&approver.text);
        let nearest = || suggest::nearest(&brief(written), names.iter().copied());
        let help = match meant.or_else(nearest) {
            Some(name) => format!("did you mean `{}`?", brief(name)),
            None => format!("ask one of: {}", names.join(", ")),
        };
        let finding =
            Diagnostic::at(approver.span, format!("`{}` is not in `prod-readiness-approvers`", approver.shown()))
                .upstream((metadata.reviewed_stage() == Some(stage)).then_some(Script::Metadata))
                .help(help);
        out.report(finding);
    }
}

/// Reports why the built-in list of approvers is used. Upstream's check stops at a broken `OWNERS_ALIASES`; without the
/// file, the repository is a partial checkout.
fn check_shared(file: &SharedFile<'_>, _: &Repository, out: &mut Sink) {
    let SharedKind::Aliases(Problem { offset, message, help }) = file.kind else { return };
    let place = file.span(*offset..offset + first_line(slice(&file.source.text, *offset..)).len());
    let help = help.as_deref().unwrap_or("fix it");
    let finding = Diagnostic::at(place, format!("cannot read the PRR approvers: {message}"))
        .help(format!("{help}; until then the built-in approver list is used"))
        .at_most(if file.source.text.is_empty() { Severity::Advice } else { Severity::Error })
        .upstream(Script::Metadata)
        .subject(Subject::File);
    out.report(finding);
}
