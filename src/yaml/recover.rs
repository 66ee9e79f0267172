//! Reads the valid parts of a text that is not YAML as a whole: one bad line must not hide the other fields of a file.

use std::ops::Range;

use super::causes::{self, Cause, Failure};
use super::reader::Reader;
use super::tree::{Node, Problem, Value, Yaml};
use crate::bounds;
use crate::span::{DASHES, FileId, is_odd_space, slice};

/// Reads `text` again if it failed at quoted text that continues on a line without indentation. Upstream's decoder
/// allows this and the parser does not; with a space in place of the line break, it reads the same words at their places.
pub(super) fn with_quoted_lines_joined(file: FileId, text: &str, failure: &Failure) -> Option<Yaml> {
    let mut text = text.to_owned();
    let mut failure = failure.clone();
    for _ in 0..bounds::JOINED_LINES {
        if failure.cause != Cause::OpenQuote {
            return None;
        }
        let content = text.get(..failure.at)?.strip_suffix(['\n', '\r'])?;
        text.replace_range(content.len()..failure.at, " ");
        match Reader::new(file, &text).read(0..text.len()) {
            Ok(tree) => return Some(tree),
            Err(next) => failure = next,
        }
    }
    None
}

/// Reads each top-level entry of `text` separately, because reading the whole text ended with `failure`.
pub(super) fn entry_by_entry(file: FileId, text: &str, failure: &Failure) -> Yaml {
    let mut reader = Reader::new(file, text);
    let masked = causes::masked(text);
    let mut second_reader = Reader::of_masked(file, &masked, text);
    let mut tree = Yaml::default();
    let mut entries = Vec::new();
    for part in parts(text) {
        let problems = match reader.read(part.clone()) {
            Ok(Yaml { root: Some(Node { value: Value::Mapping(more), .. }), .. }) => {
                entries.extend(more);
                continue;
            }
            Ok(Yaml { root: Some(node), .. }) if !node.is_null() => vec![causes::not_an_entry(text, &node)],
            Ok(_) => continue,
            Err(inner) => {
                let problem = causes::explain(file, text, &inner);
                if inner.cause == Cause::TooDeep {
                    tree.too_deep.get_or_insert(problem.span);
                }
                let values = values_to_quote(&mut second_reader, file, text, &inner);
                if values.is_empty() { vec![problem] } else { values }
            }
        };
        tree.problems.extend(problems);
        tree.unread.extend(keys(slice(text, part)));
    }
    if tree.problems.is_empty() {
        tree.problems.push(causes::explain(file, text, failure));
    }
    tree.root = Node::mapping(entries);
    tree
}

/// All values of a part that need quotes, if `failure` is about the first of them.
fn values_to_quote(reader: &mut Reader<'_>, file: FileId, text: &str, failure: &Failure) -> Vec<Problem> {
    if failure.cause != Cause::ReservedCharacter || causes::conflict_marker(text, failure.part.start).is_some() {
        return Vec::new();
    }
    // The result does not matter: what follows another failure is reported once that is fixed.
    let _ = reader.read(failure.part.clone());
    let mut problems: Vec<Problem> = Vec::new();
    for (at, in_brackets) in std::mem::take(&mut reader.reserved) {
        let end = problems.last().map_or(at, |problem| problem.span.end);
        if end <= at {
            problems.push(causes::value_to_quote(file, text, at, in_brackets));
        }
    }
    // If the first failure is not one of them, they are not what the parser rejects.
    let is_first = problems.first().is_some_and(|first| first.span.start == failure.at);
    if is_first { problems } else { Vec::new() }
}

/// Splits `text` before each line without indentation, which should be a top-level entry. Lines that cannot begin an
/// entry belong to the entry before: comments, dashes (a list does not have to be indented), closing brackets.
fn parts(text: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    for line in text.split_inclusive(['\n', '\r']) {
        let continues = |first| {
            " \t\n\r#-]}".contains(first) || (first != '\u{feff}' && is_odd_space(first)) || DASHES.contains(&first)
        };
        if !line.starts_with(continues) && at > start {
            parts.push(start..at);
            start = at;
        }
        at += line.len();
    }
    parts.push(start..at);
    parts
}

/// What may be keys of a part: also those of lines with an indentation that they should not have.
fn keys(part: &str) -> impl Iterator<Item = String> {
    let lines = part.trim_start_matches('\u{feff}').lines().map(str::trim_start);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with(['#', '-']));
    lines.filter_map(|line| Some(line.split([':', '：', ' ']).next()?.trim_matches(['"', '\'']).to_owned()))
}
