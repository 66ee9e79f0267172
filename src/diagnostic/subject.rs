//! What a finding is about, apart from where it is and how it is worded. Rules set it, and the fingerprint of the finding
//! is made from it.

use crate::bounds;
use crate::hash::Hash;
use crate::span::slice;
use std::fmt;

/// What a finding is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// The text at its span, in its section.
    #[default]
    Text,
    /// Text near its span, in its section: for a span that looks alike everywhere, such as a bracket.
    Near(Hash),
    /// The file: the rule reports one thing about it.
    File,
    /// A required section that is not filled in, whichever rule reports it.
    Gap(Hash),
    /// What some words name: the target of a link, a key and its value, a section of the template.
    Named(Hash),
}

impl Subject {
    /// Text near the span of the finding.
    pub fn near(text: &str) -> Self {
        Self::Near(hash_of([text]))
    }

    /// The required section at this path of titles.
    pub fn gap(path: &[String]) -> Self {
        Self::Gap(hash_of(path))
    }

    /// What these words name.
    pub fn named<W: AsRef<str>>(words: impl IntoIterator<Item = W>) -> Self {
        Self::Named(hash_of(words))
    }
}

/// Identifies a finding as long as what it is about remains, also if the text around it, its position or its message
/// changes. Findings of one run have different fingerprints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(Hash);

impl Fingerprint {
    /// The fingerprint of the finding with this number, from 0 on, among those that have the same words.
    pub fn of<W: AsRef<str>>(words: impl IntoIterator<Item = W>, number: usize) -> Self {
        Self(hash_of(words).with(number.to_string().as_bytes()))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// The hash of some words, in which all white space is alike.
pub fn hash_of<W: AsRef<str>>(words: impl IntoIterator<Item = W>) -> Hash {
    words.into_iter().fold(Hash::EMPTY, |hash, word| {
        let word = word.as_ref();
        let kept = slice(word, ..word.floor_char_boundary(bounds::LINE_BYTES));
        let hash = kept.split_whitespace().fold(hash, |hash, part| hash.with(part.as_bytes()).with(b" "));
        let hash = if kept.len() < word.len() { hash.with(word.len().to_string().as_bytes()) } else { hash };
        // No text has this byte, so that `ab c` and `a bc` differ.
        hash.with(&[0xff])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_alike_and_words_are_apart() {
        assert_eq!(hash_of(["a  b\n c "]), hash_of(["a b c"]));
        let different = [vec!["ab", "c"], vec!["a", "bc"], vec!["abc"], vec!["a b c"], vec!["abc", ""], vec![]];
        for (at, one) in different.iter().enumerate() {
            for other in &different[at + 1..] {
                assert_ne!(hash_of(one), hash_of(other), "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn a_long_text_counts_with_its_beginning_and_its_length() {
        let long = |end: &str| hash_of(["é".repeat(bounds::LINE_BYTES) + end]);
        assert_eq!(long("a"), long("b"));
        assert_ne!(long("a"), long("ab"));
    }

    #[test]
    fn a_fingerprint_is_sixteen_digits() {
        let fingerprint = Fingerprint::of(["a"], 0);
        assert_eq!(fingerprint.to_string().len(), 16);
        assert_ne!(fingerprint, Fingerprint::of(["a"], 1));
        assert_ne!(Subject::gap(&["a".to_owned()]), Subject::named(["a"]));
    }
}
