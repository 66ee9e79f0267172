//! A line of Markdown, and how `mdtoc` classifies it at the start of a block.

use crate::search;
use crate::span::{slice, tail};
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

/// The lines of a text from a byte on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines<'a> {
    text: &'a str,
    at: usize,
    /// Where the lines after the first one begin.
    starts: &'a [usize],
}

impl<'a> Lines<'a> {
    /// The lines from byte `at` on of `text`, of which each line begins at one of `starts`.
    pub fn new(text: &'a str, starts: &'a [usize], at: usize) -> Self {
        Self { text, at, starts: tail(starts, starts.partition_point(|start| *start <= at)) }
    }

    /// The line with this number, counted from 0.
    pub fn get(self, number: usize) -> Option<Line<'a>> {
        let start = number.checked_sub(1).map_or(Some(self.at), |before| self.starts.get(before).copied())?;
        let end = self.starts.get(number).map_or(self.text.len(), |end| *end);
        (start < end).then(|| Line { at: start, text: slice(self.text, start..end) })
    }

    /// The lines from that with this number on.
    pub fn from(self, number: usize) -> impl Iterator<Item = Line<'a>> {
        (number..).map_while(move |number| self.get(number))
    }
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

    /// The first byte that is not a space, by which most kinds of lines are ruled out; 0 for none.
    pub fn first(self) -> u8 {
        self.text.bytes().find(|byte| *byte != b' ').unwrap_or_default()
    }

    /// How many spaces and tabs it begins with.
    pub fn indent(self) -> usize {
        self.text.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
    }

    /// The rest of the line from its byte `start` on.
    pub fn from(self, start: usize) -> Self {
        Self { at: self.at + start, text: self.text.get(start..).unwrap_or_default() }
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
        let marked = text.get(marker..).filter(|rest| level > 0 && rest.starts_with(' '))?;
        let start = text.len() - marked.trim_start_matches(' ').len();
        let mut end = text.len();
        let mut rest = end;
        let has_braces = search::byte(text, b'{').is_some();
        let name = has_braces.then(|| slice(text, start..).find("{#")).flatten().map(|found| start + found);
        if let Some((name, close)) = name.and_then(|name| Some((name, slice(text, name + 1..).find('}')?))) {
            rest = name + 1 + close + 1;
            end = slice(text, ..name).trim_end_matches(' ').len();
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
        if !matches!(self.first(), b'=' | b'-') {
            return None;
        }
        let marks = self.content().trim_end_matches(' ');
        let is_all = |mark: char| !marks.is_empty() && marks.chars().all(|letter| letter == mark);
        let level = if is_all('=') { 1 } else { 2 };
        (self.text.ends_with('\n') && (level == 1 || is_all('-'))).then_some(level)
    }

    pub fn is_rule(self) -> bool {
        if !matches!(self.first(), b'*' | b'-' | b'_') {
            return false;
        }
        let marks = without_indent(self.content());
        let is_all = |mark: char| {
            marks.starts_with(mark)
                && marks.chars().all(|letter| letter == mark || letter == ' ')
                && marks.matches(mark).count() >= 3
        };
        ['*', '-', '_'].into_iter().any(is_all)
    }

    /// The marks of the fence that it opens. Only one word or `{…}` may follow them.
    pub fn fence(self) -> Option<&'a str> {
        if !matches!(self.first(), b'`' | b'~') {
            return None;
        }
        let (marks, info) = fence_marks(self.content())?;
        let info = info.trim_matches(' ');
        let is_word = |word: &str| !word.contains(char::is_whitespace);
        let inner = info.strip_prefix('{').and_then(|info| info.strip_suffix('}'));
        (is_word(info) || inner.is_some_and(|inner| !inner.contains('}'))).then_some(marks)
    }

    /// The fences that the line would open if it began at one of its marks: the mark, and its highest count.
    pub fn fences_within(self) -> impl Iterator<Item = (u8, usize)> {
        let content = self.content().trim_end_matches(' ');
        let after_last = |is_wanted: fn(char) -> bool, end: usize| {
            let last = slice(content, ..end).char_indices().rfind(|(_, letter)| is_wanted(*letter));
            last.map_or(0, |(at, letter)| at + letter.len_utf8())
        };
        let last_word = after_last(char::is_whitespace, content.len());
        let is_braced = content.ends_with('}');
        let last_brace = if is_braced { after_last(|letter| letter == '}', content.len() - 1) } else { 0 };
        let mut end = 0;
        content.match_indices(['`', '~']).filter_map(move |(at, mark)| {
            let run = slice(content, at..);
            let mark = *mark.as_bytes().first()?;
            if at < end {
                return None;
            }
            let count = run.bytes().take_while(|byte| *byte == mark).count();
            end = at + count;
            let info = slice(run, count..).trim_start_matches(' ');
            let start = content.len() - info.len();
            let is_attribute = is_braced && info.starts_with('{') && info.len() > 1 && last_brace <= start;
            (count >= 3 && (last_word <= start || is_attribute)).then_some((mark, count))
        })
    }

    /// The text after the `>` of a block quote.
    pub fn quoted(self) -> Option<Self> {
        if self.first() != b'>' {
            return None;
        }
        let inner = without_indent(self.text).strip_prefix('>')?;
        let inner = inner.strip_prefix(' ').unwrap_or(inner);
        Some(self.from(self.text.len() - inner.len()))
    }

    /// Whether it is a line of indented code.
    pub fn is_indented(self) -> bool {
        self.text.starts_with('\t') || self.text.starts_with("    ")
    }

    pub fn reference(self) -> Option<(String, &'a str)> {
        if self.first() != b'[' {
            return None;
        }
        let (name, rest) = without_indent(self.content()).strip_prefix('[')?.split_once(']')?;
        let rest = rest.strip_prefix(':')?.trim_matches([' ', '\t']);
        let (destination, title) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
        let title = title.trim_start();
        let is_complete = title.is_empty() || (title.len() > 1 && title.starts_with(['"', '\'', '(']));
        let destination =
            destination.strip_prefix('<').and_then(|inner| inner.strip_suffix('>')).unwrap_or(destination);
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
        let fences = |text: &str| Line { at: 0, text }.fences_within().collect::<Vec<_>>();
        assert_eq!(fences("a ``` b\n"), [(b'`', 3)]);
        assert_eq!(fences("a ``` b ~~~~ c  \r\n"), [(b'~', 4)]);
        assert_eq!(fences("````{a b} \n"), [(b'`', 4)]);
        for none in ["``` {a} b}\n", "``` a b\n", "`` a\n", "```{ b\n"] {
            assert!(fences(none).is_empty(), "{none}");
        }
    }
}
