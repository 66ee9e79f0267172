//! The ignores of a YAML file: `# kep-lint-ignore RULE: reason`, and what each of them covers. By lines and their
//! indentation, so that one also counts in a file that cannot be parsed as a whole.

use super::ignore::{Ignore, Kind, NAME, WHOLE_FILE};
use crate::source::SourceFile;
use crate::span::{FileId, Span, slice};
use crate::yaml;
use crate::yaml::tree::{Node, Value};
use std::ops::Range;

pub fn find(file: FileId, source: &SourceFile) -> Vec<Ignore> {
    let text = &source.text;
    // Most files have none, and do not have to be parsed again.
    if !text.contains(NAME) {
        return Vec::new();
    }
    let scalars = scalars(file, text);
    let is_text = |at: usize| {
        let next = scalars.partition_point(|scalar| scalar.end <= at);
        scalars.get(next).is_some_and(|scalar| scalar.start <= at)
    };
    let mut ignores = Vec::new();
    // The line that a comment above it is about, and what it begins.
    let mut below: Option<Range<usize>> = None;
    let mut blocks = Blocks::default();
    for number in (0..source.lines().line_count()).rev() {
        let line = source.lines().line_range(number, text);
        let content = slice(text, line.clone()).trim();
        let comment = comment(text, &line).filter(|comment| !is_text(comment.start));
        let is_alone = comment.as_ref().is_some_and(|comment| slice(text, line.start..comment.start).trim().is_empty());
        if !content.starts_with('#') {
            blocks.add(text, &line);
            below = (!content.is_empty()).then(|| blocks.open.last().map_or(0..0, |block| block.bytes.clone()));
        }
        let body = comment.as_ref().map(|comment| comment.start + 1..comment.end);
        let Some((comment, body)) = comment.zip(body) else { continue };
        let Some(mut ignore) = Ignore::parse(file, text, comment, body) else { continue };
        ignore.covers = match ignore.kind {
            Kind::Unknown => 0..0,
            Kind::File => WHOLE_FILE,
            Kind::Next if is_alone => below.clone().unwrap_or(0..0),
            Kind::Next => line.start..line.end + usize::from(line.end == text.len()),
        };
        ignores.push(ignore);
    }
    ignores.reverse();
    ignores
}

/// The comment of an ignore in `line`, from its `#` to the end of the line.
fn comment(text: &str, line: &Range<usize>) -> Option<Range<usize>> {
    let content = slice(text, line.clone()).trim_end();
    let is_start = |at: &usize| *at == 0 || slice(content, ..*at).ends_with([' ', '\t', '\u{feff}']);
    let hashes = content.match_indices('#').map(|(at, _)| at).filter(is_start);
    let mut ignores = hashes.filter(|at| slice(content, at + 1..).trim_start_matches([' ', '\t']).starts_with(NAME));
    ignores.next().map(|at| line.start + at..line.start + content.len())
}

/// The spans of all scalars in order: a `#` in them begins no comment.
fn scalars(file: FileId, text: &str) -> Vec<Span> {
    let tree = yaml::parse(file, text);
    let mut scalars = Vec::new();
    let mut nodes: Vec<&Node> = tree.root.iter().collect();
    while let Some(node) = nodes.pop() {
        match &node.value {
            Value::Scalar(_) if node.span.end > node.span.start => scalars.push(node.span),
            Value::Scalar(_) | Value::Alias(_) => {}
            Value::Sequence(items) => nodes.extend(items),
            Value::Mapping(entries) => nodes.extend(entries.iter().flat_map(|entry| [&entry.key, &entry.value])),
        }
    }
    scalars.sort_by_key(|scalar| scalar.start);
    scalars
}

/// The blocks that lines begin: a key with its value, or an item of a list. Lines are added from the last to the first.
#[derive(Default)]
struct Blocks {
    /// The lines added so far that no line with less indentation is before, the first last.
    open: Vec<Block>,
}

struct Block {
    indentation: usize,
    is_item: bool,
    bytes: Range<usize>,
}

impl Blocks {
    fn add(&mut self, text: &str, line: &Range<usize>) {
        let source = slice(text, line.clone());
        let content = source.trim_start_matches([' ', '\u{feff}']);
        if content.trim().is_empty() {
            return;
        }
        let indentation = source.trim_start_matches('\u{feff}').len() - content.len();
        let is_item = content.trim_end() == "-" || content.starts_with("- ");
        let mut end = line.end;
        // The items of a list may have the indentation of its key.
        let is_part = |block: &Block| {
            block.indentation > indentation || (block.indentation == indentation && block.is_item && !is_item)
        };
        while let Some(part) = self.open.pop_if(|block| is_part(block)) {
            end = part.bytes.end;
        }
        let end = if end >= text.len() { text.len() + 1 } else { end };
        self.open.push(Block { indentation, is_item, bytes: line.start..end });
    }
}
