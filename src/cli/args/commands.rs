//! The arguments of commands that have only a few.

use crate::cli::authoring::arguments::AnswersArguments;
use crate::cli::destination::FormatArgument;
use crate::cli::filters::FilterArguments;
use crate::cli::options::{CONFIGURATION, ConfigArguments, TableFormat, When, release, stages};
use crate::report::list::{FORMATS, ListFormat};
use crate::stage::{Release, Stage};
use crate::suggest;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

pub const LIST_STATUS: &str =
    "Exit status: 0: the KEPs are listed; 2: there is none, or the run could not be completed.";

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
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = format_argument, help = LIST_FORMATS, long_help = formats())]
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

const LIST_FORMATS: &str = "How the list is printed, or written to FILE: text, markdown, json or csv";

fn formats() -> String {
    let rows: String = FORMATS.iter().map(|format| format!("\n- {}: {}", format.name, format.summary)).collect();
    format!("How the list is printed, or written to FILE; may be given more than once{rows}")
}

#[derive(Debug, Args)]
pub struct ExplainArguments {
    /// Names of rules and categories, and headings of the template
    #[arg(required = true, value_name = "NAME")]
    pub names: Vec<String>,
    /// Explain the sections of this template [default: the repository's or the built-in one]
    #[arg(long, value_name = "FILE")]
    pub template: Option<PathBuf>,
    /// When to use color
    #[arg(long, value_enum, default_value_t = When::Auto)]
    pub color: When,
    #[command(flatten)]
    pub answers: AnswersArguments,
}

#[derive(Debug, Args)]
pub struct RulesArguments {
    /// Only these rules and categories
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Show the category and the level in every phase, however wide the table is
    #[arg(long)]
    pub wide: bool,
    /// Output format; Markdown and JSON have all columns
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub format: TableFormat,
}

#[derive(Debug, Args)]
pub struct ShowArguments {
    /// The template [default: the repository's or the built-in one]
    pub file: Option<PathBuf>,
    /// Only sections required at this stage
    #[arg(long, value_parser = stages(), ignore_case = true)]
    pub stage: Option<Stage>,
    /// Only sections with this text in their heading
    #[arg(long, value_name = "TEXT")]
    pub section: Option<String>,
    /// Show the highest severity and other accepted headings as well, however wide the table is
    #[arg(long)]
    pub wide: bool,
    /// Output format; Markdown and JSON have all columns
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    pub format: TableFormat,
}

/// Headings that have a directive keep theirs, and headings that the built-in template does not have get none. `since`
/// is left out in a repository without directories of SIGs, whose releases are not those of Kubernetes.
#[derive(Debug, Args)]
pub struct AnnotateArguments {
    /// The template
    pub file: PathBuf,
    /// Write the result to the file
    #[arg(long)]
    pub fix: bool,
    /// Show the changes, without writing; exit 1 if there are any
    #[arg(long)]
    pub diff: bool,
    /// When to use color
    #[arg(long, value_enum, default_value_t = When::Auto)]
    pub color: When,
}

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

#[derive(Clone, Debug, Subcommand)]
pub enum GatesCommand {
    /// Read the feature gates from a checkout of the code, and print or update the list
    ///
    /// The built-in list is brought up to date, or the one in FILE. A gate that the code no longer has stays, with the release
    /// that removed it.
    Import(ImportArguments),
}

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

pub const FACTS_STATUS: &str =
    "Exit status: 0: printed or written; 2: something could not be read, so that nothing is.";

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

/// Serve editors over standard input and output
#[cfg(feature = "lsp")]
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
