//! The types of scalars, from their tags and their text. The rules are those of yaml.v3, because upstream accepts or
//! rejects files by them.

use super::date::Date;
use super::tree::{Node, Scalar, Style, Value};
use crate::span::slice;

pub fn is_as_tagged(scalar: &Scalar, tag: Option<&str>) -> bool {
    let text = scalar.text.as_str();
    match tag {
        Some("!!null") => matches!(text, "" | "~" | "null" | "Null" | "NULL"),
        Some("!!bool") => matches!(text, "true" | "True" | "TRUE" | "false" | "False" | "FALSE"),
        Some("!!int") => text.replace('_', "").trim_start_matches(['-', '+']).parse::<u64>().is_ok(),
        Some("!!float") => text.replace('_', "").parse::<f64>().is_ok(),
        Some("!!binary") => is_base64(text),
        Some("!!timestamp") => Date::guess(text).is_some(),
        Some("!!seq" | "!!map") => false,
        _ => true,
    }
}

fn is_base64(text: &str) -> bool {
    let digits: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let padding = digits.iter().rev().take_while(|byte| **byte == b'=').count();
    let mut body = digits.iter().take(digits.len() - padding);
    digits.len().is_multiple_of(4)
        && padding <= 2
        && body.all(|byte| byte.is_ascii_alphanumeric() || b"+/".contains(byte))
}

/// The value as a YAML 1.1 boolean. A quoted value is a boolean only if it has the tag `!!bool`.
pub fn flag(value: &Node) -> Option<bool> {
    let Value::Scalar(Scalar { text, style }) = &value.value else { return None };
    let is_tagged = value.tag.as_deref() == Some("!!bool");
    let is_cased = |word: &str| {
        let capital = slice(word, ..1).to_ascii_uppercase() + slice(word, 1..);
        text == word || *text == capital || *text == word.to_ascii_uppercase()
    };
    if is_tagged && !["true", "false"].iter().any(|word| is_cased(word)) || !is_tagged && *style != Style::Plain {
        return None;
    }
    if ["true", "yes", "on", "y"].iter().any(|word| is_cased(word)) {
        return Some(true);
    }
    ["false", "no", "off", "n"].iter().any(|word| is_cased(word)).then_some(false)
}
