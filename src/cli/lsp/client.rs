//! The editor, as the server speaks to it.

use crate::editor::harmless;
use crate::report::printable;
use crossbeam_channel::{SendTimeoutError, Sender};
use gen_lsp_types::{MessageType, ShowMessageParams};
use lsp_server::{Message, Notification, Request, RequestId};
use serde::Serialize;
use std::cell::Cell;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long the server waits before it looks whether the editor is still there.
pub const PATIENCE: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub struct Client {
    messages: Sender<Message>,
    /// Whether the editor says nothing more.
    is_silent: Arc<AtomicBool>,
    /// The process of the editor, with which the server ends.
    process: Cell<Option<u32>>,
    is_gone: Cell<bool>,
    log: Log,
    asked: Cell<i32>,
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
    pub fn new(messages: Sender<Message>, is_silent: Arc<AtomicBool>, log: Log) -> Self {
        let (process, is_gone) = (Cell::new(None), Cell::new(false));
        Self { messages, is_silent, process, is_gone, log, asked: Cell::new(0) }
    }

    /// Ends with this process. One that is not there now is on another computer, or in another container.
    pub fn follow(&self, process: Option<u32>) {
        self.process.set(process.filter(|process| is_running(*process)));
    }

    /// Looks whether the process of the editor is still there.
    pub fn look(&self) {
        if self.process.get().is_some_and(|process| !is_running(process)) {
            self.is_gone.set(true);
        }
    }

    /// Sends a message, for which an editor that reads slowly may make the server wait.
    pub fn send(&self, message: Message) {
        let mut unsent = Some(message);
        while let Some(next) = unsent.take()
            && !self.is_gone()
        {
            match self.messages.send_timeout(next, PATIENCE) {
                Ok(()) => {}
                Err(SendTimeoutError::Timeout(kept)) if !self.is_silent.load(Ordering::Relaxed) => {
                    self.look();
                    unsent = Some(kept);
                }
                Err(_) => self.is_gone.set(true),
            }
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
        let id = RequestId::from(self.asked.replace(self.asked.get() + 1));
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

/// Whether a process is there. Where that cannot be known, it is.
fn is_running(process: u32) -> bool {
    !cfg!(target_os = "linux") || Path::new("/proc").join(process.to_string()).exists()
}
