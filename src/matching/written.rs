//! What a reader sees of the author's text in a section: without comments, and without the rest of a question.

use crate::markdown::{Document, title};
use crate::span::slice;
use crate::template::{Template, TemplateId};
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub number: usize,
    /// The line, without the blanks that all lines begin with.
    pub text: String,
}

/// The part of `text`, that of the section `id` of the template, that is not the rest of its question.
pub fn range(document: &Document, template: &Template, id: TemplateId, text: Range<usize>) -> Range<usize> {
    text.start + after_question(document.slice(text.clone()), template, id)..text.end
}

/// Where the answer begins in a text that may begin with the rest of the question `id`: a question that is broken into
/// lines, or in bold, may end later than it was recognized.
fn after_question(text: &str, template: &Template, id: TemplateId) -> usize {
    const MOST_LINES: usize = 2;
    let Some(at) = text.find('?') else { return 0 };
    let rest = slice(text, ..at);
    let key = title::key(rest);
    let is_rest = template.get(id).titles().any(|title| title.key.ends_with(&key));
    let is_near = rest.lines().count() <= MOST_LINES && !rest.trim_start().contains("\n\n");
    if !is_rest || !is_near {
        return 0;
    }
    text.len() - slice(text, at..).trim_start_matches(['?', '*', '_', ')', '"']).len()
}

/// The lines of Markdown in `range` without comments, without empty lines around them, and without several in a row.
pub fn lines(document: &Document, range: Range<usize>) -> Vec<Line> {
    let comments = document.comments.iter().filter(|comment| range.contains(&comment.span.start));
    let (mut kept, mut starts, mut at) = (String::new(), vec![range.start], range.start);
    let mut keep = |part: Range<usize>| {
        let text = document.slice(part.clone());
        starts.extend(text.match_indices('\n').map(|(end, _)| part.start + end + 1));
        kept += text;
    };
    for comment in comments.filter(|comment| comment.span.end <= range.end) {
        keep(at..comment.span.start.max(at));
        at = comment.span.end.max(at);
    }
    keep(at..range.end);
    let mut lines: Vec<(usize, &str)> = starts.into_iter().zip(kept.lines().map(str::trim_end)).collect();
    // An answer below a list item is indented, but not the rest of the line with the question.
    let whole = usize::from(range.start > 0 && !document.slice(..range.start).ends_with('\n'));
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let indents = lines.iter().skip(whole).filter(|(_, line)| !line.is_empty()).map(|(_, line)| indent(line));
    let least = indents.min().unwrap_or_default();
    lines.iter_mut().skip(whole).for_each(|(_, line)| *line = slice(line, least.min(line.len())..));
    lines.iter_mut().take(whole).for_each(|(_, line)| *line = line.trim_start());
    lines.dedup_by(|(_, next), (_, line)| next.is_empty() && line.is_empty());
    let first = lines.iter().position(|(_, line)| !line.is_empty()).unwrap_or(lines.len());
    let last = lines.iter().rposition(|(_, line)| !line.is_empty()).map_or(first, |last| last + 1);
    let number = |start: usize| document.source.position(start).line;
    let line = |(start, text): &(usize, &str)| Line { number: number(*start), text: (*text).to_owned() };
    lines.get(first..last).unwrap_or_default().iter().map(line).collect()
}

/// The first lines of an answer as Markdown: a code block that does not end in them ends with them.
pub fn closed(lines: &[Line]) -> String {
    let mut fence: Option<&str> = None;
    for line in lines {
        let content = line.text.trim_start();
        let has_marks = ["```", "~~~"].iter().any(|marks| content.starts_with(marks));
        let after_marks = content.trim_start_matches(['`', '~']);
        fence = match fence {
            None if has_marks => Some(slice(content, ..content.len() - after_marks.len())),
            Some(opening) if has_marks && content.starts_with(opening) && after_marks.is_empty() => None,
            _ => fence,
        };
    }
    let mut text = lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n");
    if let Some(fence) = fence {
        text += &format!("\n{fence}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceFile;
    use crate::span::FileId;
    use std::sync::Arc;

    #[test]
    fn lines_keep_their_numbers() {
        let text = "<!-- a\nb -->\n\n\n  one <!-- c\n d --> two\n\n<!-- e -->\n\n    three\n";
        let document = Document::parse(FileId(0), Arc::new(SourceFile::decode("README.md", text.into())));
        let lines: Vec<(usize, String)> =
            lines(&document, 0..text.len()).into_iter().map(|line| (line.number, line.text)).collect();
        assert_eq!(lines, [(5, "one  two".to_owned()), (7, String::new()), (10, "  three".to_owned())]);
    }
}
