//! The arguments of `kep-lint gates`.

use crate::cli::options::{ConfigArguments, release};
use crate::stage::Release;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Tell what Kubernetes says of feature gates
///
/// Of a gate: its stages, and the KEPs that the comment in the code names. Of a KEP, by number, name or path: its gates, and
/// those at which the code names it. Without an argument: how new the list is.
#[derive(Clone, Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct GatesArguments {
    /// Feature gates, and KEPs by number, name or path
    #[arg(value_name = "NAME|KEP")]
    pub names: Vec<String>,
    #[command(flatten)]
    pub config: ConfigArguments,
    #[command(subcommand)]
    pub command: Option<GatesCommand>,
}

/// What else can be done with a list of feature gates.
#[derive(Clone, Debug, Subcommand)]
pub enum GatesCommand {
    /// Read the feature gates from a checkout of the code, and print or update the list
    ///
    /// The built-in list is brought up to date, or the one in FILE. A gate that the code no longer has stays, with the release
    /// that removed it.
    Import(ImportArguments),
}

/// The arguments of `gates import`.
#[derive(Clone, Debug, Args)]
pub struct ImportArguments {
    /// The root of the checkout, such as one of kubernetes/kubernetes
    pub directory: PathBuf,
    /// The release that the code is of [default: the newest one that its gates name]
    #[arg(long, value_name = "v1.NN", value_parser = release)]
    pub release: Option<Release>,
    /// The release is out: the list is complete for it
    #[arg(long = "final")]
    pub is_final: bool,
    /// Update the list in this file, or write a new one [default: print it]
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Also read code that is older than the list
    #[arg(long)]
    pub force: bool,
}
