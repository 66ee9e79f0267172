//! The lines that a finding is about, with labels, in the types of miette. It draws them itself, because miette's own drawing
//! cannot leave out the frame, and does not keep to the width of the screen. No other file uses miette.

use crate::diagnostic::Severity;
use crate::report::layout::{Label, Layout, Snippet};
use crate::report::look::Look;
use crate::report::paint::Paint;
use crate::report::{printable, width};
use crate::span::slice;
use miette::{LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

/// Renders the lines of `layout`, which belong to a finding of this severity. Lines of other files have their place above
/// them.
pub fn render(layout: &Layout<'_>, severity: Severity, look: &Look) -> String {
    let labels: Vec<LabeledSpan> = layout.labels.iter().map(labeled).collect();
    let snippets = labels.iter().filter_map(|label| layout.read_span(label.inner(), 0, 0).ok());
    let mut snippets: Vec<Box<dyn SpanContents<'_>>> = snippets.collect();
    snippets.dedup_by_key(|snippet| *snippet.span());
    let drawing = Drawing { marks: if look.frames { &FRAMES } else { &ASCII }, severity, color: look.color };
    drawing.draw(&snippets, &labels)
}

fn labeled(Label { place, text, is_primary }: &Label) -> LabeledSpan {
    let new = if *is_primary { LabeledSpan::new_primary_with_span } else { LabeledSpan::new_with_span };
    new(text.clone(), SourceSpan::from(place.clone()))
}

impl SourceCode for Layout<'_> {
    /// The snippet that holds `span`. Each snippet is only what is to be shown.
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        _lines_before: usize,
        _lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let place = span.offset()..span.offset() + span.len();
        let snippet = self.snippet_of(&place).ok_or(MietteError::OutOfBounds)?;
        let Snippet { path, position, first_line, offset, text, .. } = snippet;
        let all = SourceSpan::from((*offset, text.len()));
        let (line, lines) = (first_line - 1, text.lines().count());
        Ok(Box::new(if self.needs_place(snippet) {
            let name = format!("{}:{}:{}", printable(path), position.line, position.column);
            MietteSpanContents::new_named(name, text.as_bytes(), all, line, 0, lines)
        } else {
            MietteSpanContents::new(text.as_bytes(), all, line, 0, lines)
        }))
    }
}

struct Marks {
    has_frames: bool,
    /// Between the number of a line and the line.
    bar: &'static str,
    lower_bar: &'static str,
    underline: &'static str,
    /// Below the column from which the text of the label hangs.
    stem: &'static str,
    arrow: &'static str,
    corner: &'static str,
}

const FRAMES: Marks =
    Marks {
        has_frames: true, bar: "│", lower_bar: "·", underline: "─", stem: "┬", arrow: "▲", corner: "╰──"
    };

const ASCII: Marks =
    Marks { has_frames: false, bar: "|", lower_bar: "|", underline: "^", stem: "|", arrow: "^", corner: "`--" };

struct Drawing {
    marks: &'static Marks,
    severity: Severity,
    color: bool,
}

struct Hanging<'a> {
    stem: usize,
    text: Option<&'a str>,
    paint: Paint,
}

impl Drawing {
    /// The lines of the snippets, and below each line its labels.
    fn draw(&self, snippets: &[Box<dyn SpanContents<'_> + '_>], labels: &[LabeledSpan]) -> String {
        let last_line = snippets.iter().map(|snippet| snippet.line() + snippet.line_count()).max().unwrap_or_default();
        let gutter = " ".repeat(last_line.to_string().len() + 2);
        let mut text = String::new();
        for (index, snippet) in snippets.iter().enumerate() {
            text += &self.opening(snippet.name(), index == 0, &gutter);
            let mut offset = snippet.span().offset();
            let lines = String::from_utf8_lossy(snippet.data());
            for (number, line) in (snippet.line() + 1..).zip(lines.split_inclusive('\n')) {
                let front = format!("{number:>0$} {1}", gutter.len() - 1, self.marks.bar);
                text += &format!("{} {}\n", self.dim(&front), line.trim_end_matches('\n'));
                let lower_front = self.dim(&format!("{gutter}{}", self.marks.lower_bar));
                for below in self.below(line, offset, labels) {
                    text += &format!("{lower_front} {below}\n");
                }
                offset += line.len();
            }
        }
        if self.marks.has_frames && !snippets.is_empty() {
            text += &format!("{}\n", self.dim(&format!("{gutter}╰────")));
        }
        text
    }

    fn dim(&self, text: &str) -> String {
        Paint::Dim.only_if(self.color).apply(text)
    }

    /// What is above the lines of a snippet: their place, if they are in another file, or a sign that lines are left out.
    fn opening(&self, place: Option<&str>, is_first: bool, gutter: &str) -> String {
        let dim = |text: &str| self.dim(&format!("{gutter}{text}")) + "\n";
        match (place, self.marks.has_frames) {
            (Some(place), true) => {
                let end = if is_first { String::new() } else { dim("╰────") };
                end + &dim(&format!("╭─[{place}]"))
            }
            (Some(place), false) => format!("{}{} {place}\n", slice(gutter, 1..), self.dim("-->")),
            (None, true) => dim(if is_first { "╭────" } else { "⋮" }),
            (None, false) if is_first => String::new(),
            (None, false) => self.dim("...") + "\n",
        }
    }

    /// The lines below `line`, which begins at `offset`: what its labels mark, and the text of each.
    fn below(&self, line: &str, offset: usize, labels: &[LabeledSpan]) -> Vec<String> {
        let bytes = offset..offset + line.len();
        let column = |place: usize| width::columns_apart(slice(line, ..place - offset));
        let underline = |columns: usize| self.marks.underline.repeat(columns);
        let (mut marks, mut marked, mut hanging) = (String::new(), 0, Vec::new());
        for label in labels.iter().filter(|label| bytes.contains(&label.offset())) {
            let start = column(label.offset()).max(marked);
            let end = column(label.offset() + label.len()).max(start + 1);
            let stem = (start + end) / 2;
            let mark = match label.label() {
                _ if label.is_empty() => self.marks.arrow,
                Some(_) => self.marks.stem,
                None => self.marks.underline,
            };
            let severity = if label.primary() { self.severity } else { Severity::Advice };
            let paint = Paint::Of(severity).only_if(self.color);
            let (front, left, right) = (" ".repeat(start - marked), underline(stem - start), underline(end - stem - 1));
            marks += &paint.apply(&format!("{front}{left}{mark}{right}"));
            marked = end;
            hanging.push(Hanging { stem, text: label.label(), paint });
        }
        if hanging.is_empty() {
            return Vec::new();
        }
        let texts = (0..hanging.len()).rev().filter_map(|last| self.text(hanging.get(..=last)?));
        [marks].into_iter().chain(texts).collect()
    }

    /// The text of the last of these labels, beside what hangs below those before it.
    fn text(&self, labels: &[Hanging<'_>]) -> Option<String> {
        let (Hanging { stem: last, text, paint }, others) = labels.split_last()?;
        let text = (*text)?;
        let (mut line, mut column) = (String::new(), 0);
        for other in others {
            line += &(" ".repeat(other.stem - column) + &other.paint.apply(self.marks.bar));
            column = other.stem + 1;
        }
        Some(line + &" ".repeat(last - column) + &paint.apply(&format!("{} {text}", self.marks.corner)))
    }
}
