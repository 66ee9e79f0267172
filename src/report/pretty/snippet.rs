//! The lines that a finding is about, with labels. No other file uses miette.

use crate::diagnostic::Severity;
use crate::report::layout::{Label, Layout, Snippet};
use crate::report::look::Look;
use crate::report::paint::Paint;
use crate::report::printable;
use crate::span::slice;
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceSpan};
use miette::{SourceCode, SpanContents, ThemeCharacters, ThemeStyles};
use std::fmt;

/// Renders the lines of `layout`, which belong to a finding in the file of this `path`. Lines of other files have their
/// place above them.
pub fn render(layout: &Layout<'_>, path: &str, severity: Severity, look: &Look) -> String {
    let handler = GraphicalReportHandler::new_themed(theme(layout, severity, look))
        .with_width(look.columns())
        .with_links(false)
        .with_context_lines(0)
        .without_primary_span_start()
        .without_syntax_highlighting();
    let mut text = String::new();
    // Writing to a string does not fail, and every label is in the source that was made for it.
    let _ = handler.render_report(&mut text, &Drawing { layout, path });
    // The first line is that of the message, which the drawing does not have.
    let mut lines: Vec<Line> = Vec::new();
    for line in text.lines().skip(1).map(Line::of) {
        // Places in one file are in one frame.
        let is_next_place = matches!((lines.last(), &line), (Some(Line::Bottom(_)), Line::Top(_, None)));
        match lines.last_mut().filter(|_| is_next_place) {
            Some(last) => *last = Line::Gap,
            None => lines.push(line),
        }
    }
    let gutter = lines.iter().map(|line| line.gutter().len()).max().unwrap_or_default();
    lines.iter().filter_map(|line| line.painted(gutter, look)).collect()
}

fn theme(layout: &Layout<'_>, severity: Severity, look: &Look) -> GraphicalTheme {
    let mut characters = if look.frames { ThemeCharacters::unicode() } else { ThemeCharacters::ascii() };
    if !look.frames {
        characters.vbar_break = characters.vbar;
    }
    let painted = if look.color { ThemeStyles::ansi() } else { ThemeStyles::none() };
    let primary = match severity {
        Severity::Error => painted.error,
        Severity::Warning => painted.warning,
        Severity::Advice => painted.advice,
    };
    let style = |label: &Label| if label.is_primary { primary } else { painted.help };
    let highlights = layout.labels.iter().map(style).collect();
    GraphicalTheme { characters, styles: ThemeStyles { highlights, ..ThemeStyles::none() } }
}

/// A line of a drawing. The gutter is the columns in front, with the number of the line.
enum Line<'a> {
    /// The upper end of a frame, with the place that is shown there if it is in another file.
    Top(&'a str, Option<&'a str>),
    /// Code, or what is said of it, and the bar in front.
    Inside(&'a str, &'a str, &'a str),
    /// The lower end of a frame.
    Bottom(&'a str),
    /// Lines of the file that are left out.
    Gap,
}

impl<'a> Line<'a> {
    fn of(line: &'a str) -> Self {
        let rest = line.trim_start_matches(|letter: char| letter == ' ' || letter.is_ascii_digit());
        let gutter = slice(line, ..line.len() - rest.len());
        let (bar, rest) = rest.split_at(rest.chars().next().map_or(0, char::len_utf8));
        let place = rest.split_once('[').and_then(|(_, place)| place.strip_suffix(']'));
        match bar {
            "╭" | "," => Self::Top(gutter, place),
            "╰" | "`" => Self::Bottom(gutter),
            _ => Self::Inside(gutter, bar, rest),
        }
    }

    fn gutter(&self) -> &'a str {
        match self {
            Self::Top(gutter, _) | Self::Inside(gutter, ..) | Self::Bottom(gutter) => gutter,
            Self::Gap => "",
        }
    }

    /// The line with its gutter dim and so many columns wide. Without frames, nothing is left of the ends of one.
    fn painted(&self, columns: usize, look: &Look) -> Option<String> {
        let dim = |text: &str| Paint::Dim.only_if(look.color).apply(text);
        let gutter = format!("{:>columns$}", self.gutter());
        Some(
            match *self {
                Self::Top(_, Some(place)) if look.frames => dim(&format!("{gutter}╭─[{place}]")),
                Self::Top(_, None) if look.frames => dim(&format!("{gutter}╭────")),
                Self::Top(_, Some(place)) => format!("{}{} {place}", slice(&gutter, 1..), dim("-->")),
                Self::Bottom(_) if look.frames => dim(&format!("{gutter}╰────")),
                Self::Gap if look.frames => dim(&format!("{gutter}⋮")),
                Self::Gap => dim(look.ellipsis()),
                Self::Top(_, None) | Self::Bottom(_) => return None,
                Self::Inside(_, bar, rest) => format!("{}{rest}", dim(&format!("{gutter}{bar}"))),
            } + "\n",
        )
    }
}

/// Lines as miette needs them. Its source is not a file but the few lines of a layout: no long text is searched, and a
/// finding may have lines of several files.
#[derive(Debug)]
struct Drawing<'a> {
    layout: &'a Layout<'a>,
    path: &'a str,
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl std::error::Error for Drawing<'_> {}

impl miette::Diagnostic for Drawing<'_> {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.layout.labels.iter().map(|Label { place, text, is_primary }| match is_primary {
            true => LabeledSpan::new_primary_with_span(text.clone(), place.clone()),
            false => LabeledSpan::new_with_span(text.clone(), place.clone()),
        })))
    }
}

impl SourceCode for Drawing<'_> {
    /// The snippet that holds `span`. Each snippet is only what is to be shown, so that miette renders them separately.
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        _lines_before: usize,
        _lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let place = span.offset()..span.offset() + span.len();
        let Snippet { path, position, first_line, offset, text, .. } =
            self.layout.snippet_of(&place).ok_or(MietteError::OutOfBounds)?;
        let all = SourceSpan::from((*offset, text.len()));
        let (line, lines) = (first_line - 1, text.lines().count());
        Ok(Box::new(if *path == self.path {
            MietteSpanContents::new(text.as_bytes(), all, line, 0, lines)
        } else {
            let name = format!("{}:{}:{}", printable(path), position.line, position.column);
            MietteSpanContents::new_named(name, text.as_bytes(), all, line, 0, lines)
        }))
    }
}
