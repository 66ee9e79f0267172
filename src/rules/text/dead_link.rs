//! A link points to a file that does not exist.
//!
//! ## Why
//!
//! When KEPs are moved or renamed, links to them break, and upstream does not check links. This is reported only if the
//! whole repository is known, and not for files that a partial copy may lack, such as images if it has none. For a URL
//! of the KEP repository, it is a suggestion. Several links to the same target are one finding.
//!
//! GitHub tells upper and lower case apart: where only the case differs, the fix writes the name of the file.
//! If the target is the label of a reference that is defined, as in `[text](label)`, the fix writes `[text][label]`.
//! If a KEP has the number or the title of the target, an unsafe fix links to it, and keeps the anchor.
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
use crate::repository::paths::Paths;
use crate::rules::prelude::*;
use crate::span::is_invisible;

pub const RULE: Rule = Rule {
    name: "dead-link",
    summary: "a link points to a file that does not exist",
    severity: Ladder { provisional: Advice, active: Warning, stale: Advice, implemented: Advice, closed: Off },
    fix: Some(Safety::Unsafe),
    settings: &["groups"],
    docs: docs!("dead_link.rs"),
    checks: &[Check::Pages(check)],
    ..Rule::of(Category::Text)
};

const QUOTES: [char; 2] = ['"', '\''];

fn check(ctx: &Ctx<'_>, page: Page<'_>, out: &mut Sink) {
    let repository = ctx.repository;
    let (Some(directory), Some(paths)) = (page.directory(), &repository.paths) else { return };
    let outward = page.links.iter().filter(|link| !link.target.starts_with('#'));
    for (target, links) in grouped(outward.map(|link| (&link.target, link))) {
        let Some((first, others)) = links.split_first() else { continue };
        let Some(path) = repository.linked_path(target, &directory) else { continue };
        // A copy of the repository may lack all images.
        if paths.has(&path) || !paths.has_extension_of(path.trim_end_matches(QUOTES)) {
            continue;
        }
        let written = first.target.trim();
        let is_malformed = link::in_brackets(written).is_some() || written.contains(is_invisible);
        let message = format!("link target `{}` does not exist", brief(&first.target));
        let mut finding = Diagnostic::at(page.span(first.span.clone()), message)
            .related_others(others.iter().map(|link| &link.span), "another link to it")
            .subject(Subject::named([&first.target]))
            .unless(is_malformed.then_some("broken-link-syntax"));
        if let Some(definition) = page.definitions.get(&first.target) {
            out.report(page.as_references(finding, &links, target, definition));
            continue;
        }
        let target = target.trim_matches(QUOTES);
        let is_quoted = target.len() < first.target.len();
        let quote = first.target.chars().find(|letter| is_quoted && QUOTES.contains(letter));
        let path = repository.linked_path(target, &directory).unwrap_or(path);
        let nearest = nearest_kep(repository, &path);
        let mut help = match (quote, nearest) {
            (Some(quote), _) => format!("drop the `{quote}`"),
            (None, Some(_)) => String::new(),
            (None, None)
                if !page.slice(first.span.clone()).starts_with('!') && page.document.anchors().contains(target) =>
            {
                finding.fix = link_to(page, &links, &format!("#{target}"), Safety::Safe);
                format!("write `#{}` to link to the heading of this page", brief(target))
            }
            (None, None) => match of_same_name(paths, &path) {
                Some(file) => format!("did you mean `/{file}`? No other file has this name"),
                None => "link to an existing file, or remove the link".to_owned(),
            },
        };
        if let Some(file) = in_other_case(paths, target, &path) {
            help = format!("write `{}`: GitHub tells upper and lower case apart", brief(&file));
            finding.fix = link_to(page, &links, &file, Safety::Safe);
        } else if repository.has_path(&path) == Some(true) {
            finding.fix = link_to(page, &links, target, Safety::Safe);
        } else if let Some(kep) = nearest {
            help += &format!("{}did you mean `/{kep}`?", if help.is_empty() { "" } else { "; " });
            finding.fix = link_to(page, &links, &moved(repository, target, kep), Safety::Unsafe);
        }
        finding.help = Some(help);
        out.report(if first.target.contains("://") { finding.at_most(Severity::Advice) } else { finding });
    }
}

fn link_to(page: Page<'_>, links: &[&Link], target: &str, safety: Safety) -> Option<Fix> {
    page.with_end(links, &format!("({target})"), safety, &format!("link to `{}`", brief(target)))
}

/// The only file with the name that a path ends with, in whichever directory.
fn of_same_name<'a>(paths: &'a Paths, path: &str) -> Option<&'a String> {
    let end = path.rfind('/').map(|at| slice(path, at..)).filter(|name| name.contains('.'))?;
    only_one(paths.iter().filter(|other| other.ends_with(end)))
}

/// The target of a link to the only file whose path is `path` but for the case of letters.
fn in_other_case(paths: &Paths, target: &str, path: &str) -> Option<String> {
    let file = only_one(paths.iter().filter(|other| *other != path && other.eq_ignore_ascii_case(path)))?;
    let (address, anchor) = target.split_at(target.find('#').unwrap_or(target.len()));
    let shared = address.bytes().rev().zip(path.bytes().rev()).take_while(|(one, other)| one == other).count();
    // What is not written, such as where `..` leads to, must be right.
    let (before, end) = file.split_at_checked(file.len() - shared)?;
    path.starts_with(before).then(|| format!("{}{end}{anchor}", slice(address, ..address.len() - shared)))
}

/// The target of a link to `kep` instead of `target`: also a URL, a document and an anchor.
fn moved(repository: &Repository, target: &str, kep: &str) -> String {
    let (address, anchor) = target.split_at(target.find('#').unwrap_or(target.len()));
    let site = address.find("/keps/").filter(|_| address.contains("://"));
    let site = slice(address, ..site.unwrap_or_default());
    let readme = format!("{kep}/README.md");
    let is_document = address.ends_with(".md") && repository.has_path(&readme) == Some(true);
    format!("{site}/{}{anchor}", if is_document { &readme } else { kep })
}

/// The KEP that a path most likely means. One of another SIG must have the number and the title of the path.
fn nearest_kep<'a>(repository: &'a Repository, path: &str) -> Option<&'a str> {
    let sig_of = |kep: &str| kep.split('/').nth(1).map(str::to_owned);
    let kep = repository.nearest_kep(path)?;
    let name = kep.rsplit('/').next().unwrap_or_default();
    (sig_of(kep) == sig_of(path) || path.split('/').any(|part| part == name)).then_some(kep)
}
