//! Where a place is in YAML. What is typed at the moment is seldom valid: a word that is takes its place,
//! and the tree tells where that word is.

use crate::span::{FileId, line_at, slice};
use crate::yaml;
use crate::yaml::tree::{Entry, Node, Value};
use std::ops::Range;

/// The word that is read in place of what is typed.
const HERE: &str = "what-is-typed-here";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The keys around it, from the outermost on; for a value, the last one is its own.
    pub path: Vec<String>,
    pub role: Role,
    /// The bytes of what is there already.
    pub range: Range<usize>,
    /// What else is there: the other keys of a mapping, or the other items of a list.
    pub others: Vec<String>,
    /// Whether a blank is needed before it.
    pub is_crowded: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A key; whether it has its colon already.
    Key { has_colon: bool },
    /// A value, or an item of a list.
    Value,
    /// The first word of an item of a list: an item, or the key of a mapping.
    Item,
}

impl Cursor {
    /// The place at byte `offset`; `None` where nothing can be completed.
    pub fn at(text: &str, offset: usize) -> Option<Self> {
        let Range { start, end } = line_at(text, offset);
        let end = start + comment(slice(text, start..end)).map_or(end - start, |at| at - 1).max(offset - start);
        let content = slice(text, start..offset).trim_start_matches(' ');
        if content.starts_with('\t') {
            return None;
        }
        let is_item = content.starts_with("- ") || content == "-";
        let inner = if is_item { slice(content, 1..).trim_start_matches(' ') } else { content };
        let inner_start = offset - inner.len();
        let rest = slice(text, offset..end);
        let found = |typed: &str| {
            let valid = [slice(text, ..inner_start), typed, " ", slice(text, end..)].concat();
            find(yaml::parse(FileId(0), &valid).root.as_ref()?)
        };
        if let Some(colon) = colon(inner) {
            let (path, _) = found(&format!("{}: {HERE}", slice(inner, ..colon)))?;
            let typed = slice(inner, colon + 1..);
            return Some(Self::value(path, typed, rest, offset));
        }
        if is_item {
            let is_crowded = content == "-";
            let blank = if is_crowded { " " } else { "" };
            // Other keys of the same item may follow.
            let (path, others) = found(&format!("{blank}{HERE}")).or_else(|| found(&format!("{blank}{HERE}:")))?;
            let range = inner_start..end - trailing(rest);
            return Some(Self { path, role: Role::Item, range, others, is_crowded });
        }
        let (path, others) = found(&format!("{HERE}:"))?;
        let is_of_key = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
        let range = inner_start..offset + rest.find(|letter| !is_of_key(letter)).unwrap_or(rest.len());
        let has_colon = slice(text, range.end..end).starts_with(':');
        Some(Self { path, role: Role::Key { has_colon }, range, others, is_crowded: false })
    }

    /// The place of a value that is written in `typed` up to byte `offset`, and in `rest` after it.
    fn value(path: Vec<String>, typed: &str, rest: &str, offset: usize) -> Self {
        let value = typed.trim_start();
        if let Some(list) = value.strip_prefix('[') {
            // A list on one line.
            let item = list.rsplit(',').next().unwrap_or(list).trim_start();
            let close = rest.find([',', ']']).unwrap_or(rest.len() - trailing(rest));
            let others = list.split(',').chain(slice(rest, close..).split([',', ']'])).map(unquoted);
            let others = others.filter(|other| !other.is_empty()).map(str::to_owned).collect();
            let range = offset - item.len()..offset + close;
            return Self { path, role: Role::Value, range, others, is_crowded: false };
        }
        let range = offset - value.len()..offset + rest.len() - trailing(rest);
        Self { path, role: Role::Value, range, others: Vec::new(), is_crowded: typed.is_empty() }
    }
}

/// The keys around the word that is typed, and what else is beside it.
fn find(node: &Node) -> Option<(Vec<String>, Vec<String>)> {
    let is_here = |it: &Node| it.as_str() == Some(HERE);
    let named = |it: &Node| it.as_str().map(str::to_owned);
    match &node.value {
        Value::Scalar(_) if is_here(node) => Some(Default::default()),
        Value::Scalar(_) | Value::Alias(_) => None,
        Value::Sequence(items) if items.iter().any(is_here) => {
            Some((Vec::new(), items.iter().filter(|item| !is_here(item)).filter_map(named).collect()))
        }
        Value::Sequence(items) => items.iter().find_map(find),
        Value::Mapping(entries) if entries.iter().any(|entry| is_here(&entry.key)) => {
            let keys = entries.iter().map(|entry| &entry.key);
            Some((Vec::new(), keys.filter(|key| !is_here(key)).filter_map(named).collect()))
        }
        Value::Mapping(entries) => entries.iter().find_map(find_in),
    }
}

fn find_in(entry: &Entry) -> Option<(Vec<String>, Vec<String>)> {
    let (inner, others) = find(&entry.value)?;
    let key = entry.key.as_str().unwrap_or_default().to_owned();
    Some((std::iter::once(key).chain(inner).collect(), others))
}

/// Where the text of the comment of a line begins, after the `#`.
pub fn comment(line: &str) -> Option<usize> {
    let starts = line.match_indices('#').map(|(at, _)| at);
    let is_start = |at: &usize| {
        let before = slice(line, ..*at);
        let is_open = |quote: char| before.matches(quote).count() % 2 == 1;
        (before.trim().is_empty() || before.ends_with([' ', '\t'])) && !is_open('"')
    };
    starts.into_iter().find(is_start).map(|at| at + 1)
}

fn colon(content: &str) -> Option<usize> {
    let at = content.find(": ").or_else(|| content.strip_suffix(':').map(str::len))?;
    let key = slice(content, ..at);
    let is_key = !key.is_empty() && !key.starts_with(['[', '{', '|', '>', '&', '*', '!']);
    is_key.then_some(at)
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['"', '\''])
}

/// How many blanks are at the end.
fn trailing(text: &str) -> usize {
    text.len() - text.trim_end().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place at `|`: the keys around it, what is written, the bytes there, and what else is there.
    fn at(text: &str) -> Option<(String, Role, String, String)> {
        let offset = text.find('|').expect("the place is marked");
        let text = text.replace('|', "");
        let Cursor { path, role, range, others, .. } = Cursor::at(&text, offset)?;
        assert!(range.start <= offset && offset <= range.end, "{range:?} is not around {offset}");
        Some((path.join("."), role, text[range].to_owned(), others.join(" ")))
    }

    fn place(path: &str, role: Role, there: &str, others: &str) -> Option<(String, Role, String, String)> {
        Some((path.to_owned(), role, there.to_owned(), others.to_owned()))
    }

    #[test]
    fn keys_have_the_keys_around_and_beside_them() {
        let key = Role::Key { has_colon: false };
        assert_eq!(at("title: x\nsta|\nowning-sig: y\n"), place("", key, "sta", "title owning-sig"));
        assert_eq!(at("sta|tus: x\n"), place("", Role::Key { has_colon: true }, "status", ""));
        let text = "milestone:\n  alpha: v1\n  |\n  # c\n  beta: v2\nstatus: x\n";
        assert_eq!(at(text), place("milestone", key, "", "alpha beta"));
        let gates = "feature-gates:\n  - name: A\n    components:\n      - kubelet\n    |\n  - name: B\n";
        assert_eq!(at(gates), place("feature-gates", key, "", "name components"));
        assert_eq!(at("|"), place("", key, "", ""));
        assert_eq!(at("\t|"), None);
    }

    #[test]
    fn values_have_the_keys_around_them() {
        assert_eq!(at("status: pro|visional # x\n"), place("status", Role::Value, "provisional", ""));
        assert_eq!(at("status:|\n"), place("status", Role::Value, "", ""));
        assert_eq!(at("milestone:\n  beta: \"v1|\"\n"), place("milestone.beta", Role::Value, "\"v1\"", ""));
        assert_eq!(at("beta:\r\n  approver: |\r\n"), place("beta.approver", Role::Value, "", ""));
        assert_eq!(at("authors: [a, \"@b|\", c]\n"), place("authors", Role::Value, "\"@b\"", "a @b c"));
        let gates = "feature-gates:\n  - name: A\n  - name: |\n";
        assert_eq!(at(gates), place("feature-gates.name", Role::Value, "", ""));
    }

    #[test]
    fn items_have_the_key_of_their_list() {
        assert_eq!(at("approvers:\n- \"@a\"\n- |\n- b # c\nx: y\n"), place("approvers", Role::Item, "", "@a b"));
        assert_eq!(at("title: x\nsee-also:\n  - /keps/|\n"), place("see-also", Role::Item, "/keps/", ""));
        let gates = "feature-gates:\n  - name: A\n    components:\n      - kubelet\n      - |\n";
        assert_eq!(at(gates), place("feature-gates.components", Role::Item, "", "kubelet"));
        assert_eq!(at("feature-gates:\n  - |\n"), place("feature-gates", Role::Item, "", ""));
        assert_eq!(at("see-also:\n  -|\n"), place("see-also", Role::Item, "", ""));
    }
}
