//! Places in a text as JavaScript counts them: code units of UTF-16 from its start. Many places of a text cost little more
//! than one, also if all of it is one line.

use crate::span::{last_until, slice};
use std::ops::Range;

/// How many bytes there are at least between two places whose units are kept.
const STEP: usize = 512;

/// A text, with the units before some of its places.
pub struct Units<'t> {
    text: &'t str,
    /// Bytes and units; nothing if both are the same.
    marks: Vec<(usize, usize)>,
}

impl<'t> Units<'t> {
    pub fn of(text: &'t str) -> Self {
        let mut marks = Vec::new();
        if !text.is_ascii() {
            let (mut at, mut units) = (0, 0);
            while at < text.len() {
                marks.push((at, units));
                let end = text.ceil_char_boundary(at + STEP);
                units += count(slice(text, at..end));
                at = end;
            }
        }
        Self { text, marks }
    }

    /// The units before byte `offset`; an offset after the end counts as the end, and one in a character as its start.
    pub fn at(&self, offset: usize) -> usize {
        let offset = self.text.floor_char_boundary(offset);
        let mark = last_until(&self.marks, offset, |(byte, _)| *byte);
        mark.map_or(offset, |(byte, units)| units + count(slice(self.text, *byte..offset)))
    }

    pub fn range(&self, bytes: &Range<usize>) -> (usize, usize) {
        (self.at(bytes.start), self.at(bytes.end))
    }

    /// The byte after so many units; `None` after the end, and between the two units of a character.
    pub fn byte(&self, unit: usize) -> Option<usize> {
        let Some((start, units)) = last_until(&self.marks, unit, |(_, units)| *units) else {
            return (unit <= self.text.len()).then_some(unit);
        };
        let (mut at, mut left) = (*start, unit - units);
        let mut letters = slice(self.text, at..).chars();
        while left > 0 {
            let letter = letters.next()?;
            left = left.checked_sub(letter.len_utf16())?;
            at += letter.len_utf8();
        }
        Some(at)
    }
}

pub fn count(text: &str) -> usize {
    // A byte that does not go on with a character begins one, and one of four bytes has two units.
    let begun = text.bytes().filter(|byte| byte & 0xc0 != 0x80).count();
    begun + text.bytes().filter(|byte| *byte >= 0xf0).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_and_bytes_agree_with_utf_16() {
        for text in ["", "plain\r\n", "é🎉x", &"aé🎉\n".repeat(700), &"🎉".repeat(900), &"x".repeat(2_000)] {
            let units = Units::of(text);
            let mut known = 0;
            for (byte, letter) in text.char_indices() {
                assert_eq!((units.at(byte), units.byte(known)), (known, Some(byte)));
                if letter.len_utf16() == 2 {
                    assert_eq!(units.byte(known + 1), None, "between two halves");
                }
                if letter.len_utf8() > 1 {
                    assert_eq!(units.at(byte + 1), known, "in a character");
                }
                known += letter.len_utf16();
            }
            assert_eq!((known, count(text)), (text.encode_utf16().count(), known));
            assert_eq!((units.at(text.len()), units.byte(known)), (known, Some(text.len())));
            assert_eq!((units.at(usize::MAX), units.byte(known + 1), units.byte(usize::MAX)), (known, None, None));
        }
    }
}
