//! A YAML text as a tree in which every node has its span, and functions to navigate it.

use super::date::Date;
use crate::span::{Span, last_until, slice};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Yaml {
    /// The first document; `None` if the text has only comments and blank lines, or if nothing can be read. With syntax
    /// errors, it is a mapping of the top-level entries that can be read.
    pub root: Option<Node>,
    /// The syntax errors in the order of the text: one for each invalid top-level entry, or one for each value in it
    /// that needs quotes.
    pub problems: Vec<Problem>,
    /// Where the nesting becomes too deep to read, if it does.
    pub too_deep: Option<Span>,
    /// Keys of the top-level entries that cannot be read; they do not count as missing.
    pub unread: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// A scalar from quote to quote, a flow collection from bracket to bracket, a block collection from its first child
    /// to its last, a block scalar's text without its header. For an empty value: an empty span after the colon or
    /// dash.
    pub span: Span,
    pub value: Value,
    /// The tag as written; core tags are always in their short form: `!!int`, `!custom`, `!`.
    pub tag: Option<Box<str>>,
    /// The offset of `&name`, if aliases can refer to this node.
    pub anchor: Option<usize>,
    /// The comment after it on the same line; after a key, if its value is not there: `authors: # in order`.
    pub comment: Option<Box<Comment>>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Scalar(Scalar),
    Sequence(Vec<Node>),
    /// Keys with values, in the order of the text, including duplicate keys.
    Mapping(Vec<Entry>),
    /// The offset of the `&name` that it refers to, if there is one before it. It is not expanded; [`Yaml::resolve`] follows it.
    Alias(Option<usize>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    pub text: String,
    pub style: Style,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Literal,
    Folded,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub key: Node,
    pub value: Node,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// From `#` to the last character of the line that is not a space.
    pub span: Span,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The text to change; not empty unless the whole text is.
    pub span: Span,
    pub message: String,
    pub help: Option<String>,
}

impl Yaml {
    /// The node with this anchor. The search goes down only one path, so following every alias of a text is fast.
    fn target(&self, anchor: usize) -> Option<&Node> {
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

    pub fn resolve<'a>(&'a self, node: &'a Node) -> &'a Node {
        match &node.value {
            Value::Alias(Some(anchor)) => self.target(*anchor).unwrap_or(node),
            _ => node,
        }
    }

    /// The entries of a mapping, followed by those that are merged into it; an alias is followed.
    pub fn entries<'a>(&'a self, node: &'a Node) -> Vec<&'a Entry> {
        let Some(own) = self.resolve(node).as_mapping() else { return Vec::new() };
        let (merges, plain): (Vec<_>, Vec<_>) = own.iter().partition(|entry| entry.is_merge());
        let merged = merges.into_iter().flat_map(|merge| self.merged(&merge.value)).flat_map(|source| {
            self.resolve(source).as_mapping().into_iter().flatten().filter(|entry| !entry.is_merge())
        });
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

impl Scalar {
    /// Whether its text is of the type that its tag names. The rules are those of yaml.v3, because upstream accepts or rejects
    /// files by them.
    pub fn is_as_tagged(&self, tag: Option<&str>) -> bool {
        let text = self.text.as_str();
        match tag {
            Some("!!null") => matches!(text, "" | "~" | "null" | "Null" | "NULL"),
            Some("!!bool") => matches!(text, "true" | "True" | "TRUE" | "false" | "False" | "FALSE"),
            Some("!!int") => text.replace('_', "").trim_start_matches(['-', '+']).parse::<u64>().is_ok(),
            Some("!!float") => text.replace('_', "").parse::<f64>().is_ok(),
            Some("!!binary") => is_base64(text),
            Some("!!timestamp") => Date::guess(text).is_some(),
            Some("!!seq" | "!!map") => false,
            _ => true,
        }
    }
}

fn is_base64(text: &str) -> bool {
    let digits: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let padding = digits.iter().rev().take_while(|byte| **byte == b'=').count();
    let mut body = digits.iter().take(digits.len() - padding);
    digits.len().is_multiple_of(4)
        && padding <= 2
        && body.all(|byte| byte.is_ascii_alphanumeric() || b"+/".contains(byte))
}

impl Entry {
    pub fn is_merge(&self) -> bool {
        let is_plain = matches!(&self.key.value, Value::Scalar(Scalar { text, style: Style::Plain }) if text == "<<");
        is_plain && self.key.tag.as_deref().is_none_or(|tag| tag == "!!merge")
    }
}

impl Node {
    /// Whether upstream's decoder reads it as null: empty, `~`, `null`, `Null`, `NULL`, `!!null`.
    pub fn is_null(&self) -> bool {
        let Value::Scalar(scalar) = &self.value else { return false };
        match self.tag.as_deref() {
            None | Some("!") => {
                scalar.style == Style::Plain && matches!(scalar.text.as_str(), "" | "~" | "null" | "Null" | "NULL")
            }
            Some(tag) => tag == "!!null",
        }
    }

    /// The value as a YAML 1.1 boolean. A quoted value is a boolean only if it has the tag `!!bool`.
    pub fn flag(&self) -> Option<bool> {
        let Value::Scalar(Scalar { text, style }) = &self.value else { return None };
        let is_tagged = self.tag.as_deref() == Some("!!bool");
        let is_cased = |word: &str| {
            let capital = slice(word, ..1).to_ascii_uppercase() + slice(word, 1..);
            text == word || *text == capital || *text == word.to_ascii_uppercase()
        };
        if is_tagged && !["true", "false"].iter().any(|word| is_cased(word)) || !is_tagged && *style != Style::Plain {
            return None;
        }
        if ["true", "yes", "on", "y"].iter().any(|word| is_cased(word)) {
            return Some(true);
        }
        ["false", "no", "off", "n"].iter().any(|word| is_cased(word)).then_some(false)
    }

    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar(scalar) if !self.is_null() => Some(&scalar.text),
            _ => None,
        }
    }

    pub fn as_sequence(&self) -> Option<&[Node]> {
        match &self.value {
            Value::Sequence(items) => Some(items),
            _ => None,
        }
    }

    pub fn as_mapping(&self) -> Option<&[Entry]> {
        match &self.value {
            Value::Mapping(entries) => Some(entries),
            _ => None,
        }
    }

    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.as_mapping()?.iter().find(|entry| entry.key.as_str() == Some(key))
    }

    /// Whether it has a key with a value: not null, and no empty text or list.
    pub fn fills(&self, key: &str) -> bool {
        let Some(Entry { value, .. }) = self.get(key) else { return false };
        !value.is_null() && value.as_str() != Some("") && !value.as_sequence().is_some_and(<[_]>::is_empty)
    }

    /// The keys that lead to the node at `span`, and that node; a node in a list of mappings is led to by the first value
    /// of its mapping. `None` if no key or value is there.
    pub fn path_to(&self, span: Span) -> Option<(Vec<&str>, &Self)> {
        let (mut path, mut node) = (Vec::new(), self);
        while node.span != span || path.is_empty() {
            node = match &node.value {
                Value::Mapping(entries) => {
                    let entry = last_until(entries, span.start, |entry| entry.key.span.start)?;
                    path.push(entry.key.as_str().unwrap_or_default());
                    if span.start < entry.key.span.end {
                        return Some((path, &entry.key));
                    }
                    &entry.value
                }
                Value::Sequence(items) => {
                    let item = last_until(items, span.start, |item| item.span.start)?;
                    let first = item.as_mapping().and_then(|entries| entries.first());
                    path.extend(first.map(|first| first.value.as_str().unwrap_or_default()));
                    item
                }
                Value::Scalar(_) | Value::Alias(_) => break,
            };
        }
        (span.start <= node.span.end).then_some((path, node))
    }

    pub(super) fn mapping(entries: Vec<Entry>) -> Option<Self> {
        let (first, last) = (entries.first()?.key.span, entries.last()?.value.span);
        let span = Span::new(first.file, first.start..last.end);
        Some(Self { span, value: Value::Mapping(entries), tag: None, anchor: None, comment: None })
    }
}

#[cfg(test)]
mod tests {
    use crate::span::{FileId, Span};
    use crate::yaml;

    /// The keys that lead to the first `word` of `text`, and the text there.
    fn path(text: &str, word: &str) -> Option<String> {
        let start = text.find(word).expect("the word is there");
        let root = yaml::parse(FileId(0), text).root.expect("the text has a root");
        let (path, node) = root.path_to(Span::new(FileId(0), start..start + word.len()))?;
        Some(format!("{}={}", path.join("."), node.as_str().unwrap_or("?")))
    }

    #[test]
    fn a_span_has_the_keys_that_lead_to_it() {
        let text = "# why\na: 'x y' # so\nb:\n  c: [d, e]\n  f:\nlist:\n- name: G\n  parts:\n  - h\n- i\n";
        assert_eq!(path(text, "'x y'").as_deref(), Some("a=x y"));
        assert_eq!(path(text, "x").as_deref(), Some("a=x y"));
        assert_eq!(path(text, "b").as_deref(), Some("b=b"));
        assert_eq!(path(text, "[d, e]").as_deref(), Some("b.c=?"));
        assert_eq!(path(text, "e]").as_deref(), Some("b.c=e"));
        assert_eq!(path(text, "f").as_deref(), Some("b.f=f"));
        assert_eq!(path(text, "G").as_deref(), Some("list.G.name=G"));
        assert_eq!(path(text, "h\n").as_deref(), Some("list.G.parts=h"));
        assert_eq!(path(text, "i\n").as_deref(), Some("list=i"));
        assert_eq!(path(text, "why"), None);
        assert_eq!(path(text, "so"), None);
    }

    #[test]
    fn an_empty_value_has_a_path() {
        let root = yaml::parse(FileId(0), "a:\nb: 1\n").root.expect("the text has a root");
        let (path, node) = root.path_to(Span::new(FileId(0), 2..2)).expect("a value is there");
        assert_eq!((path, node.is_null()), (vec!["a"], true));
    }
}
