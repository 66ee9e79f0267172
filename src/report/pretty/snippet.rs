//! The lines that a finding is about, with labels, in the types of miette. It draws them itself, because miette's own drawing
//! cannot leave out the frame, and does not keep to the width of the screen. No other file uses miette.

use crate::diagnostic::Severity;
use crate::report::finding_layout::{Label, Snippet};
use crate::report::look::Look;
use crate::report::paint::Paint;
use crate::report::{width, wrap};
use crate::span::slice;
use miette::{LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

/// Renders the lines of a finding of this severity.
pub fn render(snippets: &[Snippet<'_>], severity: Severity, look: &Look) -> String {
    Drawing { marks: if look.frames { &DRAWN } else { &ASCII }, severity, look }.draw(snippets)
}

fn labeled(Label { place, text, is_primary }: &Label) -> LabeledSpan {
    let new = if *is_primary { LabeledSpan::new_primary_with_span } else { LabeledSpan::new_with_span };
    new(text.clone(), SourceSpan::from(place.clone()))
}

impl SourceCode for Snippet<'_> {
    /// All of it, as it is only what is to be shown.
    fn read_span<'a>(
        &'a self,
        _: &SourceSpan,
        _lines_before: usize,
        _lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let Self { first_line, text, .. } = self;
        let all = SourceSpan::from((0, text.len()));
        Ok(Box::new(MietteSpanContents::new(text.as_bytes(), all, first_line - 1, 0, text.lines().count())))
    }
}

struct Marks {
    /// Between the number of a line and the line.
    bar: &'static str,
    lower_bar: &'static str,
    underline: &'static str,
    /// Where something is missing.
    arrow: &'static str,
}

const DRAWN: Marks = Marks { bar: "│", lower_bar: "·", underline: "─", arrow: "▲" };

const ASCII: Marks = Marks { bar: "|", lower_bar: "|", underline: "^", arrow: "^" };

struct Drawing<'a> {
    marks: &'static Marks,
    severity: Severity,
    look: &'a Look,
}

/// A line below one of the file: marks, and the text of the last of them.
struct Row<'a> {
    marks: String,
    columns: usize,
    /// Where the last mark begins.
    start: usize,
    text: Option<&'a str>,
    paint: Paint,
}

impl Drawing<'_> {
    /// The lines of the snippets, and below each line its labels.
    fn draw(&self, snippets: &[Snippet<'_>]) -> String {
        let all = SourceSpan::from((0, 0));
        let contents: Vec<_> = snippets.iter().filter_map(|snippet| snippet.read_span(&all, 0, 0).ok()).collect();
        let last_line = contents.iter().map(|lines| lines.line() + lines.line_count()).max().unwrap_or_default();
        let digits = last_line.to_string().len();
        let lower_front = self.dim(&format!(" {:digits$} {}", "", self.marks.lower_bar));
        let mut text = String::new();
        for (lines, snippet) in contents.iter().zip(snippets) {
            let labels: Vec<LabeledSpan> = snippet.labels.iter().map(labeled).collect();
            let is_marked = lines.line_count() > 1 || !self.is_whole(&snippet.text, &labels);
            let mut offset = 0;
            for (number, line) in (lines.line() + 1..).zip(snippet.text.split_inclusive('\n')) {
                let front = self.dim(&format!(" {number:>digits$} {}", self.marks.bar));
                text += &format!("{front} {}\n", line.trim_end_matches('\n'));
                let rows = if is_marked { self.rows(line, offset, &labels) } else { Vec::new() };
                for row in rows {
                    for below in self.lines(&row, digits + 4) {
                        text += &format!("{lower_front} {below}\n");
                    }
                }
                offset += line.len();
            }
        }
        text
    }

    /// Whether all that is shown of the only line is what the finding is about, so that no mark is needed.
    fn is_whole(&self, line: &str, labels: &[LabeledSpan]) -> bool {
        let [only] = labels else { return false };
        let (marked, text) = (slice(line, only.offset()..only.offset() + only.len()), line.trim());
        only.label().is_none() && !text.is_empty() && marked == text.strip_suffix(self.look.ellipsis()).unwrap_or(text)
    }

    fn dim(&self, text: &str) -> String {
        Paint::Dim.only_if(self.look.color).apply(text)
    }

    /// What marks the labels of `line`, which begins at `offset`. After a label with a text, a new row begins.
    fn rows<'l>(&self, line: &str, offset: usize, labels: &'l [LabeledSpan]) -> Vec<Row<'l>> {
        let bytes = offset..offset + line.len();
        let column = |place: usize| width::columns_apart(slice(line, ..place - offset));
        let mut rows: Vec<Row<'_>> = Vec::new();
        for label in labels.iter().filter(|label| bytes.contains(&label.offset())) {
            let start = column(label.offset());
            let end = column(label.offset() + label.len()).max(start + 1);
            let mark = if label.is_empty() { self.marks.arrow } else { self.marks.underline };
            let severity = if label.primary() { self.severity } else { Severity::Advice };
            let paint = Paint::Of(severity).only_if(self.look.color);
            let row = rows.pop_if(|row| row.text.is_none() && row.columns <= start);
            let (before, columns) = row.map(|row| (row.marks, row.columns)).unwrap_or_default();
            let mark = paint.apply(&mark.repeat(end - start));
            let marks = format!("{before}{}{mark}", " ".repeat(start - columns));
            rows.push(Row { marks, columns: end, start, text: label.label(), paint });
        }
        rows
    }

    /// The marks and their text: beside them, or where there is no room, below.
    fn lines(&self, row: &Row<'_>, front: usize) -> Vec<String> {
        let free = self.look.columns().saturating_sub(front);
        let Some(text) = row.text else { return vec![row.marks.clone()] };
        let length = width::columns(text);
        if row.columns + 1 + length <= free {
            return vec![format!("{} {}", row.marks, row.paint.apply(text))];
        }
        let indent = " ".repeat(row.start.min(free.saturating_sub(length)));
        let lines = wrap::lines(text, free, &indent, &indent);
        [row.marks.clone()].into_iter().chain(lines.iter().map(|line| row.paint.apply(line))).collect()
    }
}
