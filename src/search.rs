//! Finds bytes and words in texts. This is the only file that uses memchr.

use memchr::memmem;

/// The offset of the first `byte` in `text`.
pub fn byte(text: &str, byte: u8) -> Option<usize> {
    memchr::memchr(byte, text.as_bytes())
}

/// The offsets of each `byte` in `text`.
pub fn bytes(text: &str, byte: u8) -> impl Iterator<Item = usize> {
    memchr::memchr_iter(byte, text.as_bytes())
}

/// The offsets of each of two bytes in `text`.
pub fn either(text: &str, one: u8, other: u8) -> impl Iterator<Item = usize> {
    memchr::memchr2_iter(one, other, text.as_bytes())
}

/// The offset of the first `word` in `text`.
pub fn word(text: &str, word: &str) -> Option<usize> {
    memmem::find(text.as_bytes(), word.as_bytes())
}

/// The offsets of each `word` in `text`.
pub fn words<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    memmem::find_iter(text.as_bytes(), word)
}

/// The lower seven bits of each of eight bytes.
const LOW_BITS: u64 = u64::from_le_bytes([0x7f; 8]);

/// The high bit of each of eight bytes that is `byte`.
fn equal(word: u64, byte: u8) -> u64 {
    let other = word ^ u64::from_le_bytes([byte; 8]);
    !(((other & LOW_BITS) + LOW_BITS) | other | LOW_BITS)
}

/// Calls `found` with the offset of each `byte` in `text`. It reads eight bytes at a time: words are so short that
/// this is faster than a search for each of their ends.
pub fn each(text: &str, byte: u8, mut found: impl FnMut(usize)) {
    let (words, rest) = text.as_bytes().as_chunks();
    for (at, word) in words.iter().enumerate() {
        let mut left = equal(u64::from_le_bytes(*word), byte);
        while left != 0 {
            found(at * 8 + left.trailing_zeros() as usize / 8);
            left &= left - 1;
        }
    }
    let last = rest.iter().zip(text.len() - rest.len()..).filter(|(other, _)| **other == byte);
    last.for_each(|(_, at)| found(at));
}

/// Whether `text` is ASCII without control characters, with only one space between words, and none around them.
pub fn is_collapsed(text: &str) -> bool {
    const HIGH_BITS: u64 = !LOW_BITS;
    let (words, rest) = text.as_bytes().as_chunks();
    let mut last = [b'-'; 8];
    last.iter_mut().zip(rest).for_each(|(to, byte)| *to = *byte);
    let (mut bad, mut is_after_space) = (0, HIGH_BITS >> 56);
    // Not a `for` loop, which would ask before each word which part of the chain is next.
    words.iter().chain([&last]).for_each(|word| {
        let word = u64::from_le_bytes(*word);
        let spaces = equal(word, b' ');
        // The sum has the high bit of a byte from 0x20 on.
        let controls = !((word & LOW_BITS) + u64::from_le_bytes([0x60; 8]));
        bad |= (word | controls | (spaces & (spaces << 8 | is_after_space))) & HIGH_BITS;
        is_after_space = spaces >> 56;
    });
    bad == 0 && !text.ends_with(' ')
}

/// How many words `text` has, with white space in ASCII between them.
pub fn count_words(text: &str) -> usize {
    if is_collapsed(text) && !text.is_empty() {
        bytes(text, b' ').count() + 1
    } else {
        text.split_ascii_whitespace().count()
    }
}

/// Where the lines of `text` begin that `\n` ends: the first one, and one after each `\n`.
pub fn line_starts(text: &str) -> Vec<usize> {
    let mut starts = Vec::with_capacity(text.len() / 32 + 1);
    starts.push(0);
    starts.extend(bytes(text, b'\n').map(|end| end + 1));
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_begin_after_line_feeds() {
        let texts = [
            "",
            "\n",
            "a",
            "a\n\nb\r\n c",
            "é\n\n\n\n\n\n\n\u{8a}\n\u{b}\n\u{10a}",
            "12345678\n12345\n1\n",
            "\t\n\u{b}\n\n",
        ];
        for text in texts {
            let ends = text.match_indices('\n').map(|(at, _)| at + 1);
            assert_eq!(line_starts(text), std::iter::once(0).chain(ends).collect::<Vec<_>>(), "{text:?}");
        }
    }

    #[test]
    fn collapsed_texts_have_single_spaces() {
        for text in ["", "a", "a b", "12345678 b", "1234567 8", "a ~\u{7f}", "- [ ] `a-b` (c), d: e"] {
            assert!(is_collapsed(text), "{text:?}");
        }
        for text in [
            " ",
            " a",
            "a ",
            "a  b",
            "a\tb",
            "1234567  8",
            "12345678 ",
            "12345678  9",
            "a\n",
            "\0",
            "é",
            "1234567 8  9",
        ] {
            assert!(!is_collapsed(text), "{text:?}");
        }
    }

    #[test]
    fn words_are_counted() {
        for text in ["", " ", "a", "a b", "a  b\tc ", "é – a", "12345678 1234567 123456  "] {
            assert_eq!(count_words(text), text.split_whitespace().count(), "{text:?}");
        }
    }

    #[test]
    fn bytes_and_words_are_found() {
        let text = "a--b-->c";
        assert_eq!((byte(text, b'-'), byte(text, b'x')), (Some(1), None));
        assert_eq!((word(text, "-->"), word(text, "<")), (Some(4), None));
        assert_eq!(bytes(text, b'-').collect::<Vec<_>>(), [1, 2, 4, 5]);
        assert_eq!(either(text, b'b', b'>').collect::<Vec<_>>(), [3, 6]);
        assert_eq!(words(text, "--").collect::<Vec<_>>(), [1, 4]);
    }
}
