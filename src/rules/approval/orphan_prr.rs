//! The KEP of a PRR file does not exist, or belongs to another SIG.
//!
//! ## Why
//!
//! Upstream looks for the PRR file in the directory of the KEP's `owning-sig`. A file in another place approves
//! nothing, and the mistake is easy to miss. Reported only when the whole repository is checked.
//!
//! ## Bad
//!
//! ```yaml
//! kep-number: 1
//! owning-sig: sig-node
//! status: provisional
//! ```
//!
//! ```yaml prod-readiness/sig-apps/1.yaml
//! kep-number: 1
//! ```
//!
//! ## Good
//!
//! ```yaml
//! kep-number: 1
//! owning-sig: sig-node
//! status: provisional
//! ```
//!
//! ```yaml prod-readiness/sig-node/1.yaml
//! kep-number: 1
//! ```

use crate::repository::Repository;
use crate::rules::prelude::*;
use crate::rules::rule::RepositoryFinding;
use crate::source::SourceFile;
use std::ops::Range;
use std::sync::Arc;

/// The rule.
pub const RULE: Rule = Rule {
    name: "orphan-prr",
    category: Category::Approval,
    summary: "a PRR file's KEP does not exist, or belongs to another SIG",
    severity: Ladder::everywhere(Warning),
    docs: docs!("orphan_prr.rs"),
    checks: Checks { kep: Some(check), repository: Some(check_repository), ..Checks::NONE },
    ..Rule::DEFAULT
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(sig) = ctx.kep.metadata.as_ref().and_then(|metadata| metadata.owning_sig.as_ref()) else { return };
    let Some(owner) = ctx.kep.owner.as_deref() else { return };
    for stray in ctx.kep.stray_reviews.iter().filter(|_| ctx.repository.numbers.is_some()) {
        let range = first_line(ctx.kep.texts.file(*stray));
        let finding = out.report(Span::new(*stray, range), "PRR file is in the wrong SIG directory");
        finding.help = Some(format!("move it to `{}/{}`", ctx.repository.reviews_directory, brief(owner)));
        finding.relate(sig.span, format!("`owning-sig` is `{}`", sig.shown()));
        finding.subject = Subject::File;
    }
}

/// The PRR files whose number is not the number of any KEP.
fn check_repository(repository: &Repository) -> Vec<RepositoryFinding> {
    let (Some(reviews), Some(numbers), true) = (&repository.reviews, &repository.numbers, repository.is_whole) else {
        return Vec::new();
    };
    let is_number = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
    let orphans = reviews.iter().filter(|(number, _)| is_number(number) && !numbers.contains_key(*number));
    let finding = |(number, review): (&String, &Arc<SourceFile>)| RepositoryFinding {
        file: Arc::clone(review),
        range: first_line(review),
        message: format!("no KEP {} for this PRR file", brief(number)),
        help: "remove it, or rename it to the number of its KEP".to_owned(),
        upstream: None,
        at_most: Severity::Warning,
        subject: Subject::File,
    };
    orphans.flat_map(|(number, list)| list.iter().map(move |review| finding((number, &review.file)))).collect()
}

fn first_line(file: &SourceFile) -> Range<usize> {
    0..file.text.lines().next().unwrap_or_default().len()
}
