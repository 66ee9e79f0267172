//! `<<[UNRESOLVED]>>` is not closed by `<<[/UNRESOLVED]>>`, or the closing marker has no opening marker.
//!
//! ## Why
//!
//! Readers cannot tell where the discussion ends, and tools that list open discussions get them wrong.
//!
//! ## Bad
//!
//! ```markdown beta
//! ## Summary
//!
//! <<[UNRESOLVED @alice which images? ]>>
//! Images are pulled ahead of time.
//! ```
//!
//! ## Good
//!
//! ```markdown beta
//! ## Summary
//!
//! <<[UNRESOLVED @alice which images? ]>>
//! Images are pulled ahead of time.
//! <<[/UNRESOLVED]>>
//! ```

use crate::markdown::unresolved::{self, Mark, MarkKind};
use crate::rules::context::Ctx;
use crate::rules::rule::Level::{Error, Off, Warning};
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;
use crate::span::{LINE_ENDS, slice};

/// The rule.
pub const RULE: Rule = Rule {
    name: "unbalanced-unresolved",
    category: Category::Text,
    summary: "an UNRESOLVED marker without its counterpart",
    severity: Ladder { provisional: Warning, active: Error, stale: Error, implemented: Error, closed: Off },
    fix: None,
    reveals: false,
    is_gap: false,
    upstream: &[],
    source: include_str!("unbalanced_unresolved.rs"),
    checks: Checks::of_kep(check),
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(readme) = ctx.readme else { return };
    let mut open: Option<Mark> = None;
    for mark in unresolved::marks(readme.document, readme.text) {
        match mark.kind {
            MarkKind::Note => {}
            MarkKind::Closer if open.take().is_none() => {
                let finding = out.report(readme.span(mark.span), "`<<[/UNRESOLVED]>>` without opening marker");
                finding.help = Some("remove it, or add `<<[UNRESOLVED]>>` where the discussion begins".to_owned());
            }
            MarkKind::Closer => {}
            MarkKind::Opener => report(ctx, open.replace(mark), out),
        }
    }
    report(ctx, open, out);
}

fn report(ctx: &Ctx<'_>, open: Option<Mark>, out: &mut Sink<'_>) {
    let Some((readme, mark)) = ctx.readme.zip(open) else { return };
    // A marker inside a sentence marks only that sentence.
    let before = slice(readme.text, ..mark.span.start);
    let before = before.trim_end_matches(|mark: char| mark.is_ascii_digit() || "-*+.)>| \t".contains(mark));
    if !before.is_empty() && !before.ends_with(LINE_ENDS) {
        return;
    }
    let finding = out.report(readme.span(mark.span), "`<<[UNRESOLVED]>>` is not closed");
    finding.help = Some("add `<<[/UNRESOLVED]>>` where the discussion ends".to_owned());
}
