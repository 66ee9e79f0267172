//! Markdown block by block, for those who show it: what is text to be wrapped, and what stays as it is.

use super::{CodeBlockKind, Event, Parser, Tag, TagEnd, options, repair};
use crate::span::slice;
use std::ops::Range;

#[derive(Debug, PartialEq, Eq)]
pub enum Block<'a> {
    Heading(&'a str),
    Fenced {
        opening: &'a str,
        /// What that line says of the code.
        info: &'a str,
        code: &'a str,
        /// The line of the last fence; empty if there is none.
        closing: &'a str,
    },
    /// A paragraph, or the text of a list item.
    Text {
        /// What is in front of it on its first line: white space, and the markers of list items.
        front: &'a str,
        text: &'a str,
    },
    /// Lines that are not wrapped: empty ones, tables, quotations, HTML, link definitions, indented code.
    Other(&'a str),
}

/// The blocks of `markdown`, in order. Each of its lines is in one of them.
pub fn blocks(markdown: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut start = 0;
    for Found { kind, span } in find(markdown) {
        let first = slice(markdown, ..span.start).rfind('\n').map_or(0, |end| end + 1);
        let text = slice(markdown, span.clone()).trim_end_matches(['\r', '\n']);
        let rest = slice(markdown, span.start + text.len()..);
        let end = markdown.len() - rest.split_once('\n').map_or(0, |(_, rest)| rest.len());
        // A block that begins on the line of another one, such as code after the marker of a list item, has that line.
        if first < start {
            continue;
        }
        if start < first {
            blocks.push(Block::Other(slice(markdown, start..first)));
        }
        let lines = slice(markdown, first..end);
        blocks.push(match kind {
            Kind::Heading => Block::Heading(lines),
            Kind::Fenced => fenced(lines),
            Kind::Other => Block::Other(lines),
            Kind::Text => {
                Block::Text { front: slice(markdown, first..span.start), text: slice(markdown, span.start..end) }
            }
        });
        start = end;
    }
    if start < markdown.len() {
        blocks.push(Block::Other(slice(markdown, start..)));
    }
    blocks
}

fn fenced(lines: &str) -> Block<'_> {
    let (opening, inner) = lines.split_at(lines.find('\n').map_or(lines.len(), |end| end + 1));
    let marks = opening.trim_start_matches(|letter| !is_mark(letter));
    let info = marks.trim_start_matches(is_mark);
    let fence = slice(marks, ..marks.len() - info.len());
    let (code, closing) = inner.split_at(inner.trim_end().rfind('\n').map_or(0, |end| end + 1));
    let closes = closing.trim().starts_with(fence) && closing.trim().chars().all(is_mark);
    let (code, closing) = if closes { (code, closing) } else { (inner, "") };
    Block::Fenced { opening, info: info.trim(), code, closing }
}

fn is_mark(letter: char) -> bool {
    matches!(letter, '`' | '~')
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Heading,
    Fenced,
    Text,
    Other,
}

impl Kind {
    /// The kind of a block that is shown as a whole, whatever is in it.
    fn of(tag: &Tag<'_>) -> Option<Self> {
        match tag {
            Tag::Heading { .. } => Some(Self::Heading),
            Tag::CodeBlock(CodeBlockKind::Fenced(_)) => Some(Self::Fenced),
            Tag::CodeBlock(CodeBlockKind::Indented)
            | Tag::HtmlBlock
            | Tag::BlockQuote(_)
            | Tag::Table(_)
            | Tag::FootnoteDefinition(_) => Some(Self::Other),
            _ => None,
        }
    }
}

struct Found {
    kind: Kind,
    span: Range<usize>,
}

/// The blocks that are not in another one that is shown as a whole.
fn find(markdown: &str) -> Vec<Found> {
    let repaired = repair(markdown);
    // A comment that does not end would be one block with all that follows. The entity is as long as the opening.
    let (closed, rest) = repaired.split_at(repaired.rfind("-->").map_or(0, |end| end + "-->".len()));
    let closed = closed.to_owned() + &rest.replace("<!--", "&lt;");
    let mut found: Vec<Found> = Vec::new();
    // How many blocks around are shown as a whole, and whether the last text may go on.
    let (mut depth, mut is_open) = (0_usize, false);
    for (event, span) in Parser::new_ext(&closed, options()).into_offset_iter() {
        match event {
            Event::Start(tag) if let Some(kind) = Kind::of(&tag) => {
                if depth == 0 {
                    found.push(Found { kind, span });
                }
                (depth, is_open) = (depth + 1, false);
            }
            Event::End(
                TagEnd::Heading(_)
                | TagEnd::CodeBlock
                | TagEnd::HtmlBlock
                | TagEnd::BlockQuote(_)
                | TagEnd::Table
                | TagEnd::FootnoteDefinition,
            ) => depth -= 1,
            _ if depth > 0 => {}
            Event::Start(Tag::Paragraph | Tag::List(_) | Tag::Item)
            | Event::End(TagEnd::Paragraph | TagEnd::List(_) | TagEnd::Item)
            | Event::Rule => is_open = false,
            _ => match found.last_mut() {
                Some(last) if is_open => last.span.end = last.span.end.max(span.end),
                _ => {
                    found.push(Found { kind: Kind::Text, span });
                    is_open = true;
                }
            },
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_block_has_its_lines() {
        let text = "# A\n\none\ntwo\n- [ ] three\n  four\n  ```x\n  five\n  ```\n1. - six\n\n   seven\n> eight\n\n| a |\n| - |\n";
        let expected = [
            Block::Heading("# A\n"),
            Block::Other("\n"),
            Block::Text { front: "", text: "one\ntwo\n" },
            Block::Text { front: "- ", text: "[ ] three\n  four\n" },
            Block::Fenced { opening: "  ```x\n", info: "x", code: "  five\n", closing: "  ```\n" },
            Block::Text { front: "1. - ", text: "six\n" },
            Block::Other("\n"),
            Block::Text { front: "   ", text: "seven\n" },
            Block::Other("> eight\n"),
            Block::Other("\n"),
            Block::Other("| a |\n| - |\n"),
        ];
        assert_eq!(blocks(text), expected);
    }

    #[test]
    fn a_comment_without_an_end_hides_nothing() {
        let expected = [
            Block::Other("<!-- a\n-->\n"),
            Block::Text { front: "", text: "<!--\n" },
            Block::Text { front: "- ", text: "b\n" },
            Block::Heading("# C\n"),
        ];
        assert_eq!(blocks("<!-- a\n-->\n<!--\n- b\n# C\n"), expected);
    }

    #[test]
    fn every_line_is_in_a_block() {
        let parts = [
            "- ", "> ", "```", "#", "a\n", "\n", "  ", "<b>\n", "[^1]: ", "| - |\n", "===\n", "\u{feff}", "\r\n", "1. ",
        ];
        for first in parts {
            for second in parts {
                for third in parts {
                    let text = format!("{first}{second}{third}x\n{second}{first}y");
                    let lines = |block: &Block<'_>| match block {
                        Block::Heading(lines) | Block::Other(lines) => (*lines).to_owned(),
                        Block::Fenced { opening, code, closing, .. } => format!("{opening}{code}{closing}"),
                        Block::Text { front, text: lines } => format!("{front}{lines}"),
                    };
                    assert_eq!(blocks(&text).iter().map(lines).collect::<String>(), text, "{text:?}");
                }
            }
        }
    }
}
