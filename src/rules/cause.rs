//! Which rule reports the cause of what others find.

use super::context::{Ctx, Page};
use crate::markdown::hidden::{HiddenHeading, Hiding};

/// The rule that says what hides a heading.
pub fn rule_about(hiding: Hiding) -> &'static str {
    match hiding {
        Hiding::Comment => "commented-out-section",
        Hiding::LookAlike => "not-a-heading",
        Hiding::RunawayComment | Hiding::RunawayCode | Hiding::Html | Hiding::OpenHtml => "swallowed-heading",
    }
}

/// The rule that reports what hides this heading of a page, if one does: only `not-a-heading` is about all headings, and only
/// those of the README.
pub fn of_hidden(ctx: &Ctx<'_>, page: Page<'_>, hidden: &HiddenHeading) -> Option<&'static str> {
    let readme = ctx.readme.filter(|readme| readme.file == page.file)?;
    let is_reported = match hidden.by {
        Hiding::Comment => false,
        Hiding::LookAlike => true,
        _ => readme.hidden_section(ctx.template, hidden).is_some(),
    };
    is_reported.then(|| rule_about(hidden.by))
}
