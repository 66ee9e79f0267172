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

use crate::markdown::unresolved::MarkKind;
use crate::rules::prelude::*;
use crate::span::text_before;

pub const RULE: Rule = Rule {
    name: "unbalanced-unresolved",
    summary: "an UNRESOLVED marker without its counterpart",
    severity: Ladder { provisional: Warning, active: Error, stale: Warning, implemented: Error, closed: Off },
    docs: docs!("unbalanced_unresolved.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Text)
};

fn check(_: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    for mark in readme.unresolved().iter().filter(|mark| mark.is_alone()) {
        let (form, other) = (mark.form(readme.text()), mark.counterpart(readme.text()));
        let (near, message, help) = match mark.kind {
            MarkKind::Closer => (
                text_before(readme.text(), mark.span.start),
                format!("`{form}` without opening marker"),
                format!("remove it, or add `{other}` where the discussion begins"),
            ),
            MarkKind::Opener | MarkKind::Note => (
                text_after(readme.text(), mark.span.end),
                format!("`{form}` is not closed"),
                format!("add `{other}` where the discussion ends"),
            ),
        };
        let finding = Diagnostic::at(readme.span(mark.span.clone()), message)
            .help(help)
            .subject(Subject::near(&format!("{near} {}", brief(readme.slice(mark.span.clone())))));
        out.report(finding);
    }
}
