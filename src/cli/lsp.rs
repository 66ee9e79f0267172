//! `kep-lint lsp`: a language server, over standard input and output.

mod answers;
mod capabilities;
mod client;
mod diagnostics;
mod documents;
mod keps;
mod server;
mod settings;
mod uri;
mod watch;

use self::client::Client;
use self::server::{End, Server};
use self::settings::Settings;
use super::outcome::Outcome;
use crate::diagnostic::Failure;
use clap::Args;
use lsp_server::Connection;

/// Serve editors over standard input and output
#[derive(Debug, Args)]
pub struct LspArguments {
    /// Write each message and check to standard error
    #[arg(long)]
    pub log: bool,
    /// What editors pass and means nothing here: standard input and output are all there is.
    #[arg(long, hide = true)]
    pub stdio: bool,
}

/// Serves until the editor ends it, or is gone.
pub fn run(arguments: &LspArguments) -> Result<Outcome, Failure> {
    let settings = Settings::none().map_err(Failure::new)?;
    let (Connection { sender, receiver }, threads) = Connection::stdio();
    let end = Server::new(Client::new(sender, arguments.log), settings).serve(&receiver);
    drop(receiver);
    // The thread that writes ends with the server, and has written all by then.
    if threads.join().is_err() || end == End::Broken {
        return Ok(Outcome::Incomplete);
    }
    Ok(Outcome::Clean)
}
