//! A comment while it is written. It knows which parts of it are words of a KEP, and in the end makes sure that these are
//! only words: in code, or letters that mean nothing; that no line begins with them; and that no command has a part of them.
use crate::markdown::Document;
use crate::span::slice;
use std::ops::Range;

/// A comment with the places of what is not from the template.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    text: String,
    words: Vec<Range<usize>>,
    mentions: Vec<Range<usize>>,
}

pub enum Piece {
    /// Text of the template, or of kep-lint itself.
    Own(String),
    /// Markdown that has words of a KEP, all of them escaped.
    Words(String),
    /// An author who is to be told.
    Mention(String),
}

impl Piece {
    pub fn own(text: &str) -> Self {
        Self::Own(text.to_owned())
    }
}

impl Sheet {
    pub fn push(&mut self, piece: Piece) {
        let start = self.text.len();
        let (Piece::Own(text) | Piece::Words(text) | Piece::Mention(text)) = &piece;
        self.text += text;
        let range = start..self.text.len();
        match piece {
            Piece::Own(_) => {}
            Piece::Words(_) => self.words.push(range),
            Piece::Mention(_) => self.mentions.push(range),
        }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The comment; `None` if words of a KEP would be more than words there.
    pub fn finish(self) -> Option<String> {
        let document = Document::of_text(&self.text);
        let is_word = |range: &Range<usize>| {
            slice(&self.text, range.clone()).char_indices().all(|(at, letter)| {
                let at = range.start + at;
                let is_in_code = || !document.is_comment(at) && document.code_around(at).is_some();
                is_harmless(letter) || is_in_code()
            })
        };
        let is_safe = self.words.iter().all(is_word) && self.lines_are_safe() && self.mentions_are_safe();
        is_safe.then_some(self.text)
    }

    /// No line of words begins a command, and no command has any.
    fn lines_are_safe(&self) -> bool {
        let mut start = 0;
        self.text.split_inclusive(['\n', '\r']).all(|line| {
            let range = start..start + line.len();
            start = range.end;
            let has_words =
                self.words.iter().chain(&self.mentions).any(|words| words.start < range.end && range.start < words.end);
            !(has_words && without_marks(line).starts_with('/'))
        })
    }

    /// A mention ends where its handle ends.
    fn mentions_are_safe(&self) -> bool {
        let is_of_name = |letter: char| letter.is_alphanumeric() || "-_/@".contains(letter);
        self.mentions.iter().all(|mention| {
            let before = slice(&self.text, ..mention.start).chars().next_back();
            let after = slice(&self.text, mention.end..).chars().next();
            !before.is_some_and(is_of_name) && !after.is_some_and(is_of_name)
        })
    }
}

/// Whether a letter means nothing in Markdown, as far as it is not a part of a word that does.
fn is_harmless(letter: char) -> bool {
    letter.is_alphanumeric() || !letter.is_ascii() || letter.is_ascii_whitespace() || ".,;:'\"()/+=?-".contains(letter)
}

/// A line without its blanks, and without the marks of quotes, lists and boxes.
fn without_marks(line: &str) -> &str {
    let mut rest = line.trim_start();
    loop {
        let number = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let mark = if number.len() < rest.len() && number.starts_with(['.', ')']) { number } else { rest };
        let after = mark.strip_prefix(['>', '-', '*', '+', '.', ')']);
        let boxed = ["[ ]", "[x]", "[X]"].iter().find_map(|boxed| rest.strip_prefix(boxed));
        match after.or(boxed) {
            Some(after) => rest = after.trim_start(),
            None => return rest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(before: &str, words: &str, after: &str) -> bool {
        let mut sheet = Sheet::default();
        sheet.push(Piece::own(before));
        sheet.push(Piece::Words(words.to_owned()));
        sheet.push(Piece::own(after));
        sheet.finish().is_some()
    }

    #[test]
    fn words_stay_words_wherever_they_are() {
        assert!(finished("a ", "`@b`, c", " d\n/label e\n"));
        assert!(finished("- ", "a:\n\n  ```yaml\n  @b: <c>\n  ```", "\n"));
        for (before, words, after) in [
            ("a ", "@b", ""),
            ("a ` ", "`@b`", ""),
            ("<!-- ", "`-->`", " -->"),
            ("<details>\n", "`<!--`", "\n</details>"),
            ("", "/a", ""),
            ("- > 1. [x] ", "/a", ""),
            ("/label ", "a", ""),
            ("/label ", "`a`", "\n"),
            ("a\r", "/b", ""),
        ] {
            assert!(!finished(before, words, after), "{before}{words}{after}");
        }
    }

    #[test]
    fn a_mention_is_only_of_its_handle() {
        let mentions = |before: &str, after: &str| {
            let mut sheet = Sheet::default();
            sheet.push(Piece::own(before));
            sheet.push(Piece::Mention("@ann".to_owned()));
            sheet.push(Piece::own(after));
            sheet.finish().is_some()
        };
        assert!(mentions("Hello ", ", @bob") && mentions("", "!"));
        for (before, after) in [("Hello ", "/team"), ("Hello ", "-x"), ("Hello", ""), ("@", ""), ("/assign ", "")] {
            assert!(!mentions(before, after), "{before}@ann{after}");
        }
    }
}
