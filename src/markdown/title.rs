//! The wording of a heading, normalized so that headings can be compared: case, punctuation, spaces and a trailing
//! "(Optional)" do not count.

use crate::span::slice;
use crate::suggest;
use std::borrow::Cow;

/// A heading's text with its comparable forms, made once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Title {
    pub text: String,
    /// The letters and digits in lower case, without a trailing "(Optional)": equal keys are equal titles.
    pub key: String,
}

impl Title {
    pub fn new(text: &str) -> Self {
        let text =
            if is_collapsed(text) { text.to_owned() } else { text.split_whitespace().collect::<Vec<_>>().join(" ") };
        let key = key(without_optional(&text));
        Self { text, key }
    }

    /// Whether it says that the section may be left out: "Alternatives (Optional)", "[optional] Notes".
    pub fn is_optional(&self) -> bool {
        const BEGINNINGS: [&str; 3] = ["(optional)", "[optional]", "optional:"];
        let lower = self.text.to_lowercase();
        without_optional(&lower).len() < lower.trim_end().len()
            || BEGINNINGS.iter().any(|beginning| lower.starts_with(beginning))
    }

    /// Whether it says that the section is left out: "Drawbacks [omitted]".
    pub fn is_omitted(&self) -> bool {
        let lower = self.text.to_lowercase();
        ["[omitted]", "[n/a]", "[none]", "(omitted)", "(n/a)"].iter().any(|end| lower.ends_with(end))
    }

    /// The words in lower case, without a trailing "(Optional)".
    pub fn words(&self) -> Vec<String> {
        without_optional(&self.text)
            .to_lowercase()
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    }

    /// The words without a plural's ending, joined: equal for titles that differ only in singular and plural.
    pub fn stems(&self) -> String {
        stems(without_optional(&self.text))
    }

    /// For a question, [`Self::stems`] without its parentheses and without a long enough question's last "for …"; empty
    /// for another title.
    pub fn question(&self) -> String {
        const LEAST: usize = 5;
        if !self.text.ends_with('?') {
            return String::new();
        }
        let text = without_parentheses(&self.text);
        match text.rsplit_once(" for ") {
            Some((question, _)) if question.split_whitespace().count() >= LEAST => stems(question),
            _ => stems(&text),
        }
    }

    /// For a question, its words without its parentheses; none for another title.
    pub fn question_words(&self) -> Vec<String> {
        if self.text.ends_with('?') { Self::new(&without_parentheses(&self.text)).words() } else { Vec::new() }
    }

    /// The words of a question before its last preposition, "What are the SLIs" of "What are the SLIs for this feature?";
    /// none if there is none.
    pub fn beginning(&self) -> Vec<String> {
        let mut words = self.question_words();
        let last = words.iter().rposition(|word| is_preposition(word));
        words.truncate(last.unwrap_or_default());
        words
    }

    /// Whether it is a question that needs more than a yes or no.
    pub fn is_open_question(&self) -> bool {
        let first = || self.text.split(|letter: char| !letter.is_alphanumeric()).find(|word| !word.is_empty());
        let is_open = |word: &str| ["what", "how"].iter().any(|open| word.eq_ignore_ascii_case(open));
        self.text.ends_with('?') && first().is_some_and(is_open)
    }
}

pub fn is_preposition(word: &str) -> bool {
    matches!(word, "for" | "in" | "of" | "to" | "on" | "with")
}

/// Whether `text` is ASCII with one space between words, as nearly all titles are.
fn is_collapsed(text: &str) -> bool {
    let is_apart = text.starts_with(' ') || text.ends_with(' ') || text.contains("  ");
    text.is_ascii() && !is_apart && !text.bytes().any(|byte| byte < b' ')
}

/// The letters and digits of `text`, in lower case.
pub fn key(text: &str) -> String {
    if text.is_ascii() {
        let mut key = text.to_ascii_lowercase().into_bytes();
        key.retain(u8::is_ascii_alphanumeric);
        return String::from_utf8(key).unwrap_or_default();
    }
    text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn stems(text: &str) -> String {
    let text = if text.contains('&') { Cow::Owned(text.replace('&', " and ")) } else { Cow::Borrowed(text) };
    text.to_lowercase().split(|letter: char| !letter.is_alphanumeric()).map(stem).collect()
}

/// A word without the ending that differs between singular and plural.
fn stem(word: &str) -> &str {
    let ending = ["ies", "y", "s"].into_iter().find_map(|ending| word.strip_suffix(ending));
    ending.filter(|stem| stem.len() > 2).unwrap_or(word)
}

fn without_parentheses(text: &str) -> String {
    let mut rest = text;
    let mut outside = String::new();
    while let Some((before, after)) = rest.split_once('(') {
        outside += before;
        rest = after.split_once(')').map_or("", |(_, following)| following);
    }
    outside + rest
}

fn without_optional(text: &str) -> &str {
    let trimmed = text.trim_end();
    let Some(inner) = trimmed.strip_suffix([')', ']']) else { return trimmed };
    match inner.rfind(['(', '[']) {
        Some(open) if slice(inner, open + 1..).trim().eq_ignore_ascii_case("optional") => {
            slice(trimmed, ..open).trim_end()
        }
        _ => trimmed,
    }
}

/// Whether the shorter of two wordings is the longer one with words left out: at least five words, all of them in the
/// longer wording. Articles and a plural's `s` do not count.
pub fn is_truncation(one: &[String], other: &[String]) -> bool {
    const LEAST: usize = 5;
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let is_long_enough = short.len() >= LEAST;
    let (short, long) = (content_words(short), content_words(long));
    is_long_enough && (long.starts_with(&short) || short.iter().all(|word| long.contains(word)))
}

/// Whether `own` has a word that `wanted` does not have, but for articles, a plural's `s` and "considered".
pub fn adds_words(own: &[String], wanted: &[String]) -> bool {
    let wanted = content_words(wanted);
    content_words(own).iter().any(|word| !wanted.contains(word))
}

/// Whether `words` has the words of `phrase` one after another.
pub fn has_phrase(words: &[String], phrase: &[String]) -> bool {
    words.windows(phrase.len().max(1)).any(|part| part == phrase)
}

fn content_words(words: &[String]) -> Vec<&str> {
    const EMPTY: [&str; 6] = ["a", "an", "the", "this", "these", "considered"];
    let words = words.iter().filter(|word| !EMPTY.contains(&word.as_str()));
    words.map(|word| stem(word)).collect()
}

/// Whether `long` has all words of `short` in the same order.
pub fn is_subsequence(short: &[String], long: &[String]) -> bool {
    let mut rest = long.iter();
    !short.is_empty() && short.iter().all(|word| rest.any(|other| other == word))
}

/// Whether `words` has all words of two titles, where `other` has words besides those of `one`.
pub fn has_words_of_both(words: &[String], one: &[String], other: &[String]) -> bool {
    let mut rest: Vec<&String> = words.iter().collect();
    for word in one {
        match rest.iter().position(|own| *own == word) {
            Some(at) => rest.remove(at),
            None => return false,
        };
    }
    is_subsequence(other, words) && other.iter().any(|word| rest.contains(&word))
}

/// Whether two wordings begin with the same `count` words.
pub fn share_first_words(one: &[String], other: &[String], count: usize) -> bool {
    one.len() >= count && other.len() >= count && one.iter().zip(other).take(count).all(|(one, other)| one == other)
}

/// How many long words of `title` are like one of `other`, and how many it has.
pub fn shared_words(title: &str, other: &str) -> (usize, usize) {
    /// The most letters of words such as "and", which tell nothing.
    const SHORT: usize = 3;
    let long = |words: Vec<String>| words.into_iter().filter(|word| word.len() > SHORT).collect::<Vec<_>>();
    let (words, others) = (long(Title::new(title).words()), long(Title::new(other).words()));
    let is_shared = |word: &&String| suggest::nearest(word, others.iter().map(String::as_str)).is_some();
    (words.iter().filter(is_shared).count(), words.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn optional_case_and_punctuation_do_not_count() {
        let same = |one: &str, other: &str| assert_eq!(Title::new(one).key, Title::new(other).key);
        same("User Stories (Optional)", "User stories [optional]");
        same("Upgrade / Downgrade Strategy", "Upgrade/Downgrade strategy");
        same("What happens if we reenable it?", "What happens if we re-enable it?");
        assert_ne!(Title::new("Goals").key, Title::new("Non-Goals").key);
        assert_ne!(Title::new("Story (optional) 1").key, Title::new("Story 1").key);
    }

    #[test]
    fn singular_and_plural_are_one() {
        let stems = |text: &str| Title::new(text).stems();
        assert_eq!(stems("Risk and Mitigation"), stems("Risks and Mitigations"));
        assert_eq!(stems("Version Skew Strategies"), stems("Version skew strategy:"));
        assert_ne!(stems("Story 1"), stems("Story 2"));
    }

    #[test]
    fn questions_are_compared_without_additions() {
        let question = |text: &str| Title::new(text).question();
        let short = question("Can the feature be disabled once it has been enabled?");
        assert_eq!(question("Can the feature be disabled once it has been enabled (i.e. rolled back)?"), short);
        assert_eq!(
            question("What are the reasonable SLOs for the enhancement?"),
            question("What are the reasonable SLOs?")
        );
        assert_ne!(question("Are there any tests for nodes?"), question("Are there any tests for pods?"));
        assert_eq!(question("Test Plan (of nodes)"), "");
    }

    #[test]
    fn a_heading_may_have_the_words_of_two_titles() {
        let words = |text: &str| Title::new(text).words();
        let has = |text: &str, one: &str, other: &str| has_words_of_both(&words(text), &words(one), &words(other));
        assert!(has(
            "Upgrade / Downgrade / Version Skew Strategy",
            "Upgrade / Downgrade Strategy",
            "Version Skew Strategy"
        ));
        assert!(has("Goals and Non-Goals", "Non-Goals", "Goals"));
        assert!(!has("Non-Goals of this KEP", "Non-Goals", "Goals"));
        assert!(!has("Summary of the change", "Summary", "Motivation"));
    }

    #[test]
    fn a_truncation_needs_five_words() {
        let words = |text: &str| Title::new(text).words();
        assert!(is_truncation(&words("How can a rollout fail?"), &words("How can a rollout fail? Can it impact?")));
        assert!(is_truncation(
            &words("How does the feature react if etcd is unavailable?"),
            &words("How does this feature react if etcd is unavailable?")
        ));
        assert!(!is_truncation(&words("Test Plan"), &words("The Test Plan of this KEP")));
        assert!(is_subsequence(&words("Graduation Criteria"), &words("Migration / Graduation Criteria")));
        assert!(!is_subsequence(&words("Criteria Graduation"), &words("Migration / Graduation Criteria")));
        assert!(adds_words(&words("Summary and Motivation"), &words("Summary")));
        assert!(!adds_words(&words("The Risk and Mitigations"), &words("Risks and Mitigations")));
    }
}
