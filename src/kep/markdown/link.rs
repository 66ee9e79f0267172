//! Links, pictures and references of a document, and the names that links into it may use.

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

/// What the attributes of an HTML tag say of links: where it leads, and the name that it gives to its place.
pub(super) struct Attributes {
    pub target: Option<String>,
    pub name: Option<String>,
}

/// Reads a tag such as `<a href="…">`, `<img src='…'>` or `<a name="…">`.
pub(super) fn attributes(tag: &str) -> Attributes {
    let attribute = |names: [&str; 2]| {
        let lower = tag.to_ascii_lowercase();
        let value = names.iter().find_map(|name| {
            let at =
                lower.match_indices(name).find(|(at, _)| lower[..*at].ends_with(char::is_whitespace))?.0 + name.len();
            let value = tag[at..].trim_start().strip_prefix('=')?.trim_start();
            let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
            value[1..].split(quote).next()
        });
        value.map(|value| value.trim().to_owned())
    };
    Attributes { target: attribute(["href", "src"]), name: attribute(["name", "id"]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_read_in_any_case_and_quotes() {
        assert_eq!(attributes("<A HREF='#x' >").target.as_deref(), Some("#x"));
        assert_eq!(attributes("<img alt=\"a\" src = \"b.png\"/>").target.as_deref(), Some("b.png"));
        assert_eq!(attributes("<a id=\"y\">").name.as_deref(), Some("y"));
        assert_eq!(attributes("<a data-href=\"z\">").target, None);
    }
}
