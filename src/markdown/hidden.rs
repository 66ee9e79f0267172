//! Headings that do not render: those in comments, and those in code blocks that are not closed.

use super::comment::Comment;
use crate::markdown::title::Title;
use crate::span::{slice, tail};
use std::ops::Range;

#[derive(Clone, Debug)]
pub(super) struct CodeBlock {
    pub span: Range<usize>,
    pub fenced: bool,
}

/// A line that would be a heading, but does not render as one.
#[derive(Clone, Debug)]
pub struct HiddenHeading {
    pub title: Title,
    pub level: u8,
    pub span: Range<usize>,
    pub by: Hiding,
    /// Bytes of the whole comment or code block.
    pub within: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hiding {
    Comment,
    /// A comment that is not closed, or only after the title of the document.
    RunawayComment,
    /// A code block that is not closed, or that begins where another one should end.
    RunawayCode,
}

/// The hidden headings of a document that has a title, or has none.
pub(super) fn find(text: &str, comments: &[Comment], code: &[CodeBlock], has_title: bool) -> Vec<HiddenHeading> {
    let mut hidden = Vec::new();
    for comment in comments.iter().filter(|comment| comment.is_block) {
        let by = if comment.is_closed { Hiding::Comment } else { Hiding::RunawayComment };
        let first = hidden.len();
        collect(text, &comment.span, by, &mut hidden);
        // Nobody comments out the only title: the comment before it was not closed, and ends where the next one does.
        if !has_title && tail(&hidden, first).iter().any(|heading| heading.level == 1) {
            hidden.iter_mut().skip(first).for_each(|heading| heading.by = Hiding::RunawayComment);
        }
    }
    for (at, block) in code.iter().enumerate() {
        let previous = at.checked_sub(1).and_then(|before| code.get(before));
        if block.fenced && (!is_closed(text, block) || previous.is_some_and(|before| closes(text, before, block))) {
            collect(text, &block.span, Hiding::RunawayCode, &mut hidden);
        }
    }
    hidden.sort_by_key(|heading| heading.span.start);
    hidden
}

fn collect(text: &str, within: &Range<usize>, by: Hiding, hidden: &mut Vec<HiddenHeading>) {
    if !slice(text, within.clone()).contains('#') {
        return;
    }
    let mut at = within.start;
    for line in slice(text, within.clone()).split_inclusive('\n') {
        let start = at + line.len() - line.trim_start().len();
        at += line.len();
        let Some((level, title)) = atx_title(line.trim()) else { continue };
        hidden.push(HiddenHeading {
            title: Title::new(title),
            level,
            span: start..start + line.trim().len(),
            by,
            within: within.clone(),
        });
    }
}

/// The level and the title of a line that would be a heading if it were not hidden.
fn atx_title(line: &str) -> Option<(u8, &str)> {
    let line = line.strip_prefix("<!--").map_or(line, str::trim_start);
    let title = line.trim_start_matches('#');
    let level = u8::try_from(line.len() - title.len()).ok().filter(|level| (1..=6).contains(level))?;
    title.starts_with([' ', '\t']).then(|| (level, title.trim().trim_end_matches('#').trim_end()))
}

/// The run of fence characters that `line` begins with, at least three of them.
fn fence(line: &str) -> Option<&str> {
    let line = line.trim_start_matches([' ', '\t', '>']);
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let run = slice(line, ..line.len() - line.trim_start_matches(mark).len());
    (run.len() >= 3).then_some(run)
}

/// Whether the block ends with a fence like its first one.
pub(super) fn is_closed(text: &str, block: &CodeBlock) -> bool {
    let source = slice(text, block.span.clone()).trim_end();
    let Some(opening) = fence(source) else { return true };
    let last = source.lines().skip(1).last().unwrap_or_default();
    fence(last).is_some_and(|closing| closing.starts_with(opening) && last.trim_end().ends_with(closing))
}

/// Whether the fence that opens `block` was meant to close `before`: it has no info string, and only blank lines are
/// between the two.
fn closes(text: &str, before: &CodeBlock, block: &CodeBlock) -> bool {
    let opening = slice(text, block.span.clone()).lines().next().unwrap_or_default();
    let is_bare = fence(opening).is_some_and(|run| opening.trim() == run);
    let between = text.get(before.span.end..block.span.start).unwrap_or("x");
    before.fenced && is_bare && !is_closed(text, before) && between.trim().is_empty()
}
