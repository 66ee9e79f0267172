//! A link reference has no definition.
//!
//! ## Why
//!
//! `[text][reference]` without a `[reference]: …` line is shown as plain text with brackets. Tags of end-to-end tests
//! (`[Disruptive][NodeFeature:…]`) are not references. Text in single brackets is checked only if the template defines it:
//! the signoff checklist has such links, and their definitions are often deleted. The fix adds the template's definition.
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

use crate::markdown::link::{Definition, Definitions, UndefinedReference};
use crate::markdown::{self, Document};
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "undefined-reference",
    summary: "a link reference has no definition",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    fix: Some(Safety::Safe),
    docs: docs!("undefined_reference.rs"),
    checks: &[Check::Pages(check)],
    ..Rule::of(Category::Text)
};

fn check(ctx: &Ctx<'_>, page: Page<'_>, out: &mut Sink) {
    let of_template = &ctx.template.document.definitions;
    let references = page.undefined_references.iter().filter(|reference| {
        let is_address = reference.reference.starts_with("http://") || reference.reference.starts_with("https://");
        // `broken-link-syntax` reports an address in the second brackets.
        let is_of_template = of_template.get(&reference.reference).is_some();
        !is_address && !is_of_template && !is_test_tags(page.slice(reference.span.clone())) && !is_part(page, reference)
    });
    let unread = LazyCell::new(|| unread_definitions(page));
    for (label, same) in grouped(references.map(|reference| (reference.reference.to_lowercase(), reference))) {
        let Some((first, others)) = same.split_first() else { continue };
        let is_anchor = first.reference.strip_prefix('#').is_some_and(|name| page.anchors().contains(name));
        let reference = brief(&first.reference);
        let help = if let Some((line, is_broken)) = unread.get(&label) {
            if *is_broken {
                format!("correct line {}: it defines nothing, so that line {line} is text, too", line - 1)
            } else {
                format!("write an empty line above line {line}: without it, that line is text and defines nothing")
            }
        } else if is_anchor {
            format!("write `({reference})`: it is a heading of this document")
        } else {
            format!("add a line `[{reference}]: <address>`")
        };
        let message = format!("reference `{reference}` is not defined");
        let finding = Diagnostic::at(page.span(first.span.clone()), message)
            .help(help)
            .related_others(others.iter().map(|other| &other.span), "the same reference")
            .subject(Subject::named([label]));
        out.report(finding);
    }
    report_of_template(page, of_template, out);
}

/// The lines of definitions that are none, because they come right after the text of a paragraph, by their labels in lower
/// case; with whether that text is a definition that is written wrong.
fn unread_definitions(page: Page<'_>) -> BTreeMap<String, (usize, bool)> {
    let lines = page.document.visible_spans(0..page.text().len()).filter(|line| !page.is_in_block(line));
    let labels = lines.filter_map(|line| {
        let (label, _) = page.slice(line.clone()).strip_prefix('[')?.split_once("]:")?;
        let number = page.source.lines().line_of(line.start);
        let start = last_line_start(page.slice(..line.start));
        let above = line_around(page.text(), start.checked_sub(1)?);
        // Below an empty line, it would be one if it is one alone.
        let is_read = |text: &str, name: &str| Document::of_text(text).definitions.get(name).is_some();
        let is_unread = !above.trim().is_empty() && is_read(line_around(page.text(), start), label);
        let written = above.strip_prefix('[').and_then(|text| text.split_once("]:"));
        let is_broken = is_unread && written.is_some_and(|(name, _)| !is_read(above, name));
        is_unread.then(|| (label.to_lowercase(), (number + 1, is_broken)))
    });
    labels.collect()
}

/// Reports the references that the template defines and this document does not. The fix adds the definitions after the
/// section with the first of them.
fn report_of_template(page: Page<'_>, of_template: &Definitions, out: &mut Sink) {
    let all = page.undefined_references.iter().chain(&page.bracketed);
    let mut missing: Vec<(&Range<usize>, &Definition)> =
        all.filter_map(|used| Some((&used.span, of_template.get(&used.reference)?))).collect();
    missing.sort_by_key(|(span, _)| span.start);
    let mut seen = HashSet::new();
    missing.retain(|(_, definition)| seen.insert(&definition.label));
    let Some(((first, _), others)) = missing.split_first() else { return };
    let labels: Vec<String> = missing.iter().map(|(_, definition)| format!("`{}`", brief(&definition.label))).collect();
    let message = match labels.as_slice() {
        [only] => format!("reference {only} is not defined"),
        _ => format!("references {} are not defined", labels.join(", ")),
    };
    let lines = missing.iter().map(|(_, Definition { label, target, .. })| format!("[{label}]: {target}"));
    let lines: Vec<String> = lines.collect();
    let quoted = lines.iter().map(|line| format!("`{}`", brief(line))).collect::<Vec<_>>().join(", ");
    let subjects = missing.iter().map(|(_, definition)| Subject::named([definition.label.to_lowercase()]));
    let help = format!("add the {} {quoted}", if lines.len() == 1 { "line" } else { "lines" });
    let mut finding = Diagnostic::at(page.span((*first).clone()), message)
        .help(help)
        .related_others(others.iter().map(|(span, _)| *span), "not defined")
        .subject(Subject::File)
        .covers(subjects.collect());
    if let Some((at, is_after_definition)) = end_of_section(page, first.start) {
        let newline = line_end(page.text(), at);
        let before = if is_after_definition { newline.to_owned() } else { newline.repeat(2) };
        let text = format!("{before}{}", lines.join(newline));
        finding.fix = Some(Fix::write(Safety::Safe, "add the template's definitions", page.span(at..at), text));
    }
    out.report(finding);
}

/// The end of the section around `offset`, unless code is open there, and whether a definition ends it.
fn end_of_section(page: Page<'_>, offset: usize) -> Option<(usize, bool)> {
    let section = page.sections.get(page.sections.at(offset)?);
    let text = page.slice(section.own.clone());
    let end = section.own.start + text.trim_end().len();
    let before = page.slice(..end);
    let last = slice(before, last_line_start(before)..);
    let label = last.strip_prefix('[').and_then(|line| line.split_once("]:")).map(|(label, _)| label);
    let definition = label.and_then(|label| page.definitions.get(label));
    let is_definition = definition.is_some_and(|definition| definition.span.start + last.len() >= end);
    // `stale-toc` replaces what is between the markers.
    let contents = page.contents();
    // The next heading may be in an item of a list, which a definition before it would end.
    let rest = page.slice(section.own.end..);
    let begins_line = rest.is_empty() || page.slice(..section.own.end).ends_with(LINE_ENDS);
    let is_free = begins_line && !(contents.start..=contents.end).contains(&end);
    (is_free && markdown::is_closed(before)).then_some((end, is_definition))
}

/// Whether it is a part of something else: an index after a name, `containers[0][name]`, or in the text of a link.
fn is_part(page: Page<'_>, reference: &UndefinedReference) -> bool {
    let start = reference.span.start;
    let before = page.slice(..start).chars().next_back();
    let link = page.links.partition_point(|link| link.span.start < start).checked_sub(1);
    before.is_some_and(|before| before.is_alphanumeric() || before == ']')
        || link.and_then(|at| page.links.get(at)).is_some_and(|link| link.span.contains(&start))
}

/// Whether brackets are not a link but test tags, values or code, as in `[Serial][Feature:X]`, `[a=1][,]`,
/// `[a-z][a-z0-9]`, `[Driver: x][Volume: y]`, `[-n x][-o y]`, `[0, 1][1, 2]`. Brackets with a space are a link, and so are those that name an issue or a KEP.
fn is_test_tags(source: &str) -> bool {
    if source.len() > bounds::LINE_BYTES || source.ends_with("][]") {
        return false;
    }
    let parts: Vec<&str> = source.trim_matches(['[', ']']).split("][").collect();
    let (first, last) = (parts.first().copied().unwrap_or_default(), parts.last().copied().unwrap_or_default());
    let is_number = |part: &str| {
        let is_part = |letter: char| letter.is_ascii_digit() || " ,.-".contains(letter);
        part.contains(|letter: char| letter.is_ascii_digit()) && part.chars().all(is_part)
    };
    if ["Driver: ", "Testpattern: ", "-"].iter().any(|start| first.starts_with(start))
        || is_number(first)
        || last.contains(": ")
        || last.starts_with('-')
    {
        return true;
    }
    if let [text, label] = *parts
        && is_link(text, label)
    {
        return false;
    }
    let has_words = |part: &&str| part.chars().any(char::is_alphanumeric);
    !parts.iter().all(has_words) || !parts.iter().any(|part| part.trim().contains(char::is_whitespace))
}

/// Whether `[text][label]`, which has no space, was meant as a link: `[KEP-12][…]`, `[…][#12]`, `[org/repo#12][…]`, or
/// with a label of several words with dashes, as in `[KubeCon][kubecon-talk]`, or of at most three letters and digits,
/// as in `[thread][1]`. SIGs are tags of tests.
fn is_link(text: &str, label: &str) -> bool {
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let has_number = |mark: &str| text.rsplit_once(mark).is_some_and(|(_, number)| is_number(number));
    let is_kep = text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("KEP-")) && has_number("-");
    let is_issue = text.contains('/') && has_number("#");
    let is_word = |word: &str| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_tag = || text.contains([':', '=']) || [text, label].iter().any(|part| part.starts_with("sig-"));
    let is_name = || label.contains('-') && !is_tag() && label.split('-').all(is_word);
    let is_short = || {
        // The parts of `[a-z]` are single letters.
        let mut parts = text.trim_start_matches('#').split(|letter: char| !letter.is_alphanumeric());
        let is_label = label.bytes().all(|letter| matches!(letter, b'a'..=b'z' | b'0'..=b'9'));
        is_label && (1..=3).contains(&label.len()) && text.len() > 3 && !is_tag() && parts.all(|part| part.len() > 1)
    };
    is_kep || is_issue || label.strip_prefix('#').is_some_and(is_number) || is_name() || is_short()
}
