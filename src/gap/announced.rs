//! Sentences about tests that are still to be written, or about what is not tested yet.

use super::answer::{self, named_stages, pattern, sentence_around};
use super::content::Content;
use super::linked;
use super::phrases::{Phrases, is_of_compound, words};
use crate::markdown::Document;
use crate::markdown::paragraph::{Paragraph, paragraphs};
use crate::span::slice;
use crate::stage::Stage;
use crate::template::Template;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    pub line: Range<usize>,
    pub sentence: String,
    /// Whether its words describe tests as well, so that it may be no plan.
    pub is_hint: bool,
}

// The number after a phrase is a KEP that says so.

static ANNOUNCED: Phrases = Phrases::new(
    is_of_compound,
    &[
        "will|i'll|we'll|it'll|they'll [also|still] be [also|*ly] \
            added|tested|written|introduced|implemented|covered|extended|created|developed", // KEP-4412
        "going to be [also] added|tested|written|introduced|implemented|covered|extended|created|developed",
        "we|i will [also] add|write|implement|introduce|extend, \
            we'll|we’ll|i'll|i’ll [also] add|write|implement|introduce|extend", // KEP-5030
        "need|needs to be added|written|introduced|implemented|extended", // KEP-2837
        "plan|plans|planning|planned|intend|intends|intending|intended|aim|aims to \
            add|write|implement|introduce|extend", // KEP-2021
        "to|should be added|written|implemented",                         // KEP-5207
        "there will [also] be [*]2 test|tests",
        "will add [*]4 test|tests",    // KEP-4802
        "test|tests will be included", // KEP-3314
        "not yet|fully [been] tested|covered|written|implemented|added, \
            has|have not [yet] been tested|covered|written|implemented|added, \
            hasn't|hasn’t|haven't|haven’t [yet] been tested|covered|written|implemented|added", // KEP-3257
        "not tested|covered|written|implemented|added yet",
        "tests [*]4 are [still] in progress, testing is [still] in progress",
        "no [*]3 test|tests [for|of|in|this|it|the|feature|written|added]4 yet",
    ],
);

/// Words that announce tests only where no test is named: they describe tests as well.
static HINTED: Phrases = Phrases::new(
    is_of_compound,
    &[
        "is|are [also] planned", // KEP-19
        "will [also] exercise|test|cover|expand",
        "may [also] add, may [also] be added",
        "to be updated|expanded",
        "will [also] be updated|expanded",
        "^add [a|an] [new|more] [*]2 test|tests [case|cases|coverage] \
            that|for|to|which|of|in|with|verifying|covering|ensuring|checking|validating|exercising", // KEP-6080
    ],
);

/// Words in lower case that describe who tests what, and announce nothing.
static DESCRIBED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x)
        (?:^|[^a-z0-9'’-])
        (?:
            (tested|covered)\ (against|as|by|in|on|through|under|using|via|with)(?:$|[^a-z0-9'’-]) # KEP-5366
            | (not|[a-z0-9'’-]*n't)[^a-z0-9'’-]+(be[^a-z0-9'’-]+)?(need|require|necessary) # KEP-5710
        )
        ",
    )
});

/// What ends a clause, so that a negation before it does not govern what follows; or tests what they ensure.
static CLAUSE_END: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x)
        [,:;.?!()—–] | \ -\  | (?:^|\s)(?:but|that)\s
        | tests?\ (?:will\ )?(?:ensure|verify|check|confirm|validate|assert|show)s?\s
        ",
    )
});

const NEGATIONS: [&str; 11] =
    ["no", "not", "none", "nobody", "nothing", "hardly", "neither", "nor", "unlikely", "without", "never"];

/// Whether a word such as "not" or "won't" is in `text`.
fn is_negated(text: &str) -> bool {
    let is_short = |word: &str| word.ends_with("n't") || word.ends_with("n’t");
    let mut words = text.split(|letter| !is_of_compound(letter));
    words.any(|word| NEGATIONS.contains(&word) || is_short(word))
}

/// What a test checks is no plan, though it may sound like one: "checks that it should be added".
static CHECKED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?-u)(?:check|verif|ensur|confirm|validat|assert|show)[a-z]*\s+that\s*$"));

/// What is done with tests, and with much else: what it is done with decides. Those that have that after them, and those that
/// have it before.
const ADDS: [&str; 5] = ["add", "implement", "introduce", "extend", "expand"];
const ADDED: [&str; 9] =
    ["added", "implemented", "introduced", "extended", "expanded", "updated", "planned", "created", "developed"];

/// Words that name nothing by themselves: what they stand for is in the sentence before.
const PRONOUNS: &str = "it they this these those that them some more any all both others one ones which and also the a an still \
    there so then new additional further other";

/// How many bytes around a phrase are read to understand it.
const NEAR: usize = 500;

/// Where `text`, in lower case, first announces tests in one of these phrases.
fn find(text: &str, phrases: &Phrases) -> Option<usize> {
    let mut from = 0;
    while let Some(phrase) = phrases.find(text, from) {
        // The phrase with one character before and one after it.
        let around = text.floor_char_boundary(phrase.start.saturating_sub(1))..text.ceil_char_boundary(phrase.end + 1);
        if is_about_tests(text, around.clone()) {
            return Some(phrase.start);
        }
        from = around.end;
    }
    None
}

/// Whether the phrase in `range` says something of tests, and nothing before it in its clause negates it.
fn is_about_tests(text: &str, range: Range<usize>) -> bool {
    const PASTS: [&str; 5] = ["was", "were", "had", "originally", "initially"];
    let near = text.ceil_char_boundary(range.start.saturating_sub(NEAR))..text.floor_char_boundary(range.end + NEAR);
    let (phrase, before) = (slice(text, range.clone()), slice(text, near.start..range.start));
    let clause_start = CLAUSE_END.find_iter(before).last().map_or(0, |end| end.end());
    let clause = slice(before, clause_start..);
    // What was planned is not a plan any more.
    let is_past = phrase.trim_start_matches(|letter: char| !letter.is_alphanumeric()).starts_with("planned")
        && PASTS.contains(&before.rsplit(char::is_whitespace).next().unwrap_or_default());
    let after = slice(text, range.end..near.end);
    let verb = phrase.trim_end_matches(|letter: char| !letter.is_ascii_lowercase());
    let is_active = ADDS.iter().any(|adds| verb.ends_with(adds));
    // "There will be no tests", "we will add none".
    let denies_object =
        ["no ", "none", "nothing", "neither "].iter().any(|denial| after.trim_start().starts_with(denial));
    let is_denied = phrase.contains(" be no ") || phrase.contains(" add no ") || (is_active && denies_object);
    if is_denied || is_negated(clause) || CHECKED.is_match(slice(before, ..clause_start)) || is_past {
        return false;
    }
    if names_tests(phrase) || !(is_active || ADDED.iter().any(|added| verb.ends_with(added))) {
        return true;
    }
    let about = if is_active { CLAUSE_END.split(after).next().unwrap_or_default() } else { clause };
    let mut own = words(about).filter(|word| !PRONOUNS.split_ascii_whitespace().any(|pronoun| pronoun == *word));
    let said_before = slice(before, ..clause_start).trim_end_matches(|letter: char| !letter.is_alphanumeric());
    let sentence_before = said_before.rsplit(". ").next().unwrap_or_default();
    // An answer to the heading's question, or nothing: the heading is about tests.
    let is_answer =
        matches!(sentence_before.trim_start_matches(['-', '*', ' ']), "" | "no" | "yes" | "not yet" | "none yet");
    names_tests(about) || (own.next().is_none() && (is_answer || names_tests(sentence_before)))
}

fn names_tests(text: &str) -> bool {
    let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    ["test", "coverage", "scenario", "e2e"].iter().any(|part| text.contains(part))
        || words.any(|word| matches!(word, "case" | "cases" | "job" | "jobs"))
}

/// What is announced in `range` of a KEP at `target`: at most once a paragraph or item, and not for a later
/// stage. In a section that names no test, the first hint counts if nothing else is announced.
pub fn announced(document: &Document, range: Range<usize>, template: &Template, target: Stage) -> Vec<Announcement> {
    let paragraphs = paragraphs(document, range.clone());
    let found = in_phrases(document, &paragraphs, template, target, &ANNOUNCED);
    if !found.is_empty() || linked::own_links(document, range, template).next().is_some() {
        return found;
    }
    let hint = in_phrases(document, &paragraphs, template, target, &HINTED).into_iter().next();
    // A file that tests are to be added to names none; a package has a line for its coverage.
    let hint = hint.filter(|Announcement { sentence, .. }| {
        let adds = sentence.trim_start_matches(['-', '*', ' ']).starts_with("Add ");
        let mut own = paragraphs.iter().filter(|paragraph| !Content::is_of_template(&paragraph.text, template));
        own.all(|Paragraph { text, .. }| {
            let names_tests = if adds {
                ["https://", "k8s.io/", "pkg/"].iter().any(|name| text.contains(name))
            } else {
                linked::names_tests(text)
            };
            // Nor where it says why there are no others.
            !names_tests && !answer::gives_reason(text)
        })
    });
    hint.map(|hint| Announcement { is_hint: true, ..hint }).into_iter().collect()
}

fn in_phrases(
    document: &Document,
    paragraphs: &[Paragraph],
    template: &Template,
    target: Stage,
    phrases: &Phrases,
) -> Vec<Announcement> {
    let is_later = |words: &str| named_stages(words).iter().any(|stage| !stage.is_removal() && *stage > target);
    let mut found = Vec::new();
    // The text that introduces a list.
    let mut lead = "";
    for paragraph in paragraphs {
        let Paragraph { text, is_item, .. } = paragraph;
        if text.trim_end().ends_with(':') {
            lead = text;
        } else if !*is_item {
            lead = "";
        }
        let Some(start) = find(&text.to_ascii_lowercase(), phrases) else { continue };
        let Some(line) = paragraph.line_at(start) else { continue };
        let sentence = sentence_around(text, start..start + 1);
        let heading = document.sections.at(line.start).map(|id| document.sections.get(id));
        // "For GA: tests will be added."
        let label = slice(text, ..start).rsplit_once(": ").map_or("", |(label, _)| label);
        if !is_later(lead)
            && !DESCRIBED.is_match(&sentence.to_ascii_lowercase())
            && !is_later(&sentence)
            && (label.contains(". ") || !is_later(label))
            && !heading.is_some_and(|heading| is_later(&heading.title.text))
            && !Content::is_of_template(document.slice(line.clone()), template)
        {
            found.push(Announcement { line, sentence, is_hint: false });
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
    fn each_phrase_is_found_in_whole_words() {
        let texts = [
            "this will also be quickly extended.",
            "is going to be covered",
            "i’ll add it",
            "it needs to be extended",
            "planning to introduce",
            "should be added",
            "there will be two more tests",
            "will add one of many e2e-tests tests",
            "test will be included",
            "not yet been covered",
            "not written yet",
            "tests are still in progress",
            "there are no e2e tests for this yet",
        ];
        assert_eq!(ANNOUNCED.lines.len(), texts.len(), "a text for each line");
        let others = [
            "we will also write it",
            "to be written",
            "it hasn't been tested",
            "has not yet been added",
            "we intend to add",
            "planned to write",
            "the api will add a test",
        ];
        for text in texts.into_iter().chain(others) {
            assert!(find(text, &ANNOUNCED).is_some(), "{text}");
        }
        for text in
            ["the will’ be added", "to  be added", "to be added-on", "un-to be added", "ski will add", "to be, added"]
        {
            assert_eq!(find(text, &ANNOUNCED), None, "{text}");
        }
        assert_eq!(["é. we'll add‘tests", "will be added’"].map(|text| find(text, &ANNOUNCED)), [Some(4), None]);
        for text in [
            "e2e tests are planned",
            "the tests will exercise it",
            "we may add tests",
            "tests to be updated",
            "tests will be expanded",
            "- add a new integration test that pulls",
            "add e2e tests verifying a pull",
            "add a conformance test case to show it",
            "add node tests of it",
            "* add test coverage for pulls",
        ] {
            assert!(find(text, &HINTED).is_some() && find(text, &ANNOUNCED).is_none(), "{text}");
        }
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
            "No, unit and integration tests will be added.",
            "Not yet - they will be added.",
            "There are no tests, but we plan to add some.",
            "E2E tests do not exist. These will be implemented soon.",
            "To be added.",
            "We will add them. Nothing else changes.",
            "We test it by hand, e2e coverage to be added.",
            "There are no e2e tests yet.",
            "We intend to add e2e tests.",
            "Haven't been tested.",
            "Tests to verify the flow will be added.",
            "Unit tests will exercise the cache.",
            "New e2e tests will be created under `test/e2e_node`.",
            "A load test is going to be developed.",
            "Add a conformance test to `test/e2e` that verifies it.",
            "- `test/e2e/node/images.go`:\n  - Add e2e tests verifying a pull.",
            "Add tests covering both cases.",
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
            "We do not plan to add any for this feature.",
            "No integration tests to be added or updated. E2E tests are sufficient.",
            "There are no integration tests of the proxy and no plans to add any.",
            "Changes will be implemented in packages with sufficient unit test coverage.",
            "The CRI API needs to be implemented by at least one container engine.",
            "The digest should be added to the status of the pod.",
            "We won't be able to say more: fields to be added are listed.",
            "The field is new. It will be added to the status.",
            "This is done without tests to be written.",
            "The tests verify that a pod will be added to the queue.",
            "Neither e2e nor node tests will be added.",
            "Tests ensure events will be added to the cache.",
            "It was planned to add e2e tests; they were added",
            "For GA: load tests will be added.",
            "Unit tests of `pkg/kubelet` will exercise the cache.",
            "[Tests](https://example.com) are planned.",
            "The feature is planned.",
            "No tests have failed yet.",
            "The pods will be created by the tests.",
            "No new tests will be created.",
            "The tests check that a volume will be created.",
            "Added e2e tests verifying a pull.",
            "- Add tests covering a pull.\n- `pkg/kubelet`: `2026-01-02` - `80%`",
            "Add tests covering a pull: https://testgrid.k8s.io/sig-node",
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
