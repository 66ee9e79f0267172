//! The answers to what an editor asks: one file for each thing that it can ask, with what the server says
//! that it can do.

mod actions;
mod commands;
mod completion;
mod definition;
mod diagnostic;
mod formatting;
mod hover;
mod keps;
mod lens;

use super::documents;
use super::edit::Writer;
use super::opened::OpenKep;
use super::server::Server;
use super::uri;
use crate::editor::actions::{self as remedies, Change};
use crate::editor::definition::Place;
use crate::editor::view::View;
use crate::lint::panics::caught;
use crate::lint::report::KepReport;
use crate::span::{FileId, Span};
use gen_lsp_types::{Location, Position, Range, Uri};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

pub enum Refusal {
    /// The server does not know the method.
    Unknown,
    Invalid(String),
    Failed(String),
}

/// A result, which is `null` if there is nothing to say.
pub type Answer = Result<Value, Refusal>;

/// The capability of answering an editor that asks for findings. Only one that cannot be told them is
/// offered it.
pub const PULL: &str = "diagnosticProvider";

/// The capability of formatting documents, and what asks for it.
pub const FORMATTER: &str = "documentFormattingProvider";
pub const FORMATTING: &str = formatting::ABILITY.method;

struct Ability {
    method: &'static str,
    /// What the server says that it can do, by the name in its capabilities.
    capability: fn() -> (&'static str, Value),
    answer: fn(&mut Server, Value) -> Answer,
}

const ALL: &[Ability] = &[
    actions::ABILITY,
    actions::RESOLVE,
    commands::ABILITY,
    completion::ABILITY,
    definition::ABILITY,
    diagnostic::ABILITY,
    formatting::ABILITY,
    hover::ABILITY,
    keps::ABILITY,
    lens::ABILITY,
];

/// What the server says that it can do.
pub fn capabilities() -> Map<String, Value> {
    ALL.iter().map(|ability| (ability.capability)()).map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The document whose KEP must be checked before a request is answered: if it is about findings, and if it
/// is about a file that is read with the repository, not with its KEP, such as a PRR file.
pub fn needs_check(method: &str, params: &Value) -> Option<PathBuf> {
    let is_about_findings = [actions::ABILITY.method, actions::RESOLVE.method].contains(&method);
    let uri = params.pointer("/textDocument/uri").or_else(|| params.pointer("/data/uri"))?.as_str()?;
    let is_of_kep = uri.ends_with(".md") || uri.ends_with("/kep.yaml");
    if is_of_kep && !is_about_findings { None } else { uri::path(&Uri(uri.to_owned())) }
}

pub fn methods() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|ability| ability.method)
}

/// Answers a request from the texts as they are now.
pub fn answer(server: &mut Server, method: &str, params: Value) -> Answer {
    let ability = ALL.iter().find(|ability| ability.method == method).ok_or(Refusal::Unknown)?;
    server.keps.know_all();
    caught("answer", method, || (ability.answer)(server, params))
        .unwrap_or_else(|failure| Err(Refusal::Failed(failure.message)))
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, Refusal> {
    serde_json::from_value(params).map_err(|error| Refusal::Invalid(error.to_string()))
}

/// A result as the protocol has it.
fn value(result: impl Serialize) -> Answer {
    serde_json::to_value(result).map_err(|error| Refusal::Failed(error.to_string()))
}

/// A document of a KEP that is asked about.
struct Asked<'a> {
    kep: &'a OpenKep,
    view: &'a View<'a>,
    file: FileId,
    writer: Writer<'a>,
}

impl Asked<'_> {
    /// The byte at a position in the document.
    fn offset(&self, position: Position) -> usize {
        self.writer.features.encoding.offset(self.view.kep().texts.file(self.file), documents::place(position))
    }

    fn range(&self, span: Span) -> Range {
        self.writer.range_in(self.view.kep().texts.file(span.file), &span.range())
    }

    /// The change that makes all safe fixes of the KEP.
    fn all_fixes(&self) -> Change {
        let (texts, documents) = (&self.view.kep().texts, self.writer.documents);
        remedies::fix_all(self.view, |file| documents.at(Path::new(&texts.file(file).path)).is_some())
    }

    /// A place in this KEP or another file.
    fn place(&self, place: &Place) -> Location {
        let Place { file, range } = place;
        let uri = self.writer.documents.uri(Path::new(&file.path));
        Location { uri, range: self.writer.range_in(file, range) }
    }
}

/// What `question` says of the document at `uri`; `None` if it is not open, or belongs to no KEP.
fn ask<T>(server: &Server, uri: &Uri, question: impl FnOnce(&Asked<'_>) -> T) -> Option<T> {
    let path = uri::path(uri)?;
    let kep = server.keps.of(&path)?;
    let project = kep.project.as_ref()?;
    let templates = project.templates();
    let shown = kep.name(&path)?.to_str()?;
    let views = kep.keps.iter().map(|directory| {
        let template = templates.for_document(directory.tree_path().as_deref(), project.repositories.of(directory));
        View::of(project, template, directory)
    });
    // A document may belong to several KEPs; the first one answers.
    let (view, file) = views.filter_map(|view| view.file(shown).map(|file| (view, file))).next()?;
    Some(question(&Asked { kep, view: &view, file, writer: server.writer() }))
}

/// What was found in the KEP of a document.
fn report<'a>(asked: &Asked<'a>) -> Option<&'a KepReport> {
    let texts = &asked.view.kep().texts;
    let is_of_kep = |report: &&KepReport| report.kep.as_ref() == Some(&texts.directory);
    // The files of a directory that is no KEP have a report without one.
    let is_of_files = |report: &&KepReport| {
        let same = report.files.iter().zip(&texts.files).filter(|(one, other)| one.path == other.path).count();
        report.kep.is_none() && same == texts.files.len()
    };
    let reports = &asked.kep.run.reports;
    reports.iter().find(is_of_kep).or_else(|| reports.iter().find(is_of_files))
}
