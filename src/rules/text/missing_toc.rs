//! The README has no table of contents, or its markers are not a pair.
//!
//! ## Why
//!
//! A KEP has dozens of headings. `mdtoc` lists them between `<!-- toc -->` and `<!-- /toc -->`, under the title. The
//! markers are found anywhere in the text, even in code and comments, in upper or lower case, but only with exactly
//! these spaces.
//!
//! Upstream's `hack/verify-toc.sh` fails if a document lacks one of the markers or has them in the wrong order, unless
//! `hack/.notableofcontents` lists the file, whatever the status of the KEP. If the template has no table of
//! contents, only a README with one of the markers is checked. Documents other than the README get a warning.
//!
//! ## Bad
//!
//! ```markdown
//! # KEP-1: Prefetch images
//!
//! ## Summary
//! ```
//!
//! ## Good
//!
//! ```markdown
//! # KEP-1: Prefetch images
//!
//! <!-- toc -->
//! - [Summary](#summary)
//! <!-- /toc -->
//!
//! ## Summary
//! ```

use crate::mdtoc;
use crate::rules::prelude::*;
use crate::suppress::ignore;

pub const RULE: Rule = Rule {
    name: "missing-toc",
    summary: "the README has no table of contents, or its markers are not a pair",
    severity: Ladder { provisional: Warning, active: Error, stale: Warning, implemented: Warning, closed: Warning },
    fix: Some(Safety::Unsafe),
    upstream: &[Script::Toc],
    docs: docs!("missing_toc.rs"),
    checks: &[Check::Kep(check)],
    ..Rule::of(Category::Text)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink) {
    let is_readme = |page: &Page<'_>| ctx.kep.texts.readme.file() == Some(page.file);
    // Upstream asks for a table of contents in every document, and so does a template that has one.
    let asks_for_all = ctx.is_upstream() || ctx.template.has_toc;
    let has_marker = |page: &Page<'_>| ctx.layout().is_of_keps() && is_readme(page) && has_marker(page);
    // Elsewhere, tools write other markers: `<!-- TOC -->` twice.
    let is_twice = |text: &str| text.to_lowercase().matches(mdtoc::OPENING).count() > 1;
    let is_of_tool = |page: &Page<'_>| !ctx.layout().is_of_keps() && is_twice(page.text());
    for page in ctx.pages().filter(|page| (asks_for_all && !is_of_tool(page)) || has_marker(page)) {
        let what = if is_readme(&page) { "README" } else { "document" };
        if !ctx.repository.lists_without_toc(page.tree_path().as_deref()) && !is_link(&page, ctx.repository) {
            let most = if is_readme(&page) || ctx.is_upstream() { Severity::Error } else { Severity::Warning };
            check_page(page, what, most, page.has_checked_toc(ctx.repository).then_some(Script::Toc), out);
        }
    }
}

/// Whether it is a symlink as git writes it where the file system has none: a file that has only the path of another
/// document.
fn is_link(page: &Page<'_>, repository: &Repository) -> bool {
    let text = page.text();
    if text.is_empty() || text.contains(char::is_whitespace) || !text.ends_with(".md") {
        return false;
    }
    let target =
        page.directory().and_then(|directory| reference::linked_path(text, &directory, repository.layout.tree()));
    target.is_some_and(|target| repository.has_path(&target) == Some(true))
}

fn has_marker(page: &Page<'_>) -> bool {
    let Markers { opening, closing } = Markers::find(page.text());
    opening.is_some() || closing.is_some()
}

fn check_page(page: Page<'_>, what: &str, most: Severity, upstream: Option<Script>, out: &mut Sink) {
    let Markers { opening, closing } = Markers::find(page.text());
    let finding = match (opening, closing) {
        (None, None) if let Some(list) = unmarked(page) => {
            Diagnostic::at(page.top(), format!("the table of contents of the {what} has no markers"))
                .help(format!("put it between `{}` and `{}`", mdtoc::OPENING, mdtoc::CLOSING))
                .related(page.span(list), "its first line")
        }
        (None, None) => Diagnostic::at(page.top(), format!("the {what} has no table of contents"))
            .help(format!("add `{}` and `{}` under the title", mdtoc::OPENING, mdtoc::CLOSING))
            .fix(insertion(page)),
        (Some(opening), None) if let Some(second) = second_opening(page, &opening) => {
            let message = format!("`{}` closes no table of contents: it has no slash", mdtoc::OPENING);
            Diagnostic::at(page.span(second.clone()), message)
                .edits(
                    format!("write `{}`", mdtoc::CLOSING),
                    vec![Edit { span: page.span(second), text: mdtoc::CLOSING.to_owned() }],
                )
                .related(page.span(opening), "opening marker")
        }
        (Some(opening), None) => {
            Diagnostic::at(page.span(opening.clone()), format!("`{}` is not closed", mdtoc::OPENING))
                .help(format!("add `{}` after the table of contents", mdtoc::CLOSING))
                .fix(closing_marker(page, opening))
        }
        (None, Some(closing)) => {
            let message = format!("`{}` without `{}`", mdtoc::CLOSING, mdtoc::OPENING);
            Diagnostic::at(page.span(closing), message)
                .help(format!("add `{}` before the table of contents", mdtoc::OPENING))
        }
        (Some(opening), Some(closing)) if closing.start < opening.start => {
            let message = format!("`{}` is before `{}`", mdtoc::CLOSING, mdtoc::OPENING);
            Diagnostic::at(page.span(closing), message)
                .help("move this marker after the table of contents")
                .related(page.span(opening), "opening marker")
        }
        (Some(_), Some(_)) => return,
    };
    out.report(finding.subject(Subject::File).at_most(most).upstream(upstream));
}

/// An opening marker after the first one, with only a list of links between the two.
fn second_opening(page: Page<'_>, opening: &Range<usize>) -> Option<Range<usize>> {
    let mut comments = page.comments.iter().map(|comment| comment.span.clone());
    let second = comments.find(|span| span.start > opening.start && Markers::is_one(page.slice(span.clone())))?;
    let mut between = page.slice(opening.end..second.start).lines();
    between.all(|line| line.trim().is_empty() || mdtoc::listed::is_listed(line)).then_some(second)
}

/// The first line of a list of links to headings of the page, which stands between its title and the first heading that is
/// not its own.
fn unmarked(page: Page<'_>) -> Option<Range<usize>> {
    let sections = page.sections.iter().map(|(_, section)| section);
    let mut others = sections.filter(|section| !is_of_contents(section));
    let (title, next) = (others.next()?, others.next()?);
    let mut lines = page.document.visible_spans(title.heading.end..next.heading.start);
    lines.find(|line| mdtoc::listed::is_listed(page.slice(line.clone())))
}

fn is_of_contents(section: &Section) -> bool {
    section.title.key.ends_with("tableofcontents")
}

/// Inserts the table of contents after the title and the comments that follow it. `None` if the author has one without
/// markers, or if mdtoc and GitHub see different headings.
fn insertion(page: Page<'_>) -> Option<Fix> {
    let mut sections = page.sections.iter().map(|(_, section)| section);
    let title = sections.next().filter(|title| title.level == 1)?;
    if sections.any(is_of_contents) {
        return None;
    }
    let blocks = page.comments.iter().filter(|comment| comment.is_block && comment.is_closed);
    let mut head = title.heading.end;
    for comment in blocks.filter(|comment| comment.span.start >= title.heading.end) {
        // An ignore belongs to what follows it.
        if !page.slice(head..comment.span.start).trim().is_empty() || ignore::is_one(comment.body(page.text())) {
            break;
        }
        head = comment.span.end;
    }
    let place = head + first_line(page.slice(head..)).len();
    let entries = mdtoc::entries(page.text(), place).ok()?;
    let newline = line_end(page.text(), place);
    // mdtoc takes a text whose lines end with `\r` for one line.
    if newline == "\r"
        || entries.is_empty()
        || !mdtoc::stay_known(&entries)
        || mdtoc::disagreement(&entries, page.document, place).is_some()
    {
        return None;
    }
    let block = mdtoc::block(page.text(), &entries);
    let text = format!("{newline}{newline}{}{block}{}", mdtoc::OPENING, mdtoc::CLOSING);
    Some(Fix::write(Safety::Safe, "add a table of contents under the title", page.span(place..place), text))
}

/// Inserts the closing marker, if a list of links follows the opening one.
fn closing_marker(page: Page<'_>, opening: Range<usize>) -> Option<Fix> {
    if page.code_around(opening.start).is_some() {
        return None;
    }
    let below = page.slice(opening.end..);
    let mut lines = below.split_inclusive('\n');
    lines.next().filter(|rest| rest.trim().is_empty())?;
    let listed: usize = lines.take_while(|line| mdtoc::listed::is_listed(line)).map(str::len).sum();
    let start = opening.end + below.find('\n')? + 1;
    let end = start + listed;
    let ends = page.slice(start..end).ends_with('\n') && !continues(page.slice(end..));
    let text = format!("{}{}", mdtoc::CLOSING, line_end(page.text(), end));
    let title = "close the table of contents after its list";
    ends.then(|| Fix::write(Safety::Safe, title, page.span(end..end), text))
}

/// Whether the list before `rest` may continue: no blank line follows it, or the next text is an item or is indented.
fn continues(rest: &str) -> bool {
    let first = rest.split('\n').next().unwrap_or_default();
    let next = rest.split('\n').find(|line| !line.trim().is_empty()).unwrap_or_default();
    let is_item =
        next.starts_with([' ', '\t', '-', '*', '+']) || next.starts_with(|letter: char| letter.is_ascii_digit());
    is_item || !(first.trim().is_empty() || first.starts_with(['#', '<']))
}
