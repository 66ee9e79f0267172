//! How values become JSON text. Apart from the report because several formats are JSON, and each of them may be printed
//! in a log: what could control it is escaped in strings, so that a parser still reads what was meant.

use crate::report::{is_hidden, opens_command};
use serde::Serialize;

/// `value` as indented lines.
pub fn indented(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).expect("strings and numbers have a JSON form");
    harmless(text) + "\n"
}

/// `value` as one line.
pub fn line(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).expect("strings and numbers have a JSON form");
    harmless(text) + "\n"
}

/// The same JSON, with escapes in strings for what could control a log or a terminal.
fn harmless(text: String) -> String {
    let is_bad = |letter: char| letter != '\n' && is_hidden(letter);
    if !text.contains("##") && !text.contains(is_bad) {
        return text;
    }
    // Brackets after such marks are only in strings.
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '[' if opens_command(&shown) => shown.push_str("\\u005b"),
            _ if is_bad(letter) => {
                letter.encode_utf16(&mut [0; 2]).iter().for_each(|unit| shown.push_str(&format!("\\u{unit:04x}")));
            }
            _ => shown.push(letter),
        }
    }
    shown
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
