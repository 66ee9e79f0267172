//! Reads the keys of a configuration file, and collects what is wrong with them.

use super::globs::Globs;
use super::values::{Config, Setting};
use crate::diagnostic::brief;
use crate::kep::layout::Own;
use crate::rules::levels::{Levels, RuleLevel};
use crate::rules::rule::Level;
use crate::rules::select;
use crate::source::SourceFile;
use crate::span::{Span, slice};
use crate::stage::Phase;
use crate::suggest;
use crate::yaml::tree::{Entry, Node, Problem, Value};
use std::collections::BTreeMap;

pub struct Reading<'a> {
    file: &'a SourceFile,
    pub config: Config,
    pub own: Own,
    /// Whether the key that is read goes with `documents`: its words are in messages, and in what fixes write.
    pub is_of_layout: bool,
    problems: Vec<Problem>,
}

impl<'a> Reading<'a> {
    pub fn new(file: &'a SourceFile) -> Self {
        Self { file, config: Config::default(), own: Own::usual(), is_of_layout: false, problems: Vec::new() }
    }

    pub fn finish(mut self) -> Result<Config, Vec<Problem>> {
        self.problems.sort_by_key(|problem| problem.span.start);
        if self.problems.is_empty() { Ok(self.config) } else { Err(self.problems) }
    }

    pub fn entries(&mut self, node: &'a Node) -> &'a [Entry] {
        match &node.value {
            Value::Mapping(entries) => entries,
            _ => {
                self.problem(node.span, "this must be keys with values", "write `key: value`");
                &[]
            }
        }
    }

    /// The entries with these keys; one with another key is a problem.
    pub fn fields<const N: usize>(&mut self, node: &'a Node, known: [&'static str; N]) -> [Option<&'a Entry>; N] {
        let entries = self.entries(node);
        for entry in entries {
            if !known.iter().any(|known| entry.key.as_str() == Some(known)) {
                self.unknown("key", &entry.key, known);
            }
        }
        known.map(|known| entries.iter().find(|entry| entry.key.as_str() == Some(known)))
    }

    pub fn setting<T>(&self, entry: &Entry, value: T) -> Setting<T> {
        Setting { value, line: self.line(entry), span: entry.value.span }
    }

    pub fn text_setting(&mut self, entry: &'a Entry) -> Option<Setting<String>> {
        let text = self.text(&entry.value)?.to_owned();
        Some(self.setting(entry, text))
    }

    /// Notes a key that says something of the layout, which `documents` begins.
    pub fn needs_documents(&mut self, entry: &'a Entry) {
        self.is_of_layout = true;
        let written = slice(&self.file.text, entry.value.span.start..entry.value.span.end);
        let setting = self.setting(entry, brief(written).into_owned());
        self.config.layout_keys.push((entry.key.as_str().unwrap_or_default().to_owned(), setting));
    }

    fn line(&self, entry: &Entry) -> usize {
        self.file.position(entry.key.span.start).line
    }

    pub fn text(&mut self, node: &'a Node) -> Option<&'a str> {
        let text = node.as_str().filter(|text| !text.trim().is_empty());
        if text.is_none() {
            self.problem(node.span, "this must be one value", "write it after the colon");
        }
        if self.is_of_layout && text.is_some_and(|text| text.chars().any(char::is_control)) {
            self.problem(node.span, "it has a control character", "write plain text in one line");
            return None;
        }
        text
    }

    pub fn choice<T>(
        &mut self,
        node: &'a Node,
        names: impl IntoIterator<Item = &'static str>,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let value = parse(self.text(node)?);
        if value.is_none() {
            self.unknown("value", node, names);
        }
        value
    }

    /// What one of these names means.
    pub fn named<T: Copy>(&mut self, node: &'a Node, names: &[(&'static str, T)]) -> Option<T> {
        let meaning = |text: &str| names.iter().find(|(name, _)| *name == text).map(|(_, meaning)| *meaning);
        self.choice(node, names.iter().map(|(name, _)| *name), meaning)
    }

    pub fn texts(&mut self, node: &'a Node) -> Vec<(&'a str, &'a Node)> {
        items(node).iter().filter_map(|item| Some((self.text(item)?, item))).collect()
    }

    /// What is read from the text of `node`; if it cannot be, the reason is a problem.
    pub fn read<T>(&mut self, node: &'a Node, read: impl Fn(&str) -> Result<T, String>, help: &str) -> Option<T> {
        read(self.text(node)?).map_err(|reason| self.problem(node.span, &reason, help)).ok()
    }

    pub fn parsed<T>(&mut self, node: &'a Node, parse: impl Fn(&str) -> Result<T, String>) -> Vec<T> {
        let mut values = Vec::new();
        for (text, item) in self.texts(node) {
            match parse(text) {
                Ok(value) => values.push(value),
                Err(help) => self.problem(item.span, &format!("unknown value `{}`", brief(text)), &help),
            }
        }
        values
    }

    pub fn globs(&mut self, node: &'a Node) -> Globs {
        let texts = self.texts(node);
        let documents = self.config.documents.as_ref().map(|documents| documents.value.as_str());
        let documents = documents.filter(|patterns| !patterns.is_empty());
        let of_documents = documents.is_some() && self.own.documents.file.is_none();
        match Globs::new(texts.iter().map(|(text, _)| (*text).to_owned()).collect(), of_documents) {
            Ok(globs) => globs,
            Err((index, reason)) => {
                let span = texts.get(index).map_or(node.span, |(_, item)| item.span);
                let (word, example) = match documents.and_then(|documents| documents.split('/').next()) {
                    Some(tree) => ("proposals", format!("{}/old/**", brief(tree))),
                    None => ("KEPs", "keps/sig-node/**".to_owned()),
                };
                let message = format!("invalid pattern: {}", reason.replace("KEPs", word));
                self.problem(span, &message, &format!("write a path such as `{example}`"));
                Globs::default()
            }
        }
    }

    pub fn levels(&mut self, node: &'a Node) -> Levels {
        let mut levels = Levels::default();
        for entry in self.entries(node) {
            let name = self.text(&entry.key).unwrap_or_default();
            let Ok(rule) = select::rule(name) else {
                self.unknown("rule", &entry.key, crate::rules::ALL.iter().map(|rule| rule.name));
                continue;
            };
            if let Some(level) = self.level(&entry.value) {
                levels.set(rule, level, self.line(entry));
            }
        }
        levels
    }

    fn level(&mut self, node: &'a Node) -> Option<RuleLevel> {
        let names = || Level::ALL.map(Level::name);
        if !matches!(node.value, Value::Mapping(_)) {
            return self.choice(node, names(), Level::from_name).map(RuleLevel::Everywhere);
        }
        let mut phases = BTreeMap::new();
        for entry in self.entries(node) {
            let phase = self.choice(&entry.key, Phase::ALL.map(Phase::name), Phase::from_name);
            let level = self.choice(&entry.value, names(), Level::from_name);
            phases.extend(phase.zip(level));
        }
        Some(RuleLevel::ByPhase(phases))
    }

    /// Reports a name that is none of `known`; it is no problem if an earlier version had it.
    pub fn unknown(&mut self, what: &str, node: &Node, known: impl IntoIterator<Item = &'static str>) {
        const FEW: usize = 12;
        let word = node.as_str().unwrap_or_default();
        if let Some(value) = suggest::gone(word) {
            let line = self.file.position(node.span.start).line;
            return self.config.gone.push(Setting { value, line, span: node.span });
        }
        let known: Vec<&str> = known.into_iter().collect();
        let help = match suggest::nearest(word, known.iter().copied()) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None if known.len() <= FEW => format!("write one of: {}", known.join(", ")),
            None => "see `kep-lint rules` for all names".to_owned(),
        };
        self.problem(node.span, &format!("unknown {what} `{}`", brief(word)), &help);
    }

    pub fn problem(&mut self, span: Span, message: &str, help: &str) {
        self.problems.push(Problem { span, message: message.to_owned(), help: Some(help.to_owned()) });
    }
}

/// The items of a list, or the one value that stands for it.
pub fn items(node: &Node) -> &[Node] {
    node.as_sequence().unwrap_or(std::slice::from_ref(node))
}
