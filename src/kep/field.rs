//! Values of a YAML file with their spans, read from its tree.

use crate::diagnostic::brief;
use crate::span::{FileId, Span};
use crate::yaml::tree::{Entry, Node, Yaml};
use std::borrow::Cow;
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field<T = ()> {
    /// The parsed value; `None` if it is invalid, and for fields that are plain text.
    pub value: Option<T>,
    /// Its text as written, also if it looks like a number or a date.
    pub text: String,
    pub span: Span,
    /// The span of its key; for an item of a list, the item itself.
    pub key: Span,
    /// The comment after it on the same line, without `#`.
    pub comment: Option<String>,
}

impl<T> Field<T> {
    pub fn shown(&self) -> Cow<'_, str> {
        brief(&self.text)
    }

    pub fn parsed<U>(self, parse: impl Fn(&str) -> Option<U>) -> Field<U> {
        let Self { text, span, key, comment, .. } = self;
        Field { value: parse(&text), text, span, key, comment }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List {
    pub key: Option<Span>,
    pub items: Vec<Field>,
    /// The spans of the items that are null; for an empty item, that of the key.
    pub nulls: Vec<Span>,
}

/// The first line of `text` that is not blank, a comment or `---`; the first line if there is none.
pub fn first_line(file: FileId, text: &str) -> Span {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end();
        if !content.is_empty() && !content.starts_with('#') && content != "---" {
            return Span::new(file, at..at + content.len());
        }
        at += line.len();
    }
    Span::new(file, 0..text.lines().next().unwrap_or_default().len())
}

pub struct Reader<'a> {
    tree: &'a Yaml,
    entries: BTreeMap<&'a str, &'a Entry>,
}

impl<'a> Reader<'a> {
    /// A reader of `node`. It finds nothing if `node` is not a mapping.
    pub fn new(tree: &'a Yaml, node: Option<&'a Node>) -> Self {
        let mut entries = BTreeMap::new();
        for entry in node.map(|node| tree.entries(node)).unwrap_or_default() {
            if let Some(key) = tree.resolve(&entry.key).as_str() {
                entries.entry(key).or_insert(entry);
            }
        }
        Self { tree, entries }
    }

    pub fn value(&self, key: &str) -> Option<&'a Node> {
        self.entries.get(key).map(|entry| self.tree.resolve(&entry.value))
    }

    pub fn key(&self, key: &str) -> Option<Span> {
        self.entries.get(key).map(|entry| entry.key.span)
    }

    pub fn field(&self, key: &str) -> Option<Field> {
        let entry = self.entries.get(key)?;
        self.scalar(&entry.value, entry.key.span)
    }

    pub fn typed<T>(&self, key: &str, parse: impl Fn(&str) -> Option<T>) -> Option<Field<T>> {
        self.field(key).map(|field| field.parsed(parse))
    }

    pub fn list(&self, key: &str) -> List {
        let Some(entry) = self.entries.get(key) else { return List::default() };
        let nodes = self.tree.resolve(&entry.value).as_sequence().unwrap_or_default();
        let items = nodes.iter().filter_map(|item| self.scalar(item, item.span)).collect();
        let nulls = nodes.iter().filter(|item| self.tree.resolve(item).is_null());
        List { key: Some(entry.key.span), items, nulls: nulls.map(|item| item.span).collect() }
    }

    fn scalar(&self, node: &Node, key: Span) -> Option<Field> {
        let text = self.tree.resolve(node).as_str()?.to_owned();
        let comment = node.comment.as_ref().map(|comment| comment.text.clone());
        Some(Field { value: None, text, span: node.span, key, comment })
    }
}
