//! The approver of a production readiness review is missing, or is none.
//!
//! ## Why
//!
//! Upstream's check takes the approver of the KEP's stage only from the aliases `prod-readiness-approvers` and
//! `prod-readiness-approvers-emeritus` of `OWNERS_ALIASES`, to the letter. Approvers of earlier stages may be anyone,
//! but not nobody.
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

use crate::diagnostic::{Severity, brief};
use crate::kep::Kep;
use crate::kep::field::Field;
use crate::kep::schema::FlawKind;
use crate::repository::{AliasesProblem, Repository};
use crate::rules::context::Ctx;
use crate::rules::rule::Level::{Error, Off, Warning};
use crate::rules::rule::{Category, Checks, Ladder, RepositoryFinding, Rule};
use crate::rules::sink::Sink;
use crate::suggest;
use std::sync::Arc;

/// The rule.
pub const RULE: Rule = Rule {
    name: "prr-approver",
    category: Category::Approval,
    summary: "the approver of a production readiness review is missing, or is none",
    severity: Ladder { provisional: Warning, active: Error, stale: Error, implemented: Error, closed: Off },
    fix: None,
    reveals: false,
    is_gap: false,
    upstream: &["hack/verify-kep-metadata.sh"],
    source: include_str!("prr_approver.rs"),
    checks: Checks { kep: Some(check), repository: Some(check_repository), ..Checks::NONE },
};

/// How many approvers are named, and looked through for the one that is meant.
const MOST_NAMES: usize = 50;

/// The longest name that GitHub allows, in bytes.
const LONGEST_NAME: usize = 39;

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Kep { metadata: Some(metadata), review: Some(review), .. } = ctx.kep else { return };
    if metadata.is_implementable_or_implemented() && !metadata.needs_review() {
        return;
    }
    for flaw in review.flaws.iter().filter(|flaw| flaw.kind == FlawKind::MissingKey("approver")) {
        let finding = out.report(flaw.span, "the production readiness review has no approver");
        finding.help = Some("name one of the alias `prod-readiness-approvers`".to_owned());
    }
    let approval = metadata.stage().and_then(|stage| review.approval(stage));
    let Some(approver) = approval.and_then(|approval| approval.approver.as_ref()) else { return };
    let name = approver.text.strip_prefix('@').unwrap_or(&approver.text);
    if !approver.text.is_empty() && !ctx.repository.prr_approvers.contains(name) {
        report(ctx.repository, approver, name, out);
    }
}

fn report(repository: &Repository, approver: &Field, name: &str, out: &mut Sink<'_>) {
    let message = format!("`{}` is not a production readiness approver", approver.shown());
    let finding = out.report(approver.span, message);
    let names = repository.prr_approvers.iter().map(String::as_str).filter(|name| name.len() <= LONGEST_NAME);
    let names: Vec<&str> = names.take(MOST_NAMES).collect();
    finding.help = Some(suggest::help(&brief(name), &names));
}

/// Says why the built-in approvers had to do. Upstream's check ends at broken aliases; a tree without any is a part of
/// a checkout.
fn check_repository(repository: &Repository) -> Vec<RepositoryFinding> {
    let finding = repository.aliases_problem.iter().map(|AliasesProblem { file, offset, message, help }| {
        let line = file.text.get(*offset..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        RepositoryFinding {
            file: Arc::clone(file),
            range: *offset..offset + line.len(),
            message: format!("production readiness approvers cannot be read: {message}"),
            help: format!("{}; until then the built-in list of approvers is used", help.as_deref().unwrap_or("fix it")),
            at_most: if file.text.is_empty() { Severity::Advice } else { Severity::Error },
        }
    });
    finding.collect()
}
