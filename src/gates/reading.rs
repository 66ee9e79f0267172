//! Reads a list of feature gates that a repository has of its own. It may come with an untrusted pull request: it is small,
//! has no aliases, and each name, number and release in it is what it should be.

use super::gate::{Gate, Since};
use super::{Gates, Newest, is_name, order};
use crate::bounds;
use crate::diagnostic::brief;
use crate::source::SourceFile;
use crate::span::{FileId, Span};
use crate::stage::Release;
use crate::yaml::date::Date;
use crate::yaml::plain;
use crate::yaml::tree::{Entry, Node, Problem};

/// How much of what is wrong in a list of feature gates is reported.
const GATE_LIST_PROBLEMS: usize = 10;

/// The list in a file. With problems, nothing of it is to be used.
pub fn parse(file: &SourceFile) -> Result<Gates, Vec<Problem>> {
    let mut reading = Reading::default();
    if let Some(at) = file.invalid_utf8 {
        reading.problem(Span::new(FileId(0), at..at), "the file is not UTF-8", "save it as UTF-8");
        return Err(reading.problems);
    }
    let tree = plain::tree(&file.text, bounds::LIST_BYTES).map_err(|plain::Problem { offset, message, help }| {
        vec![Problem { span: Span::new(FileId(0), offset..offset), message, help }]
    })?;
    let (mut first, mut last_final, mut newest, mut gates) = (None, None, None, None);
    for (key, entry) in reading.entries(tree.root.as_ref()) {
        match key {
            "since" => first = reading.release(&entry.value),
            "final" => last_final = reading.release(&entry.value),
            "newest" => newest = reading.newest(&entry.value),
            "gates" => gates = Some(reading.gates(&entry.value)),
            _ => reading.unknown(entry, "`since`, `final`, `newest` or `gates`"),
        }
    }
    let start = Span::new(FileId(0), 0..0);
    if let (Some(first), Some(last_final), Some(newest), Some(gates)) = (first, last_final, newest, gates) {
        if last_final > newest.release {
            reading.problem(start, "`final` is after the release of `newest`", "write that one, or an earlier one");
        }
        if reading.problems.is_empty() {
            return Ok(Gates::new(first, last_final, newest, gates));
        }
    } else if reading.problems.is_empty() {
        let help = "`kep-lint gates import` writes such a file";
        reading.problem(start, "the list needs `since`, `final`, `newest` and `gates`", help);
    }
    Err(reading.problems)
}

#[derive(Default)]
struct Reading {
    problems: Vec<Problem>,
}

impl Reading {
    /// Reports what is wrong, unless enough is.
    fn problem(&mut self, span: Span, message: &str, help: &str) {
        if self.problems.len() < GATE_LIST_PROBLEMS {
            self.problems.push(Problem { span, message: message.to_owned(), help: Some(help.to_owned()) });
        }
    }

    fn unknown(&mut self, entry: &Entry, known: &str) {
        let key = entry.key.as_str().unwrap_or_default();
        self.problem(entry.key.span, &format!("unknown key `{}`", brief(key)), &format!("write {known}"));
    }

    /// The entries of a mapping, with their keys.
    fn entries<'a>(&mut self, node: Option<&'a Node>) -> Vec<(&'a str, &'a Entry)> {
        let Some(node) = node else { return Vec::new() };
        if node.as_mapping().is_none() {
            self.problem(node.span, "this must be keys with values", "write `key: value`");
        }
        let entries = node.as_mapping().unwrap_or_default().iter();
        entries.map(|entry| (entry.key.as_str().unwrap_or_default(), entry)).collect()
    }

    /// What `read` makes of the text of a scalar.
    fn scalar<T>(&mut self, node: &Node, read: impl Fn(&str) -> Option<T>, what: &str, help: &str) -> Option<T> {
        let text = node.as_str().unwrap_or_default();
        let value = read(text);
        if value.is_none() {
            self.problem(node.span, &format!("`{}` is {what}", brief(text)), help);
        }
        value
    }

    fn release(&mut self, node: &Node) -> Option<Release> {
        self.scalar(node, Release::parse, "no release", "write it as v1.37")
    }

    fn newest(&mut self, node: &Node) -> Option<Newest> {
        let (mut release, mut date, mut commit) = (None, None, None);
        for (key, entry) in self.entries(Some(node)) {
            match key {
                "release" => release = self.release(&entry.value),
                "date" => date = self.scalar(&entry.value, Date::parse, "no date", "write it as 2026-07-24"),
                "commit" => commit = self.scalar(&entry.value, commit_of, "no commit", "write its hexadecimal digits"),
                _ => self.unknown(entry, "`release`, `date` or `commit`"),
            }
        }
        let newest = (|| Some(Newest { release: release?, date: date?, commit: commit? }))();
        if newest.is_none() && self.problems.is_empty() {
            self.problem(node.span, "`newest` needs `release`, `date` and `commit`", "add what is missing");
        }
        newest
    }

    fn gates(&mut self, node: &Node) -> Vec<Gate> {
        let Some(items) = node.as_sequence() else {
            self.problem(node.span, "this must be a list", "begin each gate with `- {name: `");
            return Vec::new();
        };
        let mut gates: Vec<(Gate, Span)> = items.iter().map(|item| (self.gate(item), item.span)).collect();
        gates.sort_by(|(one, _), (other, _)| order(&one.name, &other.name));
        for pair in gates.windows(2) {
            if let [(one, _), (other, span)] = pair
                && one.name == other.name
                && !one.name.is_empty()
            {
                self.problem(*span, &format!("`{}` is in the list twice", brief(&other.name)), "remove one of the two");
            }
        }
        gates.into_iter().map(|(gate, _)| gate).collect()
    }

    fn gate(&mut self, node: &Node) -> Gate {
        let mut gate = Gate::default();
        for (key, entry) in self.entries(Some(node)) {
            match key {
                "name" => gate.name = self.scalar(&entry.value, name, "no feature gate", NAME).unwrap_or_default(),
                "keps" => gate.keps = self.numbers(&entry.value),
                "in" => gate.list = self.scalar(&entry.value, list, "no list of the code", "write it as `apiserver`"),
                _ => match gate.field(key) {
                    Some(field) => {
                        *field = self.scalar(&entry.value, Since::parse, "no release", "write it as \"1.37\"");
                    }
                    None => self.unknown(entry, "`name`, `keps`, `in`, a stage, `enabled`, `locked` or `removed`"),
                },
            }
        }
        if gate.name.is_empty() && self.problems.is_empty() {
            self.problem(node.span, "this gate has no name", "add `name`");
        } else if [gate.alpha, gate.beta, gate.ga, gate.deprecated].iter().all(Option::is_none)
            && self.problems.is_empty()
        {
            self.problem(node.span, "this gate has no stage", "add `alpha`, `beta`, `ga` or `deprecated`");
        }
        gate
    }

    fn numbers(&mut self, node: &Node) -> Vec<String> {
        let Some(items) = node.as_sequence() else {
            self.problem(node.span, "this must be a list of numbers", "write `keps: [1234]`");
            return Vec::new();
        };
        items.iter().filter_map(|item| self.scalar(item, number, "no number of a KEP", "write it as 1234")).collect()
    }
}

const NAME: &str = "write letters and digits, as in the code";

fn name(text: &str) -> Option<String> {
    is_name(text).then(|| text.to_owned())
}

fn commit_of(text: &str) -> Option<String> {
    let is_commit = (7..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_commit.then(|| text.to_owned())
}

fn number(text: &str) -> Option<String> {
    let is_number = (1..=6).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    Some(text.trim_start_matches('0').to_owned()).filter(|digits| is_number && !digits.is_empty())
}

fn list(text: &str) -> Option<String> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'/');
    let is_list = !text.is_empty() && text.len() <= bounds::NAME_CHARACTERS && text.bytes().all(is_part);
    is_list.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "since: v0.1\nfinal: v0.1\nnewest: {release: v0.2, date: 2026-07-24, commit: 0123abc}\n";

    fn read(text: &str) -> Result<Gates, Vec<String>> {
        let problems = |problems: Vec<Problem>| {
            problems.into_iter().map(|problem| format!("{}: {}", problem.span.start, problem.message)).collect()
        };
        parse(&SourceFile::decode("list", text.as_bytes().to_vec())).map_err(problems)
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
            ("", "0: the list needs `since`, `final`, `newest` and `gates`"),
            ("gates: []\nmore: 1\n", "93: unknown key `more`"),
            ("gates: 1\n", "90: this must be a list"),
            ("gates: [{name: A b}]\n", "98: `A b` is no feature gate"),
            ("gates: [{name: Ab, alpha: soon}]\n", "109: `soon` is no release"),
            ("gates: [{name: Ab, keps: [x]}]\n", "109: `x` is no number of a KEP"),
            ("gates: [{name: Ab, in: \"a}\\n- b\"}]\n", "106: `a} - b` is no list of the code"),
            ("gates: [{alpha: 0.1}]\n", "91: this gate has no name"),
            ("gates: [{name: Ab, ga: 0.1}, {name: Ab, ga: 0.1}]\n", "112: `Ab` is in the list twice"),
            ("gates: [{name: Ab}]\n", "91: this gate has no stage"),
            ("gates: [{name: Ab, ga: 0.1, keps: [0]}]\n", "118: `0` is no number of a KEP"),
            ("gates: &a []\n", "90: YAML anchors and aliases are not allowed here"),
        ] {
            assert_eq!(read(&format!("{HEAD}{rest}")), Err(vec![problem.to_owned()]), "{rest}");
        }
        let newest = read("since: v1.2\nfinal: v1.2\nnewest: {release: v1.2}\ngates: []\n");
        assert_eq!(newest, Err(vec!["32: `newest` needs `release`, `date` and `commit`".to_owned()]));
        let many = read(&format!("{HEAD}gates: [{}]\n", "1, ".repeat(1000)));
        assert_eq!(many.map_err(|problems| problems.len()), Err(GATE_LIST_PROBLEMS));
    }
}
