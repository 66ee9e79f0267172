//! The table of contents differs from the one that `mdtoc` generates.
//!
//! ## Why
//!
//! Upstream's CI runs `mdtoc --max-depth=5` on every README and fails if the table of contents differs from its output.
//! Readers of a stale table of contents miss sections. The table of contents is the text between the first
//! `<!-- toc -->` and the first `<!-- /toc -->`; headings before `<!-- /toc -->` are not listed.
//!
//! mdtoc does not parse Markdown exactly as GitHub does: it ignores a heading in a list item, and a line of three
//! dashes can hide all headings up to the next one. If the two see different headings, no table of contents is correct
//! for both. Then the finding explains the difference, and the fix, which writes what mdtoc writes, needs review; there
//! is none if it would remove the line of a heading that GitHub shows. It is a suggestion if the table of contents
//! matches mdtoc.
//!
//! Where nobody runs mdtoc, only what the lines lead to matters, down to the level at which they end.
//!
//! mdtoc replaces all text between the markers. The fix is offered only if every line there is a list item with one
//! link into the document, or a line that mdtoc generates, and none is a heading.
//!
//! ## Bad
//!
//! ```markdown
//! # KEP-1: Prefetch images
//!
//! <!-- toc -->
//! - [Summary](#summary)
//! <!-- /toc -->
//!
//! ## Summary
//!
//! ### Goals
//! ```
//!
//! ## Good
//!
//! ```markdown
//! # KEP-1: Prefetch images
//!
//! <!-- toc -->
//! - [Summary](#summary)
//!   - [Goals](#goals)
//! <!-- /toc -->
//!
//! ## Summary
//!
//! ### Goals
//! ```

mod lost;

use crate::markdown::title::Title;
use crate::mdtoc::{self, Disagreement, TocEntry};
use crate::rules::prelude::*;
use crate::span::tail;

/// Characters without a width that join no others.
const UNSEEN: [char; 4] = ['\u{ad}', '\u{200b}', '\u{2060}', '\u{feff}'];

pub const RULE: Rule = Rule {
    name: "stale-toc",
    summary: "the table of contents differs from the one that mdtoc generates",
    severity: Ladder { provisional: Warning, active: Error, stale: Warning, implemented: Warning, closed: Warning },
    fix: Some(Safety::Unsafe),
    upstream: &[Script::Toc],
    docs: docs!("stale_toc.rs"),
    checks: &[Check::Pages(check)],
    ..Rule::of(Category::Text)
};

fn check(ctx: &Ctx<'_>, page: Page<'_>, out: &mut Sink) {
    let markers = Markers::find(page.text());
    let (Some(between), Some(opening)) = (markers.between(), markers.opening) else { return };
    if !ctx.layout().is_of_keps() && lists_deep_headings(page, page.slice(between.clone())) {
        return;
    }
    if ctx.is_upstream()
        && let Some(line) = line_with_return(page.text(), between.clone())
    {
        report_return(ctx, page, line, out);
        return;
    }
    let listed = match ctx.readme.filter(|readme| readme.file == page.file) {
        Some(readme) => readme.listed().map(Cow::Borrowed),
        None => mdtoc::entries_of_lines(page.text(), page.source.lines(), between.end).map(Cow::Owned),
    };
    let mut entries = match listed {
        Ok(entries) => entries,
        Err(heading) => {
            report_long(page, heading, out);
            return;
        }
    };
    let disagreement = mdtoc::disagreement(&entries, page.document, between.end);
    let disagreement = disagreement.map(|disagreement| explain(ctx, page, between.end, disagreement));
    // Where nobody runs mdtoc, only what the lines lead to matters.
    let is_by_hand = !ctx.layout().is_of_keps() && !ctx.template.has_toc;
    if is_by_hand {
        keep_listed(entries.to_mut(), page.text(), between.clone());
    }
    let Some(difference) = first_difference(page.text(), between.clone(), &entries, is_by_hand) else {
        if let Some(explanation) = disagreement.filter(|_| !is_by_hand) {
            report_disagreement(page, opening, explanation, out);
        }
        return;
    };
    let finding = Diagnostic::at(page.span(difference.at.clone()), "the table of contents is out of date")
        .at_most(if is_by_hand { Severity::Warning } else { Severity::Error })
        .subject(Subject::File)
        .upstream(page.has_checked_toc(ctx.repository).then_some(Script::Toc))
        .related_others(&difference.heading, "heading for this line");
    let hidden = first_hidden(page, page.slice(between.clone()), &entries);
    if let Some(hidden) = hidden.filter(|hidden| hidden.by != Hiding::Comment) {
        let line = page.source.lines().line_of(hidden.span.start) + 1;
        let cause = cause::of_hidden(ctx, page, hidden);
        let finding = finding
            .help(format!("make line {line} a heading first"))
            .related(page.span(hidden.span.clone()), "no heading on the page");
        out.report(if ctx.is_upstream() { finding } else { finding.unless(cause) });
        return;
    }
    if let Some(other) = other_text(page, &between, &entries) {
        out.report(keeping_other_text(finding, page, other, between.end));
        return;
    }
    // mdtoc also updates markers in a code block, but the text there is an example.
    let is_example = page.code_around(between.start).is_some();
    let fix = |safety: Safety| if is_example { None } else { fix(page, between.clone(), &entries, safety) };
    out.report(match disagreement {
        None if let Some(marked) = mdtoc::marked(&entries) => finding
            .help("move the comment out of this heading: the table of contents would repeat it")
            .related(page.span(marked.heading.clone()), "heading with a comment"),
        None if let Some(entry) = entries.iter().find(|entry| entry.line.contains(UNSEEN))
            && fix(Safety::Safe).is_some() =>
        {
            let number = entry.line.chars().find(|letter| UNSEEN.contains(letter)).map_or(0, u32::from);
            let start = entry.heading.start;
            let found = page.slice(entry.heading.clone()).match_indices(UNSEEN);
            let spans = found.map(|(at, letter)| page.span(start + at..start + at + letter.len()));
            let edits = spans.map(|span| Edit { span, text: String::new() }).collect();
            finding
                .help(format!("remove U+{number:04X} from the heading: the table of contents would repeat it"))
                .subject(Subject::near(&entry.line))
                .fix(Fix { safety: Safety::Safe, title: "remove it from the heading".to_owned(), edits })
        }
        None if let Some(blank) = blanks(page, &between, &entries) => finding
            .help("remove the spaces at the end of the heading: mdtoc writes them into the link")
            .fix(Fix::write(Safety::Safe, "remove the spaces", page.span(blank), "")),
        None => {
            let doubtful = doubtful(page, &between, &entries);
            let lost = lost::titles(page, &between, &entries);
            let bold = lost::in_bold(page, &between, &lost);
            // Elsewhere, a heading of the template that the table has may have lost its `#`, or its section.
            let is_there = |title: &str| {
                let mut titles = page.sections.iter().map(|(_, section)| section.title.text.as_str());
                // `4. Drawbacks` is `Drawbacks`, but `Non-Goals` is not `Goals`.
                titles.any(|own| own.strip_suffix(title).is_some_and(|number| number.ends_with(' ')))
            };
            let mut of_template =
                lost.iter().filter(|title| ctx.template.has_title(&Title::new(title)) && !is_there(title));
            let section = if ctx.layout().is_of_keps() { None } else { of_template.next() };
            let is_clear = hidden.is_none() && doubtful.is_none() && bold.is_none() && section.is_none();
            let safety = if is_clear { Safety::Safe } else { Safety::Unsafe };
            let moved = difference.heading.as_ref().and_then(|heading| moved(ctx, page, heading));
            let moved = moved.map(|moved| format!("{moved}; else, ")).unwrap_or_default();
            let (fix, mut help) = (fix(safety), moved + &difference.help);
            if fix.is_some() && doubtful.is_none() {
                help += &others(difference.others);
            }
            if let Some(bold) = bold {
                help = format!("make line {} a heading, or {help}", page.source.lines().line_of(bold.start) + 1);
            }
            if let Some(section) = section {
                help += &format!("; the heading {} is gone: write it again, or remove its line", quoted(section));
            }
            if let Some(heading) = doubtful {
                let line = page.source.lines().line_of(heading.start) + 1;
                let mark = if page.slice(heading).starts_with('#') { "`#` at its start" } else { "line below it" };
                help += &format!("; if line {line} is no heading, change the {mark} instead");
            }
            finding.help(help).fix(fix)
        }
        Some(Explanation { heading, message, help, cause }) => finding
            .at_most(Severity::Warning)
            .help(help)
            .related(page.span(heading), message)
            .fix(if drops_shown(page, &between, &entries) { None } else { fix(Safety::Unsafe) })
            .unless(cause.filter(|_| !ctx.is_upstream())),
    });
}

/// Whether a table of contents lists headings that are deeper than those of Kubernetes: it has such a title more often than the
/// other headings.
fn lists_deep_headings(page: Page<'_>, table: &str) -> bool {
    let (deep, others): (Vec<_>, Vec<_>) =
        page.document.sections.iter().partition(|(_, section)| usize::from(section.level) > mdtoc::DEEPEST);
    deep.iter().any(|(_, section)| {
        let title = &section.title.text;
        let listed = table.matches(&format!("[{title}]")).count();
        listed > others.iter().filter(|(_, other)| other.title.text == *title).count()
    })
}

/// A heading that the table lacks and that may be none: at the level of a title, or an underlined sentence.
fn doubtful(page: Page<'_>, between: &Range<usize>, entries: &[TocEntry]) -> Option<Range<usize>> {
    let written = anchors(page.slice(between.clone()).lines());
    let is_new = |entry: &TocEntry| anchor_of(&entry.line).is_none_or(|anchor| !written.contains(anchor));
    let is_sentence = |heading: &str| {
        !heading.starts_with('#') && heading.lines().rev().nth(1).is_some_and(|text| text.trim_end().ends_with('.'))
    };
    let title = page.sections.title().map(|title| page.sections.get(title).heading.start);
    let is_doubtful = |entry: &&TocEntry| {
        let is_second_title = entry.level == 1 && Some(entry.heading.start) != title;
        is_new(entry) && (is_second_title || is_sentence(page.slice(entry.heading.clone())))
    };
    let entry = entries.iter().find(is_doubtful)?;
    Some(entry.heading.clone())
}

/// The blanks at the end of a heading without which its line in the table would be right.
fn blanks(page: Page<'_>, between: &Range<usize>, entries: &[TocEntry]) -> Option<Range<usize>> {
    let written = anchors(page.slice(between.clone()).lines());
    entries.iter().find_map(|entry| {
        let anchor = anchor_of(&entry.line).filter(|anchor| !written.contains(anchor))?;
        let line = first_line(page.slice(entry.heading.start..page.text().len()));
        let end = line.trim_end().len();
        let is_listed = end < line.len() && written.contains(anchor.strip_suffix('-')?);
        is_listed.then_some(entry.heading.start + end..entry.heading.start + line.len())
    })
}

/// Keeps the entries down to the level at which the contents end, as people write them.
fn keep_listed(entries: &mut Vec<TocEntry>, text: &str, between: Range<usize>) {
    let written = anchors(slice(text, between).lines());
    let is_listed = |entry: &&TocEntry| anchor_of(&entry.line).is_some_and(|anchor| written.contains(anchor));
    let deepest = entries.iter().filter(is_listed).map(|entry| entry.level).max();
    entries.retain(|entry| deepest.is_none_or(|deepest| entry.level <= deepest));
    for TocEntry { line, heading, .. } in entries {
        let title = slice(text, heading.clone()).trim_start_matches('#').trim();
        if let Some((open, close)) = line.find('[').zip(line.rfind("](#"))
            && !title.contains(['[', ']', '\n'])
            && !title.ends_with('#')
        {
            line.replace_range(open + 1..close, title);
        }
    }
}

/// Whether the table of contents of `entries` lacks a line that is there now, and that leads to a heading of the page.
fn drops_shown(page: Page<'_>, between: &Range<usize>, entries: &[TocEntry]) -> bool {
    let kept = listed(entries);
    let mut dropped = page.slice(between.clone()).lines().filter_map(anchor_of).filter(|name| !kept.contains(name));
    dropped.any(|name| page.document.anchors().contains(name.trim_start_matches('#')))
}

/// The first heading that is in the table of contents, and in the text, but not on the page.
fn first_hidden<'a>(page: Page<'a>, contents: &str, entries: &[TocEntry]) -> Option<&'a HiddenHeading> {
    let shown = listed(entries);
    let listed: HashSet<&str> = contents.lines().filter_map(anchor_of).filter(|name| !shown.contains(name)).collect();
    let is_listed = |hidden: &&HiddenHeading| hidden.link.as_deref().is_some_and(|link| listed.contains(link));
    page.document.hidden.iter().find(is_listed)
}

/// The anchors that the lines of `entries` lead to.
fn listed(entries: &[TocEntry]) -> HashSet<&str> {
    anchors(entries.iter().map(|entry| entry.line.as_str()))
}

fn anchors<'t>(lines: impl Iterator<Item = &'t str>) -> HashSet<&'t str> {
    lines.filter_map(anchor_of).collect()
}

/// The anchor that a line of a table of contents leads to.
fn anchor_of(line: &str) -> Option<&str> {
    let at = line.rfind("](#")? + "](".len();
    slice(line, at..).trim_end().strip_suffix(')')
}

/// Upstream's script compares the bytes of `line`, which ends with a carriage return.
fn report_return(ctx: &Ctx<'_>, page: Page<'_>, line: Range<usize>, out: &mut Sink) {
    let finding = Diagnostic::at(page.span(line), "the table of contents has carriage returns")
        .help("save the file with line ends of one character (LF): mdtoc writes no others")
        .subject(Subject::File)
        .upstream(page.has_checked_toc(ctx.repository).then_some(Script::Toc));
    out.report(finding);
}

fn report_long(page: Page<'_>, heading: Range<usize>, out: &mut Sink) {
    let message = "the heading is too long, and the table of contents is not checked";
    let help = if page.slice(heading.clone()).trim_start().starts_with('#') {
        let most = bounds::LINE_BYTES;
        format!("shorten the heading, or its links: its line there may have at most {most} bytes")
    } else {
        "remove the line below, which makes it a heading".to_owned()
    };
    out.report(Diagnostic::at(page.span(heading), message).help(help).subject(Subject::File));
}

/// The table of contents is what mdtoc writes, which is not what GitHub shows.
fn report_disagreement(page: Page<'_>, opening: Range<usize>, explanation: Explanation, out: &mut Sink) {
    let Explanation { heading, message, help, cause } = explanation;
    let finding = Diagnostic::at(page.span(heading), message)
        .at_most(Severity::Advice)
        .help(help.to_owned())
        .related(page.span(opening), "the table of contents matches mdtoc")
        .subject(Subject::named(["disagreement"]))
        .unless(cause);
    out.report(finding);
}

/// Says how to keep the text `other` between the markers, of which the closing one is at `closing`.
fn keeping_other_text(finding: Diagnostic, page: Page<'_>, other: Range<usize>, closing: usize) -> Diagnostic {
    let line = page.slice(..closing).matches('\n').count() + 1;
    finding
        .help(format!("keep only the list between the markers: move this text, or `{}` in line {line}", mdtoc::CLOSING))
        .related(page.span(other), "not a line of a table of contents; mdtoc would delete it")
        .related(page.span(closing..closing + mdtoc::CLOSING.len()), "closing marker")
}

/// How to undo that a section of the template is at another level, if that is what changed its line. `misplaced-section`
/// reports the same heading.
fn moved(ctx: &Ctx<'_>, page: Page<'_>, heading: &Range<usize>) -> Option<String> {
    let readme = ctx.readme.filter(|readme| readme.file == page.file)?;
    let sections = &readme.sections;
    let at = sections.at(heading.start)?;
    let owner = readme.matching().owner(at)?;
    let (_, shift) = readme.matching().own_shift(ctx.template, sections, owner).filter(|(place, _)| *place == at)?;
    let (wanted, section) = (ctx.template.get(owner), sections.get(at));
    let right = format!("{} {}", "#".repeat(wanted.level.into()), brief(&section.title.text));
    let help = || format!("if the heading moved to level {} by mistake, write it as {}", section.level, quoted(&right));
    (shift.levels != 0).then(help)
}

fn others(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => "; 1 more line differs, and `--fix` writes both".to_owned(),
        count => format!("; {count} more lines differ, and `--fix` writes all of them"),
    }
}

/// The first line that ends with a carriage return in a table of contents of several lines: the script compares all
/// but the last line end.
fn line_with_return(text: &str, between: Range<usize>) -> Option<Range<usize>> {
    let lines = lines(text, between);
    let (_, others) = lines.split_last()?;
    others.iter().find(|line| slice(text, line.end..).starts_with('\r')).cloned()
}

/// A heading that only mdtoc or only GitHub sees, and how to change it.
struct Explanation {
    heading: Range<usize>,
    message: String,
    help: &'static str,
    cause: Option<&'static str>,
}

fn explain(ctx: &Ctx<'_>, page: Page<'_>, start: usize, disagreement: Disagreement) -> Explanation {
    let words = |heading: &Range<usize>| {
        let line = page.slice(heading.clone()).lines().next().unwrap_or_default();
        brief(line.trim_start_matches(['#', ' ', '\t'])).into_owned()
    };
    match disagreement {
        Disagreement::OnlyListed(heading) => {
            let (words, hider) = (quoted(&words(&heading)), hider(page, &heading));
            let hidden = page.hidden.iter().find(|hidden| hidden.span.start == heading.start);
            Explanation {
                message: format!("mdtoc lists {words}, but GitHub shows no heading there{hider}"),
                help: match hidden.map(|hidden| hidden.by) {
                    Some(Hiding::Html) => "write a blank line above it: HTML goes on to the next one",
                    _ => "close the code block or comment that hides it on GitHub",
                },
                cause: hidden.and_then(|hidden| cause::of_hidden(ctx, page, hidden)),
                heading,
            }
        }
        Disagreement::OnlyShown(heading) => Explanation {
            message: format!("GitHub shows the heading {}, but mdtoc does not list it", quoted(&words(&heading))),
            help: match page.slice(heading.clone()).as_bytes() {
                [b'#', ..] if !page.slice(..heading.start).ends_with('\n') => {
                    "begin its line with the `#`: mdtoc lists no heading after spaces, a list marker or `>`"
                }
                _ if page.slice(start..heading.start).contains("\n---") => {
                    "write `***` for each `---` above it: mdtoc ignores headings between two `---` lines"
                }
                [b'#' | b'<', ..] => "begin its line with `#` and a space, outside of lists, comments, code and HTML",
                _ => "remove the line below, which makes it a heading, or begin its line with `#` and a space",
            },
            cause: None,
            heading,
        },
    }
}

/// What hides a heading on GitHub, as a part of a message.
fn hider(page: Page<'_>, heading: &Range<usize>) -> String {
    let hidden = page.hidden.iter().find(|hidden| hidden.within.contains(&heading.start));
    let within = hidden.map(|hidden| &hidden.within).or_else(|| page.code_around(heading.start));
    match within.filter(|within| within.start < heading.start) {
        Some(within) => format!(": line {} hides it", page.source.lines().line_of(within.start) + 1),
        None => String::new(),
    }
}

/// The first text between the markers that mdtoc must not replace: a heading, or a line that is not a list item with
/// one link into the document.
fn other_text(page: Page<'_>, between: &Range<usize>, entries: &[TocEntry]) -> Option<Range<usize>> {
    let is_between = |heading: &Range<usize>| heading.start < between.end && heading.end > between.start;
    let mut headings = page.sections.iter().map(|(_, section)| &section.heading);
    let heading = headings.find(|heading| is_between(heading)).cloned();
    let line = mdtoc::listed::first_other_line(page.text(), between.clone(), entries);
    heading.into_iter().chain(line).min_by_key(|other| other.start)
}

fn fix(page: Page<'_>, between: Range<usize>, entries: &[TocEntry], safety: Safety) -> Option<Fix> {
    // mdtoc takes a text whose lines end with `\r` for one line.
    if line_end(page.text(), between.start) == "\r" || !mdtoc::stay_known(entries) {
        return None;
    }
    let text = mdtoc::block(page.text(), entries);
    Some(Fix::write(safety, "regenerate the table of contents", page.span(between), text))
}

struct Difference {
    /// Its bytes, or those of the closing marker if a line is missing before it.
    at: Range<usize>,
    help: String,
    heading: Option<Range<usize>>,
    others: usize,
}

fn first_difference(text: &str, between: Range<usize>, entries: &[TocEntry], is_by_hand: bool) -> Option<Difference> {
    // Like mdtoc, compare both texts trimmed, so that the indentation of the first line is ignored.
    let wanted = mdtoc::lines(entries);
    if slice(text, between.clone()).trim() == wanted.trim() && !wanted.contains('\r') {
        return None;
    }
    let wanted: Vec<&str> = wanted.trim().lines().collect();
    let mut current = lines(text, between.clone());
    current.retain(|line| !is_by_hand || anchor_of(slice(text, line.clone())).is_some());
    let keys: Vec<&str> = wanted.iter().map(|line| compared(line, is_by_hand)).collect();
    let written: Vec<&str> = current.iter().map(|line| compared(slice(text, line.clone()), is_by_hand)).collect();
    let line = |at: usize| written.get(at).copied();
    let at = (0..keys.len().max(written.len())).find(|at| line(*at) != keys.get(*at).copied())?;
    let place = current.get(at).cloned().unwrap_or(between.end..between.end + mdtoc::CLOSING.len());
    let heading = entries.get(at).map(|entry| entry.heading.clone());
    let others = differing(&written, &keys) - 1;
    let removal = Difference { at: place.clone(), help: "remove this line".to_owned(), heading: None, others };
    let Some(right) = wanted.get(at) else { return Some(removal) };
    let help = match line(at) {
        Some(now) if now.trim() == right.trim() => match right.len() - right.trim_start().len() {
            0 => "do not indent this line".to_owned(),
            spaces => format!("indent this line by {spaces} spaces"),
        },
        Some(now) if tail(&keys, at).contains(&now) => format!("add {} before this line", quoted(right.trim())),
        Some(_) if line(at + 1) == keys.get(at).copied() => return Some(removal),
        Some(_) => format!("write {}", quoted(right.trim())),
        None => format!("add {} before the marker", quoted(right.trim())),
    };
    Some(Difference { at: place, help, heading, others })
}

/// What two lines have in common that are the same.
fn compared(line: &str, is_by_hand: bool) -> &str {
    anchor_of(line).filter(|_| is_by_hand).unwrap_or(line)
}

/// How many lines differ, at least one: where lines were replaced, the old and the new one are one difference.
fn differing(current: &[&str], wanted: &[&str]) -> usize {
    let mut counts: HashMap<&str, isize> = HashMap::new();
    current.iter().for_each(|line| *counts.entry(line).or_default() -= 1);
    wanted.iter().for_each(|line| *counts.entry(line).or_default() += 1);
    let missing = counts.values().filter(|count| **count > 0).sum::<isize>();
    let surplus = -counts.values().filter(|count| **count < 0).sum::<isize>();
    missing.max(surplus).max(1).unsigned_abs()
}

fn lines(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let content = slice(text, range.clone()).trim();
    let mut start = range.end - slice(text, range).trim_start().len();
    let line = |line: &str| {
        let at = start;
        start += line.len();
        at..at + line.trim_end_matches(['\r', '\n']).len()
    };
    content.split_inclusive('\n').map(line).collect()
}
