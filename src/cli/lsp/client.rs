//! The editor, as the server speaks to it.

use crate::report::printable;
use crossbeam_channel::Sender;
use gen_lsp_types::{MessageType, ShowMessageParams};
use lsp_server::{Message, Notification, Request, RequestId};
use serde::Serialize;
use std::io::{self, Write};
use std::sync::atomic::{AtomicI32, Ordering};

/// The editor.
#[derive(Debug)]
pub struct Client {
    messages: Sender<Message>,
    is_logged: bool,
    /// How many requests it was sent.
    asked: AtomicI32,
}

impl Client {
    /// The editor that reads these messages; with a log of them on standard error if that is wanted.
    pub fn new(messages: Sender<Message>, is_logged: bool) -> Self {
        Self { messages, is_logged, asked: AtomicI32::new(0) }
    }

    /// Sends a message. An editor that is gone hears nothing.
    pub fn send(&self, message: Message) {
        let _ = self.messages.send(message);
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

    /// Shows words to the user.
    pub fn tell(&self, words: &str) {
        let message = format!("kep-lint: {}", printable(words));
        self.log(&message);
        self.notify("window/showMessage", &ShowMessageParams { kind: MessageType::Warning, message });
    }

    /// Adds a line to the log.
    pub fn log(&self, line: &str) {
        if self.is_logged {
            // Without standard error there is no log.
            let _ = writeln!(io::stderr(), "{}", printable(line));
        }
    }
}
