//! The arguments of `kep-lint list`.

use crate::cli::destination::FormatArgument;
use crate::cli::filters::FilterArguments;
use crate::cli::options::{CONFIGURATION, ConfigArguments, When};
use crate::report::list::{FORMATS, ListFormat};
use crate::suggest;
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
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = format_argument, help = ABOUT, long_help = formats())]
    pub format: Vec<FormatArgument<ListFormat>>,
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

fn format_argument(text: &str) -> Result<FormatArgument<ListFormat>, String> {
    let names = FORMATS.each_ref().map(|format| format.name);
    let of_name = |name: &str| FORMATS.iter().find(|format| format.name == name);
    FormatArgument::parse(text, |name| of_name(name).ok_or_else(|| suggest::help(name, &names)))
}

const ABOUT: &str = "How the list is printed, or written to FILE: text, markdown, json or csv";

fn formats() -> String {
    let rows: String = FORMATS.iter().map(|format| format!("\n- {}: {}", format.name, format.summary)).collect();
    format!("How the list is printed, or written to FILE; may be given more than once{rows}")
}
