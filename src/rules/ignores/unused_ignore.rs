//! An ignore silences no finding.
//!
//! ## Why
//!
//! An ignore that is left over hides the same problem when it comes back. It is unused only if its rule was checked: in
//! a run with `--select`, `--ignore`, `--stage`, `--release` or `--template`, in a phase in which the rule is off, or
//! beside a finding that hides others, it may be used elsewhere. It is not called unused either while it covers a link to
//! a heading of another document, or a KEP in `replaces`, for a rule about these. `--fix` removes it if the comment is on
//! one line; one of several lines may be a comment that was not closed.
//!
//! ## Bad
//!
//! ```markdown
//! # KEP-1: Prefetch images
//!
//! <!-- kep-lint-ignore dead-link: the page will be added with the beta -->
//! ## Summary
//!
//! Images are pulled ahead of time.
//! ```
//!
//! ```yaml
//! title: Prefetch images
//! ```
//!
//! ## Good
//!
//! ```markdown
//! # KEP-1: Prefetch images
//!
//! <!-- kep-lint-ignore dead-link: the page will be added with the beta -->
//! ## Summary
//!
//! Images are pulled ahead of time, as [planned](plan.md).
//! ```
//!
//! ```yaml
//! title: Prefetch images
//! ```

use crate::rules::context::{JudgedIgnore, Verdict};
use crate::rules::prelude::*;
use crate::suppress::ignore::Named;

pub const RULE: Rule = Rule {
    name: "unused-ignore",
    summary: "an ignore silences no finding",
    severity: Ladder::everywhere(Warning),
    fix: Some(Safety::Safe),
    docs: docs!("unused_ignore.rs"),
    checks: &[Check::Ignore(check)],
    ..Rule::of(Category::Ignores)
};

fn check(judged: &JudgedIgnore<'_>, out: &mut Sink) {
    let JudgedIgnore { ignore, source, verdicts, .. } = judged;
    let numbered = verdicts.iter().enumerate().filter(|(_, verdict)| **verdict == Verdict::Unused);
    let places: Vec<usize> = numbered.map(|(at, _)| at).collect();
    let unused: Vec<&Named> = places.iter().filter_map(|at| ignore.names.get(*at)).collect();
    let Some(first) = unused.first() else { return };
    let is_whole = unused.len() == ignore.names.len();
    let span = if is_whole { ignore.comment } else { Span::new(ignore.comment.file, first.range.clone()) };
    let names: Vec<&str> = unused.iter().map(|name| slice(&source.text, name.range.clone())).collect();
    let finding = Diagnostic::at(span, format!("ignore of {} silences no finding", suggest::list(&names, "and")))
        .help("remove it")
        .subject(Subject::named(&names))
        .fix(judged.removal(Safety::Safe, &places));
    out.report(finding);
}
