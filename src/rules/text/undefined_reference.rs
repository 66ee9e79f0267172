//! A link reference has no definition.
//!
//! ## Why
//!
//! `[text][reference]` without a `[reference]: …` line is shown as plain text with brackets. Tags of end-to-end tests
//! (`[Disruptive][NodeFeature:…]`) are not references.
//!
//! ## Bad
//!
//! ```markdown alpha
//! ## Summary
//!
//! The [image list][image-list] is read once an hour.
//! ```
//!
//! ## Good
//!
//! ```markdown alpha
//! ## Summary
//!
//! The [image list][image-list] is read once an hour.
//!
//! [image-list]: https://kubernetes.io/docs/
//! ```

use crate::diagnostic::brief;
use crate::rules::context::{Ctx, Page};
use crate::rules::rule::Level::{Advice, Off};
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;
use crate::span::slice;

/// The rule.
pub const RULE: Rule = Rule {
    name: "undefined-reference",
    category: Category::Text,
    summary: "a link reference has no definition",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    fix: None,
    reveals: false,
    is_gap: false,
    upstream: &[],
    source: include_str!("undefined_reference.rs"),
    checks: Checks::of_kep(check),
};

/// The longest test tags, in bytes. Nested brackets make references of any length.
const LONGEST_TAGS: usize = 1000;

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    ctx.pages().for_each(|page| check_page(page, out));
}

fn check_page(page: Page<'_>, out: &mut Sink<'_>) {
    for undefined in &page.document.undefined_references {
        let source = slice(page.text, undefined.span.clone());
        if is_test_tags(source) {
            continue;
        }
        let reference = brief(&undefined.reference);
        let message = format!("reference `{reference}` is not defined");
        let finding = out.report(page.span(undefined.span.clone()), message);
        finding.help = Some(format!("add a line `[{reference}]: <address>`"));
    }
}

/// Whether brackets are not a link but test tags, values or code, as in `[Serial][Feature:X]`, `[a=1][,]`,
/// `[a-z][a-z0-9]`. Brackets with a space are a link.
fn is_test_tags(source: &str) -> bool {
    if source.len() > LONGEST_TAGS {
        return false;
    }
    let parts: Vec<&str> = source.trim_matches(['[', ']']).split("][").collect();
    let has_words = |part: &&str| part.chars().any(char::is_alphanumeric);
    !parts.iter().all(has_words) || !parts.iter().any(|part| part.trim().contains(char::is_whitespace))
}
