//! Reads a list of feature gates that a repository has of its own. It may come with an untrusted pull request: it is small,
//! has no aliases, and each name, number and release in it is what it should be.

use super::gate::Gate;
use super::{Gates, Newest};
use crate::bounds;
use crate::diagnostic::brief;
use crate::source::SourceFile;
use crate::span::{FileId, Span};
use crate::stage::Release;
use crate::yaml::date::Date;
use crate::yaml::plain;
use crate::yaml::tree::{Entry, Node, Problem};
use std::collections::BTreeSet;

/// The list in a file. With a problem, nothing of it is to be used.
pub fn parse(file: &SourceFile) -> Result<Gates, Problem> {
    let at = |offset: usize| Span::new(FileId(0), offset..offset);
    if let Some(offset) = file.invalid_utf8 {
        return Err(problem(at(offset), "the file is not UTF-8"));
    }
    let tree = plain::tree(&file.text, bounds::LIST_BYTES)
        .map_err(|plain::Problem { offset, message, help }| Problem { span: at(offset), message, help })?;
    let root = tree.root.as_ref().ok_or_else(|| problem(at(0), "the list is empty"))?;
    known(root, &["since", "final", "newest", "gates"])?;
    let (first, last_final) = (text(root, "since", Release::parse)?, text(root, "final", Release::parse)?);
    let newest = value(root, "newest")?;
    known(newest, &["release", "date", "commit"])?;
    let newest = Newest {
        release: text(newest, "release", Release::parse)?,
        date: text(newest, "date", Date::parse)?,
        commit: text(newest, "commit", commit)?,
    };
    if last_final > newest.release {
        return Err(problem(value(root, "final")?.span, "`final` is after the release of `newest`"));
    }
    let items = value(root, "gates")?;
    let items = items.as_sequence().ok_or_else(|| problem(items.span, "this must be a list"))?;
    let (mut gates, mut names) = (Vec::new(), BTreeSet::new());
    for item in items {
        let gate = gate(item)?;
        if !names.insert(gate.name.clone()) {
            return Err(problem(item.span, &format!("`{}` is in the list twice", brief(&gate.name))));
        }
        gates.push(gate);
    }
    Ok(Gates::new(first, last_final, newest, gates))
}

fn problem(span: Span, message: &str) -> Problem {
    let help = "write it as `kep-lint gates import` does".to_owned();
    Problem { span, message: message.to_owned(), help: Some(help) }
}

/// Fails at a key that is none of `keys`.
fn known(node: &Node, keys: &[&str]) -> Result<(), Problem> {
    let entries = node.as_mapping().unwrap_or_default().iter();
    let mut others = entries.map(|entry| &entry.key).filter(|key| !key.as_str().is_some_and(|key| keys.contains(&key)));
    let Some(other) = others.next() else { return Ok(()) };
    Err(problem(other.span, &format!("unknown key `{}`", brief(other.as_str().unwrap_or_default()))))
}

fn value<'a>(node: &'a Node, key: &str) -> Result<&'a Node, Problem> {
    let entry = node.get(key).ok_or_else(|| problem(node.span, &format!("`{key}` is missing here")))?;
    Ok(&entry.value)
}

/// What `read` makes of the text of a key.
fn text<T>(node: &Node, key: &str, read: impl Fn(&str) -> Option<T>) -> Result<T, Problem> {
    let value = value(node, key)?;
    let text = value.as_str().unwrap_or_default();
    read(text).ok_or_else(|| unfit(key, text, value.span))
}

fn unfit(key: &str, text: &str, span: Span) -> Problem {
    let entry = format!("{key}: {text}");
    problem(span, &format!("a list of feature gates has no `{}`", brief(entry.trim_end())))
}

fn gate(node: &Node) -> Result<Gate, Problem> {
    let mut gate = Gate::default();
    for Entry { key, value } in node.as_mapping().unwrap_or_default() {
        let items = value.as_sequence().unwrap_or(std::slice::from_ref(value));
        let text = items.iter().map(|item| item.as_str().unwrap_or_default()).collect::<Vec<_>>().join(", ");
        let key = key.as_str().unwrap_or_default();
        gate.set(key, &text).ok_or_else(|| unfit(key, &text, value.span))?;
    }
    let is_whole = !gate.name.is_empty() && gate.has_stage();
    if is_whole { Ok(gate) } else { Err(problem(node.span, "a gate needs a `name`, and the release of a stage")) }
}

fn commit(text: &str) -> Option<String> {
    let is_commit = (7..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_commit.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "since: v0.1\nfinal: v0.1\nnewest: {release: v0.2, date: 2026-07-24, commit: 0123abc}\n";

    fn read(text: &str) -> Result<Gates, String> {
        let file = SourceFile::decode("list", text.as_bytes().to_vec());
        parse(&file).map_err(|problem| format!("{}: {}", problem.span.start, problem.message))
    }

    #[test]
    fn a_list_in_any_order_and_style_is_read() {
        let text = format!(
            "{HEAD}gates:\n- name: OtherGate\n  alpha: 0.2\n- {{name: OneGate, ga: 0.1, keps: [012], in: x}}\n"
        );
        let list = read(&text).expect("it is well-formed");
        let lines = "- {name: OneGate, ga: \"0.1\", keps: [12], in: x}\n- {name: OtherGate, alpha: \"0.2\"}\n";
        assert_eq!(list.to_string(), format!("{HEAD}gates:\n{lines}"));
        assert_eq!(read(&list.to_string()), Ok(list));
    }

    #[test]
    fn anything_else_is_refused_where_it_is() {
        for (rest, problem) in [
            ("", "0: `gates` is missing here"),
            ("gates: []\nmore: 1\n", "93: unknown key `more`"),
            ("gates: 1\n", "90: this must be a list"),
            ("gates: [{name: A b}]\n", "98: a list of feature gates has no `name: A b`"),
            ("gates: [{name: Ab, alpha: soon}]\n", "109: a list of feature gates has no `alpha: soon`"),
            ("gates: [{name: Ab, more: 1.1}]\n", "108: a list of feature gates has no `more: 1.1`"),
            ("gates: [{name: Ab, keps: [x]}]\n", "108: a list of feature gates has no `keps: x`"),
            ("gates: [{name: Ab, in: \"a}\\n- b\"}]\n", "106: a list of feature gates has no `in: a} - b`"),
            ("gates: [{alpha: 0.1}]\n", "91: a gate needs a `name`, and the release of a stage"),
            ("gates: [{name: Ab}]\n", "91: a gate needs a `name`, and the release of a stage"),
            ("gates: [1]\n", "91: a gate needs a `name`, and the release of a stage"),
            ("gates: [{name: Ab, ga: 0.1}, {name: Ab, ga: 0.1}]\n", "112: `Ab` is in the list twice"),
            ("gates: [{name: Ab, ga: 0.1, keps: [0]}]\n", "117: a list of feature gates has no `keps: 0`"),
            ("gates: &a []\n", "90: YAML anchors and aliases are not allowed here"),
        ] {
            assert_eq!(read(&format!("{HEAD}{rest}")), Err(problem.to_owned()), "{rest}");
        }
        for (head, problem) in [
            ("", "0: the list is empty"),
            ("since: soon\n", "7: a list of feature gates has no `since: soon`"),
            ("since: v1.2\nfinal: v1.2\nnewest: {release: v1.2}\n", "32: `date` is missing here"),
            (&HEAD.replace("v0.2", "v0.0"), "19: `final` is after the release of `newest`"),
        ] {
            assert_eq!(read(head), Err(problem.to_owned()), "{head}");
        }
    }
}
