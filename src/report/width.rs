//! How many columns text takes on a screen. No other file needs to know how.

use super::is_hidden;
use crate::span::slice;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The columns of `text`, in which a character may be wide, and several may be drawn as one.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// The same on a screen that draws each character for itself.
pub fn columns_apart(text: &str) -> usize {
    text.chars().filter_map(UnicodeWidthChar::width).sum()
}

/// `text` if it fits into `width` columns, else its beginning and `mark`.
pub fn cut(text: &str, width: usize, mark: &str) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let (end, _) = fit(text.chars(), width.saturating_sub(columns(mark)));
    format!("{}{mark}", slice(text, ..end).trim_end())
}

/// `text` if it fits into `width` columns, else its beginning and its end with `mark` between them.
pub fn cut_inside(text: &str, width: usize, mark: &str) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let (length, _) = fit(text.chars().rev(), width.saturating_sub(columns(mark)) / 2);
    let end = slice(text, text.len() - length..).trim_start();
    cut(text, width.saturating_sub(columns(end)), mark) + end
}

/// How many bytes of `characters`, as shown, fit into `width` columns, and how many columns are left.
pub fn fit(characters: impl Iterator<Item = char>, width: usize) -> (usize, usize) {
    let (mut bytes, mut left) = (0, width);
    for character in characters {
        match left.checked_sub(columns_of(character)) {
            Some(rest) => left = rest,
            None => break,
        }
        bytes += character.len_utf8();
    }
    (bytes, left)
}

/// The columns of one character: one that is hidden shows as a `?` for each of its bytes. At least one, so
/// that a line of characters without width has an end.
pub fn columns_of(character: char) -> usize {
    if is_hidden(character) { character.len_utf8() } else { character.width().unwrap_or_default().max(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!((columns("ab→–é"), columns("漢字"), columns("e\u{301}")), (5, 4, 1));
        assert_eq!(['a', '→', '漢', '\u{301}', '\t'].map(columns_of), [1, 1, 2, 1, 1]);
        assert_eq!((cut("abcd", 4, "…"), cut("ab de", 4, "…")), ("abcd".to_owned(), "ab…".to_owned()));
        assert_eq!((cut("漢字漢字", 6, "…"), cut("abc", 0, "…")), ("漢字…".to_owned(), "…".to_owned()));
        assert_eq!((cut_inside("ab cd ef", 6, "…"), cut_inside("漢字漢字", 6, "…")), ("ab…ef".into(), "漢…字".into()));
        assert_eq!((cut_inside("abc", 3, "…"), cut_inside("abc", 1, "…")), ("abc".to_owned(), "…".to_owned()));
    }
}
