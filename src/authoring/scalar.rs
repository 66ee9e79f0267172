//! One-line text as a YAML scalar.

use crate::yaml::tree::Style;

/// `text` as a scalar in this style; in double quotes, if it cannot be written in this style on one line.
pub fn written(text: &str, style: Style) -> String {
    match style {
        Style::Plain if is_plain(text) => text.to_owned(),
        Style::SingleQuoted if !text.contains(char::is_control) => format!("'{}'", text.replace('\'', "''")),
        _ => format!("\"{}\"", text.chars().map(escaped).collect::<String>()),
    }
}

fn escaped(letter: char) -> String {
    match letter {
        '"' | '\\' => format!("\\{letter}"),
        _ if letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') => {
            format!("\\u{:04x}", u32::from(letter))
        }
        _ => letter.to_string(),
    }
}

/// Whether upstream's decoder reads `text` without quotes as this text. Of numbers and dates, it keeps the digits.
fn is_plain(text: &str) -> bool {
    // Words that YAML 1.1 reads as a boolean or null.
    const WORDS: [&str; 9] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];
    let is_harmless = |letter: char| letter.is_alphanumeric() || " ./-_+()',;=".contains(letter);
    text.starts_with(char::is_alphanumeric)
        && !text.ends_with(' ')
        && text.chars().all(is_harmless)
        && !WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::FileId;
    use crate::yaml;
    use crate::yaml::tree::Node;

    #[test]
    fn what_is_written_is_read_again() {
        for text in [
            "Prefetch images",
            "yes",
            "No",
            "a: b",
            "a #b",
            "#a",
            "@ann",
            "\"quoted\" and \\ more",
            "it's",
            "- x",
            "~",
            "[x]",
            "*x",
            "1.20",
            "Größe",
            "a `b`",
            "100% {x}",
            "x:",
            "null",
            "a\nb\t\u{85}\u{1b}",
        ] {
            for style in [Style::Plain, Style::SingleQuoted, Style::DoubleQuoted, Style::Folded] {
                let line = format!("a: {}\n", written(text, style));
                let tree = yaml::parse(FileId(0), &line);
                let value = tree.root.as_ref().and_then(|root| root.get("a")).and_then(|entry| entry.value.as_str());
                assert_eq!((value, tree.problems.len()), (Some(text), 0), "{line}");
            }
        }
        let tree = yaml::parse(FileId(0), &written("Prefetch images", Style::Plain));
        assert_eq!(tree.root.as_ref().and_then(Node::as_str), Some("Prefetch images"));
    }
}
