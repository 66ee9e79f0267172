//! Where a place is in YAML: what is typed at the moment is seldom valid, so that lines and their indentation tell.

use crate::span::slice;
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor<'t> {
    /// The keys around it, from the outermost on; for a value, the last one is its own.
    pub path: Vec<&'t str>,
    pub role: Role,
    /// The bytes of what is there already.
    pub range: Range<usize>,
    /// What else is there: the other keys of a mapping, or the other items of a list, without quotes.
    pub others: Vec<&'t str>,
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

#[derive(Clone, Copy)]
struct Line<'t> {
    /// The column of its dash, or else of its text.
    column: usize,
    /// The column of its text after the dash; the same if it has none.
    inner: usize,
    content: &'t str,
}

impl<'t> Line<'t> {
    /// `None` for an empty line, and one that is only a comment.
    fn of(line: &'t str) -> Option<Self> {
        let line = comment(line).map_or(line, |at| slice(line, ..at.saturating_sub(1))).trim_end();
        let content = line.trim_start_matches(' ');
        if content.is_empty() {
            return None;
        }
        let column = line.len() - content.len();
        let inner = if content.starts_with("- ") || content == "-" {
            line.len() - content.trim_start_matches('-').trim_start_matches(' ').len()
        } else {
            column
        };
        Some(Self { column, inner, content: slice(line, inner.min(line.len())..) })
    }

    fn is_item(&self) -> bool {
        self.inner > self.column
    }

    /// The key that it begins with, and what follows the colon.
    fn key(&self) -> Option<(&'t str, &'t str)> {
        let at = colon(self.content)?;
        Some((unquoted(slice(self.content, ..at)), slice(self.content, at + 1..).trim()))
    }
}

impl<'t> Cursor<'t> {
    /// The place at byte `offset`; `None` where nothing can be completed.
    pub fn at(text: &'t str, offset: usize) -> Option<Self> {
        let start = slice(text, ..offset).rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let end = slice(text, offset..).find(['\r', '\n']).map_or(text.len(), |at| offset + at);
        let end = start + comment(slice(text, start..end)).map_or(end - start, |at| at - 1).max(offset - start);
        let before = slice(text, start..offset);
        let content = before.trim_start_matches(' ');
        if content.starts_with('\t') {
            return None;
        }
        let is_item = content.starts_with("- ") || content == "-";
        let column = before.len() - content.len();
        let inner = if is_item { slice(content, 1..).trim_start_matches(' ') } else { content };
        let inner_start = offset - inner.len();
        let above: Vec<&str> = slice(text, ..start).lines().collect();
        let below = slice(text, end..).lines().skip(1);
        if let Some(colon) = colon(inner) {
            let key = unquoted(slice(inner, ..colon));
            let mut path = keys_around(&above, inner_start - start, is_item.then_some(column));
            path.push(key);
            let value = slice(inner, colon + 1..);
            return Some(Self::value(text, path, offset - value.len()..offset, end));
        }
        if is_item {
            let path = keys_around(&above, column + 1, None);
            let others = items(&above, below, column);
            let range = inner_start..end - trailing(slice(text, offset..end));
            let is_crowded = content == "-";
            return Some(Self { path, role: Role::Item, range, others, is_crowded });
        }
        let range = inner_start..offset + key_length(slice(text, offset..end));
        let has_colon = slice(text, range.end..end).starts_with(':');
        let path = keys_around(&above, column, None);
        let others = keys_beside(&above, below, column);
        Some(Self { path, role: Role::Key { has_colon }, range, others, is_crowded: false })
    }

    /// The place of a value that is written in `typed` so far.
    fn value(text: &'t str, path: Vec<&'t str>, typed: Range<usize>, end: usize) -> Self {
        let written = slice(text, typed.clone());
        let value = written.trim_start();
        if let Some(list) = value.strip_prefix('[') {
            // A list on one line.
            let item = list.rsplit(',').next().unwrap_or(list).trim_start();
            let rest = slice(text, typed.end..end);
            let close = rest.find([',', ']']).unwrap_or(rest.len() - trailing(rest));
            let others = list.split(',').chain(slice(rest, close..).split([',', ']'])).map(unquoted);
            let others = others.filter(|other| !other.is_empty()).collect();
            let range = typed.end - item.len()..typed.end + close;
            return Self { path, role: Role::Value, range, others, is_crowded: false };
        }
        let range = typed.end - value.len()..(end - trailing(slice(text, typed.end..end))).max(typed.end);
        Self { path, role: Role::Value, range, others: Vec::new(), is_crowded: written.is_empty() }
    }
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

fn key_length(rest: &str) -> usize {
    rest.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-' || letter == '_')).unwrap_or(rest.len())
}

/// How many blanks are at the end.
fn trailing(text: &str) -> usize {
    text.len() - text.trim_end().len()
}

/// The keys of the mappings around something at `column`, from the outermost on. `dash` is the column of its own dash.
fn keys_around<'t>(above: &[&'t str], column: usize, dash: Option<usize>) -> Vec<&'t str> {
    let mut path = Vec::new();
    // Below a key, a list may be at the column of the key.
    let (mut column, mut is_list) = (dash.map_or(column, |dash| dash + 1), dash.is_some());
    for line in above.iter().rev().filter_map(|line| Line::of(line)) {
        if column == 0 {
            break;
        }
        if line.is_item() && line.inner >= column && line.column < column {
            // A key of the same item.
            (column, is_list) = (line.column + 1, true);
        } else if line.inner < column && !(is_list && line.is_item() && line.column + 1 == column) {
            let Some((key, _)) = line.key() else { break };
            path.push(key);
            (column, is_list) = if line.is_item() { (line.column + 1, true) } else { (line.inner, false) };
        }
    }
    path.reverse();
    path
}

/// The other keys of the mapping whose keys are at `column`.
fn keys_beside<'t>(above: &[&'t str], below: impl Iterator<Item = &'t str>, column: usize) -> Vec<&'t str> {
    let mut keys = Vec::new();
    for line in above.iter().rev().filter_map(|line| Line::of(line)) {
        if line.inner == column {
            keys.extend(line.key().map(|(key, _)| key));
        }
        if line.column < column {
            break;
        }
    }
    let below = below.filter_map(Line::of).take_while(|line| line.column >= column);
    keys.extend(below.filter(|line| line.column == column).filter_map(|line| Some(line.key()?.0)));
    keys
}

/// The other items of the list whose dashes are at `column`.
fn items<'t>(above: &[&'t str], below: impl Iterator<Item = &'t str>, column: usize) -> Vec<&'t str> {
    let is_inside = |line: &Line<'_>| line.column > column || line.column == column && line.is_item();
    let before = above.iter().rev().filter_map(|line| Line::of(line)).take_while(is_inside);
    let after = below.filter_map(Line::of).take_while(is_inside);
    before.chain(after).filter(|line| line.column == column).map(|line| unquoted(line.content)).collect()
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
        assert_eq!(at(gates), place("feature-gates", key, "", "components name"));
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
