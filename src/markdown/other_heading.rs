//! Headings that begin no section: those in block quotes, and those that are written in HTML. Pages give them anchors too.

use super::comment::{self, Kind};
use super::tag;
use crate::search;
use crate::span::slice;
use regex::Regex;
use std::sync::LazyLock;

/// What `&amp;` and the like stand for, nearly always, has no place in an anchor.
static ENTITY: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"&\#?\w+;").expect("the pattern is well-formed"));

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherHeading {
    pub start: usize,
    /// What a page shows of it.
    pub shown: String,
}

#[derive(Debug, Default)]
pub(super) struct OtherHeadings {
    pub list: Vec<OtherHeading>,
    /// The heading whose end is not read yet.
    open: Option<OtherHeading>,
}

impl OtherHeadings {
    pub fn begin(&mut self, start: usize) {
        self.end();
        self.open = Some(OtherHeading { start, shown: String::new() });
    }

    pub fn end(&mut self) {
        self.list.extend(self.open.take());
    }

    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    pub fn add(&mut self, text: &str) {
        if let Some(open) = &mut self.open {
            open.shown.push_str(text);
        }
    }

    /// Reads a tag or a block of HTML that begins at byte `at`.
    pub fn read_html(&mut self, html: &str, at: usize) {
        if !self.is_open() && search::word(html, "<h").or_else(|| search::word(html, "<H")).is_none() {
            return;
        }
        let mut end = 0;
        for piece in comment::split(html) {
            self.add(&ENTITY.replace_all(slice(html, end..piece.span.start.max(end)), ""));
            end = piece.span.end;
            match piece.kind {
                Kind::Comment { .. } => {}
                Kind::Content => self.add(&ENTITY.replace_all(slice(html, piece.span), "")),
                Kind::Tag { .. } => match heading_tag(slice(html, piece.span.clone())) {
                    Some(true) => self.begin(at + piece.span.start),
                    Some(false) => self.end(),
                    None if tag::is_shown(slice(html, piece.span.clone())) => self.add(slice(html, piece.span)),
                    None => {}
                },
            }
        }
    }
}

/// Whether the tag of a heading opens it; `None` for other tags.
fn heading_tag(tag: &str) -> Option<bool> {
    let body = tag.strip_prefix('<')?;
    let (name, opens) = body.strip_prefix('/').map_or((body, true), |name| (name, false));
    let level = name.strip_prefix(['h', 'H'])?.strip_prefix(|level: char| ('1'..='6').contains(&level))?;
    level.starts_with(|next: char| next.is_whitespace() || "/>".contains(next)).then_some(opens)
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
