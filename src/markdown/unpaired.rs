//! HTML tags without the one that ends or begins their element: GitHub shows what follows as a part of it, or ends another
//! element before its end.

use super::{Document, tag};
use crate::span::slice;
use std::ops::Range;

/// The elements that have no end, or whose end another tag implies.
const WITHOUT_END: &str = "area base br caption col colgroup dd dt embed hr img input li link meta option p param rp rt source \
     tbody td tfoot th thead tr track wbr";

/// The first tag in a part of a document that has no counterpart in it.
pub fn tag_in(document: &Document, part: Range<usize>) -> Option<Range<usize>> {
    let text = document.slice(..part.end);
    let mut open: Vec<(String, Range<usize>)> = Vec::new();
    let all = text.match_indices('<').map(|(at, _)| at).skip_while(|at| *at < part.start);
    for at in all.filter(|at| !document.is_hidden(*at) && !slice(text, ..*at).ends_with('\\')) {
        let Some(end) = slice(text, at + 1..).find(['<', '>']).map(|end| at + 1 + end + 1) else { break };
        let tag = slice(text, at..end);
        let name = tag::name(tag).to_ascii_lowercase();
        let is_tag = tag.ends_with('>') && tag::is_element(&name);
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
            let tag = tag_in(&document, 0..text.len()).map(|tag| document.slice(tag));
            assert_eq!(tag, wanted, "{text}");
        }
    }
}
