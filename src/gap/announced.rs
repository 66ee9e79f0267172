//! Sentences about tests that are still to be written, or about what is not tested yet.

use super::answer::{names_stage, sentence_around};
use super::content::Content;
use crate::markdown::Document;
use crate::markdown::paragraph::{Paragraph, paragraphs};
use crate::span::{slice, tail};
use crate::stage::Stage;
use crate::template::Template;
use std::ops::Range;
use std::sync::LazyLock;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// The bytes of the line in which it announces them.
    pub line: Range<usize>,
    pub sentence: String,
}

#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    /// Whether only a space comes before the next word.
    is_joined: bool,
}

/// The words of a text in lower case; an apostrophe is a part of its word.
fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        // All bytes of most paragraphs come by.
        while at < text.len() && length_of_part(text, at) == 0 {
            at += 1;
        }
        let start = at;
        at = word_end(text, at);
        let is_joined = text.as_bytes().get(at) == Some(&b' ') && length_of_part(text, at + 1) > 0;
        (start < at).then(|| Word { text: slice(text, start..at), is_joined })
    })
}

/// Where the word ends that byte `at` is in.
fn word_end(text: &str, mut at: usize) -> usize {
    loop {
        match length_of_part(text, at) {
            0 => return at,
            length => at += length,
        }
    }
}

const APOSTROPHE: &[u8] = "’".as_bytes();

/// Whether byte `at` is the last one of an apostrophe that is not ASCII.
fn ends_apostrophe(text: &str, at: usize) -> bool {
    text.as_bytes().get(..=at).is_some_and(|before| before.ends_with(APOSTROPHE))
}

/// The bytes of the letter, digit, hyphen or apostrophe at byte `at`; 0 for anything else.
fn length_of_part(text: &str, at: usize) -> usize {
    match text.as_bytes().get(at) {
        Some(byte) if is_part(*byte) => 1,
        Some(0xe2) if tail(text.as_bytes(), at).starts_with(APOSTROPHE) => APOSTROPHE.len(),
        _ => 0,
    }
}

/// Whether a byte is a part of a word wherever it is.
fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'\'' | b'-')
}

/// What may come at a place of a phrase.
enum Part {
    One(&'static [&'static str]),
    /// One of these words, or none of them.
    Maybe(&'static [&'static str]),
    /// "also" or a word such as "manually", or nothing.
    Adverb,
    Any(usize),
}
use Part::{Adverb, Any, Maybe, One};

const DONE: &[&str] = &["added", "tested", "written", "introduced", "implemented", "covered", "extended"];
const DO: &[&str] = &["add", "write", "implement", "introduce", "extend"];
const TEST: &[&str] = &["test", "tests"];
const NOT: &[&str] = &["tested", "covered", "written", "implemented", "added"];

/// Phrases that announce tests, each with a KEP that has it.
const ANNOUNCED: &[&[Part]] = &[
    // KEP-4412
    &[One(&["will", "i'll", "we'll", "it'll", "they'll"]), Maybe(&["also", "still"]), One(&["be"]), Adverb, One(DONE)],
    &[One(&["going"]), One(&["to"]), One(&["be"]), Maybe(&["also"]), One(DONE)],
    // KEP-5030
    &[One(&["we", "i"]), One(&["will"]), Maybe(&["also"]), One(DO)],
    &[One(&["we'll", "we’ll", "i'll", "i’ll"]), Maybe(&["also"]), One(DO)],
    // KEP-2837
    &[
        One(&["need", "needs"]),
        One(&["to"]),
        One(&["be"]),
        One(&["added", "written", "introduced", "implemented", "extended"]),
    ],
    // KEP-2021
    &[One(&["plan", "plans", "planning", "planned"]), One(&["to"]), One(DO)],
    // KEP-5207
    &[One(&["to"]), One(&["be"]), One(&["added", "written", "implemented"])],
    // KEP-4265
    &[One(&["should"]), One(&["be"]), One(&["added", "written", "implemented"])],
    &[One(&["there"]), One(&["will"]), Maybe(&["also"]), One(&["be"]), Any(2), One(TEST)],
    // KEP-4802
    &[One(&["will"]), One(&["add"]), Any(4), One(TEST)],
    // KEP-3314
    &[One(TEST), One(&["will"]), One(&["be"]), One(&["included"])],
    // KEP-3257
    &[One(&["not"]), One(&["yet", "fully"]), Maybe(&["been"]), One(NOT)],
    &[One(&["not"]), One(NOT), One(&["yet"])],
];

const LONGEST: usize = 7;

/// What each byte may be, so that a text is read in one quick loop: the bit [`PART`] for a part of a word, and the bits below
/// it for the lengths of the words that phrases begin with, if they begin with it. Most words of a text begin none.
static KINDS: LazyLock<[u32; 256]> = LazyLock::new(|| {
    let mut kinds = [0; 256];
    for (kind, byte) in kinds.iter_mut().zip(0..=u8::MAX) {
        *kind = u32::from(is_part(byte)) << PART;
    }
    for word in ANNOUNCED.iter().flat_map(|phrase| first_words(phrase)) {
        let byte = word.bytes().next().map(usize::from);
        if let Some(kind) = byte.and_then(|byte| kinds.get_mut(byte)) {
            *kind |= 1 << word.len();
        }
    }
    kinds
});

/// The highest bit of [`KINDS`]. Words that phrases begin with are shorter, as their lengths are the bits below it.
const PART: usize = 31;

/// The words that a phrase begins with.
fn first_words(phrase: &[Part]) -> &'static [&'static str] {
    match phrase.first() {
        Some(One(words)) => words,
        _ => &[],
    }
}

fn begins(words: &[Word<'_>], phrase: &[Part]) -> bool {
    let Some((part, rest)) = phrase.split_first() else { return true };
    let goes_on = |count: usize| {
        let (taken, left) = words.split_at_checked(count).unwrap_or_default();
        let is_joined = rest.is_empty() || taken.iter().all(|word| word.is_joined);
        taken.len() == count && is_joined && begins(left, rest)
    };
    let is_one = |of: &[&str]| words.first().is_some_and(|word| of.contains(&word.text));
    match part {
        One(of) => is_one(of) && goes_on(1),
        Maybe(of) => (is_one(of) && goes_on(1)) || begins(words, rest),
        Adverb => {
            let is_adverb = words.first().is_some_and(|word| word.text == "also" || word.text.ends_with("ly"));
            (is_adverb && goes_on(1)) || begins(words, rest)
        }
        Any(most) => (0..=*most).any(goes_on),
    }
}

/// Where `text`, in lower case, first announces tests.
fn find(text: &str) -> Option<usize> {
    let is_announced = |at: usize, kind: u32| {
        let first = slice(text, at..word_end(text, at));
        let phrases = || ANNOUNCED.iter().filter(|phrase| first_words(phrase).contains(&first));
        first.len() < PART && kind >> first.len() & 1 == 1 && phrases().next().is_some() && {
            let words: Vec<_> = words(slice(text, at..)).take(LONGEST).collect();
            phrases().any(|phrase| begins(&words, phrase))
        }
    };
    let kinds = &*KINDS;
    let mut is_inside = false;
    for (byte, at) in text.bytes().zip(0..) {
        let kind = kinds.get(usize::from(byte)).copied().unwrap_or_default();
        if kind & !(1 << PART) != 0 && !is_inside && is_announced(at, kind) {
            return Some(at);
        }
        is_inside = kind >> PART == 1 || (!byte.is_ascii() && ends_apostrophe(text, at));
    }
    None
}

/// Whether words in lower case describe who tests what, and announce nothing.
fn describes(text: &str) -> bool {
    const BY: &[&str] = &["as", "by", "in", "on", "through", "under", "using", "via", "with"];
    let words: Vec<_> = words(text).collect();
    let pairs = || words.windows(2).filter_map(|pair| <[Word<'_>; 2]>::try_from(pair).ok());
    // KEP-5366
    let is_by = |[one, other]: [Word<'_>; 2]| {
        one.is_joined && ["tested", "covered"].contains(&one.text) && BY.contains(&other.text)
    };
    // KEP-5710
    let needs = |word: &str| ["need", "require", "necessary"].iter().any(|start| word.starts_with(start));
    let is_not = |word: &str| word == "not" || word.ends_with("n't");
    let is_no_need = |at: usize| match tail(&words, at) {
        [not, be, need, ..] if is_not(not.text) && be.text == "be" => needs(need.text),
        [not, need, ..] => is_not(not.text) && needs(need.text),
        _ => false,
    };
    pairs().any(is_by) || (0..words.len()).any(is_no_need)
}

/// What is announced in `range` of a KEP at `target`: at most once a paragraph or item, and not for a later stage.
pub fn announced(document: &Document, range: Range<usize>, template: &Template, target: Stage) -> Vec<Announcement> {
    let is_later = |words: &str| {
        Stage::ALL.iter().any(|stage| !stage.is_removal() && *stage > target && names_stage(words, *stage))
    };
    let mut found = Vec::new();
    let paragraphs = paragraphs(document, range);
    // The text that introduces a list.
    let mut lead = "";
    for paragraph in &paragraphs {
        let Paragraph { text, is_item, .. } = paragraph;
        if text.trim_end().ends_with(':') {
            lead = text;
        } else if !*is_item {
            lead = "";
        }
        let Some(start) = find(&text.to_ascii_lowercase()) else { continue };
        let Some(line) = paragraph.line_at(start) else { continue };
        let sentence = sentence_around(text, start..start + 1);
        let heading = document.sections.at(line.start).map(|id| document.sections.get(id));
        let is_below_later = || heading.is_some_and(|heading| is_later(&heading.title.text));
        let content = || Content::of_line(document.slice(line.clone()), template, Some(target));
        let is_own = || !matches!(content(), Content::Guidance | Content::Form);
        if !is_later(lead)
            && !describes(&sentence.to_ascii_lowercase())
            && !is_later(&sentence)
            && !is_below_later()
            && is_own()
        {
            found.push(Announcement { line, sentence });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(text: &str, target: Stage) -> Vec<String> {
        let document = Document::of_text(text);
        let found = announced(&document, 0..text.len(), &Template::built_in(), target);
        found.into_iter().map(|announcement| announcement.sentence).collect()
    }

    #[test]
    fn a_phrase_begins_with_a_word() {
        for phrase in ANNOUNCED {
            assert!(!first_words(phrase).is_empty());
            assert!(first_words(phrase).iter().all(|word| word.len() < PART));
            let most = |part: &Part| if let Any(most) = part { *most } else { 1 };
            assert!(phrase.iter().map(most).sum::<usize>() <= LONGEST);
        }
    }

    #[test]
    fn an_apostrophe_is_a_part_of_its_word() {
        let list = |text| words(text).map(|word| (word.text, word.is_joined)).collect::<Vec<_>>();
        assert_eq!(
            list("we’ll add‘é ’ e2e-tests, isn't"),
            [("we’ll", true), ("add", false), ("’", true), ("e2e-tests", false), ("isn't", false)]
        );
        assert_eq!(list("… é"), []);
    }

    #[test]
    fn announcements_are_recognized() {
        for text in [
            "Unit tests will be added.",
            "E2E tests will also be written.",
            "It was slow. Tests\nwill be added to the suite.",
            "We'll add an e2e test.",
            "Tests of the following packages need to be added:",
            "We plan to add a test.",
            "A test is planned, to be added in May.",
            "Rollback has not yet been tested.",
            "It is not tested yet.",
            "Additional tests should be added to the suite.",
            "There will be an e2e test to verify this as well.",
            "Will add node level integration tests.",
            "All unit tests will be included.",
        ] {
            assert_eq!(sentences(text, Stage::Beta).len(), 1, "{text}");
        }
        for text in [
            "The test will create a pair of pods.",
            "The pod will be restarted.",
            "It is not tested, because it is static.",
            "These restarts need to be tested:",
            "It will be tested via e2e tests.",
            "No tests are needed: that will be covered by those of today.",
            "```\nwill be added\n```",
        ] {
            assert_eq!(sentences(text, Stage::Beta), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_later_stage_may_have_more_tests() {
        for text in [
            "Before GA, more tests will be added.",
            "For GA:\n\n- Load tests will be added.\n- Scale tests will be added.",
            "#### GA\n\nLoad tests will be added.",
        ] {
            assert_eq!(sentences(text, Stage::Beta), [""; 0], "{text}");
            assert!(!sentences(text, Stage::Stable).is_empty(), "{text}");
        }
        assert_eq!(
            sentences("For GA:\n\n- Load tests.\n\nTests will be added.", Stage::Beta),
            ["Tests will be added."]
        );
    }

    #[test]
    fn one_sentence_of_an_item_is_quoted() {
        let text = "- Fast. Tests will be\n  added soon. Or not.\n- More tests will be added.\n";
        assert_eq!(sentences(text, Stage::Beta), ["Tests will be added soon.", "- More tests will be added."]);
    }
}
