//! What a part of a KEP is about, which decides what is known of it and where it leads.

use crate::markdown::section::SectionId;
use crate::rules::rule::Rule;
use crate::span::Span;

/// A part of a text, and what it is about.
pub struct About<'v> {
    pub span: Span,
    pub thing: Thing<'v>,
}

/// Something in a file of a KEP.
pub enum Thing<'v> {
    Heading(SectionId),
    /// A link to an anchor in the same document, without `#`.
    Anchor(&'v str),
    /// A file or a directory of the repository.
    Path {
        path: String,
        anchor: Option<&'v str>,
    },
    Gate(&'v str),
    /// A key of a YAML file, with those around it, the outermost first.
    Key(Vec<&'v str>),
    Value {
        keys: Vec<&'v str>,
        text: &'v str,
    },
    Rule(&'static Rule),
}

#[cfg(test)]
impl Thing<'_> {
    pub fn words(&self) -> String {
        match self {
            Self::Heading(id) => format!("heading {}", id.0),
            Self::Anchor(name) => format!("#{name}"),
            Self::Path { path, anchor: None } => path.clone(),
            Self::Path { path, anchor: Some(anchor) } => format!("{path}#{anchor}"),
            Self::Gate(name) => (*name).to_owned(),
            Self::Key(keys) => format!("key {}", keys.join(".")),
            Self::Value { keys, text } => format!("{}={text}", keys.join(".")),
            Self::Rule(rule) => format!("rule {}", rule.name),
        }
    }
}
