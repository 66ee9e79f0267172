//! Links, images and references of a document, and the attributes of HTML tags that matter for links.

use crate::span::slice;
use percent_encoding::percent_decode_str;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// A link or an image, in Markdown or in HTML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub span: Range<usize>,
    /// Its target as written; for a reference, the target in its definition.
    pub target: String,
}

/// `[text][reference]` with a reference that is not defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndefinedReference {
    pub span: Range<usize>,
    pub reference: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    pub span: Range<usize>,
    pub label: String,
    pub target: String,
}

/// The definitions of a document, by label.
#[derive(Clone, Debug, Default)]
pub struct Definitions(HashMap<String, Definition>);

impl Definitions {
    /// The definition of `label`. Case does not count.
    pub fn get(&self, label: &str) -> Option<&Definition> {
        self.0.get(&label.trim().to_lowercase())
    }
}

impl FromIterator<Definition> for Definitions {
    fn from_iter<I: IntoIterator<Item = Definition>>(definitions: I) -> Self {
        Self(definitions.into_iter().map(|definition| (definition.label.trim().to_lowercase(), definition)).collect())
    }
}

/// The target of a link with `%20` and the like decoded, if the result is UTF-8.
pub fn decoded(target: &str) -> Cow<'_, str> {
    percent_decode_str(target).decode_utf8().unwrap_or(Cow::Borrowed(target))
}

/// A target that has a bracket at its end, or is in brackets, without them. `http://[::1]` and `[a-z]*[0-9]` need theirs.
pub fn in_brackets(target: &str) -> Option<&str> {
    let inside = target.strip_suffix(']')?;
    let inside = inside.strip_prefix('[').unwrap_or(inside);
    (!inside.contains(['[', ']', '*'])).then_some(inside)
}

/// The attributes of an HTML tag that matter for links: its target, and the anchors that it defines.
pub(super) struct Attributes {
    pub target: Option<String>,
    pub names: Vec<String>,
}

/// Parses a tag such as `<a href="…">`, `<img src='…'>` or `<a name="…">`.
pub(super) fn attributes(tag: &str) -> Attributes {
    let lower = tag.to_ascii_lowercase();
    let attribute = |name: &str| {
        let starts = |at: &usize| slice(&lower, ..*at).ends_with(char::is_whitespace);
        let mut ends = lower.match_indices(name).map(|(at, _)| at).filter(starts).map(|at| at + name.len());
        let value = ends.find_map(|end| slice(tag, end..).trim_start().strip_prefix('='))?.trim_start();
        let value = match value.chars().next()? {
            quote @ ('"' | '\'') => slice(value, 1..).split(quote).next()?,
            _ => value.split(|letter: char| letter.is_whitespace() || letter == '>').next()?,
        };
        Some(value.trim().to_owned())
    };
    let names = ["name", "id"].iter().filter_map(|name| attribute(name)).collect();
    Attributes { target: attribute("href").or_else(|| attribute("src")), names }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_parsed_in_any_case_and_quotes() {
        assert_eq!(attributes("<A HREF='#x' >").target.as_deref(), Some("#x"));
        assert_eq!(attributes("<img alt=\"a\" src = \"b.png\"/>").target.as_deref(), Some("b.png"));
        assert_eq!(attributes("<a name='x' id=\"y\">").names, ["x", "y"]);
        assert_eq!(attributes("<a data-href=\"z\">").target, None);
        assert_eq!(attributes("<p id=x>").names, ["x"]);
        assert_eq!(attributes("<span identity='a' id=\"b\" name = c >").names, ["c", "b"]);
    }
}
