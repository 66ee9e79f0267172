//! The anchor of a link matches no heading.
//!
//! ## Why
//!
//! When a heading is renamed, links to its old anchor stop working. Anchors are accepted as GitHub and as `mdtoc` write
//! them, and so are names in HTML. The table of contents is checked by `stale-toc`. Several links to the same anchor are
//! one finding.
//!
//! If the anchor is the label of a reference that is defined, as in `[text](#label)`, the fix writes `[text][label]`.
//! An anchor that differs from a heading in more than punctuation gets an unsafe fix.
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

use crate::markdown::Document;
use crate::markdown::anchor::{AnchorSet, Anchors, Dialect};
use crate::markdown::link::{Link, decoded};
use crate::markdown::title;
use crate::mdtoc;
use crate::rules::context::OutgoingLink;
use crate::rules::prelude::*;
use crate::span::{is_invisible, tail};

pub const RULE: Rule = Rule {
    name: "dead-anchor",
    summary: "the anchor of a link matches no heading",
    severity: Ladder { provisional: Advice, active: Warning, stale: Advice, implemented: Advice, closed: Off },
    fix: Some(Safety::Unsafe),
    docs: docs!("dead_anchor.rs"),
    checks: &[Check::Pages(check), Check::Link(check_link)],
    ..Rule::of(Category::Text)
};

fn check(ctx: &Ctx<'_>, page: Page<'_>, out: &mut Sink) {
    let inner = page.links.iter().filter_map(|link| Some((link, link.target.strip_prefix('#')?)));
    let contents = page.contents();
    let mut inner = inner.filter(|(link, name)| !name.is_empty() && !contents.contains(&link.span.start)).peekable();
    if inner.peek().is_none() {
        return;
    }
    let known = page.anchors();
    let dead = inner.filter(|(_, name)| !known.contains(name)).filter_map(|(link, name)| {
        // Browsers look for the text after `:~:`.
        let name = name.split_once(":~:").map_or(name, |(name, _)| name);
        if name.is_empty() || known.contains(name) { None } else { Some((name, link)) }
    });
    let dead = grouped(dead);
    let letters = dead.iter().map(|(name, _)| name.len()).sum();
    let suggester = LazyCell::new(|| Suggester::new(anchors(page.document), letters));
    let causes = LazyCell::new(|| Causes::of(page));
    for (name, links) in dead {
        let Some((first, others)) = links.split_first() else { continue };
        let decoded = decoded(name);
        let wanted = decoded.as_ref();
        let cause = causes.cause(ctx, page, &links, wanted);
        let mut finding =
            Diagnostic::at(page.span(first.span.clone()), format!("no heading with anchor `#{}`", brief(name)))
                .related_others(others.iter().map(|link| &link.span), "another link to it")
                .subject(Subject::named([name]))
                .unless(cause);
        // A definition with this very target is one of the links.
        let definition = page.definitions.get(name).filter(|definition| definition.target != first.target);
        if let Some(definition) = definition {
            out.report(page.as_references(finding, &links, name, definition));
            continue;
        }
        let fitting = suggester.fitting(wanted);
        let alike = if fitting.is_none() { suggester.nearest(wanted) } else { fitting };
        let has_numbers = alike.is_some_and(|alike| numbers(alike).eq(numbers(wanted)));
        let longer = if has_numbers { None } else { suggester.longer(wanted) };
        let nearest = longer.or(alike);
        finding.help = Some(match nearest {
            Some(nearest) => format!("did you mean `#{}`?", brief(nearest)),
            None => "link to a heading of this document, or remove the link".to_owned(),
        });
        // One of several equal headings may be gone.
        let nearest = nearest.filter(|nearest| numbers(nearest).eq(numbers(wanted)));
        // With what hides the heading away, the link is right.
        let nearest = nearest.filter(|_| !causes.hidden.contains_key(wanted));
        if let Some(only) = nearest.filter(|nearest| !nearest.contains(is_unsafe_in_target)) {
            let safety = if fitting.is_some() { Safety::Safe } else { Safety::Unsafe };
            finding.fix = fix(page, &links, name, only, safety);
        }
        out.report(finding);
    }
}

/// Why links lead to no heading.
struct Causes<'a> {
    /// What is between later markers of a table of contents.
    later: Vec<Range<usize>>,
    hidden: BTreeMap<String, Vec<&'a HiddenHeading>>,
}

impl<'a> Causes<'a> {
    fn of(page: Page<'a>) -> Self {
        let mut hidden: BTreeMap<String, Vec<&HiddenHeading>> = BTreeMap::new();
        for heading in &page.document.hidden {
            hidden.entry(Dialect::GitHub.anchor(&heading.title.text)).or_default().push(heading);
        }
        Self { later: mdtoc::later(page.document, page.contents().end), hidden }
    }

    /// The rule that reports why there is no such heading, or what is wrong with all links to it.
    fn cause(&self, ctx: &Ctx<'_>, page: Page<'_>, links: &[&Link], wanted: &str) -> Option<&'static str> {
        if links.iter().all(|link| link.target.trim().contains(is_invisible)) {
            return Some("broken-link-syntax");
        }
        if links.iter().all(|link| self.later.iter().any(|contents| contents.contains(&link.span.start))) {
            return Some("duplicate-toc");
        }
        self.hidden.get(wanted)?.iter().find_map(|heading| cause::of_hidden(ctx, page, heading))
    }
}

/// Whether a letter of a name in HTML would end the target of a link, or another rule would take it out of it again.
fn is_unsafe_in_target(letter: char) -> bool {
    letter.is_whitespace() || letter.is_control() || is_invisible(letter) || "()<>\\".contains(letter)
}

fn fix(page: Page<'_>, links: &[&Link], name: &str, anchor: &str, safety: Safety) -> Option<Fix> {
    let mut edits = Vec::new();
    for link in links {
        edits.push(Edit { span: page.span(written(page, &link.span, name)?), text: anchor.to_owned() });
    }
    Some(Fix { safety, title: format!("link to `#{}`", brief(anchor)), edits })
}

struct Suggester {
    anchors: BTreeSet<String>,
    /// The only anchor with these letters and digits; `None` if there are several.
    by_key: BTreeMap<String, Option<String>>,
    /// With many dead links and headings, no names are compared: a fix would go on for as many rounds as there may be.
    is_cheap: bool,
}

impl Suggester {
    fn new(anchors: BTreeSet<String>, letters_of_dead: usize) -> Self {
        let mut by_key: BTreeMap<String, Option<String>> = BTreeMap::new();
        for anchor in &anchors {
            let only = Some(anchor.clone());
            by_key.entry(title::key(anchor)).and_modify(|known| *known = None).or_insert(only);
        }
        let letters: usize = anchors.iter().map(String::len).sum();
        let is_cheap = letters_of_dead.saturating_mul(letters) <= bounds::COMPARED_LETTERS;
        Self { anchors, by_key, is_cheap }
    }

    /// The only anchor that differs from `wanted` in punctuation only.
    fn fitting(&self, wanted: &str) -> Option<&str> {
        let only = self.by_key.get(&title::key(wanted))?.as_deref();
        only.filter(|only| numbers(only).eq(numbers(wanted)))
    }

    /// The only anchor that has more words than `wanted`, which has some.
    fn longer(&self, wanted: &str) -> Option<&str> {
        let beginning = format!("{wanted}-");
        let longer = self.anchors.range(beginning.clone()..).take_while(|anchor| anchor.starts_with(&beginning));
        let only = only_one(longer)?;
        wanted.contains('-').then_some(only)
    }

    fn nearest(&self, wanted: &str) -> Option<&str> {
        if !self.is_cheap {
            return None;
        }
        let nearest = suggest::nearest(wanted, self.anchors.iter().map(String::as_str))?;
        is_alike(wanted, nearest).then_some(nearest)
    }
}

/// Whether two anchors are alike in more than a long beginning: in two of three words, or in what differs.
fn is_alike(one: &str, other: &str) -> bool {
    let words = |name: &str| name.split('-').filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let (one, other) = (words(one), words(other));
    let first = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let (one, other) = (tail(&one, first), tail(&other, first));
    let last = one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count();
    let rest = |ends: &[String]| ends.iter().take(ends.len() - last).cloned().collect::<Vec<_>>();
    let (one, other) = (rest(one), rest(other));
    let different = one.len().max(other.len());
    let is_near = || suggest::nearest(&one.join("-"), [other.join("-").as_str()]).is_some();
    one.is_empty() || other.is_empty() || 2 * different <= first + last || is_near()
}

fn check_link(link: &OutgoingLink, anchors: &AnchorSet, out: &mut Sink) {
    if link.name().is_empty() || anchors.contains(link.name()) {
        return;
    }
    let message = format!("no heading with anchor `#{}` in `{}`", brief(link.name()), brief(&link.path));
    let mut finding = Diagnostic::at(link.span, message)
        .help("link to a heading of that document, or to the whole document")
        .subject(Subject::named(["in another document", &link.target]))
        .alike(link.target.as_str());
    finding.section.clone_from(&link.section);
    out.report(finding);
}

/// The anchors of the document's headings, and the names in HTML.
fn anchors(document: &Document) -> BTreeSet<String> {
    let mut of_headings = Anchors::new(Dialect::GitHub);
    let headings = document.shown_headings().into_iter().map(|(_, shown)| of_headings.next(shown));
    headings.chain(document.names.iter().map(|name| name.to_lowercase())).collect()
}

/// Where the link itself has `#name`; `None` for a reference, whose definition may be elsewhere.
fn written(page: Page<'_>, link: &Range<usize>, name: &str) -> Option<Range<usize>> {
    let source = page.slice(link.clone());
    let places = source.match_indices(name).map(|(at, _)| at).filter(|at| slice(source, ..*at).ends_with('#'));
    let at = only_one(places)?;
    let before = slice(source, ..at);
    let is_target = ["](#", "](<#", "=\"#", "='#"].iter().any(|opening| before.ends_with(opening));
    (is_target && !name.contains(char::is_whitespace)).then(|| link.start + at..link.start + at + name.len())
}

/// The numbers in a name, separated by punctuation: `option-1-1` is not `option-11`.
fn numbers(name: &str) -> impl Iterator<Item = &str> {
    name.split(|letter: char| !letter.is_ascii_digit()).filter(|number| !number.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_common_beginning_alone_does_not_make_anchors_alike() {
        assert!(!is_alike("webhook-authentication-bound-object-types", "webhook-authentication-client"));
        assert!(!is_alike("applyset-naming", "applyset-scopes"));
        for (one, other) in [
            ("token-acqcuisition-service-account", "token-acquisition-service-account"),
            ("pod-level-cgroup-limits", "pod-level-cgroup-settings"),
            ("build", "build-done"),
            ("interim-condition", "interim-job-condition"),
            ("motivations", "motivation"),
        ] {
            assert!(is_alike(one, other), "{one} {other}");
        }
    }
}
