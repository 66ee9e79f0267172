//! What can be written at a place: keys and values of YAML files; headings, links, feature gates and ignores in Markdown.
//! Nothing is offered that a rule would refuse.

mod cursor;
mod markdown;
mod metadata;

use self::cursor::Cursor;
use super::view::View;
use crate::lint::report::KepReport;
use crate::rules::ALL;
use crate::rules::rule::Category;
use crate::span::{FileId, slice};
use crate::suppress::ignore::{FILE_WORD, NAME, WORD};
use std::collections::BTreeSet;
use std::ops::Range;

/// What can be written at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// The bytes that each of them replaces: on one line, around the place.
    pub range: Range<usize>,
    pub choices: Vec<Choice>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub label: String,
    pub text: String,
    pub kind: Kind,
    pub detail: Option<String>,
    pub documentation: Option<String>,
}

/// What kind of thing can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Key,
    /// One of the values that a key may have.
    Value,
    Person,
    Path,
    Heading,
    Gate,
    Rule,
}

impl Choice {
    fn new(kind: Kind, label: impl Into<String>) -> Self {
        let label = label.into();
        Self { text: label.clone(), label, kind, detail: None, documentation: None }
    }

    fn text(self, text: impl Into<String>) -> Self {
        Self { text: text.into(), ..self }
    }

    fn detail(self, detail: impl Into<String>) -> Self {
        Self { detail: Some(detail.into()), ..self }
    }

    fn documentation(self, documentation: impl Into<String>) -> Self {
        Self { documentation: Some(documentation.into()), ..self }
    }
}

/// What can be written at byte `offset` of a file of the KEP; `None` if nothing is known. `report` is what was found in the
/// KEP.
pub fn at(view: &View<'_>, file: FileId, offset: usize, report: Option<&KepReport>) -> Option<Completions> {
    let kep = view.kep();
    let findings = report.into_iter().flat_map(|report| &report.diagnostics);
    let in_file = findings.filter(|finding| finding.span.file == file);
    let found: Vec<&str> = in_file.map(|finding| finding.rule).collect::<BTreeSet<_>>().into_iter().collect();
    let text = kep.texts.files.get(file.index())?.text.as_str();
    let offset = text.floor_char_boundary(offset);
    if let Some(document) = kep.readme.iter().chain(&kep.documents).find(|document| document.file == file) {
        return markdown::at(view, document, offset, &found);
    }
    let start = slice(text, ..offset).rfind(['\n', '\r']).map_or(0, |at| at + 1);
    if let Some(comment) = cursor::comment(slice(text, start..offset)) {
        return ignores(slice(text, start + comment..offset), start + comment, &found);
    }
    let form = view.form(file)?;
    let cursor = Cursor::at(text, offset)?;
    let choices = metadata::choices(view, form, text, &cursor);
    Some(Completions { range: cursor.range, choices }).filter(|completions| !completions.choices.is_empty())
}

/// The word of an ignore, or the rules that it names: what can be written after `typed`, the text of a
/// comment from byte `start` on up to the place. The rules that are `found` come first.
fn ignores(typed: &str, start: usize, found: &[&str]) -> Option<Completions> {
    let content = typed.trim_start();
    let end = start + typed.len();
    if !content.is_empty() && WORD.starts_with(content) && content.len() >= 3 || content == NAME {
        let words = [(WORD, "ignores findings in what follows"), (FILE_WORD, "ignores findings in the whole file")];
        let choices = words.map(|(word, detail)| Choice::new(Kind::Rule, word).text(format!("{word} ")).detail(detail));
        return Some(Completions { range: end - content.len()..end, choices: choices.into() });
    }
    let names = content.strip_prefix(FILE_WORD).or_else(|| content.strip_prefix(WORD))?;
    // After the colon is the reason, which nobody else knows.
    if !names.starts_with([' ', '\t']) || names.contains([':', '(']) {
        return None;
    }
    let last = names.rsplit([',', ' ', '\t', '\n']).next().unwrap_or_default();
    let others = slice(names, ..names.len() - last.len());
    let is_separated = others.trim().is_empty() || others.trim_end().ends_with(',');
    if !is_separated {
        return None;
    }
    let others: Vec<&str> = others.split(',').map(str::trim).collect();
    let rules = ALL.iter().filter(|rule| rule.category != Category::Ignores && !others.contains(&rule.name));
    let (first, rest): (Vec<_>, Vec<_>) = rules.partition(|rule| found.contains(&rule.name));
    let choices = first.into_iter().chain(rest).map(|rule| Choice::new(Kind::Rule, rule.name).detail(rule.summary));
    Some(Completions { range: end - last.len()..end, choices: choices.collect() })
}

#[cfg(test)]
mod tests;
