//! Inline Markdown in headings as `mdtoc` parses it. Its parser, gomarkdown, has simpler emphasis, links and code spans
//! than CommonMark.

use super::lookahead::Lookahead;
use crate::span::slice;
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;

const SCHEMES: [&str; 4] = ["http://", "https://", "ftp://", "mailto:"];

const ESCAPABLE: &str = "\\`*_{}[]()#+-.!:|&<>~^";

/// More marks in a row are not emphasis.
const MOST_MARKS: usize = 3;

#[derive(Debug, Default)]
pub(super) struct References<'a> {
    destinations: HashMap<String, &'a str>,
    /// How many bytes of them may still be written. Without this limit, one long destination in thousands of headings
    /// makes a huge table of contents out of a small file.
    left: Cell<usize>,
}

impl<'a> References<'a> {
    /// The definitions of a document, for a table of contents that repeats at most `most` bytes of them. The last
    /// definition of a name counts.
    pub fn new(definitions: Vec<(String, &'a str)>, most: usize) -> Self {
        Self { destinations: definitions.into_iter().collect(), left: Cell::new(most) }
    }

    fn destination(&self, name: &str) -> Option<&'a str> {
        if self.destinations.is_empty() {
            return None;
        }
        let destination = *self.destinations.get(&name.to_lowercase())?;
        self.left.set(self.left.get().checked_sub(destination.len())?);
        Some(destination)
    }
}

#[derive(Debug)]
pub(super) enum Inline<'a> {
    Nothing,
    Text(Cow<'a, str>),
    Code(&'a str),
    Math(&'a str),
    Html(&'a str),
    /// Markdown in these tags, the outermost first.
    Marked {
        tags: &'static [&'static str],
        inner: &'a str,
    },
    Link {
        destination: &'a str,
        inner: &'a str,
    },
    /// A URL that is its own link text.
    Address {
        scheme: &'static str,
        text: &'a str,
    },
    Image {
        destination: &'a str,
        alternative: &'a str,
    },
}

/// Whether [`read`] may find an element that begins with `byte`.
pub(super) fn may_begin(byte: u8) -> bool {
    matches!(byte, b'`' | b'*' | b'_' | b'~' | b'[' | b'!' | b'<' | b'\\' | b'&' | b'$')
        || matches!(byte, b'h' | b'H' | b'm' | b'M' | b'f' | b'F')
}

/// Parses the element that begins at byte `at` of `text`, if there is one. Returns its length, too.
pub(super) fn read<'a>(
    text: &'a str,
    at: usize,
    ahead: &mut Lookahead<'a>,
    references: &References<'a>,
) -> Option<(usize, Inline<'a>)> {
    let rest = slice(text, at..);
    match rest.as_bytes().first()? {
        b'`' => code(text, at, ahead),
        b'*' | b'_' | b'~' => emphasis(text, at, ahead),
        b'[' => link(text, at, ahead, references)
            .map(|(length, destination, inner)| (length, Inline::Link { destination, inner })),
        b'!' if rest.starts_with("![") => link(text, at + 1, ahead, references)
            .map(|(length, destination, alternative)| (length + 1, Inline::Image { destination, alternative })),
        b'<' => tag(text, at, ahead),
        b'\\' => escape(rest),
        b'&' => entity(rest),
        b'$' => math(rest),
        b'h' | b'H' | b'm' | b'M' | b'f' | b'F'
            if !slice(text, ..at).ends_with(|letter: char| letter.is_ascii_alphabetic()) =>
        {
            address(text, at, ahead)
        }
        _ => None,
    }
}

fn code<'a>(text: &'a str, at: usize, ahead: &mut Lookahead<'a>) -> Option<(usize, Inline<'a>)> {
    let (count, closing) = ahead.backticks(at)?;
    let inner = slice(text, at + count..closing).trim_matches(' ');
    Some((closing + count - at, if inner.is_empty() { Inline::Nothing } else { Inline::Code(inner) }))
}

fn escape(rest: &str) -> Option<(usize, Inline<'_>)> {
    if rest.len() == 1 {
        return Some((1, Inline::Nothing));
    }
    let escaped = rest.get(1..2).filter(|escaped| ESCAPABLE.contains(escaped))?;
    Some((2, Inline::Text(escaped.into())))
}

fn math(rest: &str) -> Option<(usize, Inline<'_>)> {
    let length = slice(rest, 1..).find('$').filter(|length| *length > 0)?;
    Some((length + 2, Inline::Math(slice(rest, 1..=length))))
}

/// Entities other than `&amp;` and numbers are kept as text, so their `&` is escaped in the HTML.
fn entity(rest: &str) -> Option<(usize, Inline<'_>)> {
    let name = slice(rest, 1..).strip_prefix('#').unwrap_or(slice(rest, 1..));
    let name = name.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric());
    let length = rest.len() - name.strip_prefix(';')?.len();
    let entity = slice(rest, ..length);
    let number = entity.strip_prefix("&#").and_then(|number| number.strip_suffix(';'));
    let number = number.and_then(|number| match number.strip_prefix(['x', 'X']) {
        Some(number) => u32::from_str_radix(number, 16).ok(),
        None => number.parse().ok(),
    });
    let text = match number {
        Some(number) => Cow::Owned(char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER).to_string()),
        None if entity == "&amp;" => "&".into(),
        None => entity.into(),
    };
    Some((length, Inline::Text(text)))
}

fn emphasis<'a>(text: &'a str, at: usize, ahead: &mut Lookahead<'a>) -> Option<(usize, Inline<'a>)> {
    let rest = slice(text, at..);
    let mark = *rest.as_bytes().first()?;
    let count = rest.bytes().take(MOST_MARKS + 1).take_while(|byte| *byte == mark).count();
    let start = at + count;
    let inner = slice(text, start..);
    if inner.is_empty() || inner.starts_with(char::is_whitespace) || (mark == b'~' && count == 3) {
        return None;
    }
    let tags: &[&str] = match (count, mark) {
        (1, _) => &["em"],
        (2, b'~') => &["del"],
        (2, _) => &["strong"],
        (3, _) => &["strong", "em"],
        _ => return None,
    };
    let end = if count == 2 { ahead.closing_pair(mark, start)? } else { ahead.mark(mark, start)? };
    let is_closed = slice(text, end..).bytes().take(count).all(|byte| byte == mark)
        && text.len() >= end + count
        && !slice(text, ..end).ends_with(char::is_whitespace);
    let after = slice(text, end + 1..);
    let is_within = count == 1 && (is_within_word(after) || after.as_bytes().first() == Some(&mark));
    (is_closed && !is_within).then(|| (end + count - at, Inline::Marked { tags, inner: slice(text, start..end) }))
}

fn is_within_word(after: &str) -> bool {
    !(after.is_empty() || after.starts_with(|letter: char| letter.is_whitespace() || letter.is_ascii_punctuation()))
}

/// Length, destination and text of a link.
fn link<'a>(
    text: &'a str,
    at: usize,
    ahead: &mut Lookahead<'a>,
    references: &References<'a>,
) -> Option<(usize, &'a str, &'a str)> {
    let end = ahead.matching_bracket(at + 1)?;
    let inner = text.get(at + 1..end).filter(|inner| !inner.is_empty())?;
    // A name contains no closing bracket.
    let is_name = ahead.closing_bracket(at + 1) == Some(end);
    let after = slice(text, end + 1..).trim_start();
    let start = text.len() - after.len();
    if after.starts_with('(') {
        let close = ahead.matching_parenthesis(start + 1)?;
        let destination = slice(text, start + 1..close).trim();
        let destination = destination.strip_prefix('<').unwrap_or(destination);
        let destination = destination.strip_suffix('>').unwrap_or(destination);
        return (!destination.is_empty()).then_some((close + 1 - at, destination, inner));
    }
    if let Some(name) = after.strip_prefix('[').filter(|name| !name.is_empty() && !name.starts_with('^')) {
        let length = name.find(']')?;
        let name = if length > 0 { Some(slice(name, ..length)) } else { is_name.then_some(inner) };
        return Some((start + length + 2 - at, references.destination(name?)?, inner));
    }
    let destination = references.destination(is_name.then_some(inner)?)?;
    Some((end + 1 - at, destination, inner))
}

fn tag<'a>(text: &'a str, at: usize, ahead: &mut Lookahead<'a>) -> Option<(usize, Inline<'a>)> {
    let rest = slice(text, at..);
    if rest.starts_with("<!--") {
        let length = ahead.comment_end(at + "<!-".len())? + "-->".len() - at;
        return Some((length, Inline::Html(slice(rest, ..length))));
    }
    let name = slice(rest, 1..).strip_prefix('/').unwrap_or(slice(rest, 1..));
    if !name.starts_with(|letter: char| letter.is_ascii_alphanumeric()) {
        return None;
    }
    let after = name.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric() || ".+-".contains(letter));
    let start = rest.len() - after.len();
    let length = ahead.angle(at + start).map_or(start, |found| found + 1 - at);
    let inner = rest.get(1..length.max(2) - 1).unwrap_or_default();
    let is_one_word = !inner.contains(|letter: char| letter.is_whitespace() || matches!(letter, '\'' | '"'));
    if after.starts_with(':') && is_one_word {
        return Some((length, Inline::Address { scheme: "", text: inner }));
    }
    if after.starts_with('@') && is_one_word {
        return Some((length, Inline::Address { scheme: "mailto:", text: inner }));
    }
    (length > 2).then_some((length, Inline::Html(slice(rest, ..length))))
}

/// A URL without brackets at byte `at`.
fn address<'a>(text: &'a str, at: usize, ahead: &mut Lookahead<'a>) -> Option<(usize, Inline<'a>)> {
    let rest = slice(text, at..);
    let is_address = |scheme: &&str| {
        rest.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
            && slice(rest, scheme.len()..).starts_with(|letter: char| letter.is_ascii_alphanumeric())
    };
    SCHEMES.iter().find(|scheme| is_address(scheme))?;
    let address = rest.split([' ', '\t', '<']).next().unwrap_or_default();
    let mut address = address.strip_suffix(['.', ',', ';']).unwrap_or(address);
    for (kind, brackets) in [('(', ')'), ('[', ']'), ('{', '}')].into_iter().enumerate() {
        // A bracket that closes one before the URL is not part of it.
        let inner = address.strip_suffix(brackets.1);
        address = inner.filter(|inner| ahead.is_open(kind, brackets, at + inner.len())).unwrap_or(address);
    }
    Some((address.len(), Inline::Address { scheme: "", text: address }))
}
