//! Words that announce work or say that it is missing; in lower case, with a blank between words.

use super::phrases::{Phrases, is_of_word};
use crate::span::slice;
use std::ops::Range;

// The number after a phrase is a KEP that says so.

static PLANS: Phrases = Phrases::new(
    is_of_word,
    &[
        "not yet [been] tested, not been tested, were|was not tested", // KEP-1693
        "not tested yet",
        "not yet", // KEP-2161
        "yet to be",
        "no [such] testing was done",                     // KEP-3314
        "to be tested|done|performed|verified|completed", // KEP-5958
        "'ll|will [be] [specifically|manually] test|tested|perform|performed|verify|verified|done|covered|conducted|\
            validate|validated|execute|executed|exercise", // KEP-1965
        "going to [be] do|test|tested|perform|verify",
        "is|are planned, is|are scheduled for", // KEP-19
        "tests [*]4 are [still] in progress, testing is [still] in progress",
        "plan to, we|i intend to", // KEP-4622
        "should be tested",        // KEP-2551
        "must be tested",
        "need|needs to be tested",
    ],
);

/// Those that are plans only where a sentence begins with them.
static FIRST: Phrases = Phrases::new(
    is_of_word,
    &[
        "planned|pending as|at|before|by|during|for|in|via|with, in progress as|at|before|by|during|for|in|via|with, \
            planned|pending, in progress", // KEP-5941
        "test|tests|testing plan, test|tests|testing to cover, \
            manual test|tests|testing plan, manual test|tests|testing to cover", // KEP-5284
    ],
);

/// The first plan in `text` that begins at `from` or later.
pub(super) fn next(text: &str, from: usize) -> Option<Range<usize>> {
    (from..text.len()).find_map(|at| first(text, from, at).or_else(|| Some(at..PLANS.end(text, at)?)))
}

/// The plan with its first word at `at`, if it begins a sentence: with the end of the sentence before, which is not before `from`.
fn first(text: &str, from: usize, at: usize) -> Option<Range<usize>> {
    let (before, words) = text.split_at_checked(at)?;
    let end = at + first_end(words)?;
    let marks_start = from + slice(before, from..).trim_end_matches(|letter: char| !letter.is_ascii_lowercase()).len();
    if marks_start == 0 {
        return Some(0..end);
    }
    let marks = slice(before, marks_start..);
    let start = [". ", ": ", "? ", "! "].iter().filter_map(|mark| marks.find(mark)).min()?;
    Some(marks_start + start..end)
}

/// Where the plan ends that `text` begins with.
fn first_end(text: &str) -> Option<usize> {
    let end = FIRST.end(text, 0)?;
    let (words, after) = text.split_at_checked(end)?;
    if !matches!(words, "planned" | "pending" | "in progress") || after.is_empty() {
        return Some(end);
    }
    // "Planned." and "Pending (v1.38)", and not "Pending pods".
    let mark = after.strip_prefix(' ').unwrap_or(after);
    mark.starts_with(['.', ',', ':', ';', '(']).then_some(text.len() - mark.len() + 1)
}

/// `text` without its plans.
pub(super) fn without(text: &str) -> String {
    let (mut others, mut from) = (String::new(), 0);
    while let Some(plan) = next(text, from) {
        others += slice(text, from..plan.start);
        from = plan.end;
    }
    others + slice(text, from..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_recognized() {
        let texts = [
            "planned for beta, with e2e tests.",
            "it is new. **manual tests to cover** it:",
            "it was not tested.",
            "not tested yet",
            "not yet.",
            "the test is yet to be written.",
            "no such testing was done.",
            "to be tested in beta",
            "we'll perform tests.",
            "we are going to verify it.",
            "a test is planned.",
            "tests of it are still in progress.",
            "we plan to add a test.",
            "it should be tested.",
            "it must be tested.",
            "it needs to be tested.",
        ];
        assert_eq!(FIRST.lines.len() + PLANS.lines.len(), texts.len(), "a text for each line");
        for text in texts {
            assert!(next(text, 0).is_some(), "{text}");
        }
    }

    #[test]
    fn a_sentence_begins_with_its_first_plan() {
        for (text, others) in [
            ("it is new. 1. **planned (v1.38)", "it is newv1.38)"),
            ("it: we'll test it. not yet, pending .", "it: we it. , pending ."),
            ("in progress", ""),
            ("planned. planned. pending pods", " planned. pending pods"),
            ("ünew: test plans. testing plan", "ünew: test plans"),
        ] {
            assert_eq!(without(text), others, "{text}");
        }
    }
}
