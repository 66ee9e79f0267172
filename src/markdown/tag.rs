//! HTML tags that are none: `<name>` in a text, where the author meant a name to be filled in.

use crate::span::slice;
use std::ops::Range;

/// A tag of an element that HTML does not have. Pages do not show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTag {
    pub span: Range<usize>,
    /// Whether it is in a block of HTML, in which Markdown is not read.
    pub is_in_html: bool,
    /// Whether a single backtick before it in its paragraph has no partner: it would pair with one around the tag.
    pub follows_backtick: bool,
}

/// The elements of HTML, and those of older versions, in alphabetic order.
#[rustfmt::skip]
const ELEMENTS: &[&str] = &[
    "a", "abbr", "acronym", "address", "applet", "area", "article", "aside", "audio", "b", "base", "basefont", "bdi",
    "bdo", "bgsound", "big", "blink", "blockquote", "body", "br", "button", "canvas", "caption", "center", "cite", "code",
    "col", "colgroup", "data", "datalist", "dd", "del", "details", "dfn", "dialog", "dir", "div", "dl", "dt", "em",
    "embed", "fieldset", "figcaption", "figure", "font", "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4",
    "h5", "h6", "head", "header", "hgroup", "hr", "html", "i", "iframe", "img", "input", "ins", "kbd", "label", "legend",
    "li", "link", "main", "map", "mark", "marquee", "math", "menu", "meta", "meter", "nav", "nobr", "noembed", "noframes",
    "noscript", "object", "ol", "optgroup", "option", "output", "p", "param", "picture", "plaintext", "pre", "progress",
    "q", "rb", "rp", "rt", "rtc", "ruby", "s", "samp", "script", "search", "section", "select", "slot", "small", "source",
    "span", "strike", "strong", "style", "sub", "summary", "sup", "svg", "table", "tbody", "td", "template", "textarea",
    "tfoot", "th", "thead", "time", "title", "tr", "track", "tt", "u", "ul", "var", "video", "wbr", "xmp",
];

/// Whether `tag`, from `<` to `>`, has the name of no element.
pub(super) fn is_unknown(tag: &str) -> bool {
    let name = name(tag).to_ascii_lowercase();
    let is_tag = tag.ends_with('>') && name.starts_with(|first: char| first.is_ascii_alphabetic());
    is_tag && !is_element(&name)
}

pub(super) fn is_element(name: &str) -> bool {
    ELEMENTS.binary_search(&name).is_ok()
}

const SHOWN: &str = "title textarea style xmp iframe noembed noframes script plaintext";

/// Whether a page shows `tag`, from `<` to `>`, as it is written.
pub(super) fn is_shown(tag: &str) -> bool {
    let name = name(tag);
    SHOWN.split(' ').any(|shown| name.eq_ignore_ascii_case(shown))
}

pub(super) fn name(tag: &str) -> &str {
    let body = tag.strip_prefix('<').unwrap_or(tag);
    let body = body.strip_prefix('/').unwrap_or(body);
    let end = body.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-').unwrap_or(body.len());
    slice(body, ..end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::Document;

    #[test]
    fn elements_are_sorted() {
        assert!(ELEMENTS.is_sorted());
    }

    #[test]
    fn only_tags_of_no_element_are_unknown() {
        let text =
            "A <b>c</b> <driver-name> and </node>, <https://x>, <a@b.c>, <1>, `<x>`, \\<y>, < z>.\n\n<pod name>\n";
        let tags = Document::of_text(text).unknown_tags;
        let found: Vec<(&str, bool)> = tags.into_iter().map(|tag| (&text[tag.span], tag.is_in_html)).collect();
        assert_eq!(found, [("<driver-name>", false), ("</node>", false), ("<pod name>", true)]);
    }
}
