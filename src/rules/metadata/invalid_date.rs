//! A date in kep.yaml is invalid, or `last-updated` is before `creation-date`.
//!
//! ## Why
//!
//! Upstream's tools do not read these dates, so only a reader notices a day that does not exist. A date written as
//! `yyyy-mm-dd` means the same everywhere, and such dates sort correctly.
//!
//! ## Bad
//!
//! ```yaml
//! status: provisional
//! creation-date: 2026-5-1
//! last-updated: 2026-02-30
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: provisional
//! creation-date: 2026-05-01
//! last-updated: 2026-05-30
//! ```

use crate::rules::prelude::*;
use crate::yaml::date::{self, Date};

pub const RULE: Rule = Rule {
    name: "invalid-date",
    summary: "invalid date, or `last-updated` before `creation-date`",
    severity: Ladder { provisional: Warning, active: Warning, stale: Advice, implemented: Advice, closed: Off },
    fix: Some(Safety::Unsafe),
    docs: docs!("invalid_date.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

fn check(_: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    let (created, updated) = (metadata.creation_date.as_ref(), metadata.last_updated.as_ref());
    for field in created.into_iter().chain(updated) {
        check_one(field, out);
    }
    let Some((created, updated)) = created.zip(updated) else { return };
    if created.value.zip(updated.value).is_some_and(|(created, updated)| updated < created) {
        let message = format!("`last-updated` is {}, before `creation-date`", updated.text);
        let finding = Diagnostic::at(updated.span, message)
            .help("correct one of the two dates")
            .related(created.span, "`creation-date`")
            .subject(Subject::named(["last-updated", "creation-date"]));
        out.report(finding);
    }
}

fn check_one(field: &Field<Date>, out: &mut Sink) {
    let text = field.text.as_str();
    if text.is_empty() || field.value.is_some() || is_template_value("creation-date", text) {
        return;
    }
    let has_form = date::has_form(text);
    let message = if has_form {
        format!("`{text}` is not a valid date")
    } else {
        format!("`{}` is not a `{}` date", field.shown(), date::FORM)
    };
    let finding = Diagnostic::at(field.span, message).alike(Some("form").filter(|_| !has_form));
    out.report(match (Date::guess(text), Date::swapped(text)) {
        (Some(date), _) => finding.replacement(format!("write `{date}`"), field.span, date.to_string()),
        (None, Some(date)) => finding.replacement(format!("did you mean `{date}`?"), field.span, date.to_string()),
        (None, None) => finding.help(format!("write the date as `{}`", date::FORM)),
    });
}
