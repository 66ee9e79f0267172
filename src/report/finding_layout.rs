//! Which lines a finding is shown with and which of their bytes are labelled, as data, so that drawing them
//! needs no file. A place of several lines is cut to its first line, and a line that is too long for the
//! screen, such as a whole paragraph or a row of a table, to a window around the place.

use super::look::Look;
use super::width::{self, fit};
use super::{Location, printable};
use crate::diagnostic::{Diagnostic, Related};
use crate::lint::report::KepReport;
use crate::source::SourceFile;
use crate::span::{FileId, Position, Span, slice};
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
    let is_shown = |snippet: &Snippet<'_>| snippet.file == span.file && snippet.main.window.contains(&span.start);
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

/// A shown line, and where its bytes are in the file.
struct Excerpt {
    /// What is shown; ends with a newline.
    text: String,
    /// The part of the line in the file that is shown.
    window: Range<usize>,
    mark: usize,
}

impl Excerpt {
    /// The line on which `place` starts, at most `columns` wide, with `mark` where something is left out.
    fn around(file: &SourceFile, place: &Range<usize>, columns: usize, mark: &str) -> Self {
        let line = line_of(file, place.start);
        let text = file.text.get(line.clone()).unwrap_or_default();
        let shown = clamp(text, place.start.saturating_sub(line.start)..place.end.saturating_sub(line.start));
        let window = window(text, shown, columns, width::columns(mark));
        Self {
            text: cut_to(text, &window, mark) + "\n",
            mark: if window.start > 0 { mark.len() } else { 0 },
            window: line.start + window.start..line.start + window.end,
        }
    }

    /// Which bytes of [`Excerpt::text`] are `place`, as far as it is shown.
    fn locate(&self, place: &Range<usize>) -> Range<usize> {
        let shown = self.text.get(self.mark..self.mark + self.window.len()).unwrap_or_default();
        let from_window = |offset: usize| offset.saturating_sub(self.window.start);
        let shown = clamp(shown, from_window(place.start)..from_window(place.end));
        self.mark + shown.start..self.mark + shown.end
    }
}

/// A line without its end, at most `columns` wide, with `mark` where something else than this place is cut.
#[cfg(feature = "pretty")]
pub fn cut_around(line: &str, place: Range<usize>, columns: usize, mark: &str) -> String {
    cut_to(line, &window(line, place, columns, width::columns(mark)), mark)
}

fn cut_to(line: &str, window: &Range<usize>, mark: &str) -> String {
    let front = if window.start > 0 { mark } else { "" };
    let back = if window.end < line.len() { mark } else { "" };
    format!("{front}{}{back}", printable(slice(line, window.clone())))
}

/// The bytes of the line that holds `offset`, without what ends it.
fn line_of(file: &SourceFile, offset: usize) -> Range<usize> {
    let line = file.lines().line_range(file.lines().line_of(offset.min(file.text.len())), &file.text);
    let text = file.text.get(line.clone()).unwrap_or_default();
    line.start..line.start + text.trim_end_matches(['\r', '\n']).len()
}

/// The part of `range` that is in `text`, on character boundaries.
fn clamp(text: &str, range: Range<usize>) -> Range<usize> {
    let start = text.floor_char_boundary(range.start);
    start..text.ceil_char_boundary(range.end).max(start)
}

/// The bytes of `line` to show: all if they fit, else `place` or its beginning, and as much around it as there is room.
fn window(line: &str, place: Range<usize>, columns: usize, mark: usize) -> Range<usize> {
    let (all, _) = fit(line.chars(), columns);
    if all == line.len() {
        return 0..all;
    }
    let after = |offset: usize| line.get(offset..).unwrap_or_default().chars();
    let before = |offset: usize| line.get(..offset).unwrap_or_default().chars().rev();

    let (length, free) = fit(slice(line, place.clone()).chars(), columns.saturating_sub(2 * mark));
    let (left, unused) = fit(before(place.start), free / 2);
    let (start, end) = (place.start - left, place.start + length);
    let (right, unused) = fit(after(end), free - free / 2 + unused);
    let (more, _) = fit(before(start), unused);
    start - more..end + right
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

    fn excerpt(text: &str, place: Range<usize>, columns: usize) -> (String, String) {
        let file = SourceFile::decode("x", text.as_bytes().to_vec());
        let excerpt = Excerpt::around(&file, &place, columns, "…");
        let place = excerpt.text[excerpt.locate(&place)].to_owned();
        (excerpt.text, place)
    }

    #[test]
    fn a_short_line_is_whole() {
        assert_eq!(excerpt("one\r\ntwo\r\n", 5..8, 10), ("two\n".to_owned(), "two".to_owned()));
        assert_eq!(excerpt("one\ntwo\n", 1..7, 10), ("one\n".to_owned(), "ne".to_owned()));
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let line = "abcdefghijklmnopqrstuvwxyz";
        assert_eq!(excerpt(line, 0..2, 10), ("abcdefgh…\n".to_owned(), "ab".to_owned()));
        assert_eq!(excerpt(line, 12..14, 10), ("…jklmnopq…\n".to_owned(), "mn".to_owned()));
        assert_eq!(excerpt(line, 25..26, 10), ("…stuvwxyz\n".to_owned(), "z".to_owned()));
        assert_eq!(excerpt(line, 2..20, 10), ("…cdefghij…\n".to_owned(), "cdefghij".to_owned()));
        assert_eq!(excerpt("漢字漢字漢字漢字", 9..12, 10), ("…漢字漢字…\n".to_owned(), "字".to_owned()));
    }

    #[test]
    fn narrow_letters_fit_and_marks_without_a_width_do_not_add_up() {
        let arrows = "→".repeat(10);
        assert_eq!(excerpt(&arrows, 0..3, 10).0, format!("{arrows}\n"));
        assert!(excerpt(&"\u{301}".repeat(10_000), 0..2, 10).0.chars().count() <= 11);
    }

    #[test]
    fn a_place_without_text_is_shown_empty() {
        for (text, place) in [("", 0..0), ("a\n", 2..2), ("\n\n", 0..1), ("a\r\n", 1..3), ("a", 7..9)] {
            assert_eq!(excerpt(text, place.clone(), 10).1, "", "{text:?} {place:?}");
        }
        assert_eq!(excerpt("é", 1..1, 10), ("é\n".to_owned(), "é".to_owned()));
    }

    #[test]
    fn whatever_the_width_the_place_is_on_a_boundary() {
        let line = "é漢\t\u{1b}\u{85}\u{202e}—x".repeat(9);
        for columns in 0..40 {
            for start in 0..line.len() {
                let (text, _) = excerpt(&line, start..start + 5, columns);
                let width: usize = text.trim_end().chars().map(width::columns_of).sum();
                assert!(width <= columns.max(2), "{width} > {columns}: {text}");
            }
        }
    }
}
