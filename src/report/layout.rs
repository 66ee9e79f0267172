//! Which lines a finding is shown with and which of their bytes are labelled, as data. The lines form a small text of
//! their own, so that rendering it needs no file.

use super::excerpt::Excerpt;
use super::printable;
use crate::diagnostic::{Diagnostic, Related};
use crate::lint::KepReport;
use crate::span::{FileId, Position, Span};
use std::ops::Range;

/// The lines of a finding, what it is about first, and the labels on them in order.
#[derive(Debug)]
#[non_exhaustive]
pub struct Layout<'a> {
    /// One per line, each after the one before.
    pub snippets: Vec<Snippet<'a>>,
    /// By offset.
    pub labels: Vec<Label>,
}

/// One line to show.
#[derive(Debug)]
pub struct Snippet<'a> {
    /// The path of its file, from the KEP's directory on.
    pub path: &'a str,
    /// The place in the file that it is shown for.
    pub position: Position,
    /// Where it begins in the layout.
    pub offset: usize,
    /// The line, cut to the width that there is.
    pub excerpt: Excerpt,
    file: FileId,
}

/// A place in a layout's lines.
#[derive(Debug)]
#[non_exhaustive]
pub struct Label {
    /// Its bytes, counted from the layout's first.
    pub place: Range<usize>,
    /// What to write at it.
    pub text: Option<String>,
    /// Whether it is what the finding is about, and not a related place.
    pub is_primary: bool,
}

impl<'a> Layout<'a> {
    /// Lays out `found` and the `related` places for lines of `width` columns, their numbers included, with `mark` where
    /// something is left out.
    pub fn of<'d>(
        report: &'a KepReport,
        found: &Diagnostic,
        related: impl IntoIterator<Item = &'d Related>,
        width: usize,
        mark: &str,
    ) -> Self {
        let mut layout = Self { snippets: Vec::new(), labels: Vec::new() };
        layout.label(report, found.span, None, width, mark);
        for related in related {
            layout.label(report, related.span, Some(printable(&related.message)), width, mark);
        }
        layout.labels.sort_by_key(|label| label.place.start);
        layout
    }

    /// The snippet that all of `place` is in.
    pub fn snippet_of(&self, place: &Range<usize>) -> Option<&Snippet<'a>> {
        let end = |snippet: &Snippet<'_>| snippet.offset + snippet.excerpt.text.len();
        self.snippets.iter().find(|snippet| snippet.offset <= place.start && place.end < end(snippet))
    }

    fn label(&mut self, report: &'a KepReport, span: Span, message: Option<String>, width: usize, mark: &str) {
        let Some(file) = report.files.get(span.file.index()) else { return };
        let is_shown = |snippet: &Snippet<'_>| snippet.file == span.file && snippet.excerpt.shows(&span.range());
        let index = self.snippets.iter().position(is_shown).unwrap_or_else(|| {
            let position = file.position(span.start);
            let excerpt = Excerpt::around(file, &span.range(), width.saturating_sub(gutter(position.line)), mark);
            let offset = self.snippets.last().map_or(0, |last| last.offset + last.excerpt.text.len());
            let path = within_kep(report, &file.path);
            self.snippets.push(Snippet { path, position, offset, excerpt, file: span.file });
            self.snippets.len() - 1
        });
        let Some(Snippet { position, offset, excerpt, .. }) = self.snippets.get(index) else { return };
        let place = excerpt.locate(&span.range());
        let is_primary = message.is_none();
        let text = message.or_else(|| {
            let covered = file.text.get(span.range()).unwrap_or_default().trim_end();
            let last = file.position(span.start + covered.len()).line;
            (last > position.line).then(|| format!("to line {last}"))
        });
        self.labels.push(Label { place: offset + place.start..offset + place.end, text, is_primary });
    }
}

/// The columns in front of a line: ` 12 │ `.
fn gutter(line: usize) -> usize {
    line.to_string().len() + 4
}

/// The path without the KEP's directory, which is printed above its findings.
fn within_kep<'a>(report: &KepReport, path: &'a str) -> &'a str {
    let rest = report.kep.as_deref().and_then(|kep| path.strip_prefix(kep));
    rest.and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn lines_of_several_files_follow_one_another() {
        let run = sample::run();
        let report = &run.reports[0];
        let layout = Layout::of(report, &report.diagnostics[0], &report.diagnostics[0].related, 80, "…");
        let lines: String = layout.snippets.iter().map(|snippet| snippet.excerpt.text.as_str()).collect();
        assert_eq!(lines, "### Test Plan\nstage: beta\n");
        let labelled: Vec<&str> = layout.labels.iter().map(|label| &lines[label.place.clone()]).collect();
        assert_eq!(labelled, ["### Test Plan", "beta"]);
        assert!(layout.snippet_of(&(0..20)).is_none());
        assert_eq!(layout.snippet_of(&(21..25)).map(|it| it.position), Some(Position { line: 1, column: 8 }));
    }

    #[test]
    fn a_finding_in_no_file_has_no_lines() {
        let mut report = sample::report("keps/x", &[]);
        report.diagnostics = vec![sample::finding("rule", crate::diagnostic::Severity::Error, 0..9, "wrong")];
        assert!(Layout::of(&report, &report.diagnostics[0], [], 80, "…").snippets.is_empty());
    }
}
