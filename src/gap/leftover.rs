//! What is left of the template in a section that is filled in.

use super::content::GRADUATION_EXAMPLES;
use crate::markdown::fingerprint;
use crate::span::slice;
use crate::template::{Template, is_known_line};
use regex::Regex;
use std::sync::LazyLock;

/// What stands for the author's words in a line of the template.
const STAND_INS: [&str; 6] =
    ["<test coverage>", "<current test coverage>", "<link to test coverage>", "<package>", "MyCoolFeature", "XX/s"];

/// Any of the placeholders.
static ANY: LazyLock<Regex> = LazyLock::new(|| {
    let all: Vec<&str> = STAND_INS.into_iter().chain(GRADUATION_EXAMPLES).collect();
    Regex::new(&all.join("|")).expect("placeholders have no characters with a meaning")
});

/// Whether a line of `text` may have a placeholder.
pub fn may_have_stand_in(text: &str) -> bool {
    ANY.is_match(text)
}

/// The placeholder in a line, whatever else is in it.
pub fn stand_in(line: &str) -> Option<&'static str> {
    let is_letter = |letter: char| letter.is_alphanumeric();
    let is_whole = |example: &regex::Match<'_>| {
        let (before, after) = (slice(line, ..example.start()), slice(line, example.end()..));
        !before.ends_with(is_letter) && !after.starts_with(is_letter)
    };
    let example = ANY.find_iter(line).find(is_whole)?;
    STAND_INS.into_iter().chain(GRADUATION_EXAMPLES).find(|stand_in| *stand_in == example.as_str())
}

/// Whether a line is an instruction of the template: guidance that is a sentence, not a question or a line of a form.
pub fn is_instruction(line: &str, template: &Template) -> bool {
    const LEAST_WORDS: usize = 6;
    let is_form = || {
        line.contains("**")
            || line.contains("[ ]")
            || line.contains("[x]")
            || line.contains('?')
            || line.trim_end().ends_with(':')
    };
    let begins = line.trim_start_matches(['_', '"', '(']).starts_with(|first: char| first.is_uppercase());
    let is_sentence = || line.split_whitespace().nth(LEAST_WORDS - 1).is_some();
    let is_guidance = |hash| is_known_line(hash) && !template.form_lines.contains(hash);
    begins && fingerprint::hash(line).is_some_and(is_guidance) && is_sentence() && !is_form()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stand_in_is_a_whole_word() {
        assert_eq!(stand_in("- `pkg/x`: `2026-01-01` - `<test coverage>`"), Some("<test coverage>"));
        assert_eq!(stand_in("- N installs"), Some("N installs"));
        assert_eq!(stand_in("PLAN installs the plugin"), None);
        assert_eq!(stand_in("- `pkg/x`: 80 %"), None);
    }
}
