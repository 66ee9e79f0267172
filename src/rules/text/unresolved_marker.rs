//! The KEP still has an open `<<[UNRESOLVED]>>` discussion.
//!
//! ## Why
//!
//! `<<[UNRESOLVED]>>` marks a part of the KEP that is still discussed. Reviewers expect all discussions to be resolved
//! in an implementable or implemented KEP, at the latest when it becomes stable. Markers in comments are ignored. Markers
//! in code blocks count, because the template's example is in a code block.
//!
//! It is an error only if the marker begins a line: in a sentence it may be a remark. A marker without its counterpart
//! is reported by `unbalanced-unresolved`. A marker that names a later stage, such as `<<[UNRESOLVED beta]>>` in an alpha
//! KEP, is not reported yet.
//!
//! ## Bad
//!
//! ```markdown beta
//! ## Summary
//!
//! <<[UNRESOLVED @alice which images? ]>>
//! Images are pulled ahead of time.
//! <<[/UNRESOLVED]>>
//! ```
//!
//! ## Good
//!
//! ```markdown beta
//! ## Summary
//!
//! The images of daemon sets are pulled ahead of time.
//! ```

use crate::markdown::unresolved::{Mark, MarkKind};
use crate::rules::prelude::*;

/// How many words of an unresolved marker are read: one that is not closed may be as long as its line.
const MARKER_WORDS: usize = 20;

pub const RULE: Rule = Rule {
    name: "unresolved-marker",
    summary: "the KEP still has an open UNRESOLVED discussion",
    severity: Ladder { provisional: Off, active: Error, stale: Advice, implemented: Error, closed: Off },
    docs: docs!("unresolved_marker.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Text)
};

/// Whether the marker names a stage that the KEP has not reached: `<<[UNRESOLVED beta]>>` in an alpha KEP.
fn is_for_later(ctx: &Ctx<'_>, readme: Readme<'_>, mark: &Mark) -> bool {
    let words = readme.slice(mark.span.clone()).split(|letter: char| !letter.is_alphanumeric());
    let mut named = words.take(MARKER_WORDS).filter_map(Stage::from_word);
    ctx.target.stage.is_some_and(|reached| named.any(|named| named > reached && !named.is_removal()))
}

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    let is_late = ctx.target.phase != Phase::Active || ctx.target.stage == Some(Stage::Stable);
    for mark in readme.unresolved() {
        let is_reported_elsewhere = mark.begins_line && !mark.is_paired;
        if mark.kind == MarkKind::Closer || is_reported_elsewhere || is_for_later(ctx, readme, mark) {
            continue;
        }
        let message = format!("open `{}` discussion", mark.form(readme.text()));
        let is_warning = !is_late || !mark.begins_line;
        let finding = Diagnostic::at(readme.span(mark.span.clone()), message)
            .help("resolve it and remove the marker")
            // The discussion below it may change while it is open.
            .subject(Subject::near(line_around(readme.text(), mark.span.start)))
            .at_most(if is_warning { Severity::Warning } else { Severity::Error });
        out.report(finding);
    }
}
