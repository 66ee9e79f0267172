//! The text of a heading in two forms: the HTML that `mdtoc` writes into a link, and the plain text of the anchor. Its
//! parser, gomarkdown, has simpler emphasis, links and code spans than CommonMark.
//!
//! Each element is read from the start of `rest`: if there is one, it is written, and its length is returned.

use crate::span::slice;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// How deep upstream's `mdtoc` reads lists and quotes, and the text of a heading; it drops what is nested deeper.
pub const DEPTH: usize = 16;

const SCHEMES: [&str; 4] = ["http://", "https://", "ftp://", "mailto:"];

const ESCAPABLE: &str = "\\`*_{}[]()#+-.!:|&<>~^";

#[derive(Debug)]
pub(super) struct LinkText<'a> {
    pub html: String,
    /// The text without Markdown, HTML and formulas.
    pub plain: String,
    definitions: &'a BTreeMap<String, &'a str>,
}

/// A link or image in a heading, with its destination in HTML.
struct HeadingLink<'r> {
    length: usize,
    destination: String,
    /// Its attribute in HTML, if it has one.
    title: String,
    text: &'r str,
}

impl<'a> LinkText<'a> {
    pub fn new(markdown: &'a str, definitions: &'a BTreeMap<String, &'a str>) -> Self {
        let with_room = || String::with_capacity(markdown.len());
        let mut text = Self { html: with_room(), plain: with_room(), definitions };
        text.read(markdown, 0);
        if text.html.trim().len() < text.html.len() {
            text.html = text.html.trim().to_owned();
        }
        text
    }

    fn read(&mut self, markdown: &str, depth: usize) {
        if depth == DEPTH {
            return;
        }
        let mut rest = markdown;
        while !rest.is_empty() {
            let before = slice(markdown, ..markdown.len() - rest.len());
            let length = match self.element(before, rest, depth) {
                Some(length) => length,
                None => {
                    let next = rest.bytes().skip(1).position(may_begin_element);
                    let length = next.map_or(rest.len(), |at| at + 1);
                    self.write(slice(rest, ..length));
                    length
                }
            };
            rest = slice(rest, length..);
        }
    }

    fn element(&mut self, before: &str, rest: &str, depth: usize) -> Option<usize> {
        match rest.as_bytes().first()? {
            b'`' => self.code(rest),
            b'*' | b'_' | b'~' => self.emphasis(rest, depth),
            b'[' => {
                let HeadingLink { length, destination, title, text } = self.link(rest)?;
                self.html.push_str(&format!("<a href=\"{destination}\"{title}>"));
                self.read(text, depth + 1);
                self.html.push_str("</a>");
                Some(length)
            }
            b'!' if rest.starts_with("![") => {
                let HeadingLink { length, destination, title, text } = self.link(slice(rest, 1..))?;
                self.write_within(&format!("<img src=\"{destination}\" alt=\""), text, &format!("\"{title} />"));
                Some(length + 1)
            }
            b'<' => self.tag(rest),
            b'\\' => self.escape(rest),
            b'&' => self.entity(rest),
            b'$' => self.math(rest),
            b'h' | b'H' | b'm' | b'M' | b'f' | b'F' => self.address(before, rest),
            _ => None,
        }
    }

    fn code(&mut self, rest: &str) -> Option<usize> {
        let after = rest.trim_start_matches('`');
        let marks = slice(rest, ..rest.len() - after.len());
        let (code, _) = after.split_once(marks)?;
        let inner = code.trim_matches(' ');
        if !inner.is_empty() {
            self.write_within("<code>", inner, "</code>");
        }
        Some(code.len() + 2 * marks.len())
    }

    fn emphasis(&mut self, rest: &str, depth: usize) -> Option<usize> {
        let mark = rest.chars().next()?;
        let inner = rest.trim_start_matches(mark);
        let count = rest.len() - inner.len();
        let tags: &[&str] = match (count, mark) {
            (1, _) => &["em"],
            (2, '~') => &["del"],
            (2, _) => &["strong"],
            (3, '*' | '_') => &["strong", "em"],
            _ => return None,
        };
        let mut end = next_mark(inner, mark)?;
        if count == 2 {
            while !slice(inner, end + 1..).starts_with(mark) {
                end += 1 + next_mark(slice(inner, end + 1..), mark)?;
            }
        }
        let (inner, closing) = inner.split_at_checked(end)?;
        let after = slice(closing, 1..);
        let ends_word = |letter: char| letter != mark && (letter.is_whitespace() || letter.is_ascii_punctuation());
        if inner.is_empty()
            || inner.starts_with(char::is_whitespace)
            || inner.ends_with(char::is_whitespace)
            || !closing.starts_with(slice(rest, ..count))
            || (count == 1 && !after.is_empty() && !after.starts_with(ends_word))
        {
            return None;
        }
        tags.iter().for_each(|tag| self.html.push_str(&format!("<{tag}>")));
        self.read(inner, depth + 1);
        tags.iter().rev().for_each(|tag| self.html.push_str(&format!("</{tag}>")));
        Some(inner.len() + 2 * count)
    }

    fn link<'r>(&self, rest: &'r str) -> Option<HeadingLink<'r>> {
        let end = closing_bracket(slice(rest, 1..), ['[', ']'])?;
        let inner = slice(rest, 1..=end);
        let after = slice(rest, end + 2..).trim_start();
        let start = rest.len() - after.len();
        if inner.is_empty() {
            return None;
        }
        if let Some(destination) = after.strip_prefix('(') {
            let close = closing_bracket(destination, ['(', ')'])?;
            let (destination, title) = titled(slice(destination, ..close));
            let destination = destination.strip_prefix('<').unwrap_or(destination);
            let destination = destination.strip_suffix('>').unwrap_or(destination);
            return (!destination.is_empty()).then(|| HeadingLink {
                length: start + close + 2,
                destination: escaped(&unescaped(destination)).into_owned(),
                title: title.map(|title| format!(" title=\"{}\"", escaped(title))).unwrap_or_default(),
                text: inner,
            });
        }
        let (mut name, mut length) = (inner, end + 2);
        if let Some(after) = after.strip_prefix('[').filter(|after| !after.is_empty() && !after.starts_with('^')) {
            let (written, _) = after.split_once(']')?;
            name = if written.is_empty() { inner } else { written };
            length = start + written.len() + 2;
        }
        // No definition has a name with a bracket.
        let destination = self.definitions.get(&name.to_lowercase())?;
        let destination = escaped(&unescaped(destination)).into_owned();
        Some(HeadingLink { length, destination, title: String::new(), text: inner })
    }

    fn tag(&mut self, rest: &str) -> Option<usize> {
        if rest.starts_with("<!--") {
            let length = "<!-".len() + slice(rest, "<!-".len()..).find("-->")? + "-->".len();
            self.html.push_str(slice(rest, ..length));
            return Some(length);
        }
        let name = slice(rest, 1..).strip_prefix('/').unwrap_or(slice(rest, 1..));
        if !name.starts_with(|letter: char| letter.is_ascii_alphanumeric()) {
            return None;
        }
        let after = name.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric() || ".+-".contains(letter));
        let start = rest.len() - after.len();
        let length = after.find('>').map_or(start, |found| start + found + 1);
        let inner = rest.get(1..length.max(2) - 1).unwrap_or_default();
        let is_one_word = !inner.contains(|letter: char| letter.is_whitespace() || matches!(letter, '\'' | '"'));
        if is_one_word && after.starts_with(':') {
            self.write_address("", inner);
        } else if is_one_word && after.starts_with('@') {
            self.write_address("mailto:", inner);
        } else if length > 2 {
            self.html.push_str(slice(rest, ..length));
        } else {
            return None;
        }
        Some(length)
    }

    fn escape(&mut self, rest: &str) -> Option<usize> {
        if rest.len() == 1 {
            return Some(1);
        }
        let escaped = rest.get(1..2).filter(|escaped| ESCAPABLE.contains(escaped))?;
        self.write(escaped);
        Some(2)
    }

    /// Entities other than `&amp;` and numbers are kept as text, so their `&` is escaped in the HTML.
    fn entity(&mut self, rest: &str) -> Option<usize> {
        let name = slice(rest, 1..).strip_prefix('#').unwrap_or(slice(rest, 1..));
        let after = name.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric()).strip_prefix(';')?;
        let entity = slice(rest, ..rest.len() - after.len());
        let number = entity.strip_prefix("&#").and_then(|number| number.strip_suffix(';'));
        let number = number.and_then(|number| match number.strip_prefix(['x', 'X']) {
            Some(number) => u32::from_str_radix(number, 16).ok(),
            None => number.parse().ok(),
        });
        match number {
            Some(number) => self.write(&char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER).to_string()),
            None if entity == "&amp;" => self.write("&"),
            None => self.write(entity),
        }
        Some(entity.len())
    }

    fn math(&mut self, rest: &str) -> Option<usize> {
        let (math, _) = slice(rest, 1..).split_once('$').filter(|(math, _)| !math.is_empty())?;
        self.html.push_str(&format!("<span class=\"math inline\">\\({}\\)</span>", escaped(math)));
        Some(math.len() + 2)
    }

    /// A URL without brackets.
    fn address(&mut self, before: &str, rest: &str) -> Option<usize> {
        let is_address = |scheme: &str| {
            rest.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
                && slice(rest, scheme.len()..).starts_with(|letter: char| letter.is_ascii_alphanumeric())
        };
        if before.ends_with(|letter: char| letter.is_ascii_alphabetic()) || !SCHEMES.into_iter().any(is_address) {
            return None;
        }
        let address = rest.split([' ', '\t', '<']).next().unwrap_or_default();
        let mut address = address.strip_suffix(['.', ',', ';']).unwrap_or(address);
        for (opening, closing) in [('(', ')'), ('[', ']'), ('{', '}')] {
            // A bracket that closes one before the URL is not part of it.
            if let Some(inner) = address.strip_suffix(closing) {
                let count = |bracket: char| before.matches(bracket).count() + inner.matches(bracket).count();
                if count(opening) > count(closing) {
                    address = inner;
                }
            }
        }
        self.write_address("", address);
        Some(address.len())
    }

    /// Writes a URL that is its own link text.
    fn write_address(&mut self, scheme: &str, address: &str) {
        self.write_within(&format!("<a href=\"{scheme}{}\">", escaped(address)), address, "</a>");
    }

    fn write_within(&mut self, opening: &str, text: &str, closing: &str) {
        self.html.push_str(opening);
        self.write(text);
        self.html.push_str(closing);
    }

    fn write(&mut self, text: &str) {
        self.html.push_str(&escaped(text));
        self.plain.push_str(text);
    }
}

fn may_begin_element(byte: u8) -> bool {
    matches!(byte, b'`' | b'*' | b'_' | b'~' | b'[' | b'!' | b'<' | b'\\' | b'&' | b'$')
        || matches!(byte, b'h' | b'H' | b'm' | b'M' | b'f' | b'F')
}

/// The first `mark` that is not escaped, not in code, and not in a link text.
fn next_mark(text: &str, mark: char) -> Option<usize> {
    let mut at = 0;
    while let Some(letter) = slice(text, at..).chars().next() {
        let after = slice(text, at + letter.len_utf8()..);
        let skipped = match letter {
            _ if slice(text, ..at).ends_with('\\') => None,
            letter if letter == mark => return Some(at),
            '`' => after.find('`'),
            '[' => {
                after.find(']').filter(|end| slice(after, end + 1..).trim_start_matches(' ').starts_with(['(', '[']))
            }
            _ => None,
        };
        at += letter.len_utf8() + skipped.map_or(0, |skipped| skipped + 1);
    }
    None
}

/// The bracket that closes the one before `text`. One with a backslash before it does not count, a parenthesis does.
fn closing_bracket(text: &str, [opening, closing]: [char; 2]) -> Option<usize> {
    let mut depth = 0;
    for (at, letter) in text.match_indices([opening, closing]) {
        if opening == '[' && slice(text, ..at).ends_with('\\') {
            continue;
        }
        if letter.starts_with(opening) {
            depth += 1;
        } else if depth == 0 {
            return Some(at);
        } else {
            depth -= 1;
        }
    }
    None
}

fn escaped(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| matches!(byte, b'&' | b'<' | b'>' | b'"')) {
        return text.into();
    }
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").into()
}

fn unescaped(text: &str) -> String {
    let mut letters = text.chars();
    let mut plain = String::new();
    while let Some(letter) = letters.next() {
        plain.extend(if letter == '\\' { letters.next() } else { Some(letter) });
    }
    plain
}

/// The destination and the title of `a.png "title"`, which is what is between the parentheses of a link.
fn titled(text: &str) -> (&str, Option<&str>) {
    let quote = text.find(['"', '\'']);
    let title = quote.and_then(|at| slice(text, at + 1..).trim_end().strip_suffix(['"', '\'']));
    match quote.filter(|_| title.is_some()) {
        Some(at) => (slice(text, ..at).trim(), title),
        None => (text.trim(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_are_matched() {
        assert_eq!([r"a[b]\]]]", r"b]\]]]"].map(|text| closing_bracket(text, ['[', ']'])), [Some(6), Some(1)]);
        assert_eq!(["(x)", r"x\))", "(x))"].map(|text| closing_bracket(text, ['(', ')'])), [None, Some(2), Some(3)]);
    }

    #[test]
    fn marks_in_code_and_in_links_are_skipped() {
        assert_eq!(next_mark(r"a`*`[*](b)\**c*", '*'), Some(12));
        assert_eq!(
            ["`a*", "[a*](b", "[a*] [b", "[a*] b"].map(|text| next_mark(text, '*')),
            [Some(2), None, None, Some(2)]
        );
        let listed = |markdown: &str| LinkText::new(markdown, &BTreeMap::new()).html;
        assert_eq!(listed("**a *b c** ``a`b```c``"), "<strong>a *b c</strong> <code>a`b</code><code>c</code>`");
        assert_eq!(listed("**a **b**"), "**a <strong>b</strong>");
    }

    #[test]
    fn a_title_is_an_attribute() {
        let listed = |markdown: &str| LinkText::new(markdown, &BTreeMap::new()).html;
        assert_eq!(listed("![j](k.png \"l\")"), r#"<img src="k.png" alt="j" title="l" />"#);
        assert_eq!(listed("[t](u 'a \"v\"')"), r#"<a href="u" title="a &quot;v&quot;">t</a>"#);
        assert_eq!(listed("[t](u \"v)"), r#"<a href="u &quot;v">t</a>"#);
    }
}
