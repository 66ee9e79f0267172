//! A line of Markdown, and how `mdtoc` classifies it at the start of a block.

use crate::span::{LineIndex, slice};
use std::ops::Range;

/// A line, or the rest of one, with its newline if it has one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    pub at: usize,
    pub text: &'a str,
}

#[derive(Clone, Debug)]
pub(super) struct Heading<'a> {
    pub level: usize,
    pub content: &'a str,
    pub span: Range<usize>,
}

/// The lines of `text`, which has this `index`, from byte `start` on. For mdtoc, `\r` alone ends no line.
pub(super) fn lines<'a>(text: &'a str, index: &LineIndex, start: usize) -> Vec<Line<'a>> {
    let mut lines = Vec::with_capacity(index.line_count());
    let mut at = start;
    for end in index.starts().iter().copied().chain([text.len()]) {
        let is_end = end == text.len() || text.as_bytes().get(end.wrapping_sub(1)) == Some(&b'\n');
        if at < end && is_end {
            lines.push(Line { at, text: slice(text, at..end) });
            at = end;
        }
    }
    lines
}

impl<'a> Line<'a> {
    pub fn content(self) -> &'a str {
        let content = self.text.strip_suffix('\n').unwrap_or(self.text);
        content.strip_suffix('\r').unwrap_or(content)
    }

    /// Whether it is empty or has only spaces and tabs.
    pub fn is_blank(self) -> bool {
        matches!(self.text.trim_start_matches([' ', '\t']), "" | "\n" | "\r\n" | "\r")
    }

    /// Whether it is text, or the header of a table: all other blocks begin with a mark or a space.
    pub fn begins_with_letter(self) -> bool {
        self.text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
    }

    /// The first byte that is not a space, by which most kinds of lines are ruled out; 0 for none.
    pub fn first(self) -> u8 {
        self.text.bytes().find(|byte| *byte != b' ').unwrap_or_default()
    }

    /// The rest of the line from its byte `start` on.
    pub fn from(self, start: usize) -> Self {
        Self { at: self.at + start, text: slice(self.text, start..) }
    }

    pub fn without_spaces(self) -> Self {
        self.from(self.text.len() - self.text.trim_start_matches(' ').len())
    }

    /// The heading, and the rest of the line after a `{#name}`.
    pub fn heading(self) -> Option<(Heading<'a>, Self)> {
        if !matches!(self.first(), b'#' | b'.') {
            return None;
        }
        let text = self.content();
        let hashes = text.bytes().take_while(|byte| *byte == b'#').take(6).count();
        let (level, marker) = if text.starts_with(".# ") { (1, 2) } else { (hashes, hashes) };
        let marked = slice(text, marker..);
        if level == 0 || !marked.starts_with(' ') {
            return None;
        }
        let title = marked.trim_start_matches(' ');
        let start = text.len() - title.len();
        let (mut end, mut rest) = (text.len(), text.len());
        if title.contains('{')
            && let Some(at) = title.find("{#")
            && let Some(closing) = slice(title, at..).find('}')
        {
            rest = start + at + closing + 1;
            end = start + slice(title, ..at).trim_end_matches(' ').len();
        }
        while slice(text, ..end).ends_with('#') && !is_escaped(text, end - 1) {
            end -= 1;
        }
        let content = text.get(start..end).unwrap_or_default().trim_end_matches(' ');
        // The text after a name is not part of the heading, and may be another heading.
        let line = if rest < text.len() { slice(text, ..rest) } else { text.trim_end() };
        let span = self.at..self.at + line.len();
        Some((Heading { level, content, span }, self.from(rest)))
    }

    /// The level of the heading above, if this line underlines it: 1 for `=`, 2 for `-`. It must end with a newline.
    pub fn underline(self) -> Option<usize> {
        if !matches!(self.first(), b'=' | b'-') || !self.text.ends_with('\n') {
            return None;
        }
        let marks = self.content().trim_end_matches(' ');
        if marks.bytes().all(|byte| byte == b'=') {
            return Some(1);
        }
        marks.bytes().all(|byte| byte == b'-').then_some(2)
    }

    pub fn is_rule(self) -> bool {
        let mark = self.first();
        let marks = without_indent(self.content());
        matches!(mark, b'*' | b'-' | b'_')
            && marks.as_bytes().first() == Some(&mark)
            && marks.bytes().all(|byte| byte == mark || byte == b' ')
            && marks.bytes().filter(|byte| *byte == mark).count() >= 3
    }

    /// The marks of the fence that it opens. Only one word or `{…}` may follow them.
    pub fn fence(self) -> Option<&'a str> {
        if !matches!(self.first(), b'`' | b'~') {
            return None;
        }
        let (marks, info) = fence_marks(self.content())?;
        let info = info.trim_matches(' ');
        let inner = info.strip_prefix('{').and_then(|info| info.strip_suffix('}'));
        let is_fence = !info.contains(char::is_whitespace) || inner.is_some_and(|inner| !inner.contains('}'));
        is_fence.then_some(marks)
    }

    /// The fences that the line would open if it began at one of its marks: the mark, and its highest count.
    pub fn fences_within(self) -> Vec<(u8, usize)> {
        let content = self.content().trim_end_matches(' ');
        let last_space = content.rfind(char::is_whitespace);
        let braced = content.strip_suffix('}');
        let last_brace = braced.and_then(|braced| braced.rfind('}'));
        let mut fences = Vec::new();
        let mut rest = content;
        while let Some(at) = rest.find(['`', '~']) {
            let run = slice(rest, at..);
            let Some(mark) = run.chars().next() else { break };
            rest = run.trim_start_matches(mark);
            let count = run.len() - rest.len();
            let info = rest.trim_start_matches(' ');
            let start = content.len() - info.len();
            let is_word = last_space.is_none_or(|space| space < start);
            let may_be_braced = braced.is_some() && info.len() > 1 && info.starts_with('{');
            let is_fence = is_word || (may_be_braced && last_brace.is_none_or(|brace| brace < start));
            if count >= 3 && is_fence {
                fences.push((mark as u8, count));
            }
        }
        fences
    }

    /// The text after the `>` of a block quote.
    pub fn quoted(self) -> Option<Self> {
        let inner = without_indent(self.text).strip_prefix('>')?;
        let inner = inner.strip_prefix(' ').unwrap_or(inner);
        Some(self.from(self.text.len() - inner.len()))
    }

    pub fn is_indented(self) -> bool {
        self.text.starts_with('\t') || self.text.starts_with("    ")
    }

    /// The name and the destination of a link that the line defines.
    pub fn definition(self) -> Option<(String, &'a str)> {
        if self.first() != b'[' {
            return None;
        }
        let (name, rest) = without_indent(self.content()).strip_prefix('[')?.split_once(']')?;
        let rest = rest.strip_prefix(':')?.trim_matches([' ', '\t']);
        let (destination, title) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
        let title = title.trim_start();
        let is_complete = title.is_empty() || (title.len() > 1 && title.starts_with(['"', '\'', '(']));
        let inner = destination.strip_prefix('<').and_then(|inner| inner.strip_suffix('>'));
        let destination = inner.unwrap_or(destination);
        (is_complete && !destination.is_empty()).then(|| (name.to_lowercase(), destination))
    }
}

/// Whether there is an odd number of backslashes before byte `at`.
pub(super) fn is_escaped(text: &str, at: usize) -> bool {
    let before = slice(text, ..at);
    (before.len() - before.trim_end_matches('\\').len()) % 2 == 1
}

/// The text without up to three leading spaces.
pub(super) fn without_indent(text: &str) -> &str {
    let spaces = text.bytes().take_while(|byte| *byte == b' ').take(3).count();
    slice(text, spaces..)
}

/// The marks of a fence, at least three, and the text after them.
pub(super) fn fence_marks(text: &str) -> Option<(&str, &str)> {
    let text = without_indent(text);
    let mark = text.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let info = text.trim_start_matches(mark);
    let marks = slice(text, ..text.len() - info.len());
    (marks.len() >= 3).then_some((marks, info))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_word_or_braces_may_follow_a_fence_within_a_line() {
        let fences = |text: &str| Line { at: 0, text }.fences_within();
        assert_eq!(fences("a ``` b\n"), [(b'`', 3)]);
        assert_eq!(fences("a ``` b ~~~~ c  \r\n"), [(b'~', 4)]);
        assert_eq!(fences("````{a b} \n"), [(b'`', 4)]);
        for none in ["``` {a} b}\n", "``` a b\n", "`` a\n", "```{ b\n"] {
            assert!(fences(none).is_empty(), "{none}");
        }
    }
}
