//! What a part of a KEP is about, which decides what is known of it and where it leads.

use crate::markdown::section::SectionId;
use crate::rules::rule::Rule;
use crate::span::Span;

/// A part of a text, and what it is about.
pub struct About<'v> {
    /// The part.
    pub span: Span,
    /// What it is about.
    pub thing: Thing<'v>,
}

/// Something in a file of a KEP.
pub enum Thing<'v> {
    /// A heading of the document.
    Heading(SectionId),
    /// A link to an anchor in the same document, without `#`.
    Anchor(&'v str),
    /// A file or a directory of the repository.
    Path {
        /// From `keps` on.
        path: String,
        /// An anchor there, without `#`.
        anchor: Option<&'v str>,
    },
    /// A feature gate.
    Gate(&'v str),
    /// A key of a YAML file, with those around it, the outermost first.
    Key(Vec<&'v str>),
    /// A value there.
    Value {
        /// Its keys, the outermost first.
        keys: Vec<&'v str>,
        /// Its text.
        text: &'v str,
    },
    /// A rule that an ignore names.
    Rule(&'static Rule),
}

#[cfg(test)]
impl Thing<'_> {
    /// In a few words.
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
