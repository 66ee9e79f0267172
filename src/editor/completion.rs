//! What can be written at a place: keys and values of YAML files; headings, links, feature gates and ignores in Markdown.
//! Nothing is offered that a rule would refuse.

mod cursor;
mod ignores;
mod markdown;
mod metadata;

use self::cursor::Cursor;
use super::view::View;
use crate::lint::report::KepReport;
use crate::span::{FileId, slice};
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
        return ignores::at(slice(text, start + comment..offset), start + comment, &found);
    }
    let form = view.form(file)?;
    let cursor = Cursor::at(text, offset)?;
    let choices = metadata::choices(view, form, text, &cursor);
    Some(Completions { range: cursor.range, choices }).filter(|completions| !completions.choices.is_empty())
}

#[cfg(test)]
mod tests;
