//! Headings that do not render: those in comments, in HTML, and in code blocks that are not closed.

use super::comment::{self, Comment};
use super::look_alike::{LookAlike, LookAlikeKind};
use crate::bounds;
use crate::markdown::anchor::Dialect;
use crate::markdown::link::Link;
use crate::markdown::section::Sections;
use crate::markdown::title::Title;
use crate::search;
use crate::span::{first_line, is_odd_space, last_line_start, slice, tail};
use std::cell::LazyCell;
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
    /// Bytes of the whole comment, code block or HTML.
    pub within: Range<usize>,
    /// Whether a rule of the run reports what hides it. If none does, it counts as missing.
    pub is_named: bool,
    /// The target of a link of the document that leads to it, such as one of its table of contents.
    pub link: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hiding {
    Comment,
    /// A comment that is not closed, or only after the title of the document.
    RunawayComment,
    /// A code block that is not closed, or that begins where another one should end, or that ends where another one should.
    RunawayCode,
    /// A code block between two fences. It counts only if a link leads to the heading.
    Code,
    /// HTML, which goes on to the next blank line.
    Html,
    /// A character that looks like another one.
    LookAlike,
    /// HTML that only its own end ends, such as `<pre>` and `<!DOCTYPE`.
    OpenHtml,
}

impl HiddenHeading {
    fn new(title: &str, level: u8, span: Range<usize>, by: Hiding, within: &Range<usize>) -> Self {
        Self { title: Title::new(title), level, span, by, within: within.clone(), is_named: true, link: None }
    }

    /// Whether what hides it does not end where it was meant to.
    pub fn is_swallowed(&self) -> bool {
        matches!(self.by, Hiding::RunawayComment | Hiding::RunawayCode | Hiding::Code)
    }
}

/// The hidden headings of a document that has a title, or has none.
pub(super) fn find(
    text: &str,
    comments: &[Comment],
    code: &[CodeBlock],
    html: &[Range<usize>],
    look_alikes: &[LookAlike],
    has_title: bool,
) -> Vec<HiddenHeading> {
    let mut hidden = Vec::new();
    for comment in comments.iter().filter(|comment| comment.is_block) {
        let is_closed = comment.is_closed && !holds_next_comment(comment.body(text));
        let by = if is_closed { Hiding::Comment } else { Hiding::RunawayComment };
        let first = hidden.len();
        collect(text, &comment.span, by, &mut hidden);
        // Nobody comments out the only title: the comment before it was not closed, and ends where the next one does.
        if !has_title && tail(&hidden, first).iter().any(|heading| heading.level == 1) {
            hidden.iter_mut().skip(first).for_each(|heading| heading.by = Hiding::RunawayComment);
        }
    }
    for (at, block) in code.iter().enumerate() {
        let previous = at.checked_sub(1).and_then(|before| code.get(before));
        let is_runaway = !is_closed(text, block)
            || opened_again(text, block).is_some()
            || previous.is_some_and(|before| closes(text, before, block));
        if block.fenced && is_runaway {
            collect(text, &block.span, Hiding::RunawayCode, &mut hidden);
        } else if block.fenced && slice(text, block.span.clone()).contains("##") {
            collect(text, &block.span, Hiding::Code, &mut hidden);
        }
    }
    for block in html {
        let source = slice(text, block.clone());
        let by = if ends_at_blank_line(source) { Hiding::Html } else { Hiding::OpenHtml };
        let first = hidden.len();
        collect(text, block, by, &mut hidden);
        let in_html = hidden.split_off(first).into_iter();
        // The lines of code may begin with `#`.
        let fenced = LazyCell::new(|| between_fences(source, block.start));
        hidden.extend(in_html.filter(|HiddenHeading { span, .. }| {
            !fenced.iter().any(|lines| lines.contains(&span.start)) && !comment::is_in(comments, span.start)
        }));
    }
    for found in look_alikes.iter().filter(|found| !found.is_quoted) {
        let LookAlike { line, kind, .. } = found;
        if let LookAlikeKind::Heading { level } = *kind {
            let repaired = found.repaired(text);
            let words = repaired.trim_matches(|letter: char| "# \t".contains(letter) || is_odd_space(letter));
            hidden.push(HiddenHeading::new(words, level, line.clone(), Hiding::LookAlike, line));
        }
    }
    hidden.sort_by_key(|heading| heading.span.start);
    hidden
}

/// Marks the hidden headings that a link leads to, and leaves out the lines of code that none does.
pub(super) fn mark_linked(hidden: &mut Vec<HiddenHeading>, sections: &Sections, links: &[Link]) {
    for heading in hidden.iter_mut().take(bounds::LINKED_HEADINGS) {
        let same = sections.iter().filter(|(_, section)| section.title.key == heading.title.key).count();
        let number = if same == 0 { String::new() } else { format!("-{same}") };
        let target = format!("#{}{number}", Dialect::Mdtoc.anchor(&heading.title.text));
        heading.link = links.iter().any(|link| link.target == target).then_some(target);
    }
    hidden.retain(|heading| heading.by != Hiding::Code || heading.link.is_some());
}

/// Whether a comment, which is no commented-out section, holds the beginning of another one: it lost its end.
fn holds_next_comment(body: &str) -> bool {
    let first = body.trim_start();
    !first.is_empty() && atx_title(first_line(first)).is_none() && search::word(body, "\n<!--").is_some()
}

/// Whether a block of HTML ends at a blank line: those of `<pre>` and the like, and of all that begins with `<!` or `<?`, do
/// not.
fn ends_at_blank_line(block: &str) -> bool {
    let name = block.trim_start().trim_start_matches('<').to_ascii_lowercase();
    let is_mark = name.starts_with(['!', '?']);
    !is_mark && !["pre", "script", "style", "textarea"].iter().any(|tag| name.starts_with(tag))
}

fn collect(text: &str, within: &Range<usize>, by: Hiding, hidden: &mut Vec<HiddenHeading>) {
    if by != Hiding::Html && !slice(text, within.clone()).contains('#') {
        return;
    }
    let mut above = 0..0;
    let mut at = within.start;
    for line in slice(text, within.clone()).split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        let span = at + indent..at + indent + line.trim().len();
        at += line.len();
        let before = std::mem::replace(&mut above, span.clone());
        // A heading with an underline has all lines of its paragraph.
        let is_paragraph = by == Hiding::Html && slice(text, ..before.start).trim_end().ends_with('>');
        let underline = if is_paragraph { underline(line) } else { None };
        let underlined = underline.map(|level| (level, slice(text, before.clone())));
        let Some((level, title)) = underlined.or_else(|| atx_title(line.trim())) else { continue };
        let start = if underlined.is_some() { before.start } else { span.start };
        // In a shell script, a comment begins with one `#`.
        if title.starts_with(['<', '#']) || (by == Hiding::Code && level == 1) {
            continue;
        }
        hidden.push(HiddenHeading::new(title, level, start..span.end, by, within));
    }
}

/// The level of the heading above `line`, if that is its underline.
fn underline(line: &str) -> Option<u8> {
    let line = line.trim();
    let level = if line.starts_with('=') { 1 } else { 2 };
    let is_underline = line.trim_matches('=').is_empty() || line.trim_matches('-').is_empty();
    if line.len() > 2 && is_underline { Some(level) } else { None }
}

/// The level and the title of a line that would be a heading if it were not hidden.
fn atx_title(line: &str) -> Option<(u8, &str)> {
    let line = line.strip_prefix("<!--").map_or(line, str::trim_start);
    let title = line.trim_start_matches('#');
    let level = u8::try_from(line.len() - title.len()).ok().filter(|level| (1..=6).contains(level))?;
    let is_title = title.starts_with([' ', '\t']) || (level > 1 && title.starts_with(char::is_alphabetic));
    is_title.then(|| (level, title.trim().trim_end_matches('#').trim_end()))
}

/// The run of fence characters that `line` begins with, at least three of them.
fn fence(line: &str) -> Option<&str> {
    let line = line.trim_start_matches([' ', '\t', '>']);
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let run = slice(line, ..line.len() - line.trim_start_matches(mark).len());
    (run.len() >= 3).then_some(run)
}

/// Where lines are between two fences, or after the last one, in a text that begins at byte `at`.
fn between_fences(source: &str, mut at: usize) -> Vec<Range<usize>> {
    let mut fences = Vec::new();
    for line in source.split_inclusive('\n') {
        fences.extend(fence(line).map(|_| at));
        at += line.len();
    }
    fences.chunks(2).filter_map(|pair| Some(*pair.first()?..pair.get(1).copied().unwrap_or(at))).collect()
}

/// Whether the block ends with a fence like its first one.
pub(super) fn is_closed(text: &str, block: &CodeBlock) -> bool {
    let source = slice(text, block.span.clone()).trim_end();
    let Some(opening) = fence(source) else { return true };
    let last = source.lines().skip(1).last().unwrap_or_default();
    fence(last).is_some_and(|closing| closing.starts_with(opening) && last.trim_end().ends_with(closing))
}

/// The line in a closed block that opens another one, with a language: the fence of this one was forgotten before it.
pub(super) fn opened_again(text: &str, block: &CodeBlock) -> Option<Range<usize>> {
    let source = slice(text, block.span.clone());
    let opening = fence(source)?;
    // Nearly all blocks have only the fences at both ends.
    search::words(source, opening).nth(2)?;
    let before = slice(text, ..block.span.start);
    let column = slice(before, last_line_start(before)..);
    let mut at = block.span.start;
    source.split_inclusive('\n').find_map(|line| {
        let start = at;
        at += line.len();
        // A fence that is indented like code is text of the block.
        let inside = line.strip_prefix(column).unwrap_or_default();
        let run = fence(line).filter(|run| start > block.span.start && run.starts_with(opening))?;
        if inside.starts_with("    ") || inside.starts_with('\t') {
            return None;
        }
        let language = line.trim_start_matches([' ', '\t', '>']).trim_start_matches(run).trim();
        let is_language = language.starts_with(|first: char| first.is_ascii_alphabetic()) && !language.contains('`');
        is_language.then(|| start..start + line.trim_end().len())
    })
}

/// Whether the fence that opens `block` was meant to close `before`: it has no info string, and only blank lines are
/// between the two.
fn closes(text: &str, before: &CodeBlock, block: &CodeBlock) -> bool {
    let opening = slice(text, block.span.clone()).lines().next().unwrap_or_default();
    let is_bare = fence(opening).is_some_and(|run| opening.trim() == run);
    let between = text.get(before.span.end..block.span.start).unwrap_or("x");
    before.fenced && is_bare && !is_closed(text, before) && between.trim().is_empty()
}
