//! Sets one value of a kep.yaml or a PRR file in its text. All other bytes stay: comments, quotes, line ends, the order of
//! keys. What cannot be set without a side effect is refused, because the text is read again after each change.

#[cfg(test)]
mod tests;

use super::scalar::written;
use crate::bounds;
use crate::diagnostic::Edit;
use crate::fix;
use crate::kep::front_matter;
use crate::kep::schema::{self, Key, Shape};
use crate::span::{FileId, LINE_ENDS, Span, last_line_start, line_end, slice};
use crate::yaml;
use crate::yaml::tree::{Entry, Node, Scalar, Style, Value, Yaml};
use std::ops::Range;

/// The file that these functions see; it is never compared with another.
const FILE: FileId = FileId(0);

/// The file of a KEP that a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Proposal,
    Approval,
}

impl Form {
    /// The text as a tree, as upstream reads it.
    pub fn read(self, text: &str) -> Yaml {
        match self {
            Self::Proposal => yaml::parse(FILE, &front_matter::blanked(text, &front_matter::find(text).read)),
            Self::Approval => yaml::parse(FILE, text),
        }
    }

    fn keys(self) -> &'static [Key] {
        match self {
            Self::Proposal => schema::PROPOSAL,
            Self::Approval => schema::REVIEW,
        }
    }

    /// The key at a path of keys; `None` if there is no such key.
    pub fn key(self, path: &[&str]) -> Option<&'static Key> {
        let (last, around) = path.split_last()?;
        self.keys_in(around)?.iter().find(|key| key.name == *last)
    }

    /// The keys of the mapping at a path of keys.
    pub fn keys_in(self, path: &[&str]) -> Option<&'static [Key]> {
        path.iter().try_fold(self.keys(), |keys, name| match keys.iter().find(|key| key.name == *name)?.shape {
            Shape::Mapping(inner) | Shape::Mappings(inner) => Some(inner),
            Shape::Text | Shape::Texts | Shape::Flag => None,
        })
    }
}

/// The text with `value` at `path`, a top-level key or one and a key in its mapping, or why it cannot be set there. A key that
/// is missing is added after the one that precedes it in the template.
pub fn set(text: &str, form: Form, path: &[&str], value: &str) -> Result<String, String> {
    let tree = form.read(text);
    let writer = Writer { text };
    let edit = match (path, tree.root.as_ref()) {
        (_, None) => Ok(writer.append(&format!("{}: {}", path.join(":\n  "), written(value, Style::Plain)))),
        ([key], Some(root)) => writer.set_in(root, key, form.keys(), value, Style::Plain),
        ([around, key], Some(root)) => writer.set_inside(root, (around, key), form.keys(), value),
        _ => Err("has no place: it is too deep"),
    };
    let edit = edit.map_err(|reason| format!("`{}` {reason}", path.join(".")))?;
    verified(text, form, edit, path, |after| value_at(after, path) == Some(value))
}

/// The text in which the block or the value of a top-level `key` is `block`, which begins after the colon. Comments in
/// the old value are lost with it.
pub fn replace(text: &str, form: Form, key: &str, block: &str) -> Result<String, String> {
    let tree = form.read(text);
    let entry = tree.root.as_ref().and_then(|root| root.get(key)).ok_or_else(|| format!("`{key}` is missing"))?;
    let colon =
        slice(text, entry.key.span.end..).find(':').map_or(entry.key.span.end, |at| entry.key.span.end + at + 1);
    let edit = edit(colon..entry.value.span.end.max(colon), block);
    verified(text, form, edit, &[key], |_| true)
}

/// The value at `path`, without quotes; `None` if there is none, or if it is not one scalar.
pub fn get(text: &str, form: Form, path: &[&str]) -> Option<String> {
    value_at(&form.read(text), path).map(str::to_owned)
}

fn value_at<'a>(tree: &'a Yaml, path: &[&str]) -> Option<&'a str> {
    let mut node = tree.root.as_ref()?;
    for key in path {
        let entries = tree.entries(node);
        node = tree.resolve(&entries.into_iter().find(|entry| entry.key.as_str() == Some(*key))?.value);
    }
    node.as_str()
}

/// The text after the edit, if it changes nothing but what is at `path`, and makes it what is wanted.
fn verified(
    text: &str,
    form: Form,
    edit: Edit,
    path: &[&str],
    is_wanted: impl Fn(&Yaml) -> bool,
) -> Result<String, String> {
    let refused = || format!("`{}` cannot be changed without changing something else", path.join("."));
    let after = fix::apply(text, &[edit]).ok_or_else(refused)?;
    let (old, new) = (form.read(text), form.read(&after));
    let keeps_others = others(&old, path) == others(&new, path);
    let is_valid = new.problems.len() <= old.problems.len() && has_own(&new, path);
    if keeps_others && is_valid && is_wanted(&new) { Ok(after) } else { Err(refused()) }
}

/// Whether no key of `path` is there twice.
fn has_own(tree: &Yaml, path: &[&str]) -> bool {
    let mut node = tree.root.as_ref();
    path.iter().all(|key| {
        let entries = node.and_then(Node::as_mapping).unwrap_or_default();
        let mut with_key = entries.iter().filter(|entry| entry.key.as_str() == Some(*key));
        node = with_key.next().map(|entry| tree.resolve(&entry.value));
        node.is_some() && with_key.next().is_none()
    })
}

/// All scalars of a tree, each with the keys and numbers that lead to it, except those at `path`.
fn others(tree: &Yaml, path: &[&str]) -> Vec<(Vec<String>, String)> {
    let mut found = Vec::new();
    if let Some(root) = &tree.root {
        collect(tree, root, &mut Vec::new(), &mut found);
    }
    // A key that is added to a value of null makes it a mapping.
    let is_part = |own: &[String], text: &str| own.len() >= path.len() || text.is_empty();
    found.retain(|(own, text)| !(own.iter().zip(path).all(|(one, other)| one == other) && is_part(own, text)));
    found
}

fn collect(tree: &Yaml, node: &Node, path: &mut Vec<String>, found: &mut Vec<(Vec<String>, String)>) {
    if path.len() > bounds::YAML_DEPTH {
        return;
    }
    let node = tree.resolve(node);
    match &node.value {
        Value::Scalar(_) => found.push((path.clone(), node.as_str().unwrap_or_default().to_owned())),
        Value::Alias(_) => found.push((path.clone(), "*".to_owned())),
        Value::Sequence(items) => {
            for (at, item) in items.iter().enumerate() {
                path.push(at.to_string());
                collect(tree, item, path, found);
                path.pop();
            }
        }
        Value::Mapping(_) => {
            for entry in tree.entries(node) {
                path.push(entry.key.as_str().unwrap_or_default().to_owned());
                collect(tree, &entry.value, path, found);
                path.pop();
            }
        }
    }
}

fn edit(range: Range<usize>, text: impl Into<String>) -> Edit {
    Edit { span: Span::new(FILE, range), text: text.into() }
}

struct Writer<'a> {
    text: &'a str,
}

impl Writer<'_> {
    /// Sets the value of `key` in the mapping `node`; a new value gets `style`, unless those beside it have another one.
    fn set_in(&self, node: &Node, key: &str, order: &[Key], value: &str, style: Style) -> Result<Edit, &'static str> {
        if let Some(entry) = node.get(key) {
            return self.overwrite(&entry.value, value);
        }
        self.insert(node, key, order, &format!("{key}: {}", written(value, style)))
    }

    /// Sets the value of `key` in the mapping that `around` has in `root`.
    fn set_inside(
        &self,
        root: &Node,
        (around, key): (&str, &str),
        order: &[Key],
        value: &str,
    ) -> Result<Edit, &'static str> {
        let inner = match order.iter().find(|known| known.name == around).map(|known| known.shape) {
            Some(Shape::Mapping(keys)) => keys,
            _ => &[],
        };
        let line = format!("{key}: {}", written(value, self.style_before(root, around, order)));
        let Some(entry) = root.get(around) else {
            let step = self.step(root);
            let whole =
                if self.is_flow(root) { format!("{around}: {{{line}}}") } else { format!("{around}:\n{step}{line}") };
            return self.insert(root, around, order, &whole);
        };
        match &entry.value.value {
            Value::Mapping(entries) => {
                let style = entries.iter().filter_map(|pair| style_of(&pair.value)).next_back();
                self.set_in(
                    &entry.value,
                    key,
                    inner,
                    value,
                    style.unwrap_or_else(|| self.style_before(root, around, order)),
                )
            }
            _ if entry.value.is_null() && !entry.value.span.range().is_empty() => {
                Ok(edit(entry.value.span.range(), format!("{{{line}}}")))
            }
            _ if entry.value.is_null() => {
                let indent = self.indent_of(entry)?;
                let line = format!("\n{indent}{}{line}", self.step(root));
                Ok(self.insertion(self.line_end(entry), &line))
            }
            Value::Alias(_) => Err("is in a mapping that other keys refer to: write it out"),
            Value::Scalar(_) | Value::Sequence(_) => Err("has no place: the key around it is not a mapping"),
        }
    }

    /// Writes another scalar in the place of one.
    fn overwrite(&self, node: &Node, value: &str) -> Result<Edit, &'static str> {
        match &node.value {
            Value::Scalar(Scalar { style: Style::Literal | Style::Folded, .. }) => {
                Err("is a block of text: write it on one line")
            }
            Value::Scalar(_) if node.span.range().is_empty() => {
                Ok(edit(node.span.range(), format!(" {}", written(value, Style::Plain))))
            }
            Value::Scalar(Scalar { style, .. }) => Ok(edit(node.span.range(), written(value, *style))),
            Value::Alias(_) => Ok(edit(node.span.range(), written(value, Style::Plain))),
            Value::Sequence(_) | Value::Mapping(_) => Err("is not a single value"),
        }
    }

    /// Adds `line`, the entry of `key`, to a mapping: after the key that precedes it in `order`, or else before the one
    /// that follows it, or else at the end.
    fn insert(&self, node: &Node, key: &str, order: &[Key], line: &str) -> Result<Edit, &'static str> {
        let Some(entries) = node.as_mapping() else { return Err("has no place: the file is not a mapping") };
        let rank = |name: &str| order.iter().position(|known| known.name == name);
        let wanted = rank(key);
        let ranked = || entries.iter().filter_map(|entry| Some((rank(entry.key.as_str()?)?, entry)));
        let before = ranked().filter(|(place, _)| Some(*place) < wanted).max_by_key(|(place, _)| *place);
        let after = ranked().filter(|(place, _)| Some(*place) > wanted).min_by_key(|(place, _)| *place);
        let (before, after) = (before.map(|(_, entry)| entry), after.map(|(_, entry)| entry));
        let before = if after.is_none() { before.or(entries.last()) } else { before };
        if self.is_flow(node) {
            return Ok(match (before, after) {
                (Some(before), _) => {
                    let end = before.value.span.end.max(before.key.span.end);
                    edit(end..end, format!(", {line}"))
                }
                (None, Some(after)) => edit(after.key.span.start..after.key.span.start, format!("{line}, ")),
                (None, None) => edit(node.span.start + 1..node.span.start + 1, line),
            });
        }
        match (before, after) {
            (Some(before), _) => {
                let (indent, at) = (self.indent_of(before)?, self.line_end(before));
                Ok(self.insertion(at, &format!("\n{}", indented(line, indent))))
            }
            (None, Some(after)) => {
                let (indent, at) = (self.indent_of(after)?, self.above_comments(after));
                Ok(self.insertion(at, &format!("{}\n", indented(line, indent))))
            }
            (None, None) => Err("has no place: the mapping around it is empty"),
        }
    }

    /// Adds lines to a text without keys.
    fn append(&self, lines: &str) -> Edit {
        let at = self.text.len();
        let gap = if self.text.is_empty() || self.text.ends_with(LINE_ENDS) { "" } else { "\n" };
        self.insertion(at, &format!("{gap}{lines}\n"))
    }

    /// Inserts lines that end as those around them.
    fn insertion(&self, at: usize, lines: &str) -> Edit {
        edit(at..at, lines.replace('\n', line_end(self.text, at)))
    }

    /// The end of the last line of an entry, before the line break.
    fn line_end(&self, entry: &Entry) -> usize {
        let end = entry.value.span.end.max(entry.key.span.end);
        // The text of a block scalar ends with its line breaks.
        let end = slice(self.text, ..end).trim_end_matches(['\n', '\r', ' ']).len().max(entry.key.span.end);
        let rest = slice(self.text, end..);
        end + rest.find(LINE_ENDS).unwrap_or(rest.len())
    }

    /// Where the line of an entry begins, or the comment lines right above it.
    fn above_comments(&self, entry: &Entry) -> usize {
        let mut at = last_line_start(slice(self.text, ..entry.key.span.start));
        loop {
            let before = slice(self.text, ..at);
            let Some(before) = before.strip_suffix("\r\n").or_else(|| before.strip_suffix(LINE_ENDS)) else { break };
            let start = last_line_start(before);
            if !slice(before, start..).trim_start().starts_with('#') {
                break;
            }
            at = start;
        }
        // The byte order mark stays the first character.
        at.max(self.text.len() - self.text.trim_start_matches('\u{feff}').len())
    }

    /// What the line of an entry begins with.
    fn indent_of(&self, entry: &Entry) -> Result<&str, &'static str> {
        let before = slice(self.text, ..entry.key.span.start);
        let before = slice(before, last_line_start(before)..).trim_start_matches('\u{feff}');
        if before.bytes().all(|byte| byte == b' ') { Ok(before) } else { Err("has no place: two keys are on one line") }
    }

    /// The indentation of keys in a mapping of `root`: that of the first one there is, or else two spaces.
    fn step(&self, root: &Node) -> &str {
        let mut inner = root.as_mapping().into_iter().flatten().filter_map(|entry| entry.value.as_mapping()?.first());
        let indent = inner.find_map(|entry| self.indent_of(entry).ok()).filter(|indent| !indent.is_empty());
        indent.unwrap_or("  ")
    }

    /// The style of the scalar that precedes `key` in `order`; that of milestones is the style of `latest-milestone`.
    fn style_before(&self, root: &Node, key: &str, order: &[Key]) -> Style {
        let before = order.iter().take_while(|known| known.name != key).last();
        let value = before.and_then(|before| root.get(before.name)).map(|entry| &entry.value);
        value.and_then(style_of).unwrap_or(Style::Plain)
    }

    fn is_flow(&self, node: &Node) -> bool {
        slice(self.text, node.span.range()).starts_with('{')
    }
}

/// The style of a scalar that is not empty.
fn style_of(node: &Node) -> Option<Style> {
    match &node.value {
        Value::Scalar(scalar) if !node.is_null() => Some(scalar.style),
        _ => None,
    }
}

fn indented(lines: &str, indent: &str) -> String {
    let lines: Vec<String> = lines.split('\n').map(|line| format!("{indent}{line}")).collect();
    lines.join("\n")
}
