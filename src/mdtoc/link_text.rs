//! The text of a heading in two forms: the HTML that `mdtoc` writes into a link, and the plain text of the anchor.

use super::inline::{self, Inline, References};
use super::lookahead::Lookahead;
use crate::bounds;
use crate::span::slice;
use std::borrow::Cow;

#[derive(Debug, Default)]
pub(super) struct LinkText {
    pub html: String,
    /// The text without Markdown, HTML and formulas.
    pub plain: String,
}

impl LinkText {
    pub fn new<'a>(markdown: &'a str, references: &References<'a>) -> Self {
        let mut text = Self::default();
        text.render(markdown, references, 0);
        text.html.truncate(text.html.trim_end().len());
        text.html.drain(..text.html.len() - text.html.trim_start().len());
        text
    }

    fn render<'a>(&mut self, markdown: &'a str, references: &References<'a>, depth: usize) {
        if depth == bounds::MDTOC_DEPTH {
            return;
        }
        let mut ahead = Lookahead::new(markdown);
        let (mut done, mut at) = (0, 0);
        while let Some(plain) = slice(markdown, at..).bytes().position(inline::may_begin) {
            at += plain;
            let Some((length, inline)) = inline::read(markdown, at, &mut ahead, references) else {
                at += 1;
                continue;
            };
            self.write(slice(markdown, done..at));
            at += length;
            done = at;
            match inline {
                Inline::Nothing => {}
                Inline::Text(text) => self.write(&text),
                Inline::Code(code) => self.within("<code>", "</code>", |text| text.write(code)),
                Inline::Html(html) => self.html.push_str(html),
                Inline::Math(math) => {
                    self.html.push_str(&format!("<span class=\"math inline\">\\({}\\)</span>", escaped(math)));
                }
                Inline::Marked { tags, inner } => {
                    tags.iter().for_each(|tag| self.html.push_str(&format!("<{tag}>")));
                    self.render(inner, references, depth + 1);
                    tags.iter().rev().for_each(|tag| self.html.push_str(&format!("</{tag}>")));
                }
                Inline::Link { destination, inner } => {
                    let opening = format!("<a href=\"{}\">", escaped(&unescaped(destination)));
                    self.within(&opening, "</a>", |text| text.render(inner, references, depth + 1));
                }
                Inline::Address { scheme, text } => {
                    let opening = format!("<a href=\"{scheme}{}\">", escaped(text));
                    self.within(&opening, "</a>", |link| link.write(text));
                }
                Inline::Image { destination, alternative } => {
                    let opening = format!("<img src=\"{}\" alt=\"", escaped(&unescaped(destination)));
                    self.within(&opening, "\" />", |text| text.write(alternative));
                }
            }
        }
        self.write(slice(markdown, done..));
    }

    fn within(&mut self, opening: &str, closing: &str, inner: impl FnOnce(&mut Self)) {
        self.html.push_str(opening);
        inner(self);
        self.html.push_str(closing);
    }

    fn write(&mut self, text: &str) {
        self.html.push_str(&escaped(text));
        self.plain.push_str(text);
    }
}

fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"']) {
        return Cow::Borrowed(text);
    }
    let html = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    Cow::Owned(html)
}

fn unescaped(text: &str) -> String {
    let mut letters = text.chars();
    let mut plain = String::new();
    while let Some(letter) = letters.next() {
        plain.extend(if letter == '\\' { letters.next() } else { Some(letter) });
    }
    plain
}
