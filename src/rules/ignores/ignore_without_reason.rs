//! An ignore does not say why.
//!
//! ## Why
//!
//! A reviewer has to know why a finding does not matter here, and whether that is still so in the next release. Without
//! a reason after a colon the ignore silences nothing.
//!
//! The fix removes the ignore, which changes no finding. It needs review, because the reason may only be missing.
//!
//! ## Bad
//!
//! ```markdown
//! # KEP-1: Prefetch images
//!
//! <!-- kep-lint-ignore dead-link -->
//! ## Summary
//! ```
//!
//! ## Good
//!
//! ```markdown
//! # KEP-1: Prefetch images
//!
//! <!-- kep-lint-ignore dead-link: the page will be added with the beta -->
//! ## Summary
//! ```

use crate::rules::context::JudgedIgnore;
use crate::rules::prelude::*;
use crate::suppress::ignore::Kind;

pub const RULE: Rule = Rule {
    name: "ignore-without-reason",
    summary: "an ignore does not say why",
    severity: Ladder::everywhere(Warning),
    fix: Some(Safety::Unsafe),
    docs: docs!("ignore_without_reason.rs"),
    checks: &[Check::Ignore(check)],
    ..Rule::of(Category::Ignores)
};

fn check(judged: &JudgedIgnore<'_>, out: &mut Sink) {
    let ignore = judged.ignore;
    // Without a name, or of an unknown kind, it is reported by `unknown-ignore`.
    if ignore.has_reason || ignore.kind == Kind::Unknown || ignore.names.is_empty() {
        return;
    }
    let names: Vec<usize> = (0..ignore.names.len()).collect();
    let finding = Diagnostic::at(ignore.comment, "ignore has no reason, so it silences nothing")
        .help("write after a colon why the finding does not matter here")
        .subject(Subject::named(ignore.names.iter().map(|name| &name.rule)))
        .fix(judged.removal(Safety::Unsafe, &names));
    out.report(finding);
}
