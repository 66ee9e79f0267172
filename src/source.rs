//! A text file as it was read: its path, its text and its lines.

#![warn(missing_docs)]

use crate::span::{LineIndex, Position, end_of_near};
use std::sync::OnceLock;

/// One file as it was read.
#[derive(Clone, Debug, Default)]
pub struct SourceFile {
    /// The path as given on the command line, extended to the file, with `/`.
    pub path: String,
    /// The text; see [`SourceFile::decode`] for bytes that are not UTF-8.
    pub text: String,
    /// Offset of the first byte that is not UTF-8.
    pub invalid_utf8: Option<usize>,
    lines: OnceLock<LineIndex>,
}

impl PartialEq for SourceFile {
    fn eq(&self, other: &Self) -> bool {
        (&self.path, &self.text, self.invalid_utf8) == (&other.path, &other.text, other.invalid_utf8)
    }
}

impl Eq for SourceFile {}

impl SourceFile {
    /// Decodes a file's bytes as UTF-8. Each invalid byte becomes one `?`, so that offsets in the text are offsets in
    /// the file. UTF-16 is decoded as such, and is invalid from the first byte on.
    pub fn decode(path: impl Into<String>, bytes: Vec<u8>) -> Self {
        let utf16 = of_utf16(&bytes);
        let (text, invalid_utf8) = match (utf16, String::from_utf8(bytes)) {
            (Some(text), _) => (text, Some(0)),
            (None, Ok(text)) => (text, None),
            (None, Err(error)) => {
                let first = error.utf8_error().valid_up_to();
                (replace_invalid(error.as_bytes()), Some(first))
            }
        };
        Self { path: path.into(), text, invalid_utf8, lines: OnceLock::new() }
    }

    /// Where its lines begin, found when they are first needed: nobody asks for those of most YAML files.
    pub fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }

    /// The file without what is far after byte `end`; `None` if there is nothing to leave out.
    pub fn until(&self, end: usize) -> Option<Self> {
        let text = self.text.get(..end_of_near(&self.text, end)?)?;
        let lines = self.lines().until(text.len()).into();
        Some(Self { path: self.path.clone(), text: text.to_owned(), lines, ..*self })
    }

    /// Line and column of byte `offset`.
    pub fn position(&self, offset: usize) -> Position {
        self.lines().position(offset, &self.text)
    }
}

/// The text of a file that begins with the mark of UTF-16, or with a letter of ASCII in it.
fn of_utf16(bytes: &[u8]) -> Option<String> {
    let (unit, rest): (fn([u8; 2]) -> u16, _) = match bytes {
        [0xff, 0xfe, rest @ ..] => (u16::from_le_bytes, rest),
        [0xfe, 0xff, rest @ ..] => (u16::from_be_bytes, rest),
        [1..=0xff, 0, ..] => (u16::from_le_bytes, bytes),
        [0, 1..=0xff, ..] => (u16::from_be_bytes, bytes),
        _ => return None,
    };
    let (pairs, _) = rest.as_chunks();
    Some(char::decode_utf16(pairs.iter().map(|pair| unit(*pair))).map(|letter| letter.unwrap_or('?')).collect())
}

fn replace_invalid(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::LINE_BYTES;

    #[test]
    fn utf16_is_read_and_invalid() {
        let read = |bytes: &[u8]| {
            let file = SourceFile::decode("x", bytes.to_vec());
            (file.text, file.invalid_utf8)
        };
        let invalid = |text: &str| (text.to_owned(), Some(0));
        assert_eq!(read(b"\xff\xfea\0\xe9\0\n"), invalid("aé"));
        assert_eq!(read(b"\xfe\xff\0a\xd8\0\0b"), invalid("a?b"));
        assert_eq!((read(b"a\0"), read(b"\0a")), (invalid("a"), invalid("a")));
        assert_eq!(
            (read(b"\xff\xfe"), read(b"\0\0a"), read(b"a")),
            (invalid(""), ("\0\0a".to_owned(), None), ("a".to_owned(), None))
        );
    }

    #[test]
    fn what_is_left_has_the_same_lines_and_columns() {
        for (line, end) in [("a – line\r\n", "\r\n"), ("x\r", "\n"), (&*("é".repeat(3_000) + "\n"), "\n")] {
            let whole = SourceFile::decode("x", format!("{line}{end}").repeat(4_000).into_bytes());
            for place in [0, 7, 500, 6_001] {
                let place = whole.text.floor_char_boundary(place);
                let left = whole.until(place).expect("there is more");
                assert!(left.text.len() > place + LINE_BYTES && left.text.len() < whole.text.len());
                assert_eq!(left.text, whole.text[..left.text.len()]);
                for at in (0..left.text.len()).filter(|at| left.text.is_char_boundary(*at)) {
                    assert_eq!(left.position(at), whole.position(at), "{at}");
                }
            }
            assert_eq!(whole.until(whole.text.len() - 2), None);
            assert_eq!(whole.until(usize::MAX), None);
        }
    }
}
