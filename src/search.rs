//! Finds bytes and words in texts. This is the only file that uses memchr.

use memchr::memmem;

/// The offset of the first `byte` in `text`.
pub fn byte(text: &str, byte: u8) -> Option<usize> {
    memchr::memchr(byte, text.as_bytes())
}

pub fn bytes(text: &str, byte: u8) -> impl Iterator<Item = usize> {
    memchr::memchr_iter(byte, text.as_bytes())
}

/// The offsets of each of two bytes in `text`.
pub fn either(text: &str, one: u8, other: u8) -> impl DoubleEndedIterator<Item = usize> {
    memchr::memchr2_iter(one, other, text.as_bytes())
}

pub fn word(text: &str, word: &str) -> Option<usize> {
    memmem::find(text.as_bytes(), word.as_bytes())
}

/// Finds `word` in many texts.
pub fn finder(word: &str) -> impl Fn(&str) -> Option<usize> {
    let finder = memmem::Finder::new(word);
    move |text| finder.find(text.as_bytes())
}

pub fn words<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    memmem::find_iter(text.as_bytes(), word)
}

#[cfg(test)]
mod tests {
    use super::*;

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
