//! Which lines may be between the markers of a table of contents. Any other line there was written by an author, and no
//! fix may replace it, although mdtoc does.

use super::TocEntry;
use crate::span::slice;
use std::collections::HashSet;
use std::ops::Range;

/// Whether `line` is a list item that is one link into the document: `- [Summary](#summary)`.
pub fn is_listed(line: &str) -> bool {
    let line = line.trim();
    let item = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let markers: &[char] = if item.len() < line.len() { &['.', ')'] } else { &['-', '*', '+'] };
    let link = item.strip_prefix(markers).filter(|rest| rest.starts_with([' ', '\t'])).map(str::trim_start);
    let Some(link) = link else { return false };
    let Some((text, anchor)) = closing_bracket(link).and_then(|at| link.split_at_checked(at)) else { return false };
    let anchor = anchor.strip_prefix("](#").and_then(|anchor| anchor.strip_suffix(')'));
    let is_anchor = |name: &str| !name.contains(|letter: char| letter.is_whitespace() || "()[]".contains(letter));
    // A comment is an author's note, and the name of a footnote is not a link text.
    anchor.is_some_and(is_anchor) && !text.contains("<!--") && !text.contains("](") && !text.starts_with("[^")
}

/// The offset at which the bracket at the start of `link` is closed.
fn closing_bracket(link: &str) -> Option<usize> {
    let (mut open, mut is_escaped) = (0_usize, false);
    for (at, byte) in link.bytes().enumerate() {
        match byte {
            _ if is_escaped => {}
            b'[' => open += 1,
            b']' if open == 1 => return Some(at),
            b']' => open = open.checked_sub(1)?,
            _ if open == 0 => return None,
            _ => {}
        }
        is_escaped = byte == b'\\' && !is_escaped;
    }
    None
}

/// The trimmed bytes of the first line in `between` that is neither a list item with one link into the document nor the
/// line of an entry.
pub fn first_other_line(text: &str, between: Range<usize>, entries: &[TocEntry]) -> Option<Range<usize>> {
    let written: HashSet<&str> = entries.iter().map(|entry| entry.line.trim()).collect();
    let mut start = between.start;
    slice(text, between).split_inclusive('\n').find_map(|line| {
        let at = start;
        start += line.len();
        let content = line.trim();
        // Lines that end with a carriage return alone are not split, so a line with one in it is not accepted.
        let is_single = !content.contains('\r');
        let is_known = content.is_empty() || (is_single && is_listed(content)) || written.contains(content);
        let indent = line.len() - line.trim_start().len();
        (!is_known).then(|| at + indent..at + indent + content.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_a_list_item_with_one_link_into_the_document() {
        for line in ["- [A](#a)", "    * [`A` & B](#a--b)\r\n", "1. [A [sic]](#a-sic)", "\t+ [](#)"] {
            assert!(is_listed(line), "{line}");
        }
        for line in [
            "- [A](b.md)",
            "- [A](#a) and a word",
            "- [A](#a) [B](#b)",
            "- see [A](#a)",
            "[A](#a)",
            "-[A](#a)",
            "## [A](#a)",
            "- A",
            "text",
            "1 [A](#a)",
            "- [WIP] promised for beta: [Summary](#summary)",
            "- [ ] drop this once it merges [Summary](#summary)",
            "- [Summary][ref] and my words [here](#x)",
            "- [x] (my words](#z)",
            "- [^1]: my note [a](#b)",
            "- [Summary <!-- keep this --> x](#summary)",
        ] {
            assert!(!is_listed(line), "{line}");
        }
    }

    #[test]
    fn the_first_line_of_an_author_is_found() {
        let text = "\n- [A](#a)\n\n  Ten pages.\n- [B](#b)\n";
        assert_eq!(first_other_line(text, 0..text.len(), &[]).map(|line| slice(text, line)), Some("Ten pages."));
        assert_eq!(first_other_line(text, 0..11, &[]), None);
        let entry = TocEntry { level: 1, line: "  Ten pages.".to_owned(), heading: 0..0 };
        assert_eq!(first_other_line(text, 0..text.len(), &[entry]), None);
    }
}
