//! A link points to a file that does not exist.
//!
//! ## Why
//!
//! When KEPs are moved or renamed, links to them break, and upstream does not check links. This is reported only if the
//! whole repository is known, and not for files that a partial copy may lack, such as images if it has none. For a URL
//! of the KEP repository, it is advice. Several links to the same target are one finding.
//!
//! If the target is the label of a reference that is defined, as in `[text](label)`, the fix writes `[text][label]`. If a KEP
//! has the number or the title of the target, an unsafe fix links to it, and keeps the anchor.
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

use crate::markdown::link::{self, Link};
use crate::repository::Repository;
use crate::rules::prelude::*;
use crate::span::is_invisible;
use std::collections::HashMap;

pub const RULE: Rule = Rule {
    name: "dead-link",
    summary: "a link points to a file that does not exist",
    severity: Ladder { provisional: Advice, active: Warning, stale: Advice, implemented: Advice, closed: Off },
    fix: Some(Safety::Unsafe),
    settings: &["groups"],
    docs: docs!("dead_link.rs"),
    checks: Checks::of_pages(check),
    ..Rule::of(Category::Text)
};

const QUOTES: [char; 2] = ['"', '\''];

fn check(ctx: &Ctx<'_>, page: Page<'_>, out: &mut Sink<'_>) {
    let repository = ctx.repository;
    let (Some(directory), Some(paths)) = (page.directory(), &repository.paths) else { return };
    let mut dead: Vec<(String, Vec<&Link>)> = Vec::new();
    let mut seen: HashMap<&str, Option<usize>> = HashMap::new();
    for link in &page.links {
        let at = *seen.entry(&link.target).or_insert_with(|| {
            let path = repository.linked_path(&link.target, &directory)?;
            // A copy of the repository may lack all images.
            let is_dead = !paths.has(&path) && paths.has_extension_of(path.trim_end_matches(QUOTES));
            is_dead.then(|| dead.push((path, Vec::new())))?;
            dead.len().checked_sub(1)
        });
        at.and_then(|at| dead.get_mut(at)).into_iter().for_each(|(_, links)| links.push(link));
    }
    for (path, links) in dead {
        let Some((first, others)) = links.split_first() else { continue };
        let is_malformed = first.target.trim().contains(is_invisible) || link::in_brackets(&first.target).is_some();
        let message = format!("link target `{}` does not exist", brief(&first.target));
        let mut finding = Diagnostic::at(page.span(first.span.clone()), message)
            .related_others(others.iter().map(|link| &link.span), "another link to it")
            .subject(Subject::named([&first.target]))
            .unless(is_malformed.then_some("broken-link-syntax"));
        if let Some(definition) = page.definitions.get(&first.target) {
            out.report(
                finding
                    .help(format!("write `[…][{0}]`: `{0}` is a reference", brief(&definition.label)))
                    .related(page.span(definition.span.clone()), "definition of the reference")
                    .fix(page.as_references(&links, &first.target, &first.target)),
            );
            continue;
        }
        if let Some(fixed) = without_quote(repository, page, &first.target) {
            finding.help = Some(fixed.help);
            finding.fix = match fixed.nearest {
                _ if fixed.exists => link_to(page, &links, fixed.target, Safety::Safe),
                Some(kep) => link_to(page, &links, &moved(repository, &first.target, kep), Safety::Unsafe),
                None => None,
            };
            out.report(finding);
            continue;
        }
        finding = match nearest_kep(repository, &path) {
            Some(kep) => finding.help(format!("did you mean `/{kep}`?")).fix(link_to(
                page,
                &links,
                &moved(repository, &first.target, kep),
                Safety::Unsafe,
            )),
            None => finding.help("link to an existing file, or remove the link"),
        };
        if first.target.contains("://") {
            finding = finding.at_most(Severity::Advice);
        }
        out.report(finding);
    }
}

/// Makes all of `links` lead to `target`.
fn link_to(page: Page<'_>, links: &[&Link], target: &str, safety: Safety) -> Option<Fix> {
    let first = links.first()?;
    let fix =
        page.with_end_of(links, &first.target, &format!("({target})"), &format!("link to `{}`", brief(target)))?;
    Some(Fix { safety, ..fix })
}

/// The target of a link to `kep` in the place of `target`: also a URL, a document and an anchor if that was one.
fn moved(repository: &Repository, target: &str, kep: &str) -> String {
    let target = target.trim_matches(QUOTES);
    let (address, anchor) = target.split_at(target.find('#').unwrap_or(target.len()));
    let site = address.find("/keps/").filter(|_| address.contains("://"));
    let site = slice(address, ..site.unwrap_or_default());
    let readme = format!("{kep}/README.md");
    let is_document = address.ends_with(".md") && repository.has_path(&readme) == Some(true);
    format!("{site}/{}{anchor}", if is_document { &readme } else { kep })
}

struct Unquoted<'a> {
    target: &'a str,
    exists: bool,
    nearest: Option<&'a str>,
    help: String,
}

/// The target of a link on `page` without the quote around or after it, if it has one.
fn without_quote<'a>(repository: &'a Repository, page: Page<'_>, target: &'a str) -> Option<Unquoted<'a>> {
    let trimmed = target.trim_matches(QUOTES);
    if trimmed == target {
        return None;
    }
    let quote = target.chars().find(|letter| QUOTES.contains(letter))?;
    let path = repository.linked_path(trimmed, &page.directory()?)?;
    let exists = repository.has_path(&path) == Some(true);
    let nearest = if exists { None } else { nearest_kep(repository, &path) };
    let help = match nearest {
        Some(kep) => format!("drop the `{quote}`; did you mean `/{kep}`?"),
        None => format!("drop the `{quote}`"),
    };
    Some(Unquoted { target: trimmed, exists, nearest, help })
}

/// The KEP that a path most likely means. One of another SIG must have the number and the title of the path.
fn nearest_kep<'a>(repository: &'a Repository, path: &str) -> Option<&'a str> {
    let sig_of = |kep: &str| kep.split('/').nth(1).map(str::to_owned);
    let kep = repository.nearest_kep(path)?;
    let name = kep.rsplit('/').next().unwrap_or_default();
    (sig_of(kep) == sig_of(path) || path.split('/').any(|part| part == name)).then_some(kep)
}
