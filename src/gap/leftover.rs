//! What is left of the template in a section that is filled in.

use super::content::{Content, GRADUATION_EXAMPLES};
use crate::span::slice;
use crate::template::Template;

/// What stands for the author's words in a line of the template.
const STAND_INS: [&str; 6] =
    ["<test coverage>", "<current test coverage>", "<link to test coverage>", "<package>", "MyCoolFeature", "XX/s"];

/// The stand-in in a line, whatever else is in it.
pub fn stand_in(line: &str) -> Option<&'static str> {
    let mut all = STAND_INS.into_iter().chain(GRADUATION_EXAMPLES);
    all.find(|stand_in| {
        let ends = line.match_indices(stand_in).map(|(at, _)| (slice(line, ..at), slice(line, at + stand_in.len()..)));
        let is_letter = |letter: char| letter.is_alphanumeric();
        ends.into_iter().any(|(before, after)| !before.ends_with(is_letter) && !after.starts_with(is_letter))
    })
}

/// Whether a line is an instruction of the template: guidance that is a sentence, not a question or a line of a form.
pub fn is_instruction(line: &str, template: &Template) -> bool {
    const LEAST_WORDS: usize = 6;
    let is_form = line.contains("**")
        || line.contains("[ ]")
        || line.contains("[x]")
        || line.contains('?')
        || line.trim_end().ends_with(':');
    let begins = line.trim_start_matches(['_', '"', '(']).starts_with(|first: char| first.is_uppercase());
    let is_sentence = line.split_whitespace().nth(LEAST_WORDS - 1).is_some();
    begins && is_sentence && !is_form && Content::of_line(line, template, None) == Content::Guidance
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
