//! One line of a file as a report shows it: a place of several lines is cut to its first line, and a line that is
//! too long for the screen, such as a whole paragraph or a row of a table, to a window around the place.

use super::printable;
use super::width::{self, fit};
use crate::source::SourceFile;
use crate::span::slice;
use std::ops::Range;

/// A shown line, and where its bytes are in the file.
pub struct Excerpt {
    /// What is shown; ends with a newline.
    pub text: String,
    window: Range<usize>,
    mark: usize,
}

impl Excerpt {
    /// The line on which `place` starts, at most `columns` wide, with `mark` where something is left out.
    pub fn around(file: &SourceFile, place: &Range<usize>, columns: usize, mark: &str) -> Self {
        let line = line_of(file, place.start);
        let text = file.text.get(line.clone()).unwrap_or_default();
        let shown = clamp(text, place.start.saturating_sub(line.start)..place.end.saturating_sub(line.start));
        let window = window(text, shown, columns, width::columns(mark));
        Self {
            text: cut_to(text, &window, mark) + "\n",
            mark: if window.start > 0 { mark.len() } else { 0 },
            window: line.start + window.start..line.start + window.end,
        }
    }

    /// Whether `place` starts on the shown part of the line.
    pub fn shows(&self, place: &Range<usize>) -> bool {
        self.window.contains(&place.start)
    }

    /// Which bytes of [`Excerpt::text`] are `place`, as far as it is shown.
    pub fn locate(&self, place: &Range<usize>) -> Range<usize> {
        let shown = self.text.get(self.mark..self.mark + self.window.len()).unwrap_or_default();
        let from_window = |offset: usize| offset.saturating_sub(self.window.start);
        let shown = clamp(shown, from_window(place.start)..from_window(place.end));
        self.mark + shown.start..self.mark + shown.end
    }
}

/// A line without its end, at most `columns` wide, with `mark` where something but not this place is left
/// out.
#[cfg(feature = "pretty")]
pub fn cut_around(line: &str, place: Range<usize>, columns: usize, mark: &str) -> String {
    cut_to(line, &window(line, place, columns, width::columns(mark)), mark)
}

fn cut_to(line: &str, window: &Range<usize>, mark: &str) -> String {
    let front = if window.start > 0 { mark } else { "" };
    let back = if window.end < line.len() { mark } else { "" };
    format!("{front}{}{back}", printable(slice(line, window.clone())))
}

/// The bytes of the line that holds `offset`, without what ends it.
fn line_of(file: &SourceFile, offset: usize) -> Range<usize> {
    let line = file.lines().line_range(file.lines().line_of(offset.min(file.text.len())), &file.text);
    let text = file.text.get(line.clone()).unwrap_or_default();
    line.start..line.start + text.trim_end_matches(['\r', '\n']).len()
}

/// The part of `range` that is in `text`, on character boundaries.
fn clamp(text: &str, range: Range<usize>) -> Range<usize> {
    let start = text.floor_char_boundary(range.start);
    start..text.ceil_char_boundary(range.end).max(start)
}

/// The bytes of `line` to show: all if they fit, else `place` or its beginning, and as much around it as there is room.
fn window(line: &str, place: Range<usize>, columns: usize, mark: usize) -> Range<usize> {
    let (all, _) = fit(line.chars(), columns);
    if all == line.len() {
        return 0..all;
    }
    let after = |offset: usize| line.get(offset..).unwrap_or_default().chars();
    let before = |offset: usize| line.get(..offset).unwrap_or_default().chars().rev();

    let (length, free) = fit(slice(line, place.clone()).chars(), columns.saturating_sub(2 * mark));
    let (left, unused) = fit(before(place.start), free / 2);
    let (start, end) = (place.start - left, place.start + length);
    let (right, unused) = fit(after(end), free - free / 2 + unused);
    let (more, _) = fit(before(start), unused);
    start - more..end + right
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, place: Range<usize>, columns: usize) -> (String, String) {
        let file = SourceFile::decode("x", text.as_bytes().to_vec());
        let excerpt = Excerpt::around(&file, &place, columns, "…");
        let place = excerpt.text[excerpt.locate(&place)].to_owned();
        (excerpt.text, place)
    }

    #[test]
    fn a_short_line_is_whole() {
        assert_eq!(shown("one\r\ntwo\r\n", 5..8, 10), ("two\n".to_owned(), "two".to_owned()));
        assert_eq!(shown("one\ntwo\n", 1..7, 10), ("one\n".to_owned(), "ne".to_owned()));
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let line = "abcdefghijklmnopqrstuvwxyz";
        assert_eq!(shown(line, 0..2, 10), ("abcdefgh…\n".to_owned(), "ab".to_owned()));
        assert_eq!(shown(line, 12..14, 10), ("…jklmnopq…\n".to_owned(), "mn".to_owned()));
        assert_eq!(shown(line, 25..26, 10), ("…stuvwxyz\n".to_owned(), "z".to_owned()));
        assert_eq!(shown(line, 2..20, 10), ("…cdefghij…\n".to_owned(), "cdefghij".to_owned()));
        assert_eq!(shown("漢字漢字漢字漢字", 9..12, 10), ("…漢字漢字…\n".to_owned(), "字".to_owned()));
    }

    #[test]
    fn narrow_letters_fit_and_marks_without_a_width_do_not_add_up() {
        let arrows = "→".repeat(10);
        assert_eq!(shown(&arrows, 0..3, 10).0, format!("{arrows}\n"));
        assert!(shown(&"\u{301}".repeat(10_000), 0..2, 10).0.chars().count() <= 11);
    }

    #[test]
    fn a_place_without_text_is_shown_empty() {
        for (text, place) in [("", 0..0), ("a\n", 2..2), ("\n\n", 0..1), ("a\r\n", 1..3), ("a", 7..9)] {
            assert_eq!(shown(text, place.clone(), 10).1, "", "{text:?} {place:?}");
        }
        assert_eq!(shown("é", 1..1, 10), ("é\n".to_owned(), "é".to_owned()));
    }

    #[test]
    fn whatever_the_width_the_place_is_on_a_boundary() {
        let line = "é漢\t\u{1b}\u{85}\u{202e}—x".repeat(9);
        for columns in 0..40 {
            for start in 0..line.len() {
                let (text, _) = shown(&line, start..start + 5, columns);
                let width: usize = text.trim_end().chars().map(width::columns_of).sum();
                assert!(width <= columns.max(2), "{width} > {columns}: {text}");
            }
        }
    }
}
