//! Phrases of words, and where a text has one of them.

use crate::span::slice;
use std::iter::successors;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Phrases in lower case. A line has one, or several that say the same, with commas between them. Between words is one blank.
///
/// - `add|adds` is one of these words,
/// - `[also|now]` is one of them or none, `[also|now]2` are up to two, and `[also|now]...` are any number,
/// - `*` is any word, and `*ly` is one with this end,
/// - `kep-N` is a word with a number in the place of `N`,
/// - `^` before the first word, which is never missing, means that a text or item begins with the phrase.
///
/// Of the phrases that begin at the same place, the first is found, with as many words as it can have.
pub struct Phrases {
    pub lines: &'static [&'static str],
    /// Whether a letter is in words, and does not end them.
    is_letter: fn(char) -> bool,
    /// By each ASCII letter, the words that phrases begin with there.
    by_letter: OnceLock<Vec<Vec<PhraseStart>>>,
}

/// The first word of a phrase, or one of several that it may have.
struct PhraseStart {
    word: &'static str,
    /// Whether only the beginning of a text or item can be that of the phrase.
    is_beginning: bool,
    phrase: Arc<[PhrasePlace]>,
}

/// A place in a phrase, with the words that may be there.
struct PhrasePlace {
    words: Vec<&'static str>,
    /// How many of them there may be, if there need not be one.
    most: Option<usize>,
}

impl Phrases {
    pub const fn new(is_letter: fn(char) -> bool, lines: &'static [&'static str]) -> Self {
        Self { lines, is_letter, by_letter: OnceLock::new() }
    }

    /// The first phrase of `text` that begins at `from` or later.
    pub fn find(&self, text: &str, from: usize) -> Option<Range<usize>> {
        (from..text.len()).find_map(|start| Some(start..self.end(text, start)?))
    }

    /// Where the phrase ends that begins at `start` of `text`.
    pub fn end(&self, text: &str, start: usize) -> Option<usize> {
        let is_lowercase = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_lowercase);
        if is_lowercase(start) && is_lowercase(start.wrapping_sub(1)) {
            return None;
        }
        let letter = text.as_bytes().get(start)?;
        let phrases = self.by_letter.get_or_init(|| by_letter(self.lines)).get(usize::from(*letter))?;
        let (before, rest) = text.split_at_checked(start)?;
        let is_within_word = || before.ends_with(self.is_letter) == rest.starts_with(self.is_letter);
        let phrases = phrases.iter().filter(|first| rest.starts_with(first.word) && !is_within_word());
        let mut phrases = phrases.filter(|first| !first.is_beginning || matches!(before, "" | "- " | "* "));
        let after = phrases.find_map(|first| self.after(&first.phrase, rest))?;
        Some(text.len() - after.len())
    }

    /// What is after the phrase with these places in `text`, which begins with it.
    fn after<'t>(&self, phrase: &[PhrasePlace], text: &'t str) -> Option<&'t str> {
        let (place, others) = phrase.split_first()?;
        if others.is_empty() {
            return self.after_one(place, text);
        }
        let next = |rest| self.after_one(place, rest)?.strip_prefix(' ');
        let Some(most) = place.most else { return self.after(others, next(text)?) };
        let Some(first) = next(text) else { return self.after(others, text) };
        let rests: Vec<&str> = successors(Some(first), |rest| next(rest)).take(most).collect();
        rests.into_iter().rev().chain([text]).find_map(|rest| self.after(others, rest))
    }

    /// What is after the first word of `text`, if that may be at this place.
    fn after_one<'t>(&self, place: &PhrasePlace, text: &'t str) -> Option<&'t str> {
        place.words.iter().find_map(|word| self.after_word(word, text))
    }

    fn after_word<'t>(&self, word: &str, text: &'t str) -> Option<&'t str> {
        let is_digit = |letter: char| letter.is_ascii_digit();
        let is_letter = |letter| letter == '-' || (self.is_letter)(letter);
        let after = if let Some(end) = word.strip_prefix('*') {
            let after = text.strip_prefix(is_letter)?.trim_start_matches(is_letter);
            slice(text, ..text.len() - after.len()).ends_with(end).then_some(after)?
        } else if let Some(begin) = word.strip_suffix('N') {
            text.strip_prefix(begin)?.strip_prefix(is_digit)?.trim_start_matches(is_digit)
        } else {
            text.strip_prefix(word)?
        };
        (!after.starts_with(self.is_letter)).then_some(after)
    }
}

impl PhrasePlace {
    fn of(written: &'static str) -> Self {
        let optional = written.strip_prefix('[').and_then(|optional| optional.split_once(']'));
        let (words, most) = optional.map_or((written, None), |(words, most)| (words, Some(most)));
        let most = most.map(|most| if most == "..." { usize::MAX } else { most.parse().unwrap_or(1) });
        Self { words: words.split('|').collect(), most }
    }
}

/// The words of letters and digits in `text`.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn by_letter(lines: &[&'static str]) -> Vec<Vec<PhraseStart>> {
    let mut by_letter: Vec<Vec<PhraseStart>> = (0..128).map(|_| Vec::new()).collect();
    for written in lines.iter().flat_map(|line| line.split(", ")) {
        let (begin, is_beginning) = written.strip_prefix('^').map_or((written, false), |begin| (begin, true));
        let phrase: Arc<[PhrasePlace]> = begin.split(' ').map(PhrasePlace::of).collect();
        for word in phrase.iter().take(1).flat_map(|place| &place.words) {
            let Some(starts) = word.bytes().next().and_then(|letter| by_letter.get_mut(usize::from(letter))) else {
                continue;
            };
            starts.push(PhraseStart { word: word.trim_end_matches('N'), is_beginning, phrase: Arc::clone(&phrase) });
        }
    }
    by_letter
}

/// Whether a letter is in a word, where hyphens and apostrophes are: "we'll" and "see-also" are one word.
pub fn is_of_compound(letter: char) -> bool {
    matches!(letter, 'a'..='z' | '0'..='9' | '\'' | '’' | '-')
}

/// The same, where they are between words: "see-also" is two.
pub fn is_of_word(letter: char) -> bool {
    letter == '_' || letter.is_ascii_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_may_be_several_missing_or_any() {
        let phrases = Phrases::new(
            is_of_compound,
            &["is|are [now|still] done, will [*]2 add [new|more]... tests", "v-N|vN", "^to *ing it"],
        );
        for text in [
            "is done",
            "are still done",
            "will add tests",
            "will not soon add tests",
            "will add add tests",
            "will add new more new more tests",
            "v-12",
            "v7",
            "to testing it",
        ] {
            assert_eq!(phrases.find(text, 0), Some(0..text.len()), "{text}");
            for end in (0..text.len()).filter(|end| !text[..*end].ends_with('1')) {
                assert_eq!(phrases.find(&text[..end], 0), None, "{text} until {end}");
            }
        }
        for text in [
            "done",
            "is now still done",
            "will one two three add tests",
            "will add new-tests",
            "v",
            "v-",
            "v-1a",
            "to test it",
            "not to testing it",
        ] {
            assert_eq!(phrases.find(text, 0), None, "{text}");
        }
        assert_eq!(["- to testing it", "* to testing it"].map(|text| phrases.end(text, 2)), [Some(15); 2]);
    }

    #[test]
    fn the_first_phrase_has_as_many_words_as_it_can() {
        let phrases = Phrases::new(is_of_word, &["a [*]2 b", "a b [*]2 c", "b c"]);
        let text = "a b b b b a b b c b c";
        assert_eq!(phrases.find(text, 0), Some(0..7));
        assert_eq!(phrases.find(text, 7), Some(10..15));
        assert_eq!(phrases.find(text, 15), Some(18..21));
    }

    #[test]
    fn phrases_have_whole_words_and_a_blank_between_them() {
        let find = |is_letter, text| Phrases::new(is_letter, &["'ll|see it, a [*] b"]).find(text, 0);
        for text in ["  see it.", "é see it’", "’ésee ité", "\"(see it)"] {
            let start = text.find('s').unwrap_or_default();
            assert_eq!(find(is_of_word, text), Some(start..start + "see it".len()), "{text}");
        }
        for text in ["see  it", "see, it", "see\nit", "see\u{a0}it", "xsee it", "see it7", "see_it", "1see it", "see i"]
        {
            assert_eq!([find(is_of_word, text), find(is_of_compound, text)], [None, None], "{text}");
        }
        for text in ["we-see it", "see it's", "’see it", "see it-s"] {
            assert_eq!((find(is_of_word, text).is_some(), find(is_of_compound, text)), (true, None), "{text}");
        }
        assert_eq!(["we'll it", " 'll it", "é'll it"].map(|text| find(is_of_word, text)), [Some(2..8), None, None]);
        // Any word may have a hyphen, and in one of the two senses an apostrophe.
        assert_eq!([find(is_of_word, "a c-d b"), find(is_of_compound, "a c-d b")], [Some(0..7), Some(0..7)]);
        assert_eq!([find(is_of_word, "a c’d b"), find(is_of_compound, "a c’d b")], [None, Some(0..9)]);
    }
}
