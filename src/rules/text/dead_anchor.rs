//! A link into the document names no heading of it.
//!
//! ## Why
//!
//! Headings get reworded, and links to them are left behind: the click goes nowhere. Anchors count as GitHub makes
//! them and as `mdtoc` does, and so do names that HTML gives. The table of contents is `stale-toc`'s.
//!
//! ## Bad
//!
//! ```markdown alpha
//! ## Risks and Mitigations
//!
//! See [the risks](#risks-and-mitigation).
//! ```
//!
//! ## Good
//!
//! ```markdown alpha
//! ## Risks and Mitigations
//!
//! See [the risks](#risks-and-mitigations).
//! ```

use crate::diagnostic::{Edit, Fix, Safety};
use crate::kep::anchor::{Anchors, Dialect};
use crate::kep::markdown::Document;
use crate::kep::reference;
use crate::kep::title;
use crate::kep::toc::Markers;
use crate::rules::Level::{Advice, Off, Warning};
use crate::rules::{Category, Ctx, Fixable, Ladder, Page, Rule, Sink};
use crate::span::{Span, slice};
use crate::suggest;
use std::collections::BTreeSet;
use std::ops::Range;

/// The rule.
pub const RULE: Rule = Rule {
    name: "dead-anchor",
    category: Category::Text,
    summary: "a link into the document names no heading of it",
    severity: Ladder { provisional: Advice, active: Warning, stale: Advice, implemented: Advice, closed: Off },
    fix: Fixable::Safe,
    source: include_str!("dead_anchor.rs"),
    check,
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    ctx.pages().for_each(|page| check_page(page, out));
}

fn check_page(page: Page<'_>, out: &mut Sink<'_>) {
    let inner = page.document.links.iter().filter_map(|link| Some((link, link.target.strip_prefix('#')?)));
    let toc = Markers::find(page.text).between().unwrap_or_default();
    let mut inner = inner.filter(|(link, name)| !name.is_empty() && !toc.contains(&link.span.start)).peekable();
    if inner.peek().is_none() {
        return;
    }
    let anchors = anchors(page.document);
    for (link, name) in inner {
        if is_known(name, &anchors) {
            continue;
        }
        let decoded = reference::percent_decoded(name);
        let wanted = decoded.as_str();
        let finding = out.report(page.span(link.span.clone()), format!("no heading here has the anchor `#{name}`"));
        let fitting: Vec<&String> = anchors.iter().filter(|anchor| title::key(anchor) == title::key(wanted)).collect();
        let nearest = match fitting[..] {
            [only] => Some(only.as_str()),
            _ => suggest::nearest(wanted, anchors.iter().map(String::as_str)),
        };
        finding.help = Some(match nearest {
            Some(nearest) => format!("did you mean `#{nearest}`?"),
            None => "link to a heading of this document, or remove the link".to_owned(),
        });
        if let ([only], Some(place)) = (&fitting[..], written(page, &link.span, name)) {
            let edits = vec![Edit { span: page.span(place), text: (*only).clone() }];
            finding.fix = Some(Fix { safety: Safety::Safe, title: format!("link to `#{only}`"), edits });
        }
    }
}

/// The links of the KEP to places in other documents of the tree: what leads to which name in which document.
pub fn outgoing(ctx: &Ctx<'_>) -> Vec<(Span, String, String)> {
    let mut outgoing = Vec::new();
    for page in ctx.pages() {
        let Some(directory) = page.directory else { continue };
        for link in &page.document.links {
            let Some((target, name)) = link.target.split_once('#').filter(|(target, _)| !target.is_empty()) else {
                continue;
            };
            let Some(path) = reference::linked_path(target, directory) else { continue };
            let file = path.rsplit('/').next().unwrap_or_default();
            let path = if file.contains('.') { path } else { format!("{path}/README.md") };
            if path.ends_with(".md") && !name.is_empty() {
                outgoing.push((page.span(link.span.clone()), path, name.to_owned()));
            }
        }
    }
    outgoing
}

/// Whether `name` leads to one of `anchors`. Pages on GitHub find anchors in any case, and their own top; `L12` is a
/// line.
pub fn is_known(name: &str, anchors: &BTreeSet<String>) -> bool {
    let decoded = reference::percent_decoded(name).to_lowercase();
    let wanted = decoded.strip_prefix("user-content-").unwrap_or(&decoded);
    let is_line = wanted.strip_prefix('l').is_some_and(|line| line.starts_with(|first: char| first.is_ascii_digit()));
    anchors.contains(wanted) || wanted == "top" || is_line
}

/// The anchors of the document's headings, in both dialects, and the names that HTML gives.
pub fn anchors(document: &Document) -> BTreeSet<String> {
    let mut anchors: BTreeSet<String> = document.names.iter().map(|name| name.to_lowercase()).collect();
    for dialect in [Dialect::Mdtoc, Dialect::GitHub] {
        let mut given = Anchors::new(dialect);
        anchors.extend(document.sections.iter().map(|(_, section)| given.next(&section.title.text)));
    }
    anchors
}

/// Where the link itself says `#name`; a reference's definition may stand elsewhere.
fn written(page: Page<'_>, link: &Range<usize>, name: &str) -> Option<Range<usize>> {
    let at = slice(page.text, link.clone()).rfind(&format!("#{name}"))?;
    Some(link.start + at + 1..link.start + at + 1 + name.len())
}
