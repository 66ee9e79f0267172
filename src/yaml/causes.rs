//! Why a line is not YAML, and what to write instead. Separate from the reader because it is about common mistakes of
//! authors, not about the parser: names of reviewers without quotes, titles with a colon, an unfinished merge.

use std::fmt;
use std::ops::Range;

use super::tree::{Node, Problem};
use crate::span::{DASHES, FileId, Span, first_line, is_odd_space, line_at, slice};

/// The longest line of YAML that a help shows, in characters; for a longer line it only says what to do.
const PROPOSAL_CHARACTERS: usize = 160;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    ReservedCharacter,
    ControlCharacter,
    Colon,
    Tab,
    OpenQuote,
    AfterQuote,
    Comment,
    TooDeep,
    Other(String),
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ReservedCharacter => "value begins with a reserved character",
            Self::ControlCharacter => "control character",
            Self::Colon => "unexpected key: wrong indentation, or a value that needs quotes",
            Self::Tab => "tab where only spaces are allowed",
            Self::OpenQuote => "quote is not closed",
            Self::AfterQuote => "text after the closing quote",
            Self::Comment => "missing space before the `#`",
            Self::TooDeep => "nested more than 100 levels deep",
            Self::Other(message) => message,
        })
    }
}

#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub(super) part: Range<usize>,
    pub(super) read: usize,
    pub(super) at: usize,
    pub(super) cause: Cause,
}

/// Where the problem is, what is wrong, and how to fix it if that is known.
pub(super) type Finding = (Range<usize>, String, Option<String>);

pub(super) fn problem(file: FileId, (range, message, help): Finding) -> Problem {
    Problem { span: Span::new(file, range), message, help }
}

pub(super) fn explain(file: FileId, text: &str, failure: &Failure) -> Problem {
    let at = failure.at;
    let finding = conflict_marker(text, failure.part.start)
        .or_else(|| {
            indentation(text, at, |letter| letter != '\u{feff}' && is_odd_space(letter) || DASHES.contains(&letter))
        })
        .or_else(|| match &failure.cause {
            Cause::ReservedCharacter => {
                reserved_character(text, at, slice(text, line_at(text, at).start..at).contains(['[', '{']))
            }
            Cause::ControlCharacter => control_character(slice(text, ..failure.part.end), at),
            Cause::Colon => colon_in_value(text, at).or_else(|| colon_without_space(text, line_before(text, at))),
            Cause::Tab => indentation(text, at, |letter| letter == '\t'),
            Cause::OpenQuote => open_quote(text, failure),
            Cause::AfterQuote => after_quote(text, failure),
            Cause::TooDeep => {
                slice(text, at..).chars().next().map(|c| (at..at + c.len_utf8(), failure.cause.to_string(), None))
            }
            Cause::Comment => comment(text, at),
            Cause::Other(_) => star(text, at).or_else(|| after_bracket(text, at)),
        })
        .unwrap_or_else(|| (nearest_line(text, at), failure.cause.to_string(), None));
    problem(file, finding)
}

/// A top-level entry that is YAML, but only a value and not `key: value`: `node`.
pub(super) fn not_an_entry(text: &str, node: &Node) -> Problem {
    let line = line_at(text, node.span.start);
    let finding = conflict_marker(text, line.start)
        .or_else(|| colon_without_space(text, line.clone()))
        .unwrap_or_else(|| (nearest_line(text, line.start), "line is not `key: value`".to_owned(), None));
    problem(node.span.file, finding)
}

pub(super) fn is_forbidden(character: char) -> bool {
    let is_allowed_control = matches!(character, '\t' | '\n' | '\r' | '\u{85}');
    character.is_control() && !is_allowed_control || matches!(character, '\u{fffe}' | '\u{ffff}')
}

pub(super) fn control_character(text: &str, from: usize) -> Option<Finding> {
    let rest = text.get(from..)?;
    if rest.bytes().all(|byte| matches!(byte, b'\n' | b' '..=b'~')) {
        return None;
    }
    let (offset, character) = rest.char_indices().find(|(_, character)| is_forbidden(*character))?;
    let at = from + offset;
    let message = format!("control character U+{:04X}", u32::from(character));
    Some((at..at + character.len_utf8(), message, Some("remove the character".to_owned())))
}

pub(super) fn conflict_marker(text: &str, at: usize) -> Option<Finding> {
    if !slice(text, at..).starts_with(['<', '=', '>', '|']) {
        return None;
    }
    let line = trimmed(text, line_at(text, at));
    let marker = slice(text, line.clone()).split(' ').next()?;
    let help = "keep one side of the merge and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`";
    matches!(marker, "<<<<<<<" | "=======" | ">>>>>>>" | "|||||||")
        .then(|| (line, format!("merge conflict marker `{marker}`"), Some(help.to_owned())))
}

/// Whether the value that begins at `at` needs quotes because of its first character.
pub(super) fn is_reserved(text: &str, at: usize) -> bool {
    text.as_bytes().get(at).is_some_and(|first| matches!(first, b'@' | b'`' | b'%'))
}

/// `text` with an `x` in place of each character that [`is_reserved`] where a value may begin. In other places, such a
/// replacement does not change what is a value.
pub(super) fn masked(text: &str) -> String {
    let mut before = '\n';
    let mask = |letter: char| {
        let begins = matches!(before, ' ' | '\t' | ',' | '[' | '{' | ':') && matches!(letter, '@' | '`' | '%')
            || matches!(before, '\n' | '\r') && matches!(letter, '@' | '`');
        before = letter;
        if begins { 'x' } else { letter }
    };
    text.chars().map(mask).collect()
}

/// The problem for the value that begins at `at` and needs quotes; a comma ends it if it is `in_brackets`.
pub(super) fn value_to_quote(file: FileId, text: &str, at: usize, in_brackets: bool) -> Problem {
    let finding = reserved_character(text, at, in_brackets)
        .unwrap_or_else(|| (nearest_line(text, at), Cause::ReservedCharacter.to_string(), None));
    problem(file, finding)
}

fn reserved_character(text: &str, at: usize, in_brackets: bool) -> Option<Finding> {
    let value = if in_brackets { item_from(text, at) } else { value_from(text, at) };
    let message = match slice(text, at..).chars().next()? {
        '`' => "unquoted value begins with a backtick".to_owned(),
        character => format!("unquoted value begins with `{character}`"),
    };
    let new = quoted(slice(text, value.clone()).trim_matches(['"', '\'']));
    let begins_line = slice(text, ..at).trim_end_matches([' ', '\t']).ends_with(['\n', '\r']);
    let help = if in_brackets {
        Some(proposal(&new, "put it in quotes"))
    } else if begins_line || at == 0 {
        None
    } else {
        Some(proposal(&instead(text, &value, &new), "put it in quotes"))
    };
    Some((value, message, help))
}

fn colon_in_value(text: &str, at: usize) -> Option<Finding> {
    let line = line_at(text, at);
    let item = line.end - slice(text, line.clone()).trim_start_matches([' ', '-']).len();
    let after_key = item + slice(text, item..line.end).find(": ")? + 1;
    let value = value_from(text, line.end - slice(text, after_key..line.end).trim_start().len());
    let words = slice(text, value.clone());
    let is_cause =
        !words.starts_with(['"', '\'', '[', '{', '&', '*', '!']) && (words.contains(": ") || words.ends_with(':'));
    let help = is_cause.then(|| proposal(&instead(text, &value, &quoted(words)), "put the value in quotes"))?;
    Some((value, "unquoted value contains `: `".to_owned(), Some(help)))
}

fn colon_without_space(text: &str, line: Range<usize>) -> Option<Finding> {
    let line = trimmed(text, line);
    let (key, value) = slice(text, line.clone()).split_once([':', '：'])?;
    let is_wide = slice(text, line.start + key.len()..).starts_with('：');
    let is_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '"' | '\'');
    let is_value = !value.trim_matches(['"', '\'']).is_empty() && !value.starts_with([' ', '\t', '/']);
    let is_cause = (is_value || is_wide) && !key.is_empty() && key.chars().all(is_key);
    let help = is_cause.then(|| {
        let value = value.trim_start_matches(|letter| letter == ' ' || is_odd_space(letter));
        proposal(&format!("{key}: {value}"), "add a space after the colon")
    })?;
    let odd = value.chars().next().filter(|first| is_odd_space(*first));
    let message = match odd {
        _ if is_wide => "character U+FF1A is no colon".to_owned(),
        Some(odd) => format!("character U+{:04X} after the colon is no space", u32::from(odd)),
        None => "missing space after the colon".to_owned(),
    };
    Some((line, message, Some(help)))
}

/// What is `wrong` in the indentation or the dash of the line of `at` or of one of the next two: the parser may stop before.
fn indentation(text: &str, at: usize, is_wrong: fn(char) -> bool) -> Option<Finding> {
    let mut start = line_at(text, at).start;
    for _ in 0..3 {
        let range = line_at(text, start);
        let line = slice(text, range.clone());
        let words = line.trim_start_matches(|letter| matches!(letter, ' ' | '\t' | '-') || is_wrong(letter));
        let marks = slice(line, ..line.len() - words.len());
        if let Some((wrong, letter)) = marks.char_indices().find(|(_, letter)| is_wrong(*letter)) {
            let (message, right) = match letter {
                '\t' => ("tab in the indentation".to_owned(), "  "),
                _ if is_odd_space(letter) => (format!("character U+{:04X} is no space", u32::from(letter)), " "),
                _ => (format!("character U+{:04X} is no `-`", u32::from(letter)), "-"),
            };
            let repaired = marks.replace(letter, right) + words.trim_end();
            let help = match shown_whole(&repaired) {
                Some(new) if right == "-" => format!("write `{}`", new.trim_start()),
                Some(new) => format!("indent with spaces: `{new}`"),
                None => "indent with spaces".to_owned(),
            };
            let end = if letter == '\t' { marks.len() } else { line.trim_end().len() };
            return Some((start + wrong..start + end, message, Some(help)));
        }
        start = range.end + if slice(text, range.end..).starts_with("\r\n") { 2 } else { 1 };
        if start >= text.len() {
            break;
        }
    }
    None
}

fn open_quote(text: &str, failure: &Failure) -> Option<Finding> {
    let value = value_from(text, opening_quote(text, failure)?);
    let quote = slice(text, value.start..value.start + 1);
    // A typographic quote, or one of the other kind, was meant to close it.
    let words = slice(text, value.clone()).trim_end_matches(['”', '“', '’', '‘']);
    let other = if quote == "'" { '"' } else { '\'' };
    let words = words.strip_suffix(other).filter(|inner| !inner.contains(other)).unwrap_or(words);
    let closed = || instead(text, &value, &format!("{words}{quote}"));
    let help = (value.len() > 1).then(|| proposal(&closed(), "close the quote"));
    Some((value, format!("quote `{quote}` is not closed"), help))
}

fn after_quote(text: &str, failure: &Failure) -> Option<Finding> {
    let value = value_from(text, opening_quote(text, failure)?);
    let line = line_at(text, value.start);
    if !line.contains(&failure.at) && line.end != failure.at
        || slice(text, line.start..value.start).contains(['[', '{'])
    {
        return None;
    }
    let words = slice(text, value.clone());
    let inner = words.strip_prefix('\'').and_then(|words| words.strip_suffix('\'')).unwrap_or(words);
    let is_two_lines = [": ", " - "].iter().any(|indicator| words.contains(indicator)) || words.ends_with(':');
    let split = words.rsplit_once(" (").map(|(before, remark)| (before.trim_end(), remark.strip_suffix(')')));
    let closed = split.filter(|(before, _)| before.len() > 1 && before.ends_with(slice(words, ..1)));
    let help = if is_two_lines {
        "start a new line after the closing quote".to_owned()
    } else if let Some((before, Some(remark))) = closed {
        proposal(&instead(text, &value, &format!("{before} # {remark}")), "put a `#` before the remark")
    } else {
        proposal(&instead(text, &value, &quoted(inner)), "put the whole value in quotes")
    };
    Some((value, Cause::AfterQuote.to_string(), Some(help)))
}

/// A comment right after a value: `"alpha"#note`.
fn comment(text: &str, at: usize) -> Option<Finding> {
    let hash = at + slice(text, at..line_at(text, at).end).find('#')?;
    let help = proposal(&instead(text, &(hash..hash), " "), "put a space before the `#`");
    Some((hash..hash + 1, Cause::Comment.to_string(), Some(help)))
}

/// A list as in Markdown: `* ann`.
fn star(text: &str, at: usize) -> Option<Finding> {
    let line = nearest_line(text, at);
    let item = slice(text, line.clone()).strip_prefix("* ")?;
    let help = proposal(&format!("- {item}"), "begin the item with `-`");
    Some((line, "list item begins with `*`".to_owned(), Some(help)))
}

/// Text that begins with a bracket: `title: [alpha] Images`, or a link as in Markdown: `- [a KEP](https://example.com)`.
fn after_bracket(text: &str, at: usize) -> Option<Finding> {
    let line = nearest_line(text, at);
    let (before, _) = slice(text, line.clone()).split_once('[')?;
    let key = before.trim_end().strip_suffix(':').map(|key| key.trim_start_matches("- "));
    let is_key = key.is_some_and(|key| key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)));
    let value = value_from(text, line.start + before.len());
    let words = slice(text, value.clone());
    let help = proposal(&instead(text, &value, &quoted(words)), "put it in quotes");
    let (_, after) = words.split_once(']')?;
    // What comes after a comma or before another bracket is an item of a list.
    let is_text = !after.is_empty() && !words.contains(['"', '\'', ',']) && !after.ends_with(']');
    // A deeper line goes on with the value.
    let rest = slice(text, line.end..).trim_start_matches(['\n', '\r']);
    let indent = |whole: &str| whole.len() - whole.trim_start().len();
    let goes_on = indent(first_line(rest)) > indent(slice(text, line_at(text, line.start)));
    let is_value = (is_key || before.trim_end() == "-") && is_text && !after.starts_with(':') && !goes_on;
    is_value.then(|| (value, "unquoted value begins with `[`".to_owned(), Some(help)))
}

fn opening_quote(text: &str, failure: &Failure) -> Option<usize> {
    Some(failure.read + text.get(failure.read..failure.at)?.find(['"', '\''])?)
}

/// The line to write: the line of `value`, with `new` in its place.
fn instead(text: &str, value: &Range<usize>, new: &str) -> String {
    let line = line_at(text, value.start);
    let (before, after) = (slice(text, line.start..value.start), slice(text, value.end..line.end));
    [before.trim_start(), new, after.trim_end()].concat()
}

/// "write `line`", or `otherwise` if the line is too long to show.
fn proposal(line: &str, otherwise: &str) -> String {
    shown_whole(line).map_or_else(|| otherwise.to_owned(), |line| format!("write `{line}`"))
}

fn shown_whole(line: &str) -> Option<&str> {
    let is_odd = |letter: char| letter.is_control() && letter != '\t' || matches!(letter, '\u{2028}' | '\u{2029}');
    let is_long = line.chars().nth(PROPOSAL_CHARACTERS).is_some();
    (!is_long && !line.contains(is_odd)).then_some(line)
}

fn quoted(words: &str) -> String {
    if words.contains(['"', '\\']) { format!("'{}'", words.replace('\'', "''")) } else { format!("\"{words}\"") }
}

/// The text from `at` to the end of the line or to its comment.
fn value_from(text: &str, at: usize) -> Range<usize> {
    let line = at..line_at(text, at).end;
    let end = slice(text, line.clone()).find(" #").map_or(line.end, |comment| at + comment);
    trimmed(text, at..end)
}

/// The text from `at` to the comma or bracket that ends an item in brackets, or to the end of the line.
fn item_from(text: &str, at: usize) -> Range<usize> {
    let rest = slice(text, at..);
    let item = slice(rest, ..rest.find([',', ']', '}', '\n', '\r']).unwrap_or(rest.len()));
    trimmed(text, at..at + item.find(" #").unwrap_or(item.len()))
}

/// The line of `at` or, if that is blank, the last line before it that is not blank.
fn nearest_line(text: &str, at: usize) -> Range<usize> {
    let line = trimmed(text, line_at(text, at));
    if !line.is_empty() { line } else { line_before(text, at) }
}

/// The last line before the line of `at` that is not blank, without the spaces around it.
fn line_before(text: &str, at: usize) -> Range<usize> {
    let end = slice(text, ..line_at(text, at).start).trim_end().len();
    trimmed(text, line_at(text, end))
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let words = slice(text, range.clone()).trim_end();
    let end = range.start + words.len();
    end - words.trim_start().len()..end
}
