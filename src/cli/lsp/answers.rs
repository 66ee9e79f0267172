//! The answers to what an editor asks: one file for each thing that it can ask, with what the server says that it can do.

mod definition;
mod diagnostic;
mod folding;
mod hover;
mod keps;
mod links;
mod outline;
mod references;

use super::documents::{self, Documents};
use super::keps::{Keps, OpenKep};
use super::server::Server;
use super::uri;
use crate::editor::definition::Place;
use crate::editor::position::Encoding;
use crate::editor::view::View;
use crate::lint::panics::caught;
use crate::span::{FileId, Span};
use crate::workspace::project::Project;
use gen_lsp_types::{Location, Position, Range, Uri};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::path::Path;

/// What cannot be answered.
pub enum Refusal {
    /// The server does not know the method.
    Unknown,
    /// The parameters do not fit.
    Invalid(String),
    /// It could not be done.
    Failed(String),
}

/// A result, which is `null` if there is nothing to say.
pub type Answer = Result<Value, Refusal>;

/// The capability of answering an editor that asks for findings. Only one that cannot be told them is offered it.
pub const PULL: &str = "diagnosticProvider";

/// Something that an editor can ask.
struct Ability {
    /// The method that asks it.
    method: &'static str,
    /// What the server says that it can do, by the name in its capabilities.
    capability: fn() -> (&'static str, Value),
    answer: fn(&mut Server, Value) -> Answer,
}

/// All of them.
const ALL: &[Ability] = &[
    diagnostic::ABILITY,
    hover::ABILITY,
    definition::ABILITY,
    references::ABILITY,
    links::ABILITY,
    outline::ABILITY,
    folding::ABILITY,
    keps::ABILITY,
];

/// What the server says that it can do.
pub fn capabilities() -> Map<String, Value> {
    ALL.iter().map(|ability| (ability.capability)()).map(|(name, value)| (name.to_owned(), value)).collect()
}

/// What can be asked.
pub fn methods() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|ability| ability.method)
}

/// Answers a request from the texts as they are now.
pub fn answer(server: &mut Server, method: &str, params: Value) -> Answer {
    let ability = ALL.iter().find(|ability| ability.method == method).ok_or(Refusal::Unknown)?;
    caught("answer", method, || (ability.answer)(server, params))
        .unwrap_or_else(|failure| Err(Refusal::Failed(failure.message)))
}

/// The parameters of a request.
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
    project: &'a Project,
    /// The KEP as it is now.
    view: &'a View<'a>,
    /// The document.
    file: FileId,
    documents: &'a Documents,
    encoding: Encoding,
}

impl Asked<'_> {
    /// The byte at a position in the document.
    fn offset(&self, position: Position) -> usize {
        self.encoding.offset(self.view.kep().texts.file(self.file), documents::place(position))
    }

    /// The range of a span.
    fn range(&self, span: Span) -> Range {
        documents::range(self.view.kep().texts.file(span.file), &span.range(), self.encoding)
    }

    /// How the editor names a file of the KEP.
    fn uri(&self, file: FileId) -> Uri {
        self.documents.uri(Path::new(&self.view.kep().texts.file(file).path))
    }

    /// A place in this KEP or another file.
    fn place(&self, place: &Place) -> Location {
        let Place { file, range } = place;
        let uri = self.documents.uri(Path::new(&file.path));
        Location { uri, range: documents::range(file, range, self.encoding) }
    }

    /// Where a span is.
    fn location(&self, span: Span) -> Location {
        Location { uri: self.uri(span.file), range: self.range(span) }
    }
}

/// What `question` says of the document at `uri`; `None` if it is not open, or belongs to no KEP.
fn ask<T>(server: &Server, uri: &Uri, question: impl FnOnce(&Asked<'_>) -> T) -> Option<T> {
    let Server { documents, keps, encoding, .. } = server;
    let path = uri::path(uri)?;
    let kep = Keps::of(keps, &path)?;
    let project = kep.project.as_ref()?;
    let templates = project.templates();
    let shown = path.to_str()?;
    let views = project.keps.iter().map(|directory| {
        let template = templates.for_keps_of(project.repositories.of(directory));
        View::of(project, template, directory)
    });
    // A document may belong to several KEPs; the first one answers.
    let (view, file) = views.filter_map(|view| view.file(shown).map(|file| (view, file))).next()?;
    Some(question(&Asked { kep, project, view: &view, file, documents, encoding: *encoding }))
}
