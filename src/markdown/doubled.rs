//! Words that are written twice.

use super::Document;
use crate::span::slice;
use std::cell::LazyCell;
use std::ops::Range;

const MARKS: [char; 7] = ['.', ',', ';', ':', '!', '?', ')'];

const REPEATED: [&str; 9] = ["that", "had", "very", "many", "much", "long", "far", "really", "blah"];

/// Words that end a verb, after which they may begin what follows: "opted in in v1.30".
const PARTICLES: [&str; 6] = ["in", "on", "out", "up", "off", "over"];

/// The most letters of a word that has a capital letter only the first time, as in "The the". Longer ones may be a type and
/// a name.
const LONGEST_CAPITALIZED: usize = 4;

/// The second one of each word that is twice in a line of text, or over its end, outside of code, links and
/// tables.
pub fn words(document: &Document) -> Vec<Range<usize>> {
    let text = document.text();
    let mut doubled = Vec::new();
    let (mut before, mut last_line) = (&b""[..], 0..0);
    for line in document.visible_lines.within(0..text.len()) {
        let source = slice(text, line.clone());
        let is_row_of_table = LazyCell::new(|| source.contains('|'));
        let mut start = 0;
        for word in source.as_bytes().split(|byte| *byte == b' ') {
            let is_doubled = || match start {
                0 => is_over_end(document, &last_line, &line, before.len()),
                _ => !*is_row_of_table && is_meant_once(document, &line, start, before.len()),
            };
            if is_same(before, word) && is_doubled() {
                doubled.push(line.start + start..line.start + start + before.len());
            }
            // Several spaces are shown as one.
            if !word.is_empty() {
                before = word;
            }
            start += word.len() + 1;
        }
        last_line = line;
    }
    doubled
}

/// Whether the word of this length that a line begins with, and the one before ends with, was meant once.
fn is_over_end(document: &Document, before: &Range<usize>, line: &Range<usize>, length: usize) -> bool {
    /// How long a line of wrapped text is at least: shorter ones may be entries of a list.
    const WRAPPED: usize = 16;
    let (above, source) = (document.slice(before.clone()), document.slice(line.clone()));
    let word = slice(source, ..length);
    let rest = slice(above, ..above.len().saturating_sub(length)).trim_end();
    let is_next_line = document.slice(before.end..line.start).trim_matches([' ', '\r']) == "\n";
    // Code may go on over the end of the line.
    let is_text = |written: &str| !written.contains(['|', '#']) && written.matches('`').count().is_multiple_of(2);
    let follows_verb = PARTICLES.contains(&word) && rest.ends_with(char::is_alphabetic);
    is_next_line
        && above.len() >= WRAPPED
        && above.ends_with(word)
        && is_text(above)
        && is_text(source)
        && !follows_verb
        && !rest.ends_with(word)
        && is_meant_once(document, line, 0, length)
}

/// Whether `second` is the word `first`, maybe with a mark after it.
fn is_same(first: &[u8], second: &[u8]) -> bool {
    let (Some((one, rest)), Some((other, _))) = (first.split_first(), second.split_first()) else { return false };
    if first.len() > second.len() || !one.eq_ignore_ascii_case(other) {
        return false;
    }
    (one == other || first.len() <= LONGEST_CAPITALIZED)
        && second.get(1..first.len()) == Some(rest)
        && first.iter().all(u8::is_ascii_alphabetic)
        && (first.len() > 1 || other.is_ascii_lowercase())
        && second.iter().skip(first.len()).all(|mark| MARKS.contains(&char::from(*mark)))
}

/// Whether the word of this length, from byte `start` of a line on, was meant once.
fn is_meant_once(document: &Document, line: &Range<usize>, start: usize, length: usize) -> bool {
    let source = document.slice(line.clone());
    let word = slice(source, start..start + length);
    let before = slice(source, ..start).trim_end();
    let before = slice(before, ..before.len() - length.min(before.len())).trim_end();
    let after = slice(source, start + length..).trim_start();
    let follows_verb = || PARTICLES.contains(&word) && before.ends_with(|last: char| last.is_alphabetic());
    let offset = line.start + start;
    // More than twice is on purpose.
    let is_again =
        |other: Option<&str>| other.is_some_and(|other| other.trim_end_matches(MARKS).eq_ignore_ascii_case(word));
    !REPEATED.contains(&word)
        && !is_again(before.rsplit(' ').next())
        && !is_again(after.split(' ').next())
        && !before.ends_with('`')
        && !after.starts_with('`')
        && !follows_verb()
        && !document.is_link(offset)
        && !document.is_hidden(offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubled(text: &str) -> Vec<&str> {
        let document = Document::of_text(text);
        words(&document).into_iter().map(|word| &text[word]).collect()
    }

    #[test]
    fn a_word_is_found_with_marks_and_capitals() {
        assert_eq!(doubled("The the pod is is, and a a node  node.\n- the the\n"), ["the", "is", "a", "node", "the"]);
        assert_eq!(doubled("- a line of text that has more than forty letters of the\r\n  the. The end\n"), ["the"]);
        assert_eq!(doubled("a line of text that has `code` and more than forty letters of the\nthe end\n"), ["the"]);
    }

    #[test]
    fn words_that_may_be_twice_are_not_found() {
        for text in [
            "I know that that had had",
            "opted in in v1.30",
            "an add-on on nodes",
            "the thesis",
            "the\nthe",
            "a line of text that has more than forty letters in\nin the next one",
            "a line of text that has more than forty letters the\n\nthe next one",
            "a line of text that has more than forty letters the\n- the next one",
            "a line of text that has more than forty letters the\nthesis",
            "a line of text that has more than forty letters `the\nthe` next one",
            "`a` is is b",
            "is is `a`",
            "`the the`",
            "    the the",
            "| the the |",
            "# the the",
            "[the the](x)",
            "pull pull pull pull.",
            "A A N N",
            "Image image = 1",
            "é é",
            "the, the",
            "<!-- the the -->",
        ] {
            assert_eq!(doubled(&format!("{text}\n")), Vec::<&str>::new(), "{text}");
        }
    }
}
