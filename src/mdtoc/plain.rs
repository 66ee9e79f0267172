//! A quick reading of a text in which each line that looks like a heading is one, but for those in fences and comments. Most
//! texts are such. Any other is left to [`super::outline`], which says how `mdtoc` reads it.

use super::line::{Heading, Line, Lines, fence_marks};
use super::outline::{COMMENT_END, block_tag, ends_with_comment};
use crate::span::slice;

/// What the lines since the last blank one are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Above {
    /// There are none, or they end with a heading, fence or comment: a block begins here.
    Nothing,
    Paragraph,
    /// Maybe a list, a table or indented code, of which a heading without a blank line before it would be a part.
    Other,
    /// Maybe a quote, in which a fence may be anywhere in a line.
    Quote,
}

/// What a line is, by how it begins.
enum Kind<'a> {
    Blank,
    Heading(Heading<'a>),
    Fence(&'a str),
    Comment,
    Text,
    /// It is indented, or begins with what may be the marker of a list item or a cell of a table.
    Other,
    Quote,
    /// Only marks, which underline the line above if there is one.
    Marks,
}

/// The headings among `lines`; `None` if these may be read otherwise.
pub(super) fn headings(lines: Lines<'_>) -> Option<Vec<Heading<'_>>> {
    let (mut headings, mut above, mut number) = (Vec::new(), Above::Nothing, 0);
    let mut has_brackets = false;
    while let Some(this) = lines.get(number) {
        let mut below = lines.from(number + 1);
        above = match (kind(this)?, above) {
            (Kind::Blank, _) => Above::Nothing,
            (Kind::Heading(heading), Above::Nothing | Above::Paragraph) => {
                has_brackets |= heading.content.contains('[');
                headings.extend(Some(heading).filter(|heading| !heading.content.is_empty()));
                Above::Nothing
            }
            (Kind::Comment, Above::Nothing) => {
                let opening = this.from("<!-".len());
                let mut comment = std::iter::once(opening).chain(below).zip(number..);
                let (last, end) = comment.find(|(line, _)| line.text.contains(COMMENT_END))?;
                number = ends_with_comment(last).then_some(end)?;
                Above::Nothing
            }
            (Kind::Fence(marks), Above::Other) if this.indent() > 0 => {
                number += 1 + end_within(this, marks, below)?;
                Above::Other
            }
            (Kind::Fence(marks), Above::Nothing | Above::Paragraph | Above::Other) => {
                number += 1 + below.position(|line| is_closing(line, marks))?;
                Above::Nothing
            }
            (Kind::Text | Kind::Other | Kind::Quote, Above::Quote) | (Kind::Quote, _) => {
                (!this.text.contains("```") && !this.text.contains("~~~")).then_some(Above::Quote)?
            }
            (Kind::Text, Above::Nothing | Above::Paragraph) => Above::Paragraph,
            (Kind::Text, Above::Other) | (Kind::Other, _) | (Kind::Marks, Above::Nothing) => Above::Other,
            (Kind::Heading(_) | Kind::Comment | Kind::Fence(_) | Kind::Marks, _) => return None,
        };
        number += 1;
    }
    // Whether the text of a link is a name depends on where that is defined.
    (!has_brackets || !lines.from(0).any(|line| line.text.contains("]:"))).then_some(headings)
}

/// The place among the lines `below` of the one that closes a fence of these marks, which may be in an item of a list.
/// mdtoc takes both lines for a fence, or none of them. Which it is does not matter as long as no line between the two ends
/// the item or is a heading; `None` if one may be such.
fn end_within<'a>(fence: Line<'a>, marks: &str, below: impl Iterator<Item = Line<'a>>) -> Option<usize> {
    for (number, line) in below.enumerate() {
        if is_closing(line, marks) {
            return (line.indent() == fence.indent()).then_some(number);
        }
        matches!(kind(line)?, Kind::Text | Kind::Other).then_some(())?;
    }
    None
}

/// The kind of a line; `None` if what it is depends on the lines around it.
fn kind(line: Line<'_>) -> Option<Kind<'_>> {
    let indent = line.indent();
    let (text, is_indented) = (slice(line.text, indent..), indent > 0);
    let kind = match text.as_bytes().first() {
        None | Some(b'\n') => Kind::Blank,
        Some(b'\r') => line.is_blank().then_some(Kind::Blank)?,
        Some(b'#') if !is_indented => match line.heading() {
            // The text after a name in braces may be another heading.
            Some((heading, rest)) => rest.is_blank().then_some(Kind::Heading(heading))?,
            None => Kind::Text,
        },
        Some(b'`' | b'~') if text.starts_with("```") || text.starts_with("~~~") => {
            let marks = (!text.contains('|')).then(|| line.fence())?;
            // Indented by more, it is one only in an item of a list, which headings are not in.
            marks.map_or_else(|| is_indented.then_some(Kind::Other), |marks| Some(Kind::Fence(marks)))?
        }
        Some(b'<') if !is_indented && text.starts_with("<!--") => Kind::Comment,
        Some(b'<') if !is_indented && block_tag(slice(text, 1..)).is_some() => return None,
        Some(b'-' | b'+' | b'*' | b'.' | b'>' | b'0'..=b'9') => return after_marker(text, is_indented),
        Some(b'|' | b':') => Kind::Other,
        _ if begins_block(text) => return None,
        _ if is_indented => Kind::Other,
        _ => Kind::Text,
    };
    Some(kind)
}

/// The kind of a line that may begin with the marker of a list item or of a quote. Whatever it is, no heading or fence
/// follows the marker.
fn after_marker(text: &str, is_indented: bool) -> Option<Kind<'_>> {
    let inner =
        text.trim_start_matches(|letter| matches!(letter, ' ' | '\t' | '-' | '+' | '*' | '.' | ')' | '>' | '0'..='9'));
    let marker = slice(text, ..text.len() - inner.len());
    let is_quote = marker.contains('>');
    let is_blank = inner.trim_start_matches(['\r', '\n']).is_empty();
    if is_blank && !is_quote && !is_indented && marker.len() < 3 {
        return Some(Kind::Marks);
    }
    let is_quoted_blank = is_blank && marker.trim_end_matches([' ', '\t', '>']).is_empty();
    let is_plain = is_quoted_blank || !(marker.contains("---") || begins_block(inner));
    is_plain.then_some(if is_quote { Kind::Quote } else { Kind::Other })
}

/// Whether a text begins with what may be the beginning of a heading, a fence or a title block, or the underline of a
/// heading, or is blank.
fn begins_block(text: &str) -> bool {
    match text.as_bytes().first() {
        None | Some(b'\n' | b'\r' | b'#' | b'=') => true,
        Some(b'`' | b'~' | b'%' | b'$') => ["```", "~~~", "%%%", "$$"].iter().any(|marks| text.starts_with(marks)),
        _ => false,
    }
}

/// Whether a line closes a fence of exactly these marks.
fn is_closing(line: Line<'_>, opening: &str) -> bool {
    let may_close = matches!(line.first(), b'`' | b'~');
    may_close
        && fence_marks(line.content())
            .is_some_and(|(marks, rest)| marks == opening && rest.trim_matches(' ').is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::outline::Outline;
    use super::*;
    use crate::search::line_starts;

    fn thorough(lines: Lines<'_>) -> Vec<Heading<'_>> {
        let mut outline = Outline::default();
        outline.scan(&mut lines.from(0).collect::<Vec<_>>());
        outline.headings
    }

    fn spans(headings: &[Heading<'_>]) -> Vec<String> {
        headings.iter().map(|heading| format!("{} {:?} {}", heading.level, heading.span, heading.content)).collect()
    }

    #[rustfmt::skip]
    const PARTS: &[&str] = &[
        "# a\n", "## b | #\n", "#c\n", "x\n", "\n", "- ", "  ", "    ", "\t", "```\n", "```x\n", "~~~~\n", "`", "<!--", "-->", "-->\n",
        "<!-- d -->\n", "> ", "1. ", "---", "- [", "| e |\n", "|---|\n", "===\n", "-\n", "$$", "%%%", "{#f}", "# {#f}\n", "# \n",
        "<b>", "<div>\n", "</div>\n", "[g]: h\n", ".# i\n", "\r\n", "***\n", "* ", "_",
    ];

    #[test]
    fn both_readings_find_the_same_headings() {
        let (mut count, mut plain) = (0, 0);
        let mut compare = |text: &str| {
            count += 1;
            let starts = line_starts(text);
            let lines = Lines::new(text, &starts, 0);
            if let Some(headings) = headings(lines) {
                plain += 1;
                assert_eq!(spans(&headings), spans(&thorough(lines)), "{text:?}");
            }
        };
        for one in PARTS {
            for two in PARTS {
                for three in PARTS {
                    for (before, after) in [
                        ("", "# z\n"),
                        ("- y\n", "\n# z\n"),
                        ("y\n\n", "x\n```\n\n# z\n"),
                        ("- y\n  ```\n", "  ```\n\n# z\n```\n\n# w\n"),
                    ] {
                        compare(&format!("{before}{one}{two}{three}{after}"));
                    }
                }
            }
        }
        assert!(plain > 5_000 && plain < count, "{plain} of {count} texts are plain");
    }
}
