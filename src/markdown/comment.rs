//! HTML comments: where they begin and end, and lines without them.

use crate::search;
use crate::span::{last_until, slice};
use std::borrow::Cow;
use std::ops::Range;

const OPENER: &str = "<!--";
const CLOSER: &str = "-->";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    pub span: Range<usize>,
    /// Whether it is a block, not part of a paragraph or heading.
    pub is_block: bool,
    pub is_closed: bool,
}

pub(super) fn is_in(comments: &[Comment], offset: usize) -> bool {
    last_until(comments, offset, |comment| comment.span.start).is_some_and(|comment| comment.span.contains(&offset))
}

impl Comment {
    pub(super) fn block(span: Range<usize>, is_closed: bool) -> Self {
        Self { span, is_block: true, is_closed }
    }

    pub(super) fn inline(span: Range<usize>) -> Self {
        Self { span, is_block: false, is_closed: true }
    }

    /// The text between opener and closer; `text` is the whole document.
    pub fn body<'a>(&self, text: &'a str) -> &'a str {
        let comment = text.get(self.span.clone()).unwrap_or_default();
        let body = comment.strip_prefix(OPENER).unwrap_or(comment);
        body.strip_suffix(CLOSER).unwrap_or(body)
    }

    /// Whether it is a directive for kep-lint; `text` is the whole document.
    pub fn is_directive(&self, text: &str) -> bool {
        self.body(text).trim_start().starts_with("DIRECTIVE")
    }
}

pub(super) enum Kind {
    Comment { closed: bool },
    Tag { is_image: bool },
    Content,
}

pub(super) struct Piece {
    pub span: Range<usize>,
    pub kind: Kind,
}

/// Splits an HTML block into comments, tags, and lines with words.
pub(super) fn split(block: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < block.len() {
        let rest = slice(block, at..);
        if let Some(body) = rest.strip_prefix(OPENER) {
            let end = search::word(body, CLOSER).map(|found| at + OPENER.len() + found + CLOSER.len());
            let closed = end.is_some();
            let end = end.unwrap_or(at + rest.trim_end().len());
            pieces.push(Piece { span: at..end, kind: Kind::Comment { closed } });
            at = if closed { end } else { block.len() };
        } else if rest.starts_with('<') {
            let end = at + rest.find('>').map_or(rest.len(), |found| found + 1);
            pieces.push(Piece { span: at..end, kind: Kind::Tag { is_image: is_image(rest) } });
            at = end;
        } else {
            let end = at + rest.find('<').unwrap_or(rest.len());
            pieces.extend(lines_with_words(block, at..end));
            at = end;
        }
    }
    pieces
}

pub(super) fn is_image(tag: &str) -> bool {
    ["<img", "<picture", "<video", "<svg"]
        .iter()
        .any(|name| tag.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)))
}

fn lines_with_words(block: &str, range: Range<usize>) -> impl Iterator<Item = Piece> {
    let mut at = range.start;
    slice(block, range).split_inclusive('\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        let has_words = line.chars().any(char::is_alphanumeric);
        has_words.then(|| Piece { span: start..start + line.trim_end().len(), kind: Kind::Content })
    })
}

/// The text of `line`, which is trimmed, without comments; all of `comments` end after its beginning.
pub(super) fn without_comments(text: &str, line: Range<usize>, comments: &[Comment]) -> String {
    let inside = comments.iter().take_while(|comment| comment.span.start < line.end);
    let mut left = String::new();
    let mut at = line.start;
    for comment in inside {
        left.push_str(slice(text, at..comment.span.start.max(at)));
        at = comment.span.end.clamp(at, line.end);
    }
    left.push_str(slice(text, at..line.end));
    left.trim().to_owned()
}

/// Whether `line` begins with a directive that is closed by `>` instead of `-->`, so that it would run to the next
/// `-->`.
pub fn is_unclosed_directive(line: &str) -> bool {
    let line = line.trim();
    line.strip_prefix(OPENER).is_some_and(|body| body.trim_start().starts_with("DIRECTIVE"))
        && line.ends_with('>')
        && !line.contains(CLOSER)
}

/// Closes directives that end with `>` instead of `-->` by overwriting their last bytes, so that the headings after
/// them are read.
pub(super) fn repair_openers(text: Cow<'_, str>) -> Cow<'_, str> {
    if search::word(&text, "DIRECTIVE").is_none() || !text.lines().any(is_unclosed_directive) {
        return text;
    }
    let close = |line: &str| {
        if !is_unclosed_directive(line) {
            return line.to_owned();
        }
        let content = line.trim_end();
        let mut kept = content.len().saturating_sub(CLOSER.len());
        while !content.is_char_boundary(kept) {
            kept -= 1;
        }
        let padding = " ".repeat(content.len() - CLOSER.len() - kept);
        format!("{}{padding}{CLOSER}{}", slice(content, ..kept), slice(line, content.len()..))
    };
    Cow::Owned(text.split_inclusive('\n').map(close).collect())
}
