//! Words that announce work or say that it is missing; in lower case, with a blank between words.

use super::phrases::{Phrases, is_of_word};
use crate::span::slice;
use regex::Regex;
use std::iter::from_fn;
use std::ops::Range;
use std::sync::LazyLock;

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

/// Phrases that are plans only where a sentence begins with them. `(?-u)` makes `\b` about ASCII, which is faster.
static FIRST: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?x-u)
        (?:^|[.:?!]\ )(?u:[^a-z])*(?:
            (planned|pending|in\ progress)(?:$|\ ?[.,:;(]|\ (as|at|before|by|during|for|in|via|with)\b) # KEP-5941
            | (manual\ )?test(s|ing)?\ (plan|to\ cover)\b # KEP-5284
        )
        ";
    Regex::new(pattern).expect("the pattern is well-formed")
});

/// The plans in `text`, in order. A sentence that begins with one has it with the end of the sentence before.
pub(super) fn all(text: &str) -> impl Iterator<Item = Range<usize>> {
    let first_from = |from| FIRST.find_at(text, from).map(|plan| plan.range());
    let (mut first, mut other) = (first_from(0), PLANS.find(text, 0));
    from_fn(move || {
        let plan = [&first, &other].into_iter().flatten().min_by_key(|plan| plan.start)?.clone();
        // One that begins after it is kept, so that no part of the text is searched twice.
        let is_over = |known: &Option<Range<usize>>| known.as_ref().is_some_and(|known| known.start < plan.end);
        if is_over(&first) {
            first = first_from(plan.end);
        }
        if is_over(&other) {
            other = PLANS.find(text, plan.end);
        }
        Some(plan)
    })
}

/// `text` without its plans.
pub(super) fn without(text: &str) -> String {
    let (mut others, mut from) = (String::new(), 0);
    for plan in all(text) {
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
        assert_eq!(2 + PLANS.lines.len(), texts.len(), "a text for each line");
        for text in texts {
            assert!(all(text).next().is_some(), "{text}");
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
