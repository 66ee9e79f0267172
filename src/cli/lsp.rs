//! `kep-lint lsp`: a language server, over standard input and output.

mod answers;
mod client;
mod conversation;
mod diagnostics;
mod documents;
mod edit;
mod expected;
mod features;
mod keps;
mod opened;
mod server;
mod settings;
mod stdio;
mod uri;
mod watch;

use self::client::{Client, Log};
use self::conversation::Conversation;
use self::server::Server;
use self::settings::Settings;
use self::stdio::Stdio;
use super::args::commands::LspArguments;
use super::outcome::Outcome;
use crate::diagnostic::Failure;
use serde_json::Value;
use std::sync::Arc;

/// Serves until the editor ends it, or is gone; or says what an editor can expect.
pub fn run(arguments: &LspArguments) -> Result<Outcome, Failure> {
    if arguments.check {
        return expected::run();
    }
    let settings = Settings::of(&Value::Null, None).map_err(Failure::new)?;
    let log = Log(arguments.log);
    let stdio = Stdio::start(move |line| log.add(line))?;
    let server = Server::new(Client::new(stdio.output.clone(), Arc::clone(&stdio.is_silent), log), settings);
    let outcome = Conversation::new(server).serve(&stdio.input);
    stdio.end()?;
    Ok(outcome)
}
