//! Code that is opened and not closed: a fence without its closing fence, and a backtick without its partner.

use super::hidden::{self, CodeBlock};
use crate::search;
use crate::span::slice;
use std::ops::Range;

/// An opening fence or backticks without a partner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnclosedCode {
    /// Bytes of the fence's line, or of the backticks.
    pub span: Range<usize>,
    pub block: Option<Range<usize>>,
    /// The line in the block that opens another one, which closes both.
    pub other: Option<Range<usize>>,
    /// The first of the fences without a language up to this one, of which any may be the one too many.
    pub first: Option<usize>,
}

/// Finds backticks that are shown as text, the first ones of each paragraph.
#[derive(Clone, Debug)]
pub(super) struct Backticks<'a> {
    text: &'a str,
    found: Vec<Range<usize>>,
    is_found: bool,
    /// Whether a single backtick of the paragraph so far would pair with the next one.
    pub(super) is_open: bool,
}

impl<'a> Backticks<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { text, found: Vec::new(), is_found: false, is_open: false }
    }

    /// Begins a paragraph, a heading, a list item or a cell of a table.
    pub(super) fn begin_paragraph(&mut self) {
        self.is_found = false;
        self.is_open = false;
    }

    /// Reads a piece of text that is not code.
    pub(super) fn read(&mut self, range: &Range<usize>) {
        let (text, mut rest) = (self.text, range.start);
        while let Some(found) = search::byte(slice(text, rest..range.end), b'`') {
            let start = rest + found;
            let run = slice(text, start..range.end);
            let end = range.end - run.trim_start_matches('`').len();
            let before = slice(text, ..start);
            // In a number such as 300`000 it separates the digits.
            let is_digit = |letter: char| letter.is_ascii_digit();
            let is_number = before.ends_with(is_digit) && slice(text, end..).starts_with(is_digit);
            // A backslash after another one is a character of its own.
            let is_escaped = (before.len() - before.trim_end_matches('\\').len()) % 2 == 1;
            self.is_open |= end - start == 1 + usize::from(is_escaped);
            if !self.is_found && !is_number && !is_escaped {
                self.found.push(start..end);
                self.is_found = true;
            }
            rest = end;
        }
    }
}

/// The unclosed code of a document with these code blocks, in document order.
pub(super) fn find(text: &str, blocks: &[CodeBlock], backticks: Backticks<'_>) -> Vec<UnclosedCode> {
    let mut bare = None;
    let fences = blocks.iter().filter(|block| block.fenced).filter_map(|block| {
        let line = slice(text, block.span.clone()).lines().next().unwrap_or_default().trim_end();
        // With a language, it opens a block for certain.
        bare = if line.ends_with(['`', '~']) { bare.or(Some(block.span.start)) } else { None };
        let other = hidden::opened_again(text, block);
        if hidden::is_closed(text, block) && other.is_none() {
            return None;
        }
        let span = block.span.start..block.span.start + line.len();
        let first = bare.filter(|first| *first < span.start && other.is_some());
        Some(UnclosedCode { span, block: Some(block.span.clone()), other, first })
    });
    let backticks = backticks.found.into_iter();
    let backticks = backticks.map(|span| UnclosedCode { span, block: None, other: None, first: None });
    let mut in_order: Vec<UnclosedCode> = fences.chain(backticks).collect();
    in_order.sort_by_key(|code| code.span.start);
    in_order
}

#[cfg(test)]
mod tests {
    use crate::markdown::Document;

    fn unclosed(text: &str) -> Vec<&str> {
        let document = Document::of_text(text);
        document.unclosed_code.into_iter().map(|code| &text[code.span]).collect()
    }

    #[test]
    fn a_backtick_without_a_partner_is_found_once_in_a_paragraph() {
        assert_eq!(unclosed("a `b` c\n`d\n\n- `e\n- `f``\n"), ["`", "`", "`"]);
        assert_eq!(unclosed("a ` b ``` c\n"), ["`"]);
        assert_eq!(unclosed("a \\`b and `c\n"), ["`"]);
        assert_eq!(unclosed("a \\\\`b\n"), ["`"]);
        assert_eq!(unclosed("a \\`b\n\n    `c\n\n<!-- ` -->\n"), Vec::<&str>::new());
    }

    #[test]
    fn of_fences_without_a_language_any_may_be_too_many() {
        let first = |text| Document::of_text(text).unclosed_code.into_iter().find_map(|code| code.first);
        let text = "```go\na\n```\n\nb\n```\nc\n\n```\nd\n```\n\n```go\ne\n```\n";
        assert_eq!(first(text), text.find("\nb\n").map(|at| at + 3));
        assert_eq!(first("```go\na\n```\n\n```\nb\n```go\nc\n```\n"), None);
    }

    #[test]
    fn a_fence_without_its_end_is_found() {
        assert_eq!(unclosed("```yaml\na: b\n"), ["```yaml"]);
        assert_eq!(unclosed("```yaml\na: b\n```\n\n~~~\nx\n~~~\n"), Vec::<&str>::new());
    }
}
