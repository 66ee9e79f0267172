//! Which lines a finding is shown with and which of their bytes are labelled, as data, so that drawing them needs no file.

use super::excerpt::Excerpt;
use super::look::Look;
use super::{Location, printable};
use crate::diagnostic::{Diagnostic, Related};
use crate::lint::report::KepReport;
use crate::source::SourceFile;
use crate::span::{FileId, Position, Span};
use std::ops::Range;

/// A line to show, and up to two around it if it says little alone, with the labels on them in order.
pub struct Snippet<'a> {
    pub path: &'a str,
    pub file: FileId,
    /// The place in the file that it is shown for.
    pub position: Position,
    pub first_line: usize,
    /// Its lines, cut to the width that there is.
    pub text: String,
    pub labels: Vec<Label>,
    /// The line that it is shown for, and where it begins in the text.
    main: Excerpt,
    main_start: usize,
}

pub struct Label {
    /// Its bytes in the text of the snippet.
    pub place: Range<usize>,
    pub text: Option<String>,
    /// Whether it is what the finding is about, and not a related place.
    pub is_primary: bool,
}

/// The lines of `finding` and of the `related` places for a screen, what it is about first.
pub fn snippets<'a>(
    report: &'a KepReport,
    finding: &Diagnostic,
    related: &[&Related],
    look: &Look,
) -> Vec<Snippet<'a>> {
    let spans = related.iter().map(|other| other.span).chain([finding.span]);
    let last_line = spans.map(|span| Location::of(report, span).start.line).max().unwrap_or_default();
    // The line after the last one may be shown as well.
    let digits = (last_line + 1).to_string().len();
    // The columns in front of a line: ` 12 │ `.
    let width = (look.columns().saturating_sub(digits + 4), look.ellipsis());
    let mut snippets = Vec::new();
    label(&mut snippets, report, finding.span, None, width);
    for other in related {
        label(&mut snippets, report, other.span, Some(printable(&other.message)), width);
    }
    snippets.iter_mut().for_each(|snippet| snippet.labels.sort_by_key(|label| label.place.start));
    snippets
}

/// Labels a place in the snippet that shows it, or in a new one.
fn label<'a>(
    snippets: &mut Vec<Snippet<'a>>,
    report: &'a KepReport,
    span: Span,
    message: Option<String>,
    width: (usize, &str),
) {
    let Some(file) = report.files.get(span.file.index()) else { return };
    let is_primary = message.is_none();
    let is_shown = |snippet: &Snippet<'_>| snippet.file == span.file && snippet.main.shows(&span.range());
    let index = snippets.iter().position(is_shown).unwrap_or_else(|| {
        snippets.push(Snippet::around(file, span, is_primary, width));
        snippets.len() - 1
    });
    let Some(Snippet { position, labels, main, main_start, .. }) = snippets.get_mut(index) else { return };
    let place = main.locate(&span.range());
    let text = message.or_else(|| {
        let covered = file.text.get(span.range()).unwrap_or_default().trim_end();
        let last = file.position(span.start + covered.len()).line;
        (last > position.line).then(|| format!("to line {last}"))
    });
    labels.push(Label { place: *main_start + place.start..*main_start + place.end, text, is_primary });
}

impl<'a> Snippet<'a> {
    /// The line of `span`, with lines around it if it is the place of the finding.
    fn around(file: &'a SourceFile, span: Span, is_primary: bool, (columns, mark): (usize, &str)) -> Self {
        let position = file.position(span.start);
        let (before, after) = if is_primary { context(file, position.line - 1) } else { (0, 0) };
        let excerpt = |place: &Range<usize>| Excerpt::around(file, place, columns, mark);
        let line = |index: usize| {
            let start = file.lines().line_range(index, &file.text).start;
            excerpt(&(start..start)).text
        };
        let first = position.line - 1 - before;
        let main = excerpt(&span.range());
        let mut text: String = (first..position.line - 1).map(line).collect();
        let main_start = text.len();
        text += &main.text;
        text.extend((position.line..position.line + after).map(line));
        let (path, labels) = (file.path.as_str(), Vec::new());
        Self { path, file: span.file, position, first_line: first + 1, text, labels, main, main_start }
    }
}

/// How many lines to show before and after the line with this index, because it says little alone: an item of a YAML
/// list needs its key, and a few characters in Markdown need what is around them.
fn context(file: &SourceFile, index: usize) -> (usize, usize) {
    const MOST: usize = 2;
    let text_of = |line: usize| file.text.get(file.lines().line_range(line, &file.text)).unwrap_or_default();
    let text = text_of(index);
    let above = (1..=MOST.min(index)).map(|distance| (distance, text_of(index - distance)));
    if file.path.ends_with(".yaml") {
        let is_part = text.starts_with([' ', '-']);
        let is_key = |line: &str| line.starts_with(|letter: char| letter.is_alphabetic());
        return (above.into_iter().find(|(_, line)| is_part && is_key(line)).map_or(0, |(distance, _)| distance), 0);
    }
    const TELLING: usize = 4;
    let letters = text.chars().filter(|letter| letter.is_alphanumeric()).take(TELLING).count();
    if letters == TELLING || text.trim().is_empty() {
        return (0, 0);
    }
    let has_text = |line: &str| !line.trim().is_empty();
    let before = above.into_iter().find(|(_, line)| has_text(line)).map_or(0, |(distance, _)| distance);
    (before, usize::from(before < MOST && has_text(text_of(index + 1))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    /// The lines for a finding in a file of this name.
    fn shown(name: &str, text: &str, at: Range<usize>) -> (String, usize) {
        let mut report = sample::report("keps/x", &[(name, text)]);
        report.diagnostics = vec![sample::finding("rule", crate::diagnostic::Severity::Error, at, "wrong")];
        let snippet = &snippets(&report, &report.diagnostics[0], &[], &Look::default())[0];
        (snippet.text.clone(), snippet.first_line)
    }

    #[test]
    fn lines_of_several_files_follow_one_another() {
        let run = sample::run();
        let report = &run.reports[0];
        let related: Vec<&Related> = report.diagnostics[0].related.iter().collect();
        let snippets = snippets(report, &report.diagnostics[0], &related, &Look::default());
        let lines: Vec<&str> = snippets.iter().map(|snippet| snippet.text.as_str()).collect();
        assert_eq!(lines, ["### Test Plan\n", "stage: beta\n"]);
        let labelled = snippets.iter().map(|snippet| &snippet.text[snippet.labels[0].place.clone()]);
        assert_eq!(labelled.collect::<Vec<_>>(), ["### Test Plan", "beta"]);
        assert_eq!(snippets[1].position, Position { line: 1, column: 8 });
    }

    #[test]
    fn a_finding_in_no_file_has_no_lines() {
        let mut report = sample::report("keps/x", &[]);
        report.diagnostics = vec![sample::finding("rule", crate::diagnostic::Severity::Error, 0..9, "wrong")];
        assert!(snippets(&report, &report.diagnostics[0], &[], &Look::default()).is_empty());
    }

    #[test]
    fn an_item_is_shown_with_its_key() {
        let text = "title: x\napprovers:\n  - TBD\n  - a\n  - b\n";
        assert_eq!(shown("kep.yaml", text, 24..27), ("approvers:\n  - TBD\n".to_owned(), 2));
        assert_eq!(shown("kep.yaml", text, 32..33), ("approvers:\n  - TBD\n  - a\n".to_owned(), 2));
        assert_eq!(shown("kep.yaml", text, 38..39), ("  - b\n".to_owned(), 5));
        assert_eq!(shown("kep.yaml", text, 7..8), ("title: x\n".to_owned(), 1));
    }

    #[test]
    fn a_few_characters_are_shown_with_what_is_around_them() {
        let text = "# One\n\nN/A\nnext\n\n-->\ntext that tells\n";
        assert_eq!(shown("README.md", text, 7..10), ("# One\n\nN/A\n".to_owned(), 1));
        assert_eq!(shown("README.md", text, 17..20), ("next\n\n-->\n".to_owned(), 4));
        assert_eq!(shown("README.md", "a b\n-->\nc d\n", 4..7), ("a b\n-->\nc d\n".to_owned(), 1));
        assert_eq!(shown("README.md", text, 21..25), ("text that tells\n".to_owned(), 7));
        assert_eq!(shown("README.md", "-->", 0..3), ("-->\n".to_owned(), 1));
    }
}
