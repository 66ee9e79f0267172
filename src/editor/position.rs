//! Places in a text as editors count them: 0-based lines, and 0-based units in a line, which are those of UTF-16 if nothing
//! else is agreed on.

use crate::source::SourceFile;
use crate::span::{LINE_ENDS, slice};

/// What a unit of a line is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    /// A code unit of UTF-16: characters beyond U+FFFF have two.
    #[default]
    Utf16,
    Utf32,
}

/// A place in a text, between two characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub line: u32,
    /// How many units of the line are before it.
    pub unit: u32,
}

impl Encoding {
    /// All of them, the one that every client knows first.
    pub const ALL: [Self; 3] = [Self::Utf16, Self::Utf8, Self::Utf32];

    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16 => "utf-16",
            Self::Utf32 => "utf-32",
        }
    }

    fn units(self, letter: char) -> usize {
        match self {
            Self::Utf8 => letter.len_utf8(),
            Self::Utf16 => letter.len_utf16(),
            Self::Utf32 => 1,
        }
    }

    /// The place of byte `offset` in a file; an offset after the end counts as the end.
    pub fn place(self, file: &SourceFile, offset: usize) -> Place {
        let offset = file.text.floor_char_boundary(offset);
        let lines = file.lines();
        let line = lines.line_of(offset);
        let start = lines.line_range(line, &file.text).start.min(offset);
        let units = slice(&file.text, start..offset).chars().map(|letter| self.units(letter)).sum();
        Place { line: number(line), unit: number(units) }
    }

    /// The byte at a place. What is after the end of a line is its end, without what ends the line; what is after the last
    /// line is the end of the text; what is inside a character is before it.
    pub fn offset(self, file: &SourceFile, place: Place) -> usize {
        let (text, lines) = (&file.text, file.lines());
        if place.line as usize >= lines.line_count() {
            return text.len();
        }
        let range = lines.line_range(place.line as usize, text);
        let line = slice(text, range.clone()).trim_end_matches(LINE_ENDS);
        let mut units = 0;
        let after = line.char_indices().find(|(_, letter)| {
            units += self.units(*letter);
            units > place.unit as usize
        });
        range.start + after.map_or(line.len(), |(at, _)| at)
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> SourceFile {
        SourceFile::decode("x.md", text.as_bytes().to_vec())
    }

    #[test]
    fn units_are_those_that_are_agreed_on() {
        let file = file("a\né🎉b\r\nc");
        let at = file.text.find('b').expect("it is there");
        let units = Encoding::ALL.map(|encoding| encoding.place(&file, at).unit);
        assert_eq!(units, [3, 6, 2]);
        for encoding in Encoding::ALL {
            for (offset, _) in file.text.char_indices() {
                let place = encoding.place(&file, offset);
                let is_line_end = file.text[offset..].starts_with('\n') && file.text[..offset].ends_with('\r');
                assert_eq!(encoding.offset(&file, place), if is_line_end { offset - 1 } else { offset });
            }
            assert_eq!(encoding.place(&file, 99), Place { line: 2, unit: 1 });
        }
    }

    #[test]
    fn every_place_is_in_the_text() {
        let file = file("a\n🎉\r\n");
        let offset = |line, unit| Encoding::Utf16.offset(&file, Place { line, unit });
        assert_eq!(offset(0, 9), 1, "what ends a line is not part of it");
        assert_eq!((offset(1, 1), offset(1, 2), offset(1, 3)), (2, 6, 6), "half of a pair is before it");
        assert_eq!((offset(2, 0), offset(3, 0), offset(u32::MAX, u32::MAX)), (8, 8, 8));
        assert_eq!(Encoding::Utf8.offset(&file, Place { line: 1, unit: 3 }), 2);
    }
}
