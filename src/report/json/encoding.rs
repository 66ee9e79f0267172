//! How values become JSON text. Apart from the report because several formats are JSON, and each of them may be printed
//! in a log: what could control it is escaped in strings, so that a parser still reads what was meant.

use crate::report::{is_hidden, opens_command};
use crate::search;
use crate::span::slice;
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;

pub fn indented(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).expect("strings and numbers have a JSON form");
    harmless(text) + "\n"
}

pub fn with(mut object: Value, key: &str, value: Value) -> Value {
    if let Value::Object(entries) = &mut object {
        entries.insert(key.to_owned(), value);
    }
    object
}

pub fn line(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).expect("strings and numbers have a JSON form");
    harmless(text) + "\n"
}

const DELETE: char = '\x7f';

/// The same JSON, with escapes in strings for what could control a log or a terminal. It has no other control characters of
/// ASCII than the one that is looked for.
fn harmless(text: String) -> String {
    let is_harmful = |(before, mark): (&str, Option<char>)| {
        mark == Some(DELETE)
            || (mark.is_some() && opens_command(before))
            || (!before.is_ascii() && before.chars().any(|letter| is_hidden(letter) && letter != '\n'))
    };
    // Nearly no report has anything; of a large one, a copy would take as much again.
    if !pieces(&text).any(is_harmful) {
        return text;
    }
    let shown = |(before, mark): (&str, Option<char>)| {
        let mark = match mark {
            // Brackets after such marks are only in strings.
            Some(mark) if mark == DELETE || opens_command(before) => escaped(mark),
            mark => mark.map(String::from).unwrap_or_default(),
        };
        [visible(before), mark.into()].concat()
    };
    pieces(&text).map(shown).collect()
}

/// The texts before each bracket or deletion, with that, and the text after the last one.
fn pieces(text: &str) -> impl Iterator<Item = (&str, Option<char>)> {
    let mut start = 0;
    let ends = search::either(text, b'[', DELETE as u8).chain([text.len()]);
    ends.map(move |end| {
        let before = slice(text, start..end);
        start = end + 1;
        (before, slice(text, end..).chars().next())
    })
}

fn visible(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return text.into();
    }
    let shown = |letter: char| if is_hidden(letter) && letter != '\n' { escaped(letter) } else { letter.to_string() };
    text.chars().map(shown).collect()
}

fn escaped(letter: char) -> String {
    letter.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_steer_nothing_and_mean_the_same() {
        let value = ["##[group]a\u{2028}\u{e0041}", "b##vso[x]\u{1b}[31m\n::error::x", "[", "a\u{7f}\u{9b}é"];
        for text in [indented(&value), line(&value)] {
            assert!(!text.contains("##[") && !text.contains("##vso["), "{text}");
            assert!(!text.contains(|letter| letter != '\n' && is_hidden(letter)), "{text}");
            assert!(text.lines().all(|line| !line.trim_start().starts_with("::")), "{text}");
            assert_eq!(serde_json::from_str::<Vec<String>>(&text).expect("it is JSON"), value);
        }
        assert_eq!(line(&value).lines().count(), 1);
    }
}
