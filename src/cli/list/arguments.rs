//! The arguments of `kep-lint list`.

use crate::cli::filters::FilterArguments;
use crate::cli::options::{CONFIGURATION, ConfigArguments, When};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub const STATUS: &str = "Exit status: 0: the KEPs are listed; 2: there is none, or the run could not be completed.";

/// List KEPs: what is open in each, and who has to act
///
/// Open sections and who has to act are what `ready` says of each KEP, and empty for implemented, closed and
/// stale ones. Findings are those of `check`.
#[derive(Clone, Debug, Args)]
pub struct ListArguments {
    /// Directories, KEPs or files [default: as for `check`]
    pub paths: Vec<PathBuf>,
    /// What the KEPs are sorted by; what has most to do, and what was changed last, comes first
    #[arg(long, value_name = "KEY", value_enum, default_value_t = Key::Number)]
    pub sort: Key,
    /// Output format
    #[arg(long, value_enum, default_value_t = ListFormat::Text)]
    pub format: ListFormat,
    /// When to use color
    #[arg(long, value_enum, default_value_t = When::Auto)]
    pub color: When,
    #[command(flatten)]
    pub config: ConfigArguments,
    /// List KEPs that the configuration excludes as well
    #[arg(long, help_heading = CONFIGURATION)]
    pub no_exclude: bool,
    #[command(flatten)]
    pub filters: FilterArguments,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Key {
    Number,
    Title,
    Sig,
    Stage,
    Status,
    Milestone,
    Changed,
    Open,
    Findings,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ListFormat {
    /// Columns that fit the screen
    Text,
    /// A table
    Markdown,
    /// All values as one JSON object
    Json,
    /// All values, for a spreadsheet
    Csv,
}
