//! A link says the number of a KEP, but leads to another one.
//!
//! ## Why
//!
//! Readers follow a link to read about the KEP that it names. The number and the target are often copied from different
//! places. Checked are links to directories of KEPs and to issues of kubernetes/enhancements. Pull requests have numbers of
//! their own.
//!
//! ## Bad
//!
//! ```markdown alpha
//! ## Summary
//!
//! See [KEP-12](/keps/sig-node/34-prune-images).
//! ```
//!
//! ## Good
//!
//! ```markdown alpha
//! ## Summary
//!
//! See [KEP-12](/keps/sig-node/12-prune-containers).
//! ```

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "mismatched-kep-link",
    summary: "the text of a link names another KEP than its target",
    severity: Ladder { provisional: Off, active: Warning, stale: Off, implemented: Off, closed: Off },
    docs: docs!("mismatched_kep_link.rs"),
    checks: &[Check::Pages(check)],
    ..Rule::of(Category::Text)
};

fn check(_: &Ctx<'_>, page: Page<'_>, out: &mut Sink) {
    let directory = page.directory().unwrap_or_default();
    for link in &page.links {
        let source = page.slice(link.span.clone());
        if source.len() > bounds::LINE_BYTES + link.target.len() || !source.starts_with('[') {
            continue;
        }
        let is_end = |at: &usize| matches!(source.as_bytes().get(at + 1), Some(b'(' | b'['));
        let text = slice(source, ..search::bytes(source, b']').find(is_end).unwrap_or(source.len()));
        let Some(named) = number::only_named(text) else { continue };
        let Some(target) = reference::kep_number(&link.target, &directory) else { continue };
        if number::is_same(named, &target) {
            continue;
        }
        let message = format!("the text names KEP-{}, but the link leads to {}", brief(named), brief(&target));
        let finding = Diagnostic::at(page.span(link.span.clone()), message)
            .help("correct the number or the target")
            .subject(Subject::named([named, &link.target]));
        out.report(finding);
    }
}
