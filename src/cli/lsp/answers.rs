//! The answers to what an editor asks, from the texts as they are now.

mod actions;
mod commands;

use super::documents;
use super::edit::Writer;
use super::features::Features;
use super::opened::OpenKep;
use super::server::Server;
use super::uri;
use crate::editor::actions::{self as remedies, Change};
use crate::editor::completion::{self, Choice, Completions, Kind};
use crate::editor::hover::{self, Hover};
use crate::editor::keps::{self, Listed};
use crate::editor::lens::{self, Lens};
use crate::editor::view::View;
use crate::editor::{definition, harmless};
use crate::kep::layout::TREE;
use crate::lint::panics::caught;
use crate::lint::report::KepReport;
use crate::report::json::encoding::with;
use crate::report::printable;
use crate::span::{FileId, Span};
use crate::workspace::edge::followed;
use crate::workspace::files::{Source, disk};
use crate::workspace::trees::{Repositories, collect};
use crate::workspace::walked::{Looked, Walked};
use gen_lsp_types::{
    CodeLensParams, DocumentDiagnosticParams, DocumentFormattingParams, Position, Range, TextDocumentPositionParams,
    Uri, WorkspaceSymbolParams,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub enum Refusal {
    /// The server does not know the method.
    Unknown,
    Invalid(String),
    Failed(String),
}

/// A result, which is `null` if there is nothing to say.
pub type Answer = Result<Value, Refusal>;

/// The capability of formatting documents, and what asks for it.
pub const FORMATTER: &str = "documentFormattingProvider";
pub const FORMATTING: &str = "textDocument/formatting";

const ACTIONS: &str = "textDocument/codeAction";
const RESOLVE: &str = "codeAction/resolve";
const PULL: &str = "textDocument/diagnostic";

/// Answers a request with these parameters.
type Handler = fn(&Server, Value) -> Answer;

/// What an editor can ask, by its method.
const ALL: [(&str, Handler); 10] = [
    (ACTIONS, actions::answer),
    (RESOLVE, actions::resolve),
    ("workspace/executeCommand", commands::answer),
    ("textDocument/completion", complete),
    ("textDocument/definition", define),
    (PULL, diagnose),
    (FORMATTING, format),
    ("textDocument/hover", hover),
    ("workspace/symbol", list_keps),
    ("textDocument/codeLens", lenses),
];

/// What an editor with these features is told that the server can do. If it `formats` nothing, it is no formatter:
/// editors ask which one of several to use. Only an editor that cannot be told findings is offered to ask for them.
pub fn capabilities(features: Features, formats: bool) -> Value {
    let mut able = json!({
        "codeActionProvider": { "codeActionKinds": actions::KINDS, "resolveProvider": true },
        "codeLensProvider": {},
        "completionProvider": { "triggerCharacters": ["#", ":", " ", "-", "/", "(", "`", "\"", "@"] },
        "definitionProvider": true,
        "executeCommandProvider": { "commands": commands::ALL },
        "hoverProvider": true,
        "positionEncoding": features.encoding.name(),
        "textDocumentSync": { "openClose": true, "change": 2, "save": { "includeText": false } },
        "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } },
        "workspaceSymbolProvider": true,
    });
    if features.asks_findings {
        let pull = json!({ "identifier": "kep-lint", "interFileDependencies": true, "workspaceDiagnostics": false });
        able = with(able, "diagnosticProvider", pull);
    }
    if formats {
        able = with(able, FORMATTER, json!(true));
    }
    json!({
        "capabilities": able,
        "serverInfo": { "name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION") },
    })
}

/// The document whose KEP must be checked before a request is answered: if it is about findings, and if it
/// is about a file that is read with the repository, not with its KEP, such as a PRR file.
pub fn needs_check(method: &str, params: &Value) -> Option<PathBuf> {
    let uri = params.pointer("/textDocument/uri").or_else(|| params.pointer("/data/uri"))?.as_str()?;
    let is_of_kep = uri.ends_with(".md") || uri.ends_with("/kep.yaml");
    if is_of_kep && ![ACTIONS, RESOLVE, PULL].contains(&method) { None } else { uri::path(&Uri(uri.to_owned())) }
}

pub fn methods() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|(method, _)| *method)
}

pub fn answer(server: &mut Server, method: &str, params: Value) -> Answer {
    let (_, answer) = ALL.iter().find(|(known, _)| *known == method).ok_or(Refusal::Unknown)?;
    server.keps.know_all();
    caught("answer", method, || answer(server, params)).unwrap_or_else(|failure| Err(Refusal::Failed(failure.message)))
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, Refusal> {
    serde_json::from_value(params).map_err(|error| Refusal::Invalid(error.to_string()))
}

/// A document of a KEP that is asked about.
struct Asked<'a> {
    kep: &'a OpenKep,
    view: &'a View<'a>,
    file: FileId,
    writer: Writer<'a>,
}

impl<'a> Asked<'a> {
    /// The byte at a position in the document.
    fn offset(&self, position: Position) -> usize {
        self.writer.features.encoding.offset(self.view.kep().texts.file(self.file), documents::place(position))
    }

    fn range(&self, span: Span) -> Range {
        self.writer.range_in(self.view.kep().texts.file(span.file), &span.range())
    }

    /// Fails, with the reason as a clause, if a place in the document may be another one in the editor.
    fn check_lines(&self) -> Result<(), String> {
        self.writer.documents.check_lines(self.view.kep().texts.file(self.file))
    }

    fn all_fixes(&self) -> Change {
        let (texts, documents) = (&self.view.kep().texts, self.writer.documents);
        remedies::fix_all(self.view, |file| documents.at(Path::new(&texts.file(file).path)).is_some())
    }

    fn report(&self) -> Option<&'a KepReport> {
        let texts = &self.view.kep().texts;
        let is_of_kep = |report: &&KepReport| report.kep.as_ref() == Some(&texts.directory);
        // The files of a directory that is no KEP have a report without one.
        let is_of_files = |report: &&KepReport| {
            let same = report.files.iter().zip(&texts.files).filter(|(one, other)| one.path == other.path).count();
            report.kep.is_none() && same == texts.files.len()
        };
        let reports = &self.kep.run.reports;
        reports.iter().find(is_of_kep).or_else(|| reports.iter().find(is_of_files))
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

/// What `question` says of the byte in a document that the parameters name.
fn ask_at(server: &Server, params: Value, question: impl FnOnce(&Asked<'_>, usize) -> Option<Value>) -> Answer {
    let TextDocumentPositionParams { text_document, position } = read(params)?;
    let answer = ask(server, &text_document.uri, |asked| question(asked, asked.offset(position)));
    Ok(answer.flatten().unwrap_or_default())
}

fn complete(server: &Server, params: Value) -> Answer {
    ask_at(server, params, |asked, offset| {
        let Completions { range, choices } = completion::at(asked.view, asked.file, offset, asked.report())?;
        asked.check_lines().ok()?;
        let range = asked.range(Span::new(asked.file, range));
        let items = choices.iter().enumerate().map(|(number, choice)| item(number, choice, range));
        Some(json!({ "isIncomplete": false, "items": items.collect::<Vec<_>>() }))
    })
}

fn item(number: usize, choice: &Choice, range: Range) -> Value {
    let kind = match choice.kind {
        Kind::Key => 10,
        Kind::Value => 12,
        Kind::Person => 6,
        Kind::Path => 17,
        Kind::Heading => 22,
        Kind::Gate => 20,
        Kind::Rule => 14,
    };
    // What is typed is compared with the first line of what is written: it may begin with a quote.
    let filter = choice.text.lines().next().unwrap_or_default().trim_start();
    let mut item = json!({
        "label": printable(&choice.label),
        "kind": kind,
        "sortText": format!("{number:05}"),
        "filterText": filter,
        // The lines of a heading with its guidance are as they are to be.
        "insertTextMode": 1,
        "textEdit": { "range": range, "newText": choice.text },
    });
    if let Some(detail) = &choice.detail {
        item = with(item, "detail", json!(printable(detail)));
    }
    if let Some(text) = &choice.documentation {
        item = with(item, "documentation", json!({ "kind": "markdown", "value": text }));
    }
    item
}

fn define(server: &Server, params: Value) -> Answer {
    ask_at(server, params, |asked, offset| {
        let places = definition::of(asked.view, asked.file, offset);
        let locations = places.iter().map(|place| {
            let uri = asked.writer.documents.uri(Path::new(&place.file.path));
            json!({ "uri": uri, "range": asked.writer.range_in(&place.file, &place.range) })
        });
        Some(locations.collect())
    })
}

fn hover(server: &Server, params: Value) -> Answer {
    ask_at(server, params, |asked, offset| {
        let Hover { span, markdown } = hover::at(asked.view, asked.file, offset)?;
        Some(json!({ "contents": { "kind": "markdown", "value": markdown }, "range": asked.range(span) }))
    })
}

/// The findings in a document, and in the other files of its KEP: for an editor that cannot be told them.
fn diagnose(server: &Server, params: Value) -> Answer {
    let DocumentDiagnosticParams { text_document, .. } = read(params)?;
    let Some(path) = uri::path(&text_document.uri) else { return Ok(json!({ "kind": "full", "items": [] })) };
    let mut findings = server.findings(server.keps.of(&path));
    let own = findings.remove(&path).unwrap_or_default();
    let related: Map<String, Value> = findings
        .into_iter()
        .map(|(other, items)| (server.documents.uri(&other).0, json!({ "kind": "full", "items": items })))
        .collect();
    Ok(json!({ "kind": "full", "items": own, "relatedDocuments": related }))
}

/// The table of contents, if the setting `format-toc` is on.
fn format(server: &Server, params: Value) -> Answer {
    let DocumentFormattingParams { text_document, .. } = read(params)?;
    if !server.settings.formats_contents {
        return Ok(json!([]));
    }
    let edits = ask(server, &text_document.uri, |asked| {
        let Some(change) = remedies::contents(asked.view, asked.file) else { return Ok(json!([])) };
        asked.check_lines().map_err(|reason| Refusal::Failed(format!("not formatted: {reason}")))?;
        let edits = change.edits.iter().map(|edit| json!({ "range": asked.range(edit.span), "newText": edit.text }));
        Ok(edits.collect())
    });
    edits.unwrap_or(Ok(json!([])))
}

fn lenses(server: &Server, params: Value) -> Answer {
    let CodeLensParams { text_document, .. } = read(params)?;
    let lenses = ask(server, &text_document.uri, |asked| {
        let shown = |Lens { span, title, promotion }: Lens| {
            let (command, argument) = match promotion {
                None => (commands::READY, json!({ "uri": text_document.uri })),
                Some(goal) => (commands::PROMOTE, json!({ "uri": text_document.uri, "to": lens::name(goal) })),
            };
            let command = json!({ "title": harmless::message(&title), "command": command, "arguments": [argument] });
            json!({ "range": asked.range(span), "command": command })
        };
        lens::all(asked.view, asked.file).into_iter().map(shown).collect()
    });
    Ok(lenses.unwrap_or(json!([])))
}

/// The KEPs of the trees that are open.
fn list_keps(server: &Server, params: Value) -> Answer {
    let WorkspaceSymbolParams { query, .. } = read(params)?;
    let mut seen: BTreeSet<PathBuf> = BTreeSet::new();
    let mut listed = Vec::new();
    for project in server.keps.iter().filter_map(|kep| kep.project.as_ref()) {
        let roots: Vec<PathBuf> = project.repositories.roots().map(|root| root.clone().into()).collect();
        if !roots.iter().all(|root| seen.contains(root)) {
            listed.extend(keps::listed(&project.repositories, &query));
        }
        seen.extend(roots);
    }
    for root in server.folders.iter().map(|folder| folder.join(TREE)) {
        if seen.insert(followed(&root).into()) {
            listed.extend(keps::listed(&tree(&root), &query));
        }
    }
    Ok(listed.into_iter().map(symbol).collect())
}

/// What is known of a tree of which no document is open.
fn tree(root: &Path) -> Repositories {
    let source: Source = disk::around(root);
    let walked = Walked::walk(root, &source);
    let looked = Looked { walks: vec![walked.walk], ..Looked::default() };
    collect(&walked.keps, &looked, Some(&BTreeSet::new()), None)
}

fn symbol(Listed { name, group, path }: Listed) -> Value {
    const FILE: u32 = 1;
    json!({
        "name": printable(&name),
        "kind": FILE,
        "containerName": printable(&group),
        "location": { "uri": uri::of(Path::new(&path)), "range": Range::default() },
    })
}
