//! What kept the job from being done: the operation, the path, and the way out.

use std::io::{self, Write};
use std::path::Path;

/// Something that could not be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    message: String,
    help: Option<String>,
}

impl Failure {
    /// `message` names the operation and what it was done to.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }

    /// An operation on `path` that failed with `error`.
    pub fn io(operation: &str, path: &Path, error: &io::Error) -> Self {
        let reason = error.to_string();
        let reason = reason.split(" (os error").next().unwrap_or(&reason).to_lowercase();
        Self::new(format!("cannot {operation} `{}`: {reason}", path.display()))
    }

    /// Adds the way out, beginning with a verb.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Writes it to standard error.
    pub fn print(&self) {
        let help = self.help.as_ref().map(|help| format!("\n  help: {help}")).unwrap_or_default();
        // Where standard error is closed, nobody is left to tell.
        let _ = writeln!(io::stderr(), "error: {}{help}", self.message);
    }
}
