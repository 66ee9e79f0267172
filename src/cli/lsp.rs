//! `kep-lint lsp`: a language server, over standard input and output.

mod answers;
pub mod arguments;
mod capabilities;
mod client;
mod conversation;
mod diagnostics;
mod documents;
mod keps;
mod server;
mod settings;
mod uri;
mod watch;

use self::arguments::LspArguments;
use self::client::Client;
use self::conversation::{Conversation, End};
use self::server::Server;
use self::settings::Settings;
use super::outcome::Outcome;
use crate::diagnostic::Failure;
use lsp_server::Connection;

/// Serves until the editor ends it, or is gone.
pub fn run(arguments: &LspArguments) -> Result<Outcome, Failure> {
    let settings = Settings::none().map_err(Failure::new)?;
    let (Connection { sender, receiver }, threads) = Connection::stdio();
    let server = Server::new(Client::new(sender, arguments.log), settings);
    let end = Conversation::new(server).serve(&receiver);
    drop(receiver);
    // The thread that writes ends with the server, and has written all by then.
    if threads.join().is_err() || end == End::Broken {
        return Ok(Outcome::Incomplete);
    }
    Ok(Outcome::Clean)
}
