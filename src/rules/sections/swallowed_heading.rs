//! Template headings are hidden in HTML, or in a code block or comment that is not closed.
//!
//! ## Why
//!
//! If a fence is closed with the wrong indentation, or not at all, the rest of the document is code: the sections are
//! in the file, but not on the page. HTML, such as `</details>`, goes on to the next blank line. Other headings count where a
//! link leads to them, such as one of the table of contents. What stands below may be code or text: until the end is there,
//! no other fix of the file is safe. A `<details>` without an end folds the rest of the page.
//!
//! ## Bad
//!
//! ````markdown alpha
//! ## Design Details
//!
//! - An example:
//!   ```yaml
//!   kind: Pod
//! ```
//!
//! ### Version Skew Strategy
//!
//! An old kubelet ignores the field.
//! ````
//!
//! ## Good
//!
//! ````markdown alpha
//! ## Design Details
//!
//! - An example:
//!   ```yaml
//!   kind: Pod
//!   ```
//!
//! ### Version Skew Strategy
//!
//! An old kubelet ignores the field.
//! ````

use crate::diagnostic::counted;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "swallowed-heading",
    summary: "the title or template headings are hidden in HTML, or in a code block or comment that is not closed",
    severity: Ladder { provisional: Error, active: Error, stale: Error, implemented: Error, closed: Warning },
    fix: Some(Safety::Safe),
    reveals: true,
    docs: docs!("swallowed_heading.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Sections)
};

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    let title = readme.swallowed_title();
    let is_title = |hidden: &HiddenHeading| title.is_some_and(|title| title.span == hidden.span);
    let swallowed: Vec<(Option<TemplateId>, &HiddenHeading)> = readme
        .document
        .hidden
        .iter()
        .filter(|hidden| !matches!(hidden.by, Hiding::Comment | Hiding::LookAlike))
        .map(|hidden| (readme.hidden_section(hidden), hidden))
        .filter(|(owner, hidden)| owner.is_some() || hidden.link.is_some() || is_title(hidden))
        .collect();
    for block in swallowed.chunk_by(|(_, one), (_, other)| one.within == other.within) {
        let Some((_, first)) = block.first() else { continue };
        let what = match first.by {
            Hiding::Comment | Hiding::LookAlike | Hiding::RunawayComment => "comment",
            Hiding::RunawayCode | Hiding::Code => "code block",
            Hiding::Html | Hiding::OpenHtml => "block of HTML",
        };
        let sections: Vec<TemplateId> = block.iter().filter_map(|(owner, _)| *owner).collect();
        let hidden_title = block.iter().map(|(_, hidden)| *hidden).find(|hidden| is_title(hidden));
        let count = block.len() - usize::from(hidden_title.is_some());
        let kind = if sections.len() == count { "template heading" } else { "heading" };
        let headings = if count > 0 { Some(counted(count, kind, &format!("{kind}s"))) } else { None };
        let parts: Vec<String> = hidden_title.map(|_| "the title".to_owned()).into_iter().chain(headings).collect();
        let within = &first.within;
        let opening = readme.slice(within.clone()).lines().next().unwrap_or_default().trim_end();
        let span = readme.span(within.start..within.start + opening.len());
        let help = match first.by {
            Hiding::RunawayComment if hidden_title.is_some() => "close the comment with `-->` before the title",
            Hiding::RunawayComment => "close the comment with `-->` before the first hidden heading",
            Hiding::Html => "write a blank line before the first hidden heading",
            Hiding::OpenHtml => "end the HTML before the first hidden heading",
            Hiding::Code => "add the fence that is missing here or above, so that no heading is in the code",
            _ => "indent the closing fence like the opening fence, or add it before the first hidden heading",
        };
        let paths = sections.iter().map(|section| ctx.template.path(*section));
        let covers: Vec<Subject> =
            hidden_title.map(|_| Subject::named(["title"])).into_iter().chain(paths.map(Subject::named)).collect();
        let mut finding = Diagnostic::at(span, format!("{what} hides {}", parts.join(" and ")))
            .help(help)
            .subject(covers.first().copied().unwrap_or_default())
            .covers(covers);
        if let (None, Some(section)) = (hidden_title, sections.first()) {
            finding.section = Some(ctx.template.path(*section));
        }
        let message = if hidden_title.is_some() { "hidden title" } else { "first hidden heading" };
        finding.relate(readme.span(hidden_title.unwrap_or(first).span.clone()), message);
        if hidden_title.is_some() && readme.slice(within.clone()).ends_with("-->") {
            finding.relate(readme.span(within.end - "-->".len()..within.end), "the comment ends here");
        }
        if first.by == Hiding::Html && can_be_cut(readme.slice(within.clone()), first.span.start - within.start) {
            let start = last_line_start(readme.slice(..first.span.start));
            let (at, text) = (readme.span(start..start), line_end(readme.text(), start));
            finding.fix = Some(Fix::write(Safety::Safe, "write a blank line before the heading", at, text));
        }
        out.report(finding);
    }
    report_details(readme, out);
}

/// Reports a `<details>` at the beginning of a line that has no end: a page shows nothing below it before a click.
fn report_details(readme: Readme<'_>, out: &mut Sink) {
    let Some(tag) = readme.open_details.first() else { return };
    let span = readme.span(tag.clone());
    let finding = Diagnostic::at(span, "`<details>` is not closed: the rest of the page is folded")
        .help("close it with `</details>`")
        .at_most(Severity::Warning)
        .subject(Subject::named(["details"]));
    out.report(finding);
}

/// Whether a blank line before byte `at` changes nothing in a block of HTML but that the heading is one: nothing is open there,
/// and nothing below becomes code.
fn can_be_cut(block: &str, at: usize) -> bool {
    let (before, below) = (slice(block, ..at), slice(block, at..));
    let lower = before.to_ascii_lowercase();
    let is_open = before.matches('<').count() != before.matches('>').count()
        || ["```", "~~~", "<!--", "<pre", "<code"].iter().any(|opening| lower.contains(opening));
    !is_open && !below.contains("<!--") && !below.lines().any(|line| line.starts_with("    ") || line.starts_with('\t'))
}
