//! The visible lines of a section, joined to paragraphs and items of lists: a sentence may be wrapped anywhere.

use super::Document;
use std::ops::Range;

/// A paragraph, or an item of a list.
pub struct Paragraph {
    pub text: String,
    /// Where each line begins in the text, and its bytes in the document.
    pub lines: Vec<(usize, Range<usize>)>,
    pub is_item: bool,
}

impl Paragraph {
    /// The line in which the byte `offset` of the text is.
    pub fn line_at(&self, offset: usize) -> Option<Range<usize>> {
        self.lines.iter().rfind(|(start, _)| *start <= offset).map(|(_, line)| line.clone())
    }
}

/// The paragraphs and items in `range`, without code blocks.
pub fn paragraphs(document: &Document, range: Range<usize>) -> Vec<Paragraph> {
    let mut paragraphs: Vec<Paragraph> = Vec::new();
    let mut last_end = range.start;
    for (line, words) in document.visible(range).filter(|(line, _)| !document.is_in_block(line)) {
        let is_item = is_list_item(&words);
        let is_apart = document.slice(last_end..line.start).matches('\n').nth(1).is_some();
        last_end = line.end;
        match paragraphs.last_mut().filter(|_| !is_item && !is_apart && !words.starts_with('|')) {
            Some(paragraph) => {
                paragraph.text.push(' ');
                paragraph.lines.push((paragraph.text.len(), line));
                paragraph.text += &words;
            }
            None => paragraphs.push(Paragraph { text: words.into_owned(), lines: vec![(0, line)], is_item }),
        }
    }
    paragraphs
}

pub fn is_list_item(line: &str) -> bool {
    let rest = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let marks: &[&str] = if rest.len() < line.len() { &[". ", ") "] } else { &["- ", "* ", "+ "] };
    marks.iter().any(|mark| rest.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_joined_up_to_a_blank_one_or_an_item() {
        let text = "One\ntwo.\n\nThree:\n- four\n  five\n2. six\n\n```\ncode\n```\n| a |\n| b |\n";
        let document = Document::of_text(text);
        let found = paragraphs(&document, 0..text.len());
        let shown: Vec<_> = found.iter().map(|paragraph| (paragraph.text.as_str(), paragraph.is_item)).collect();
        let expected = [
            ("One two.", false),
            ("Three:", false),
            ("- four five", true),
            ("2. six", true),
            ("| a |", false),
            ("| b |", false),
        ];
        assert_eq!(shown, expected);
        assert_eq!(found[0].line_at(5).map(|line| &text[line]), Some("two."));
    }
}
