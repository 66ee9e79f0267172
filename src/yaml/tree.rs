//! A YAML text as a tree in which every node has its place, and the ways through it.

use crate::span::Span;

/// What is nested deeper is refused, so that code which walks a tree may recurse; dropping one does.
pub const MAX_DEPTH: usize = 100;

/// What a text holds, and what keeps it from being YAML.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Yaml {
    /// The first document; `None` if there is nothing but comments and blank lines, or nothing that could be read.
    /// With syntax errors it is a mapping of those top-level entries that could be read.
    pub root: Option<Node>,
    /// The syntax errors in the order of the text: one for every broken top-level entry, but all values in it that need
    /// quotes.
    pub problems: Vec<Problem>,
    /// The first place that is nested too deep to be read, if there is one.
    pub too_deep: Option<Span>,
    /// Keys of the top-level entries that are there but could not be read: they are not missing.
    pub unread: Vec<String>,
}

/// A value, or a key, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// A scalar from quote to quote, a flow collection from bracket to bracket, a block collection from its first child
    /// to its last, a block scalar's text without its header. Where nothing is written: empty, behind colon or dash.
    pub span: Span,
    /// What stands there.
    pub value: Value,
    /// The tag as written, core tags always in their short form: `!!int`, `!custom`, `!`.
    pub tag: Option<Box<str>>,
    /// The offset of `&name`, if others can refer to this node.
    pub anchor: Option<usize>,
    /// The comment behind it on the same line; for a key, if its value begins on a later line: `authors: # in order`.
    pub comment: Option<Box<Comment>>,
}

/// What kind of node it is, with its content.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Text of any style, also where nothing is written.
    Scalar(Scalar),
    /// A list.
    Sequence(Vec<Node>),
    /// Keys with values, in the order of the text; duplicates are all there.
    Mapping(Vec<Entry>),
    /// A reference to an anchored node; never expanded, [`Yaml::target`] follows it.
    Alias(Alias),
}

/// A scalar's text and notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The text without quotes and escapes; empty where nothing is written.
    pub text: String,
    /// How it is written.
    pub style: Style,
}

/// The notations of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Without quotes.
    Plain,
    /// `'text'`
    SingleQuoted,
    /// `"text"`
    DoubleQuoted,
    /// `|` and indented lines.
    Literal,
    /// `>` and indented lines.
    Folded,
}

/// `*name`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alias {
    /// The offset of the `&name` that it refers to, if there is one in front of it.
    pub anchor: Option<usize>,
}

/// One `key: value` of a mapping.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// What stands before the colon.
    pub key: Node,
    /// What stands behind it.
    pub value: Node,
}

/// A comment behind a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// From `#` to the last character of the line that is not blank.
    pub span: Span,
    /// The text without `#` and the blanks around it.
    pub text: String,
}

/// A syntax error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is to be changed; not empty unless the text is.
    pub span: Span,
    /// What is wrong, as a clause.
    pub message: String,
    /// What to do, if that can be told: mostly the line to write.
    pub help: Option<String>,
}

impl Yaml {
    /// The node that `alias` refers to. The search descends once, so that following every alias of a text stays cheap.
    pub fn target(&self, alias: &Alias) -> Option<&Node> {
        let anchor = alias.anchor?;
        let mut node = self.root.as_ref()?;
        while node.anchor != Some(anchor) {
            node = match &node.value {
                Value::Sequence(items) => items.get(items.partition_point(|item| item.span.end <= anchor))?,
                Value::Mapping(entries) => {
                    let entry = entries.get(entries.partition_point(|entry| entry.value.span.end <= anchor))?;
                    if entry.key.span.end <= anchor { &entry.value } else { &entry.key }
                }
                Value::Scalar(_) | Value::Alias(_) => return None,
            };
        }
        Some(node)
    }

    /// The node that an alias stands for; any other node itself.
    pub fn resolve<'a>(&'a self, node: &'a Node) -> &'a Node {
        match &node.value {
            Value::Alias(alias) => self.target(alias).unwrap_or(node),
            _ => node,
        }
    }

    /// The entries of a mapping, those that are merged into it last; an alias is followed.
    pub fn entries<'a>(&'a self, node: &'a Node) -> Vec<&'a Entry> {
        let Some(own) = self.resolve(node).as_mapping() else { return Vec::new() };
        let (merges, plain): (Vec<_>, Vec<_>) = own.iter().partition(|entry| entry.is_merge());
        let merged = merges
            .into_iter()
            .flat_map(|merge| self.merged(&merge.value))
            .flat_map(|node| self.resolve(node).as_mapping().into_iter().flatten().filter(|entry| !entry.is_merge()));
        plain.into_iter().chain(merged).collect()
    }

    /// The nodes that the `value` of a merge key names.
    pub fn merged<'a>(&'a self, value: &'a Node) -> Vec<&'a Node> {
        match self.resolve(value).as_sequence() {
            Some(list) => list.iter().collect(),
            None => vec![value],
        }
    }
}

impl Entry {
    /// Whether it is `<<: …`, which merges other mappings into its own.
    pub fn is_merge(&self) -> bool {
        let is_plain = matches!(&self.key.value, Value::Scalar(Scalar { text, style: Style::Plain }) if text == "<<");
        is_plain && self.key.tag.as_deref().is_none_or(|tag| tag == "!!merge")
    }
}

impl Node {
    /// Whether upstream's decoder takes it for null: nothing at all, `~`, `null`, `Null`, `NULL`, `!!null`.
    pub fn is_null(&self) -> bool {
        let Value::Scalar(scalar) = &self.value else { return false };
        match self.tag.as_deref() {
            None | Some("!") => {
                scalar.style == Style::Plain && matches!(scalar.text.as_str(), "" | "~" | "null" | "Null" | "NULL")
            }
            Some(tag) => tag == "!!null",
        }
    }

    /// The text of a scalar that is not null.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar(scalar) if !self.is_null() => Some(&scalar.text),
            _ => None,
        }
    }

    /// The items of a sequence.
    pub fn as_sequence(&self) -> Option<&[Node]> {
        match &self.value {
            Value::Sequence(items) => Some(items),
            _ => None,
        }
    }

    /// The entries of a mapping.
    pub fn as_mapping(&self) -> Option<&[Entry]> {
        match &self.value {
            Value::Mapping(entries) => Some(entries),
            _ => None,
        }
    }

    /// The first entry of a mapping whose key is the text `key`.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.as_mapping()?.iter().find(|entry| entry.key.as_str() == Some(key))
    }

    /// A mapping of `entries`, which spans them.
    pub(super) fn mapping(entries: Vec<Entry>) -> Option<Self> {
        let (first, last) = (entries.first()?.key.span, entries.last()?.value.span);
        let span = Span::new(first.file, first.start..last.end);
        Some(Self { span, value: Value::Mapping(entries), tag: None, anchor: None, comment: None })
    }
}
