//! The arguments of `kep-lint facts`.

use crate::cli::options::ConfigArguments;
use clap::Args;
use std::path::PathBuf;

pub const STATUS: &str = "Exit status: 0: printed or written; 2: something could not be read, so that nothing is.";

/// Print what is known of a repository of KEPs, as one file
///
/// With this file, a program that has no other files of the repository, such as a page in a browser, checks one KEP as
/// kep-lint does in the repository. It has the groups, approvers, paths, PRR files, template and configuration, and what
/// counts of the other KEPs. It is JSON for kep-lint, whose keys may change in any version.
#[derive(Clone, Debug, Args)]
pub struct FactsArguments {
    /// The directory `keps`, or what has it or is in it [default: `keps` of the repository]
    pub path: Option<PathBuf>,
    /// Write the facts into this file, which is new or has facts
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub config: ConfigArguments,
}
