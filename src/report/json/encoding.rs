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

/// The same JSON, with escapes in strings for what could control a log or a terminal. It has no other control characters of
/// ASCII than the one that is looked for.
fn harmless(text: String) -> String {
    const DELETE: char = '\x7f';
    let marks = || search::either(&text, b'[', DELETE as u8);
    let is_harmful = |at: usize| slice(&text, at..).starts_with(DELETE) || opens_command(slice(&text, ..at));
    let has_hidden = |line: &str| !line.is_ascii() && line.chars().any(is_hidden);
    // Nearly every report; of a large one, a copy would take as much again.
    if !text.lines().any(has_hidden) && !marks().any(is_harmful) {
        return text;
    }
    let mut shown = String::with_capacity(text.len());
    let mut start = 0;
    for at in marks() {
        let before = slice(&text, start..at);
        shown.push_str(&visible(before));
        // Brackets after such marks are only in strings.
        if slice(&text, at..).starts_with(DELETE) {
            shown.push_str(&escaped(DELETE));
        } else if opens_command(before) {
            shown.push_str(&escaped('['));
        } else {
            shown.push('[');
        }
        start = at + 1;
    }
    shown + &visible(slice(&text, start..))
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
