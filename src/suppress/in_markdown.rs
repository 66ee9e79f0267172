//! The ignores of a Markdown document: `<!-- kep-lint-ignore RULE: reason -->`, and what each of them covers.

use super::ignore::{Ignore, Kind, WHOLE_FILE};
use crate::markdown::{self, Document};
use crate::mdtoc::Markers;
use crate::source::SourceFile;
use crate::span::{Span, slice};
use std::collections::BTreeSet;
use std::ops::Range;

pub fn find(document: &Document) -> Vec<Ignore> {
    let text = document.text();
    let comments = document.comments.iter().filter(|comment| comment.is_closed);
    let mut ignores: Vec<(Ignore, bool)> = comments
        .filter_map(|comment| {
            let body = comment.span.start + "<!--".len()..comment.span.end.saturating_sub("-->".len());
            let ignore =
                Ignore::parse(document.file, text, comment.span.clone(), body.start..body.end.max(body.start))?;
            Some((ignore, comment.is_block))
        })
        .collect();
    if ignores.is_empty() {
        return Vec::new();
    }
    let starts: BTreeSet<usize> = ignores.iter().map(|(ignore, _)| ignore.comment.start).collect();
    let begin = |block: &Range<usize>| {
        let source = slice(text, block.clone());
        block.start + source.len() - source.trim_start().len()
    };
    let blocks: Vec<Range<usize>> =
        markdown::blocks(text).into_iter().filter(|block| !starts.contains(&begin(block))).collect();
    // A table of contents is one block.
    let contents = Markers::find(text).whole();
    for (ignore, is_block) in &mut ignores {
        ignore.covers = match ignore.kind {
            Kind::Unknown => 0..0,
            Kind::File => WHOLE_FILE,
            Kind::Next if *is_block => after(document, &blocks, contents.as_ref(), ignore.comment.range()),
            Kind::Next => lines(&document.source, ignore.comment),
        };
    }
    ignores.into_iter().map(|(ignore, _)| ignore).collect()
}

/// What the ignore `comment` covers: all up to the end of the next block, or of the section of the next heading. The
/// text between the two has no block, but may have link definitions. Itself, too: what a document lacks may be reported
/// at its first line.
fn after(
    document: &Document,
    blocks: &[Range<usize>],
    contents: Option<&Range<usize>>,
    comment: Range<usize>,
) -> Range<usize> {
    let text = document.text();
    let next = blocks.get(blocks.partition_point(|block| block.start < comment.end));
    let last = next.map_or(text.len(), |next| {
        let section = document.sections.at(next.start).map(|id| document.sections.get(id));
        let section = section.filter(|section| section.heading.start == next.start);
        let list = contents.filter(|contents| next.contains(&contents.start));
        section.map(|section| section.subtree.end).or(list.map(|list| list.end)).unwrap_or(next.end)
    });
    // A finding about something missing may be at the very end.
    comment.start..if last >= text.len() { text.len() + 1 } else { last }
}

fn lines(source: &SourceFile, comment: Span) -> Range<usize> {
    let (text, lines) = (source.text.as_str(), source.lines());
    let end = lines.line_range(lines.line_of(comment.end), text).end;
    lines.line_range(lines.line_of(comment.start), text).start..if end == text.len() { end + 1 } else { end }
}
