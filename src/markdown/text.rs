//! The text of a document, and places in it.

use super::Document;
use super::section::SectionId;
use crate::search;
use crate::source::SourceFile;
use crate::span::{FileId, Span, first_line, last_line_start, slice};
use std::fmt::Debug;
use std::ops::Range;
use std::slice::SliceIndex;
use std::sync::Arc;

impl Document {
    /// Parses a text that is in no file.
    pub fn of_text(text: &str) -> Self {
        Self::parse(FileId(0), Arc::new(SourceFile::decode("", text.into())))
    }

    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// A part of the text, as [`slice`] cuts it.
    pub fn slice<R: SliceIndex<str, Output = str> + Clone + Debug>(&self, range: R) -> &str {
        slice(self.text(), range)
    }

    /// What a page shows of each heading, in order. Headings in block quotes and in HTML have no section.
    pub fn shown_headings(&self) -> Vec<(Option<SectionId>, &str)> {
        let mut headings = Vec::with_capacity(self.sections.len() + self.other_headings.len());
        headings.extend(self.sections.iter().map(|(id, section)| (section.heading.start, Some(id), section.shown())));
        headings.extend(self.other_headings.iter().map(|other| (other.start, None, other.shown.as_str())));
        headings.sort_by_key(|(start, ..)| *start);
        headings.into_iter().map(|(_, section, shown)| (section, shown)).collect()
    }

    /// The lines outside of code that git writes where a conflict begins and where it ends.
    pub fn conflict_markers(&self) -> Vec<Range<usize>> {
        let text = self.text();
        let is_line = |at: &usize| last_line_start(slice(text, ..*at)) == *at && self.code_around(*at).is_none();
        let mut lines: Vec<usize> = search::words(text, "<<<<<<< ").filter(is_line).collect();
        // Without a beginning, it is a quote.
        if !lines.is_empty() {
            lines.extend(search::words(text, ">>>>>>> ").filter(is_line));
        }
        lines.sort_unstable();
        lines.into_iter().map(|at| at..at + first_line(slice(text, at..)).trim_end().len()).collect()
    }

    pub fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.file, range)
    }

    /// The title, or else the first line: the span for findings about something that the document lacks.
    pub fn top(&self) -> Span {
        let title = self.sections.title().map(|title| self.sections.get(title).heading.clone());
        self.span(title.unwrap_or_else(|| 0..self.text().lines().next().unwrap_or_default().len()))
    }
}
