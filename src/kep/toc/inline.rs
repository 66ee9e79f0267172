//! Inline Markdown as `mdtoc` reads it in headings: gomarkdown's, whose emphasis, links and code spans are simpler than
//! CommonMark's.

use crate::span::slice;
use std::borrow::Cow;

/// What a web address without brackets begins with.
const SCHEMES: [&str; 4] = ["http://", "https://", "ftp://", "mailto:"];

/// The characters that a backslash makes ordinary.
const ESCAPABLE: &str = "\\`*_{}[]()#+-.!:|&<>~^";

/// A part of a heading that is more than its letters.
#[derive(Debug)]
pub(super) enum Inline<'a> {
    /// Nothing to see, for all that is written.
    Nothing,
    /// An escaped character or an entity.
    Text(Cow<'a, str>),
    Code(&'a str),
    /// What stands between `$` and `$`.
    Math(&'a str),
    /// A tag or comment.
    Html(&'a str),
    /// Markdown within tags, the outermost first.
    Marked {
        tags: &'static [&'static str],
        inner: &'a str,
    },
    Link {
        destination: &'a str,
        inner: &'a str,
    },
    /// A link that is its own text.
    Address {
        scheme: &'static str,
        text: &'a str,
    },
    Image {
        destination: &'a str,
        alternative: &'a str,
    },
}

/// Reads the part that begins with byte `at` of `text`, if one does; comes back with its length. `references` are the
/// document's link definitions, names in lower case.
pub(super) fn read<'a>(text: &'a str, at: usize, references: &[(String, &'a str)]) -> Option<(usize, Inline<'a>)> {
    let rest = slice(text, at..);
    match rest.as_bytes().first()? {
        b'`' => code(rest),
        b'*' | b'_' | b'~' => emphasis(rest),
        b'[' => {
            link(rest, references).map(|(length, destination, inner)| (length, Inline::Link { destination, inner }))
        }
        b'!' => link(rest.strip_prefix('!').filter(|rest| rest.starts_with('['))?, references)
            .map(|(length, destination, alternative)| (length + 1, Inline::Image { destination, alternative })),
        b'<' => tag(rest),
        b'\\' => escape(rest),
        b'&' => entity(rest),
        b'$' => math(rest),
        b'h' | b'H' | b'm' | b'M' | b'f' | b'F'
            if !slice(text, ..at).ends_with(|letter: char| letter.is_ascii_alphabetic()) =>
        {
            address(text, at)
        }
        _ => None,
    }
}

fn code(rest: &str) -> Option<(usize, Inline<'_>)> {
    let inner = rest.trim_start_matches('`');
    let marks = slice(rest, ..rest.len() - inner.len());
    let length = inner.find(marks)?;
    let inner = slice(inner, ..length).trim_matches(' ');
    Some((length + 2 * marks.len(), if inner.is_empty() { Inline::Nothing } else { Inline::Code(inner) }))
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

/// Entities stay as they are, which their `&` does not survive when HTML is written; but for `&amp;` and numbers.
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

fn emphasis(rest: &str) -> Option<(usize, Inline<'_>)> {
    let mark = char::from(*rest.as_bytes().first()?);
    let inner = rest.trim_start_matches(mark);
    let count = rest.len() - inner.len();
    if inner.is_empty() || inner.starts_with(char::is_whitespace) || (mark == '~' && count == 3) {
        return None;
    }
    let tags: &[&str] = match (count, mark) {
        (1, _) => &["em"],
        (2, '~') => &["del"],
        (2, _) => &["strong"],
        (3, _) => &["strong", "em"],
        _ => return None,
    };
    let closing = slice(rest, ..count);
    let mut end = 0;
    loop {
        end += mark_behind(slice(inner, end..), mark)?;
        let behind = slice(inner, end..);
        let is_closed = behind.starts_with(closing) && !slice(inner, ..end).ends_with(char::is_whitespace);
        match count {
            1 if !is_closed || is_within_word(slice(behind, 1..)) || slice(behind, 1..).starts_with(mark) => {
                return None;
            }
            3 if !is_closed => return None,
            2 if !is_closed => end += 1,
            _ => return Some((end + 2 * count, Inline::Marked { tags, inner: slice(inner, ..end) })),
        }
    }
}

fn is_within_word(behind: &str) -> bool {
    !(behind.is_empty() || behind.starts_with(|letter: char| letter.is_whitespace() || letter.is_ascii_punctuation()))
}

/// The next `mark` that is not escaped, in code or in the text of a link; none where it is at the very beginning.
fn mark_behind(text: &str, mark: char) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text.get(at..)?.find([mark, '`', '['])?;
        let (before, here) = text.split_at(at);
        let behind = |closing: char| slice(here, 1..).find(closing).map(|found| at + 1 + found + 1);
        let is_link = |close: &usize| slice(text, *close..).trim_start_matches(' ').starts_with(['(', '[']);
        let skipped = match here.chars().next()? {
            _ if before.ends_with('\\') => None,
            found if found == mark => return (at > 0).then_some(at),
            '`' => behind('`'),
            _ => behind(']').filter(is_link),
        };
        at = skipped.unwrap_or(at + 1);
    }
}

/// Length, destination and text of a link.
fn link<'a>(rest: &'a str, references: &[(String, &'a str)]) -> Option<(usize, &'a str, &'a str)> {
    let end = closing_bracket(rest)?;
    let inner = rest.get(1..end).filter(|inner| !inner.is_empty())?;
    let named = |name: &str| {
        let name = name.to_lowercase();
        references.iter().rev().find(|(other, _)| *other == name).map(|(_, destination)| *destination)
    };
    let behind = slice(rest, end + 1..).trim_start();
    let start = rest.len() - behind.len();
    if behind.starts_with('(') {
        let (length, destination) = destination(behind)?;
        return Some((start + length, destination, inner)).filter(|_| !destination.is_empty());
    }
    if let Some(name) = behind.strip_prefix('[').filter(|name| !name.is_empty() && !name.starts_with('^')) {
        let length = name.find(']')?;
        let name = if length == 0 { inner } else { slice(name, ..length) };
        return Some((start + length + 2, named(name)?, inner));
    }
    Some((end + 1, named(inner)?, inner))
}

/// Where the bracket that `rest` begins with is closed.
fn closing_bracket(rest: &str) -> Option<usize> {
    let mut open = 0;
    rest.bytes().enumerate().find_map(|(at, byte)| {
        if at > 0 && rest.as_bytes().get(at - 1) == Some(&b'\\') {
            return None;
        }
        match byte {
            b'[' => open += 1,
            b']' => open -= 1,
            _ => {}
        }
        (byte == b']' && open == 0).then_some(at)
    })
}

/// What stands in parentheses behind a link's text, and how long it is with them.
fn destination(behind: &str) -> Option<(usize, &str)> {
    let mut open = 0;
    let end = behind.char_indices().find_map(|(at, letter)| {
        match letter {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        (open == 0).then_some(at)
    })?;
    let destination = slice(behind, 1..end).trim();
    let destination = destination.strip_prefix('<').unwrap_or(destination);
    Some((end + 1, destination.strip_suffix('>').unwrap_or(destination)))
}

fn tag(rest: &str) -> Option<(usize, Inline<'_>)> {
    if rest.starts_with("<!--") {
        let length = rest.get(3..)?.find("-->")? + 6;
        return Some((length, Inline::Html(slice(rest, ..length))));
    }
    let name = slice(rest, 1..).strip_prefix('/').unwrap_or(slice(rest, 1..));
    if !name.starts_with(|letter: char| letter.is_ascii_alphanumeric()) {
        return None;
    }
    let behind = name.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric() || ".+-".contains(letter));
    let start = rest.len() - behind.len();
    let length = start + behind.find('>').map_or(0, |found| found + 1);
    let text = rest.get(1..length.max(2) - 1).unwrap_or_default();
    let is_one_word = !text.contains(|letter: char| letter.is_whitespace() || matches!(letter, '\'' | '"'));
    if behind.starts_with(':') && is_one_word {
        return Some((length, Inline::Address { scheme: "", text }));
    }
    if behind.starts_with('@') && is_one_word {
        return Some((length, Inline::Address { scheme: "mailto:", text }));
    }
    (length > 2).then_some((length, Inline::Html(slice(rest, ..length))))
}

/// A web address without brackets at byte `at`.
fn address(text: &str, at: usize) -> Option<(usize, Inline<'_>)> {
    let rest = slice(text, at..);
    let is_address = |scheme: &&str| {
        rest.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
            && slice(rest, scheme.len()..).starts_with(|letter: char| letter.is_ascii_alphanumeric())
    };
    SCHEMES.iter().find(|scheme| is_address(scheme))?;
    let address = rest.split([' ', '\t', '<']).next().unwrap_or_default();
    let mut address = address.strip_suffix(['.', ',', ';']).unwrap_or(address);
    for (opening, closing) in [('(', ')'), ('[', ']'), ('{', '}')] {
        // A bracket that was opened somewhere before is no part of the address.
        if let Some(inner) = address.strip_suffix(closing) {
            let before = slice(text, ..at + inner.len());
            if before.matches(opening).count() > before.matches(closing).count() {
                address = inner;
            }
        }
    }
    Some((address.len(), Inline::Address { scheme: "", text: address }))
}
