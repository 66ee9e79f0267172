//! What is left of the template in a section that is filled in.

use super::answer;
use super::content::GRADUATION_EXAMPLES;
use crate::markdown::fingerprint;
use crate::span::slice;
use crate::template::{Template, is_known_line};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

const STAND_INS: [&str; 6] =
    ["<test coverage>", "<current test coverage>", "<link to test coverage>", "<package>", "MyCoolFeature", "XX/s"];

const NOTES: [&str; 7] = ["TODO", "TBD", "FIXME", "XX", "PLACEHOLDER", ": Placeholder", ": placeholder"];

static ANY: LazyLock<Regex> = LazyLock::new(|| {
    let all: Vec<&str> = STAND_INS.into_iter().chain(GRADUATION_EXAMPLES).chain(NOTES).collect();
    Regex::new(&all.join("|")).expect("placeholders have no characters with a meaning")
});

/// Where an author's own placeholder is: `TBD`, `TODO(jane)`, `XX-XXX bytes`. A day such as 2026-08-XX and
/// names such as `context.TODO` and `XXX_Size` are none.
static NOTE: LazyLock<Regex> = LazyLock::new(|| {
    answer::pattern(
        r"(?:^|[^A-Za-z0-9_.:/#=-])(TODO|TBD|FIXME|PLACEHOLDER|(?:NOTE|Note): [Pp]laceholder|XX+(?:[-,](?:XX+|000))?)(?:$|[^A-Za-z0-9_/=-]|/s)",
    )
});

/// Where `text` may have what [`stand_in`] or [`note`] finds, in order.
pub fn places(text: &str) -> Vec<usize> {
    ANY.find_iter(text).map(|place| place.start()).collect()
}

/// The bytes of an author's own placeholder in a line.
pub fn note(line: &str) -> Option<Range<usize>> {
    let note = NOTE.captures(line)?.get(1)?.range();
    let (before, after) = (slice(line, ..note.start), slice(line, note.end..));
    // "The TODO in the code", `TODO`, [TODO](…) and XXX.XXX.XXX are about one, unless nothing else is in the
    // line.
    let is_alone = !format!("{before}{after}").contains(char::is_alphanumeric);
    let article = before.trim_end().rsplit(' ').next().unwrap_or_default().to_ascii_lowercase();
    let goes_on = after.trim_start_matches(['`', '"', '”']).trim_start().starts_with(char::is_alphabetic);
    let is_quoted = before.ends_with(['`', '"', '“']) && goes_on;
    let is_link = before.ends_with('[') && after.starts_with("](");
    let is_noun = is_quoted || is_link || matches!(article.as_str(), "the" | "a" | "this" | "that");
    (is_alone || !(is_noun || after.starts_with(".X"))).then_some(note)
}

pub fn stand_in(line: &str) -> Option<&'static str> {
    let is_letter = |letter: char| letter.is_alphanumeric();
    let is_whole = |example: &regex::Match<'_>| {
        let (before, after) = (slice(line, ..example.start()), slice(line, example.end()..));
        !before.ends_with(is_letter) && !after.starts_with(is_letter)
    };
    let example = ANY.find_iter(line).filter(|example| !NOTES.contains(&example.as_str())).find(is_whole)?;
    STAND_INS.into_iter().chain(GRADUATION_EXAMPLES).find(|stand_in| *stand_in == example.as_str())
}

/// Whether a line is an instruction of the template: guidance that is a sentence or introduces a list, not a
/// question or a line of a form.
pub fn is_instruction(line: &str, template: &Template) -> bool {
    const LEAST_WORDS: usize = 6;
    let is_form = || ["**", "[ ]", "[x]", "?"].iter().any(|mark| line.contains(mark));
    // "Example 1:" is a line of an old template, and of any author.
    let introduces = line.trim_end().ends_with(':') && !line.starts_with("Example ");
    let begins = line.trim_start_matches(['_', '"', '(']).starts_with(|first: char| first.is_uppercase());
    let is_sentence = || line.split_whitespace().nth(LEAST_WORDS - 1).is_some();
    (introduces || begins) && is_guidance(line, template) && (introduces || is_sentence()) && !is_form()
}

/// Whether a line is one of the template that says what an answer is to have, and does not belong to one.
pub fn is_sample(line: &str, template: &Template) -> bool {
    let is_known = || is_guidance(line, template) || template.is_form_line(line);
    is_instruction(line, template) || (stand_in(line).is_some() && is_known())
}

/// Whether a line is what the template asks for in an item of a list: `- estimated throughput`.
pub fn is_asked_for(line: &str, template: &Template) -> bool {
    let is_item = line.strip_prefix("- ").is_some_and(|item| item.starts_with(|first: char| first.is_lowercase()));
    is_item && is_guidance(line, template)
}

/// Whether a line is guidance of the template, and none to fill in.
pub fn is_guidance(line: &str, template: &Template) -> bool {
    fingerprint::hash(line).is_some_and(|hash| is_known_line(hash) && !template.form_lines.contains(hash))
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

    #[test]
    fn a_note_is_a_word_of_its_own() {
        for line in
            ["- TODO(jane): more", "`TBD`", "(TBD)", "FIXME: write it", "size: XX-XXX bytes", "- XX,000", "at TBD."]
                .into_iter()
                .chain(["// NOTE: Placeholder for it", "Note: placeholder", "Note: Placeholder"])
                .chain(["- PLACEHOLDER: size", "(PLACEHOLDER)"])
        {
            assert!(note(line).is_some(), "{line}");
        }
        for line in
            ["2026-08-XX", "context.TODO()", "XXX_Size", "5XX", "#XXXX", "TODOs", "v1.XX", "https://a.b/TODO", "todo"]
                .into_iter()
                .chain([
                    "`TODO` comments are kept",
                    "the TODO in the code",
                    "[TODO](x) of it",
                    "host XXX.XXX.XXX is left out",
                    "a placeholder for it",
                    "Placeholder pods keep room.",
                    "Note: placeholders are kept",
                    "the PLACEHOLDER of the path",
                    "PLACEHOLDER_ID",
                ])
        {
            assert_eq!(note(line), None, "{line}");
        }
    }

    #[test]
    fn instructions_introduce_and_items_ask() {
        let template = Template::built_in();
        for line in ["Describe them, providing:", "focusing mostly on:"] {
            assert!(is_instruction(line, &template) && !is_asked_for(line, &template), "{line}");
        }
        assert!(!is_instruction("Example 1:", &template));
        for line in ["- estimated throughput", "- components listing and/or watching resources they didn't before"] {
            assert!(is_asked_for(line, &template) && !is_instruction(line, &template), "{line}");
        }
        for line in
            ["- estimated throughput: ten a second", "- Feature implemented behind a feature flag", "The KEP has:"]
        {
            assert!(!is_asked_for(line, &template) && !is_instruction(line, &template), "{line}");
        }
    }
}
