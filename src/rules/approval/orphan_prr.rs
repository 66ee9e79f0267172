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

use crate::repository::shared::{SharedFile, SharedKind};
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "orphan-prr",
    summary: "a PRR file's KEP does not exist, or belongs to another SIG",
    severity: Ladder::everywhere(Warning),
    docs: docs!("orphan_prr.rs"),
    checks: &[Check::Kep(check), Check::Shared(check_shared)],
    ..Rule::of(Category::Approval)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink) {
    let Some(sig) = ctx.kep.metadata.as_ref().and_then(|metadata| metadata.owning_sig.as_ref()) else { return };
    let Some(owner) = ctx.kep.owner.as_deref() else { return };
    if ctx.repository.numbers.is_none() {
        return;
    }
    for stray in &ctx.kep.stray_reviews {
        let range = 0..first_line(&ctx.kep.texts.file(*stray).text).len();
        let finding = Diagnostic::at(Span::new(*stray, range), "PRR file is in the wrong SIG directory")
            .help(format!("move it to `{}/{}`", ctx.repository.shown_reviews(), brief(owner)))
            .related(sig.span, format!("`owning-sig` is `{}`", sig.shown()))
            // It says where the file belongs.
            .yields_to(ctx.kep.review.is_none().then_some("missing-prr"))
            .subject(Subject::File);
        out.report(finding);
    }
}

/// Reports a PRR file whose number is not the number of any KEP.
fn check_shared(file: &SharedFile<'_>, repository: &Repository, out: &mut Sink) {
    let SharedKind::Review(number) = file.kind else { return };
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    if is_number && repository.is_whole && repository.has_number(number) == Some(false) {
        let place = file.span(0..first_line(&file.source.text).len());
        let finding = Diagnostic::at(place, format!("no KEP {} for this PRR file", brief(number)))
            .help("rename it to the number of its KEP, or remove it if that KEP is gone")
            .subject(Subject::File);
        out.report(finding);
    }
}
