//! `kep-lint lsp`: a language server, over standard input and output.

mod answers;
mod capabilities;
mod client;
mod diagnostics;
mod documents;
mod expected;
mod keps;
mod server;
mod settings;
mod stdio;
mod uri;
mod watch;

use self::client::{Client, Log};
use self::server::{End, Server};
use self::settings::Settings;
use self::stdio::Stdio;
use super::outcome::Outcome;
use crate::diagnostic::Failure;
use clap::Args;

/// Serve editors over standard input and output
#[derive(Debug, Args)]
pub struct LspArguments {
    /// Print what an editor that is started here can expect, and do not serve
    #[arg(long)]
    pub check: bool,
    /// Write each message and check to standard error
    #[arg(long)]
    pub log: bool,
    /// What editors pass and means nothing here: standard input and output are all there is.
    #[arg(long, hide = true)]
    pub stdio: bool,
}

/// Serves until the editor ends it, or is gone; or says what an editor can expect.
pub fn run(arguments: &LspArguments) -> Result<Outcome, Failure> {
    if arguments.check {
        return expected::run();
    }
    let settings = Settings::none().map_err(Failure::new)?;
    let log = Log(arguments.log);
    let stdio = Stdio::start(move |line| log.add(line))?;
    let end = Server::new(Client::new(stdio.output.clone(), log), settings).serve(&stdio.input);
    stdio.end()?;
    Ok(match end {
        End::Orderly => Outcome::Clean,
        // What the protocol wants: 1.
        End::Abrupt => Outcome::Findings,
        End::Gone => Outcome::Incomplete,
    })
}
