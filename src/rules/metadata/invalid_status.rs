//! kep.yaml has an unknown `status`.
//!
//! ## Why
//!
//! Upstream's check of kep.yaml accepts any status, and with a misspelled one it skips the production readiness check.
//! kep-lint takes a status with a typo for the one that is meant; with any other, the KEP is checked as provisional until
//! the status is fixed.
//!
//! The fix is offered only if the status is a known one with capital letters or spaces around it, such as
//! `Implementable`. A typo such as `implementible` only gets a suggestion.
//!
//! ## Bad
//!
//! ```yaml
//! status: implementible
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: implementable
//! ```

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "invalid-status",
    summary: "kep.yaml has an unknown `status`",
    severity: Ladder::everywhere(Error),
    fix: Some(Safety::Unsafe),
    reveals: true,
    docs: docs!("invalid_status.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

fn check(ctx: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    let Some(status) = &metadata.status else { return };
    let text = status.text.as_str();
    if text.is_empty() || status.value.is_some() || is_template_value("status", text) {
        return;
    }
    let mut finding = Diagnostic::at(status.span, format!("unknown status `{}`", status.shown()));
    let word = text.trim().to_lowercase();
    let meant = Status::from_name(&word);
    let first = word.split_whitespace().next().and_then(Status::from_name);
    let known = ctx.layout().status_words();
    let likely = match word.as_str() {
        "superseded" => Some(Status::Replaced.name()),
        _ => suggest::nearest(&word, known.iter().copied()),
    };
    // With an ignore, the KEP would count as provisional.
    finding.hides_status = metadata.status().is_none();
    out.report(match (meant.or(first), Stage::from_name(&word), likely) {
        (Some(likely), ..) => {
            let fix = meant.and_then(|meant| spelled(status, meant.name()));
            finding.help(format!("write `{}`", likely.name())).fix(fix)
        }
        (None, Some(stage), _) => finding.help(format!("set `stage: {stage}`, and write the status of the KEP here")),
        (None, None, Some(likely)) if !word.contains(char::is_whitespace) => {
            finding.replacement(format!("did you mean `{likely}`?"), status.span, likely)
        }
        // `not implemented` is no typo.
        (None, None, _) => finding.help(format!("write {}", suggest::list(&known, "or"))),
    });
}
