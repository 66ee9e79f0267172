//! The kinds of lines of the Markdown that kep-lint itself writes: the documentation of rules, and what is made of the
//! template. Apart from those who render it, for a screen and as HTML, so that both read it in the same way.

use crate::span::slice;

/// A line of Markdown.
pub enum Kind<'a> {
    /// A fence of a code block: its backticks.
    Fence(&'a str),
    /// A heading.
    Heading,
    /// A line that is not joined with others: an empty one, one of a table or a quotation, a link definition.
    Whole,
    /// A line of a code block, unless it continues a paragraph.
    Code,
    /// The first line of a list item, whose text begins at the byte `start`.
    Item {
        /// How many bytes there are before its text.
        start: usize,
    },
    /// A line of a paragraph.
    Prose,
}

/// What `line` is, outside of code blocks with fences.
pub fn kind(line: &str) -> Kind<'_> {
    const CODE: usize = 4;
    let own = line.trim_start();
    let indent = line.len() - own.len();
    let ticks = own.len() - own.trim_start_matches('`').len();
    let marker = own.split(' ').next().unwrap_or_default();
    let number = marker.strip_suffix(['.', ')']).unwrap_or_default();
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    match marker {
        _ if ticks >= 3 => Kind::Fence(slice(own, ..ticks)),
        "" => Kind::Whole,
        "-" | "*" | "+" => Kind::Item { start: indent + marker.len() + 1 },
        _ if is_number => Kind::Item { start: indent + marker.len() + 1 },
        _ if marker.trim_start_matches('#').is_empty() => Kind::Heading,
        _ if own.starts_with(['|', '>']) || is_definition(own) => Kind::Whole,
        _ if indent >= CODE => Kind::Code,
        _ => Kind::Prose,
    }
}

/// Whether a line begins like `[label]: target`.
fn is_definition(line: &str) -> bool {
    line.strip_prefix('[').and_then(|line| line.split_once(']')).is_some_and(|(_, rest)| rest.starts_with(':'))
}
