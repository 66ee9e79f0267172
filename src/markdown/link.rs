//! Links, pictures and references of a document, and the names that links into it may use.

use crate::span::slice;
use percent_encoding::percent_decode_str;
use std::borrow::Cow;
use std::ops::Range;

/// A link or a picture, in Markdown or in HTML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its bytes.
    pub span: Range<usize>,
    /// Where it leads, as written; of a reference, what its definition says.
    pub target: String,
}

/// `[text][reference]` without a definition of the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndefinedReference {
    /// Its bytes.
    pub span: Range<usize>,
    /// What is not defined.
    pub reference: String,
}

/// The target of a link with its `%20` and the like decoded, where that makes text.
pub fn decoded(target: &str) -> Cow<'_, str> {
    percent_decode_str(target).decode_utf8().unwrap_or(Cow::Borrowed(target))
}

/// What the attributes of an HTML tag say of links: where it leads, and the names that it gives to its place.
pub(super) struct Attributes {
    pub target: Option<String>,
    pub names: Vec<String>,
}

/// Reads a tag such as `<a href="…">`, `<img src='…'>` or `<a name="…">`.
pub(super) fn attributes(tag: &str) -> Attributes {
    let lower = tag.to_ascii_lowercase();
    let attribute = |name: &str| {
        let starts = |at: &usize| slice(&lower, ..*at).ends_with(char::is_whitespace);
        let at = lower.match_indices(name).map(|(at, _)| at).find(starts)? + name.len();
        let value = slice(tag, at..).trim_start().strip_prefix('=')?.trim_start();
        let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        slice(value, 1..).split(quote).next().map(|value| value.trim().to_owned())
    };
    let names = ["name", "id"].iter().filter_map(|name| attribute(name)).collect();
    Attributes { target: attribute("href").or_else(|| attribute("src")), names }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_read_in_any_case_and_quotes() {
        assert_eq!(attributes("<A HREF='#x' >").target.as_deref(), Some("#x"));
        assert_eq!(attributes("<img alt=\"a\" src = \"b.png\"/>").target.as_deref(), Some("b.png"));
        assert_eq!(attributes("<a name='x' id=\"y\">").names, ["x", "y"]);
        assert_eq!(attributes("<a data-href=\"z\">").target, None);
    }
}
