//! Which rule reports the cause of what others find.

use super::context::{Ctx, Page};
use crate::markdown::hidden::{HiddenHeading, Hiding};

/// The rule that says what hides a heading.
pub fn rule_about(hiding: Hiding) -> &'static str {
    match hiding {
        Hiding::Comment => "commented-out-section",
        Hiding::LookAlike => "not-a-heading",
        Hiding::RunawayComment | Hiding::RunawayCode | Hiding::Code | Hiding::Html | Hiding::OpenHtml => {
            "swallowed-heading"
        }
    }
}

/// The rule that reports what hides a heading of this page, if one does: `not-a-heading` is about all headings of a
/// README, others only about those of the template and those that a link leads to.
pub fn of_hidden(ctx: &Ctx<'_>, page: Page<'_>, hidden: &HiddenHeading) -> Option<&'static str> {
    let readme = ctx.readme.filter(|readme| readme.file == page.file)?;
    match hidden.by {
        Hiding::Comment => None,
        Hiding::LookAlike => Some(rule_about(hidden.by)),
        _ if hidden.link.is_some() || readme.hidden_section(hidden).is_some() => Some(rule_about(hidden.by)),
        _ => None,
    }
}
