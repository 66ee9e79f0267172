//! HTML tags that are none: `<name>` in a text, where the author meant a name to be filled in; and tags without the one that
//! ends or begins their element: GitHub shows what follows as a part of it, or ends another element before its end.

use super::Document;
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

/// The elements that have no end, or whose end another tag implies.
const WITHOUT_END: &str = "area base br caption col colgroup dd dt embed hr img input li link meta option p param rp rt source \
     tbody td tfoot th thead tr track wbr";

/// The first tag in a part of a document that has no counterpart in it.
pub fn unpaired(document: &Document, part: Range<usize>) -> Option<Range<usize>> {
    let text = document.slice(..part.end);
    let mut open: Vec<(String, Range<usize>)> = Vec::new();
    let all = text.match_indices('<').map(|(at, _)| at).skip_while(|at| *at < part.start);
    for at in all.filter(|at| !document.is_hidden(*at) && !slice(text, ..*at).ends_with('\\')) {
        let Some(end) = slice(text, at + 1..).find(['<', '>']).map(|end| at + 1 + end + 1) else { break };
        let tag = slice(text, at..end);
        let name = self::name(tag).to_ascii_lowercase();
        let is_tag = tag.ends_with('>') && is_element(&name);
        if !is_tag || WITHOUT_END.split(' ').any(|other| other == name) {
            continue;
        }
        if !tag.starts_with("</") {
            open.push((name, at..end));
        } else if open.pop().is_none_or(|(begun, _)| begun != name) {
            return Some(at..end);
        }
    }
    open.into_iter().next().map(|(_, tag)| tag)
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn a_tag_without_its_end_or_beginning_is_found() {
        for (text, wanted) in [
            ("x <b>y\n", Some("<b>")),
            ("<details>\n<summary>x</summary>\n\ntext\n", Some("<details>")),
            ("<table>\n<tr><td>x\n</table>\n</div>\n", Some("</div>")),
            ("<b><i>x</b></i>\n", Some("</b>")),
            ("<details>\n\n- x<br>\n\n</details>\n", None),
            ("`<b>` \\<b> a <b and a < 5 <i>x</i> <driverName> <https://a.b> <!-- <b> -->\n\n```\n<b>\n```\n", None),
        ] {
            let document = Document::of_text(text);
            let tag = unpaired(&document, 0..text.len()).map(|tag| document.slice(tag));
            assert_eq!(tag, wanted, "{text}");
        }
    }
}
