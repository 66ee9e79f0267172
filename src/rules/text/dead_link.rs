//! A link points to a file that does not exist.
//!
//! ## Why
//!
//! When KEPs are moved or renamed, links to them break, and upstream does not check links. This is reported only if the
//! whole repository is known, and not for files that a partial copy may lack, such as images if it has none. For a URL
//! of the KEP repository, it is advice.
//!
//! ## Bad
//!
//! ```markdown alpha
//! ## Summary
//!
//! See [the other KEP](../2-gone/README.md).
//! ```
//!
//! ## Good
//!
//! ```markdown alpha
//! ## Summary
//!
//! See [this KEP](../1-prefetch/README.md).
//! ```

use crate::diagnostic::{Severity, brief};
use crate::kep::reference;
use crate::repository::Repository;
use crate::rules::context::{Ctx, Page};
use crate::rules::rule::Level::{Advice, Off, Warning};
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;

/// The rule.
pub const RULE: Rule = Rule {
    name: "dead-link",
    category: Category::Text,
    summary: "a link points to a file that does not exist",
    severity: Ladder { provisional: Advice, active: Warning, stale: Advice, implemented: Advice, closed: Off },
    fix: None,
    reveals: false,
    is_gap: false,
    upstream: &[],
    source: include_str!("dead_link.rs"),
    checks: Checks::of_kep(check),
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    if ctx.repository.paths.is_some() {
        ctx.pages().for_each(|page| check_page(ctx.repository, page, out));
    }
}

fn check_page(repository: &Repository, page: Page<'_>, out: &mut Sink<'_>) {
    let Some(directory) = page.directory() else { return };
    for link in &page.document.links {
        let Some(path) = reference::linked_path(&link.target, &directory) else { continue };
        if repository.has_path(&path) != Some(false) || !repository.could_contain(&path) {
            continue;
        }
        let finding =
            out.report(page.span(link.span.clone()), format!("link target `{}` does not exist", brief(&path)));
        finding.help = Some(match repository.nearest_kep(&path) {
            Some(kep) => format!("did you mean `/{kep}`?"),
            None => "link to an existing file, or remove the link".to_owned(),
        });
        if link.target.contains("://") {
            finding.at_most(Severity::Advice);
        }
    }
}
