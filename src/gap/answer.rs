//! What an answer says, as far as its words show it: that tests exist, that there are none for a reason, that something
//! is only planned.

use super::phrases::{self, Phrases, is_of_word};
use super::plans;
use crate::markdown::paragraph::is_list_item;
use crate::span::slice;
use crate::stage::{Release, Stage};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

// The number after a phrase is a KEP that says so.

/// Words that say that there are no tests, or why, or where they are described; in lower case.
static REASON: Phrases = Phrases::new(
    is_of_word,
    &[
        "n/a",  // KEP-5504
        "none", // KEP-3140
        "not|no|aren't|isn't|don't|doesn't [be] needed|necessary|require|required|applicable|planned|possible|relevant|\
            feasible|add|need|expect|ready|apply|readily", // KEP-647
        "there is|are no", // KEP-4420
        "because", // KEP-2699
        "since", // KEP-2837
        "due to", // KEP-2433
        "covered", // KEP-3329
        "cover all, tests cover this|that|it", // KEP-3221
        "sufficient|sufficiently", // KEP-4568
        "enough", // KEP-2926
        "equivalent", // KEP-6178
        "identical", // KEP-5073
        "mostly", // KEP-3488
        "same as", // KEP-961
        "see",  // KEP-4153
        "refer", // KEP-752
        "described", // KEP-5018
        "listed", // KEP-4832
        "mentioned", // KEP-3107
        "above", // KEP-4460
        "below", // KEP-3857
        "kep-N|kepN", // KEP-6089
        "cannot|can't|won't [be] [*] test|tests|tested|cover|covered|run|automate|automated|simulate|simulated, \
            can not [be] [*] test|tests|tested|cover|covered|run|automate|automated|simulate|simulated, \
            unable to [be] [*] test|tests|tested|cover|covered|run|automate|automated|simulate|simulated",
        "not|don't|doesn't have [*] test|tests", // KEP-5825
        "exempt",                                // KEP-3498
        "instead",                               // KEP-4193
        "already",                               // KEP-4330
        "out of scope",
    ],
);

/// The same, in one sentence: "No new tests".
static DENIED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?-u)\bno\b(?u:[^.\n])*\b(tests?|testing|needed|required|necessary|planned|added)\b") // KEP-1591
});

static RESULTS: Phrases = Phrases::new(
    is_of_word,
    &[
        "yes", // KEP-1847
        // "Been" is not in the list of words that may be missing: it begins a phrase of its own.
        "was|were|been|have|has [also|both|all|manually|successfully]... \
            tested|performed|verified|validated|executed|done|conducted|exercised", // KEP-1164
        "test|tests|testing|verification|validation was|were completed, \
            test|tests|testing|verification|validation has|have been completed", // KEP-5419
        "we|i [have] [manually] tested|verified|performed|validated|did|ran", // KEP-563
        "tested manually|by|in|on|with|using|via|through",                    // KEP-3015
        "manually tested the|that|in|on|by|with",
        "passed",    // KEP-5532
        "succeeded", // KEP-5311
    ],
);

pub(super) fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is well-formed")
}

/// Whether `text` says why there are no tests, or where they are described.
pub fn gives_reason(text: &str) -> bool {
    let text = text.to_lowercase();
    // "No. Unit tests show more."
    words(&text).next().as_deref() == Some("no") || REASON.find(&text, 0).is_some() || DENIED.is_match(&text)
}

/// The sentence of `text` that shows that nothing was tested yet, if it reports no result besides. A long text is a
/// description of the tests, unless it begins with such a sentence.
pub fn unfinished(text: &str) -> Option<String> {
    const MOST_WORDS: usize = 100;
    const FIRST_WORDS: usize = 30;
    if is_bare(text) {
        return Some(text.trim().to_owned());
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let first = if words.len() > MOST_WORDS { FIRST_WORDS } else { MOST_WORDS };
    // A line may end within the words.
    let (written, joined) = (words.iter().copied().take(first).collect::<Vec<_>>().join(" "), words.join(" "));
    let begin = written.to_ascii_lowercase();
    let negated = ["were not", "was not", "not been"].iter().any(|denial| begin.contains(denial));
    let plan = plans::all(&begin).next()?;
    let joined = joined.to_ascii_lowercase();
    let done = plans::without(&joined);
    // "Yes, we will test it" reports nothing.
    let is_only_agreed = begin.starts_with("yes")
        && !slice(&begin, "yes".len()..plan.start).trim_start_matches(['.', ',']).contains(['.', ',']);
    let reported = if is_only_agreed { slice(&done, "yes".len()..) } else { &done };
    // A phrase may have the end of the sentence before it.
    let phrase = slice(&begin, plan.clone()).trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let phrase = plan.end - phrase.len()..plan.end;
    (negated || RESULTS.find(reported, 0).is_none()).then(|| sentence_around(&written, phrase))
}

/// The sentence of `text` with the words at `range`; of a long one, not what is far before them.
pub(super) fn sentence_around(text: &str, range: Range<usize>) -> String {
    const MOST_BEFORE: usize = 60;
    let ends = |part: &str| part.ends_with(['.', '!', '?', ':']);
    let mut ends_before = slice(text, ..range.start).rmatch_indices(' ').map(|(at, _)| at);
    let start = ends_before.find(|at| ends(slice(text, ..*at))).map_or(0, |at| at + 1);
    let mut ends_after = slice(text, range.end..).match_indices(' ').map(|(at, _)| range.end + at);
    let end = ends_after.find(|at| ends(slice(text, ..*at))).unwrap_or(text.len());
    if range.start - start <= MOST_BEFORE {
        return slice(text, start..end).to_owned();
    }
    let near = text.floor_char_boundary(range.start - MOST_BEFORE);
    let word = slice(text, near..range.start).find(' ').map_or(range.start, |at| near + at + 1);
    format!("…{}", slice(text, word..end))
}

pub fn has_steps(text: &str) -> bool {
    let is_step = |line: &&str| line.starts_with(|first: char| first.is_ascii_digit()) && is_list_item(line);
    text.lines().filter(is_step).nth(1).is_some()
}

/// Words of an answer that says nothing, of which it begins with one of the first.
const NOTHING: &str = "no none nothing n/a na n.a unknown not yet known identified applicable so far now \
    currently at this time the moment for to of other any are is there that we aware here say failure mode \
    modes issue issues problem problems risk risks kep feature enhancement";

/// Whether `text` is only "No", "N/A", "There are none", "Not applicable, yet" or the like.
pub fn is_bare(text: &str) -> bool {
    const BEGINNINGS: usize = 8;
    const MOST_WORDS: usize = 8;
    let mut words = words(text).skip_while(|word| matches!(word.as_str(), "there" | "is" | "are"));
    let first = words.next().unwrap_or_default();
    if !NOTHING.split_ascii_whitespace().take(BEGINNINGS).any(|known| known == first) {
        return false;
    }
    let rest: Vec<String> = words.take(MOST_WORDS).collect();
    rest.len() < MOST_WORDS && rest.iter().all(|word| NOTHING.split_ascii_whitespace().any(|known| known == word))
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split_whitespace().map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()));
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

pub fn begins_not_applicable(text: &str) -> bool {
    let mut words = words(text);
    match words.next().as_deref() {
        Some("not") => words.next().as_deref() == Some("applicable"),
        first => matches!(first, Some("n/a" | "na")),
    }
}

/// Whether `text` names a stage. An API version such as `v1beta1` names none, and what "graduated to beta" is not stable.
pub fn names_stage(text: &str, stage: Stage) -> bool {
    named_stages(text).contains(&stage)
}

/// The stages that `text` names, as often as it does.
pub fn named_stages(text: &str) -> Vec<Stage> {
    text.to_lowercase().lines().flat_map(stages_in_line).collect()
}

fn stages_in_line(line: &str) -> Vec<Stage> {
    let words: Vec<&str> = phrases::words(line).collect();
    let of_word = |word: &str| Stage::from_word(word.trim_end_matches(|letter: char| letter.is_ascii_digit()));
    let mut named = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let mut next = words.iter().skip(at + 1);
        let is_stable = match *word {
            "general" => next.next() == Some(&"availability"),
            "generally" => next.next() == Some(&"available"),
            "g" => next.next() == Some(&"a"),
            "graduated" => {
                let is_denied = words.iter().take(at).any(|earlier| matches!(*earlier, "not" | "never"));
                let to = next.find_map(|later| of_word(later));
                matches!(to, None | Some(Stage::Stable)) && !is_denied
            }
            _ => false,
        };
        named.extend(if is_stable { Some(Stage::Stable) } else { of_word(word) });
    }
    named
}

/// Whether `text` names a release of Kubernetes, as `1.36` or `v1.36`. What is said to be one of Go or the like is none.
pub fn names_release(text: &str, release: Release) -> bool {
    const OTHERS: [&str; 5] = ["go", "golang", "etcd", "containerd", "runc"];
    let wanted = format!("{}.{}", release.major, release.minor);
    text.match_indices(&wanted).any(|(at, _)| {
        let (before, after) = (slice(text, ..at), slice(text, at + wanted.len()..));
        let is_part = before.ends_with(|letter: char| letter.is_ascii_digit() || letter == '.')
            || after.starts_with(|letter: char| letter.is_ascii_digit());
        let word =
            before.trim_end_matches(['v', 'V']).trim_end().rsplit(|letter: char| !letter.is_alphanumeric()).next();
        let is_other = word.is_some_and(|word| OTHERS.iter().any(|other| word.eq_ignore_ascii_case(other)));
        !is_part && !is_other
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_without_a_result_is_unfinished() {
        for text in ["N/A", "It will be tested before beta.", "Not tested yet.", "Upgrade tests are planned."]
            .into_iter()
            .chain(["Planned.", "- Pending (v1.38)", "_In progress._", "Yes. Planned", "To be done before GA."])
            .chain(["We intend to test it.", "Testing plan:\n* Upgrade a node", "New tests will exercise it:"])
            .chain(["Tests are scheduled for v1.38.", "No, but we are going to do so."])
        {
            assert!(unfinished(text).is_some(), "{text}");
        }
        for text in [
            "Yes, by hand.",
            "It was tested. More will be added.",
            "The feature is stateless.",
            "Manually tested in kind",
            "Pending pods stay as they are.",
            "It is stateless. Planned upgrades change nothing.",
            "Testing plan:\n* Upgrade a node\n\nManual verification was completed.",
            "The pods were pending, and then in progress.",
            "Who intends to roll back may do so.",
        ] {
            assert_eq!(unfinished(text), None, "{text}");
        }
    }

    #[test]
    fn steps_are_numbered_and_several() {
        assert!(has_steps("We'll test this:\n1. Start a cluster.\n2) Stop it."));
        assert!(!has_steps("1. Start a cluster.\nThen stop it.\n1.37 is tested."));
    }

    #[test]
    fn a_bare_word_is_no_answer() {
        for text in [
            "No.",
            "- N/A",
            "**Nothing** to say.",
            "Not applicable, yet.",
            "None known",
            "There are none.",
            "No known failure modes.",
        ] {
            assert!(is_bare(text), "{text}");
        }
        for text in [
            "",
            "No, it is a client.",
            "Notes",
            "It has none",
            "Known issues",
            "No tests are needed.",
            "Not a risk: it is off",
        ] {
            assert!(!is_bare(text), "{text}");
        }
    }

    #[test]
    fn what_does_not_apply_says_so_first() {
        for text in ["N/A", "- N/A, a client", "**Not applicable** to clients", "na"] {
            assert!(begins_not_applicable(text), "{text}");
        }
        for text in ["", "None", "Not yet applicable", "Nah", "This is not applicable"] {
            assert!(!begins_not_applicable(text), "{text}");
        }
    }

    #[test]
    fn the_whole_sentence_of_a_plan_is_quoted() {
        let sentence = unfinished;
        assert_eq!(
            sentence("It is new. We'll perform\ntests by hand. Then beta.").as_deref(),
            Some("We'll perform tests by hand.")
        );
        let long = format!("{} it will be tested soon. Or not.", "and ".repeat(30));
        let near = format!("…{} it will be tested soon.", "and ".repeat(14).trim_end());
        assert_eq!(sentence(&long), Some(near));
        assert_eq!(sentence("- Will be TESTED in v1.38").as_deref(), Some("- Will be TESTED in v1.38"));
    }

    /// Each line of phrases has a text that it finds.
    #[track_caller]
    fn assert_lines(phrases: &Phrases, texts: &[&str]) {
        assert_eq!(phrases.lines.len(), texts.len(), "a text for each line");
        for text in texts {
            assert!(phrases.find(text, 0).is_some(), "{text}");
        }
    }

    #[test]
    fn reasons_are_recognized() {
        let texts = [
            "n/a",
            "none.",
            "e2e tests are not needed.",
            "the kubelet does not have such tests.",
            "it is exempt from that.",
            "there is no feature to turn off.",
            "because a pod starts.",
            "since a pod starts.",
            "due to its nature",
            "covered with e2e tests",
            "unit tests cover this path.",
            "unit tests are sufficient.",
            "unit tests are enough.",
            "equivalent to a restart",
            "identical to a restart",
            "the edge cases are mostly in unit tests.",
            "the same as for alpha",
            "see the unit tests.",
            "refer to the unit tests.",
            "as described",
            "those listed",
            "those mentioned",
            "the tests above",
            "the tests below",
            "in kep-5882",
            "it cannot be automated.",
            "unit tests instead",
            "it is tested already.",
            "out of scope",
        ];
        assert_lines(&REASON, &texts);
        assert!(!gives_reason("A pod starts. No. It tests.") && !gives_reason("A pod starts."));
        for text in [
            "Unit tests are enough.",
            "No new tests",
            "We don't expect any.",
            "An integration test doesn't apply here.",
            "This is not readily tested.",
            "A pod starts. No\u{a0}other test",
            "- No. It is small",
        ] {
            assert!(gives_reason(text), "{text}");
        }
        for text in
            ["Existing pods are kept.", "We skip other nodes.", "A conformance test starts a pod.", "It covers all"]
        {
            assert!(!gives_reason(text), "{text}");
        }
    }

    #[test]
    fn results_are_recognized() {
        let texts = [
            "yes.",
            "it was manually verified.",
            "testing has been completed.",
            "we did manual testing.",
            "tested in kind",
            "manually tested the path",
            "the validation passed.",
            "it succeeded.",
        ];
        assert_lines(&RESULTS, &texts);
    }

    #[test]
    fn a_release_is_a_whole_number() {
        let release = Release { major: 1, minor: 3 };
        assert!(names_release("- v1.3: beta", release) && !names_release("v1.36 and 21.3", release));
        for text in ["Built with Go 1.3", "etcd 3.1.3 is needed", "etcd v1.3"] {
            assert!(!names_release(text, release), "{text}");
        }
        assert!(names_stage("Promoted to G.A.", Stage::Stable) && !names_stage("alphabet", Stage::Alpha));
        for text in
            ["General availability", "generally-available", "v1.36: graduated\nv1.35: beta", "graduated to `stable`"]
        {
            assert!(names_stage(text, Stage::Stable), "{text}");
        }
        for text in [
            "In general it works",
            "v1.35: graduated to Beta",
            "It can graduate from alpha",
            "It has not graduated",
            "Graduated the feature gate of the conditions of nodes to beta",
        ] {
            assert!(!names_stage(text, Stage::Stable), "{text}");
        }
        assert!(names_stage("beta2 (v1.36)", Stage::Beta) && !names_stage("v1beta1 is served", Stage::Beta));
    }
}
