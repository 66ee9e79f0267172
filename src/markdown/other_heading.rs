//! Headings that begin no section, but have an anchor: those in block quotes and those in HTML.

use super::comment::{self, Kind};
use super::tag;
use crate::search;
use crate::span::slice;
use regex::Regex;
use std::sync::LazyLock;

/// What `&amp;` and the like stand for, nearly always, has no place in an anchor.
static ENTITY: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"&\#?[0-9A-Za-z]+;").expect("it is well-formed"));

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherHeading {
    pub start: usize,
    /// What a page shows of it.
    pub shown: String,
}

#[derive(Debug, Default)]
pub(super) struct OtherHeadings {
    pub list: Vec<OtherHeading>,
    /// Whether the end of the last one is not read yet.
    pub is_open: bool,
}

impl OtherHeadings {
    pub fn begin(&mut self, start: usize) {
        self.list.push(OtherHeading { start, shown: String::new() });
        self.is_open = true;
    }

    pub fn add(&mut self, text: &str) {
        let open = self.list.last_mut().filter(|_| self.is_open);
        open.into_iter().for_each(|open| open.shown.push_str(text));
    }

    pub fn read_html(&mut self, html: &str, at: usize) {
        let begins_heading = |tag| matches!(html.as_bytes().get(tag + 1), Some(b'h' | b'H'));
        if !self.is_open && !search::bytes(html, b'<').any(begins_heading) {
            return;
        }
        let mut end = 0;
        for piece in comment::split(html) {
            self.add(&ENTITY.replace_all(slice(html, end..piece.span.start.max(end)), ""));
            end = piece.span.end;
            let source = slice(html, piece.span.clone());
            match piece.kind {
                Kind::Comment { .. } => {}
                Kind::Content => self.add(&ENTITY.replace_all(source, "")),
                Kind::Tag { .. } if is_heading(source) && source.starts_with("</") => self.is_open = false,
                Kind::Tag { .. } if is_heading(source) => self.begin(at + piece.span.start),
                Kind::Tag { .. } if tag::is_shown(source) => self.add(source),
                Kind::Tag { .. } => {}
            }
        }
    }
}

pub(super) fn is_heading(tag: &str) -> bool {
    matches!(tag::name(tag).as_bytes(), [b'h' | b'H', b'1'..=b'6'])
}

#[cfg(test)]
mod tests {
    use crate::markdown::Document;
    use crate::markdown::section::SectionId;

    #[test]
    fn headings_in_quotes_and_in_html_are_in_the_order_of_the_page() {
        let text = "> # A `b`\n> > ## C[^1]\n\n# D <title> ![e](f)\n\n<h2 align=left>G &amp; <b>H</b> i</h2>\nJ\n\nk <H3>l *m*</H3> n\n\n\
            <h1>\n\nO\n\n</h1>\n\n<!-- <h2>p</h2> -->\n<hr><head>q\n\n[^1]: r\n";
        let document = Document::of_text(text);
        let shown = |(section, shown): (Option<SectionId>, &str)| (section.is_some(), shown.trim().to_owned());
        let headings: Vec<(bool, String)> = document.shown_headings().into_iter().map(shown).collect();
        let expected =
            [(false, "A b"), (false, "C1"), (true, "D <title>"), (false, "G  H i"), (false, "l m"), (false, "O")];
        assert_eq!(headings, expected.map(|(has_section, words)| (has_section, words.to_owned())));
    }
}
