//! How values become JSON text. Apart from the report because several formats are JSON, and each of them may be printed
//! in a log: what could control it is escaped in strings, so that a parser still reads what was meant.

use crate::report::{is_hidden, opens_command};
use serde::Serialize;
use serde_json::Value;

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

/// The same JSON, with escapes in strings for what could control a log or a terminal. Brackets after such marks are only in
/// strings, and line ends only between values.
fn harmless(text: String) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' => shown.push('\n'),
            '[' if opens_command(&shown) => shown += &escaped('['),
            _ if is_hidden(letter) => shown += &escaped(letter),
            _ => shown.push(letter),
        }
    }
    shown
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
