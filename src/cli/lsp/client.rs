//! The editor, as the server speaks to it.

use crate::editor::harmless;
use crate::report::printable;
use crossbeam_channel::Sender;
use gen_lsp_types::{MessageType, ShowMessageParams};
use lsp_server::{Message, Notification, Request, RequestId};
use serde::Serialize;
use std::cell::Cell;
use std::io::{self, Write};
use std::sync::atomic::{AtomicI32, Ordering};

#[derive(Debug)]
pub struct Client {
    messages: Sender<Message>,
    is_gone: Cell<bool>,
    log: Log,
    asked: AtomicI32,
}

/// The log on standard error, if it is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Log(pub bool);

impl Log {
    pub fn add(self, line: &str) {
        if self.0 {
            // Without standard error there is no log.
            let _ = writeln!(io::stderr(), "{}", printable(line));
        }
    }
}

impl Client {
    pub fn new(messages: Sender<Message>, log: Log) -> Self {
        Self { messages, is_gone: Cell::new(false), log, asked: AtomicI32::new(0) }
    }

    pub fn send(&self, message: Message) {
        if self.messages.send(message).is_err() {
            self.is_gone.set(true);
        }
    }

    pub fn is_gone(&self) -> bool {
        self.is_gone.get()
    }

    /// Tells the editor something that needs no answer.
    pub fn notify(&self, method: &str, params: &impl Serialize) {
        match serde_json::to_value(params) {
            Ok(params) => self.send(Notification { method: method.to_owned(), params }.into()),
            Err(error) => self.log(&format!("{method}: {error}")),
        }
    }

    /// Asks the editor for something. What it answers tells only whether it did it.
    pub fn ask(&self, method: &str, params: serde_json::Value) {
        let id = RequestId::from(self.asked.fetch_add(1, Ordering::Relaxed));
        self.send(Request { id, method: method.to_owned(), params }.into());
    }

    pub fn tell(&self, words: &str) {
        let message = harmless::message(&format!("kep-lint: {words}"));
        self.log(&message);
        self.notify("window/showMessage", &ShowMessageParams { kind: MessageType::Warning, message });
    }

    pub fn log(&self, line: &str) {
        self.log.add(line);
    }
}
