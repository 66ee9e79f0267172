//! The arguments of `kep-lint lsp`.

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
