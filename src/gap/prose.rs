//! Text of a section that answers for its subsections, or names what they are about.

use super::{answer, phrases};
use crate::kep::{number, reference};
use crate::markdown::Document;
use crate::markdown::link::Link;
use crate::markdown::title::Title;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// How many lines and links of a text are read to see how it begins: it may be a chapter.
const BEGINNING: usize = 8;

/// Whether the text above the subsections of a section is "N/A" with a reason, or only a link to the KEP that answers.
pub fn answers_for_subsections(document: &Document, own: Range<usize>, directory: &str) -> bool {
    const LEAST: usize = 4;
    let lines = document.visible_spans(own.clone()).take(BEGINNING);
    let beginning = lines.map(|line| document.slice(line)).collect::<Vec<_>>().join(" ");
    let words = beginning.split_whitespace().filter(|word| word.contains(char::is_alphanumeric));
    let is_reasoned = answer::begins_not_applicable(&beginning) && words.count() >= LEAST;
    is_reasoned || is_link_to_kep(document, own, directory)
}

/// Whether a text of the KEP in `directory`, a path from `keps` on, has links, one of them to another KEP, and besides only
/// words like "Please refer to".
pub fn is_link_to_kep(document: &Document, own: Range<usize>, directory: &str) -> bool {
    const OTHERS: &str = "please refer to see the this in also as is part of from for it its which whose by and \
        inherited covered answered described answers hold here well kep prr questionnaire parent all";
    let first = document.links.partition_point(|link| link.span.start < own.start);
    let links = document.links.iter().skip(first).take_while(|link| link.span.start < own.end);
    let links: Vec<&Link> = links.take(BEGINNING).collect();
    let number = directory.rsplit('/').next().and_then(number::of_directory);
    let is_other_kep = |link: &&Link| {
        let is_image =
            document.slice(..link.span.start).ends_with('!') || document.slice(link.span.clone()).starts_with('!');
        let other = reference::kep_number(&link.target, directory);
        !is_image && other.is_some_and(|other| Some(other.as_str()) != number)
    };
    let lines: Vec<Range<usize>> = document.visible_spans(own).take(BEGINNING).collect();
    let mut rest = String::new();
    for line in &lines {
        let mut at = line.start;
        for link in links.iter().filter(|link| line.contains(&link.span.start)) {
            rest += document.slice(at..link.span.start.max(at));
            at = link.span.end.max(at);
        }
        rest += document.slice(at.min(line.end)..line.end);
        rest.push(' ');
    }
    let mut words = phrases::words(&rest);
    lines.len().max(links.len()) < BEGINNING
        && links.iter().any(is_other_kep)
        && words.all(|word| OTHERS.split_ascii_whitespace().any(|other| word.eq_ignore_ascii_case(other)))
}

/// Whether `text` names the kind of tests that `title` names: "unit, integration and e2e tests".
pub fn names_tests(text: &str, title: &Title) -> bool {
    /// How many words of other kinds may be between a kind and "tests".
    const BETWEEN: usize = 5;
    let is_tests = |word: &String| word.starts_with("test");
    let kind: Vec<String> = title.words().into_iter().filter(|word| !is_tests(word)).collect();
    let words = Title::new(text).words();
    !kind.is_empty()
        && words.windows(kind.len()).enumerate().any(|(at, window)| {
            window == kind.as_slice() && words.iter().skip(at + kind.len()).take(BETWEEN).any(is_tests)
        })
}

static TARGET: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\]\([^)]*\)?").expect("it is well-formed"));

/// `text` without addresses, which may have the words of anything: `[kept](https://example.com/v1.37/beta)` is "kept".
pub fn without_addresses(text: &str) -> String {
    let kept = TARGET.replace_all(text, "");
    if !kept.contains("://") {
        return kept.into_owned();
    }
    let is_address = |word: &&str| word.contains("://");
    let lines = kept.lines().map(|line| line.split(' ').filter(|word| !is_address(word)).collect::<Vec<_>>().join(" "));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(text: &str) -> bool {
        let document = Document::of_text(text);
        answers_for_subsections(&document, 0..text.len(), "keps/sig-node/1-images")
    }

    #[test]
    fn a_reason_has_four_words() {
        assert!(answers("N/A, only a refactoring.\n"));
        assert!(answers("Not applicable\nto this KEP.\n"));
        assert!(!answers("N/A, a refactoring.\n"));
        assert!(!answers("Not all of this is here.\n"));
        assert!(!answers(""));
    }

    #[test]
    fn a_link_leads_to_a_kep_and_is_alone() {
        let address = "https://github.com/kubernetes/enhancements/tree/master/keps/sig-node/2-prefetch#questionnaire";
        assert!(answers(&format!("Please refer to the [parent]({address}).\n")));
        assert!(!answers("See [itself](../1-images/README.md).\n"));
        assert!(!answers("![a picture](../12-images/a.png)\n"));
        assert!(!answers("See [another site](https://example.com/keps/).\n"));
        assert!(answers("See [KEP-12](../12-images/README.md#scalability).\n"));
        assert!(answers("Inherited from [KEP-12](https://kep.k8s.io/12), whose answers hold here as well.\n"));
        assert!(!answers("See [the website](https://example.com).\n"));
        assert!(!answers("Each node has its own cache, see [KEP-12](../12-images).\n"));
        assert!(!answers("See the parent.\n"));
    }

    #[test]
    fn a_kind_of_tests_is_named_before_the_tests() {
        let names = |text: &str, title: &str| names_tests(text, &Title::new(title));
        assert!(names("Unit, integration and e2e tests will cover it.", "Unit tests"));
        assert!(names("An end-to-end test suite.", "End-to-end tests"));
        assert!(!names("The integration with the kubelet.", "Integration tests"));
        assert!(!names("Tests of every unit.", "Unit tests"));
    }

    #[test]
    fn addresses_are_left_out() {
        let text = "- [kept](https://a.b/v1.37) in v1.36\n- https://a.b/beta and alpha";
        assert_eq!(without_addresses(text), "- [kept in v1.36\n- and alpha");
    }
}
