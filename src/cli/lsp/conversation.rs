//! The conversation with an editor: what it asks is answered from the texts as they are then, and each KEP
//! that has changed is checked once no message is left, the one that is typed in first.

use super::answers::{self, Answer, Refusal};
use super::client::PATIENCE;
use super::features::Features;
use super::server::Server;
use super::settings::Settings;
use super::uri;
use super::watch::Watch;
use crate::bounds;
use crate::cli::outcome::Outcome;
use crate::cli::watch::{CHANGING_MILLISECONDS, QUIET};
use crate::diagnostic::Failure;
use crate::editor::harmless;
use crossbeam_channel::{Receiver, Select, TryRecvError};
use gen_lsp_types::{
    DidChangeConfigurationParams, DidChangeTextDocumentParams, DidChangeWorkspaceFoldersParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams, PublishDiagnosticsParams,
    WorkspaceFolder,
};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, from_value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub struct Conversation {
    server: Server,
    phase: Phase,
    /// What the editor was told last, by file.
    published: BTreeMap<PathBuf, PublishDiagnosticsParams>,
    /// The failures that it was told of.
    told: BTreeSet<String>,
    watch: Watch,
    /// Whether it watches what is open, as far as is known.
    is_aimed: bool,
    /// Since when files change on disk, which are not read before they no longer do.
    changing: Option<Instant>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Waiting,
    Running,
    ShutDown,
}

/// What an editor tells, by its method: the parameters are read, and then the conversation goes on.
type Notice = fn(&mut Conversation, Value) -> serde_json::Result<()>;

const NOTICES: [(&str, Notice); 7] = [
    ("textDocument/didOpen", |talk, params| from_value(params).map(|it| talk.opened(it))),
    ("textDocument/didChange", |talk, params| from_value(params).map(|it| talk.edited(it))),
    ("textDocument/didClose", |talk, params| from_value(params).map(|it| talk.closed(&it))),
    // No editor says when another program has changed a file.
    ("textDocument/didSave", |talk, params| {
        talk.server.keps.all_changed();
        from_value(params).map(|_: DidSaveTextDocumentParams| ())
    }),
    ("workspace/didChangeConfiguration", |talk, params| from_value(params).map(|it| talk.configured(&it))),
    ("workspace/didChangeWorkspaceFolders", |talk, params| from_value(params).map(|it| talk.folders_changed(&it))),
    ("workspace/didChangeWatchedFiles", |talk, _| {
        talk.changing.get_or_insert_with(Instant::now);
        Ok(())
    }),
];

impl Conversation {
    pub fn new(server: Server) -> Self {
        Self {
            server,
            phase: Phase::Waiting,
            published: BTreeMap::new(),
            told: BTreeSet::new(),
            watch: Watch::new(),
            is_aimed: true,
            changing: None,
        }
    }

    /// Serves until the editor ends it, or is gone.
    pub fn serve(mut self, messages: &Receiver<Message>) -> Outcome {
        while !self.server.client.is_gone() {
            let first = match messages.try_recv() {
                Ok(message) => message,
                Err(TryRecvError::Disconnected) => break,
                Err(TryRecvError::Empty) => {
                    self.go_on(messages);
                    continue;
                }
            };
            let others = messages.try_iter().take(bounds::WAITING_MESSAGES);
            let batch: Vec<Message> = std::iter::once(first).chain(others).collect();
            let cancelled = cancelled(&batch);
            for message in batch {
                if let Some(end) = self.take(message, &cancelled) {
                    return end;
                }
            }
        }
        if self.phase == Phase::ShutDown { Outcome::Clean } else { Outcome::Incomplete }
    }

    /// Checks a KEP that is due. If there is none, waits for a message, or for files to change and to be as
    /// they are for a while.
    fn go_on(&mut self, messages: &Receiver<Message>) {
        self.aim();
        if self.phase == Phase::Running && self.server.keps.is_due() {
            self.check_next();
            return;
        }
        let mut either = Select::new();
        let message = either.recv(messages);
        either.recv(&self.watch.changes);
        match either.ready_timeout(if self.changing.is_some() { QUIET } else { PATIENCE }) {
            Ok(ready) if ready == message => return,
            Ok(_) => {
                let _ = self.watch.changes.try_recv();
                let start = *self.changing.get_or_insert_with(Instant::now);
                if start.elapsed() < Duration::from_millis(CHANGING_MILLISECONDS) {
                    return;
                }
            }
            Err(_) => {}
        }
        if self.changing.take().is_some() {
            self.server.client.log("files have changed");
            self.all_changed();
            self.is_aimed = false;
        }
        self.server.client.look();
    }

    /// Takes a message; returns the end, if it is that.
    fn take(&mut self, message: Message, cancelled: &BTreeSet<String>) -> Option<Outcome> {
        match message {
            Message::Request(request) => {
                self.server.client.log(&format!("request {}", request.method));
                let response = self.respond(request, cancelled);
                self.server.client.send(response.into());
                None
            }
            Message::Notification(notification) if notification.method == "exit" => {
                // What the protocol wants if the editor did not say before that it would end: 1.
                Some(if self.phase == Phase::ShutDown { Outcome::Clean } else { Outcome::Findings })
            }
            Message::Notification(notification) => {
                self.server.client.log(&format!("notification {}", notification.method));
                if self.phase == Phase::Running {
                    self.notice(notification);
                }
                None
            }
            // What the editor answers changes nothing.
            Message::Response(_) => None,
        }
    }

    fn respond(&mut self, request: Request, cancelled: &BTreeSet<String>) -> Response {
        let Request { id, method, params } = request;
        match (self.phase, method.as_str()) {
            (Phase::Waiting, "initialize") => {
                let result = self.initialize(&params);
                self.phase = Phase::Running;
                Response::new_ok(id, result)
            }
            (Phase::Waiting, _) => refused(id, ErrorCode::ServerNotInitialized, "the server is not initialized yet"),
            (Phase::ShutDown, _) => refused(id, ErrorCode::InvalidRequest, "the server is shut down"),
            (Phase::Running, "initialize") => {
                refused(id, ErrorCode::InvalidRequest, "the server is initialized already")
            }
            (Phase::Running, "shutdown") => {
                self.phase = Phase::ShutDown;
                Response::new_ok(id, Value::Null)
            }
            (Phase::Running, _) if cancelled.contains(&id.to_string()) => {
                refused(id, ErrorCode::RequestCanceled, "the editor does not want the answer any more")
            }
            (Phase::Running, method) => {
                // What is read for the answer is watched first.
                self.aim();
                if answers::needs_check(method, &params).is_some_and(|document| self.server.keps.prefers(&document)) {
                    self.check_next();
                }
                answered(id, method, answers::answer(&mut self.server, method, params))
            }
        }
    }

    fn initialize(&mut self, params: &Value) -> Value {
        self.server.features = Features::of(params);
        let process = params.get("processId").and_then(Value::as_u64);
        self.server.client.follow(process.and_then(|process| u32::try_from(process).ok()));
        self.server.folders = uri::folders(params);
        self.configure(params.get("initializationOptions").unwrap_or(&Value::Null));
        answers::capabilities(self.server.features, self.server.settings.formats_contents)
    }

    /// Takes settings. What is wrong with them is said, and leaves them as they were.
    fn configure(&mut self, value: &Value) {
        match Settings::of(value, self.server.folders.first().map(PathBuf::as_path)) {
            Ok(settings) => {
                let formatted = std::mem::replace(&mut self.server.settings, settings).formats_contents;
                self.register_formatting(formatted);
                self.server.keps.set(self.server.settings.arguments());
                self.is_aimed = false;
            }
            Err(words) => self.server.client.tell(&format!("settings of kep-lint: {words}")),
        }
    }

    /// Tells that documents are formatted from now on, or no longer, if that has changed.
    fn register_formatting(&self, before: bool) {
        let formats = self.server.settings.formats_contents;
        let is_known = self.phase == Phase::Waiting || formats == before;
        if is_known || !self.server.features.registers_formatting {
            return;
        }
        let it = json!([{ "id": answers::FORMATTER, "method": answers::FORMATTING }]);
        if formats {
            self.server.client.ask("client/registerCapability", json!({ "registrations": it }));
        } else {
            // The protocol has this name.
            self.server.client.ask("client/unregisterCapability", json!({ "unregisterations": it }));
        }
    }

    /// Anything may have changed: all KEPs are due, and an editor that asks for findings is told to do so.
    fn all_changed(&mut self) {
        self.server.keps.all_changed();
        if self.server.features.asks_findings && self.server.features.refreshes_findings {
            self.server.client.ask("workspace/diagnostic/refresh", Value::Null);
        }
    }

    fn notice(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        let known = NOTICES.iter().find(|(name, _)| *name == method);
        // What does not fit is told to the log alone, as nothing can be answered.
        if let Some(Err(error)) = known.map(|(_, notice)| notice(self, params)) {
            self.server.client.log(&format!("{method}: {error}"));
        }
    }

    fn opened(&mut self, it: DidOpenTextDocumentParams) {
        let it = it.text_document;
        let Some(path) = uri::path(&it.uri) else { return };
        let result = self.server.keps.open(&path, &it.text);
        self.server.documents.open(&path, it.uri, it.version, it.text);
        self.tell_failed(result.err());
        self.tell_lines(&path);
        self.is_aimed = false;
    }

    fn edited(&mut self, it: DidChangeTextDocumentParams) {
        let Some(path) = uri::path(&it.text_document.text_document_identifier.uri) else { return };
        let (version, encoding) = (it.text_document.version, self.server.features.encoding);
        if let Some(document) = self.server.documents.edit(&path, version, it.content_changes, encoding) {
            let result = self.server.keps.edit(&path, &document.file.text);
            self.tell_failed(result.err());
            self.tell_lines(&path);
        }
    }

    fn closed(&mut self, it: &DidCloseTextDocumentParams) {
        if let Some(path) = uri::path(&it.text_document.uri) {
            self.server.documents.close(&path);
            self.server.keps.close(&path);
            self.publish();
            self.is_aimed = false;
        }
    }

    /// Some editors send the settings of all servers to each.
    fn configured(&mut self, it: &DidChangeConfigurationParams) {
        if let Some(own) = it.settings.get("kep-lint") {
            self.configure(own);
            self.all_changed();
        }
    }

    fn folders_changed(&mut self, it: &DidChangeWorkspaceFoldersParams) {
        let paths = |folders: &[WorkspaceFolder]| -> Vec<PathBuf> {
            folders.iter().filter_map(|folder| uri::path(&folder.uri)).collect()
        };
        let (added, removed) = (paths(&it.event.added), paths(&it.event.removed));
        self.server.folders.retain(|folder| !removed.contains(folder) && !added.contains(folder));
        self.server.folders.extend(added);
    }

    /// Checks one KEP, and tells what has changed.
    fn check_next(&mut self) {
        if self.server.keps.check_next() {
            self.publish();
            let failures: Vec<Failure> = self.server.keps.iter().flat_map(|kep| &kep.run.failures).cloned().collect();
            failures.into_iter().for_each(|failure| self.tell_failed(Some(failure)));
        }
    }

    /// Tells the editor all findings that it does not know.
    fn publish(&mut self) {
        if self.server.features.asks_findings {
            return;
        }
        let mut files = self.server.findings(self.server.keps.iter());
        // What has no findings any more is told so, and of what is open that it was checked.
        let open = self.server.documents.iter().map(|(path, _)| path.to_owned());
        for path in self.published.keys().cloned().chain(open) {
            files.entry(path).or_default();
        }
        let mut files: Vec<_> = files.into_iter().collect();
        // What is open is told last: once an editor knows its findings, it knows those of the whole KEP.
        files.sort_by_key(|(path, _)| self.server.documents.at(path).is_some());
        for (path, diagnostics) in files {
            let document = self.server.documents.at(&path);
            let version = document.map(|document| document.version);
            let known = self.published.get(&path);
            // Once it is closed, it keeps the name that it had: an editor may write the same path in another
            // way.
            let uri = match (document, known) {
                (None, Some(known)) => known.uri.clone(),
                _ => self.server.documents.uri(&path),
            };
            let shown = PublishDiagnosticsParams { uri, version, diagnostics };
            if known == Some(&shown) {
                continue;
            }
            if let Some(known) = known.filter(|known| known.uri != shown.uri) {
                let gone = PublishDiagnosticsParams { uri: known.uri.clone(), version: None, diagnostics: Vec::new() };
                self.server.client.notify("textDocument/publishDiagnostics", &gone);
            }
            self.server.client.notify("textDocument/publishDiagnostics", &shown);
            if shown.diagnostics.is_empty() && shown.version.is_none() {
                self.published.remove(&path);
            } else {
                self.published.insert(path, shown);
            }
        }
    }

    fn aim(&mut self) {
        if !std::mem::replace(&mut self.is_aimed, true) {
            let documents: Vec<&Path> = self.server.documents.iter().map(|(path, _)| path).collect();
            let failure = self.watch.aim(&documents, &self.server.settings.files()).err();
            self.server.keps.is_watched = failure.is_none();
            self.tell_failed(failure);
        }
    }

    /// Tells that a document cannot be changed, as not every editor does so when it is asked for changes.
    fn tell_lines(&mut self, path: &Path) {
        let documents = &self.server.documents;
        let checked = documents.at(path).map_or(Ok(()), |document| documents.check_lines(&document.file));
        self.tell_failed(checked.err().map(Failure::new));
    }

    fn tell_failed(&mut self, failure: Option<Failure>) {
        let Some(failure) = failure else { return };
        let help = failure.help.map(|help| format!(" ({help})")).unwrap_or_default();
        let words = format!("{}{help}", failure.message);
        if self.told.insert(words.clone()) {
            self.server.client.tell(&words);
        }
    }
}

fn refused(id: RequestId, code: ErrorCode, words: &str) -> Response {
    Response::new_err(id, code as i32, harmless::message(words))
}

fn answered(id: RequestId, method: &str, answer: Answer) -> Response {
    match answer {
        Ok(value) => Response::new_ok(id, value),
        Err(Refusal::Invalid(words)) => refused(id, ErrorCode::InvalidParams, &words),
        Err(Refusal::Failed(words)) => refused(id, ErrorCode::RequestFailed, &words),
        Err(Refusal::Unknown) => {
            refused(id, ErrorCode::MethodNotFound, &format!("kep-lint does not answer `{method}`"))
        }
    }
}

/// The requests that the editor does not want to be answered any more.
fn cancelled(batch: &[Message]) -> BTreeSet<String> {
    let id = |message: &Message| match message {
        Message::Notification(Notification { method, params }) if method == "$/cancelRequest" => {
            let id: RequestId = serde_json::from_value(params.get("id")?.clone()).ok()?;
            Some(id.to_string())
        }
        _ => None,
    };
    batch.iter().filter_map(id).collect()
}
