//! A link leads to no file of the tree.
//!
//! ## Why
//!
//! KEPs move and are renamed, and links between them break: upstream checks none of them. Said only when the whole tree
//! is known, and not of files that the tree may have left out, such as pictures where it holds none. Addresses of the
//! KEP repository that show a path which is gone are advice.
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
    summary: "a link leads to no file of the tree",
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
        let finding = out.report(page.span(link.span.clone()), format!("`{}` is not there", brief(&path)));
        finding.help = Some(match repository.nearest_kep(&path) {
            Some(kep) => format!("did you mean `/{kep}`?"),
            None => "link to a file of the tree, or remove the link".to_owned(),
        });
        if link.target.contains("://") {
            finding.at_most(Severity::Advice);
        }
    }
}
