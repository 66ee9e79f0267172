//! The arguments of the command line.

use crate::diagnostic::{Safety, Severity};
use crate::report::format::{ALL, Format, of_name};
use crate::stage::{Release, Stage};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::str::FromStr;

/// A linter and validator for Kubernetes Enhancement Proposals
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true, after_help = EXIT_STATUS)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub check: CheckArguments,
}

const EXIT_STATUS: &str =
    "Exit status: 0: no findings at or above --fail-on; 1: findings; 2: the run could not be completed.";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check KEPs (default command)
    #[command(after_help = EXIT_STATUS)]
    Check(CheckArguments),
    /// Explain rules: what they find and why, with examples
    Explain {
        /// Names of rules
        #[arg(required = true, value_name = "RULE")]
        rules: Vec<String>,
    },
    /// List all rules
    Rules {
        /// Output format
        #[arg(long, value_enum, default_value_t = TableFormat::Text)]
        format: TableFormat,
    },
    /// Check a template's directives, or show what a template requires
    Template {
        #[command(subcommand)]
        command: TemplateCommand,
    },
    /// Print a JSON schema
    Schema {
        /// Of which format
        #[arg(value_enum)]
        of: SchemaKind,
    },
}

#[derive(Debug, Subcommand)]
pub enum TemplateCommand {
    /// Check the directives of a template
    Check {
        /// The template [default: the built-in one]
        file: Option<PathBuf>,
        #[command(flatten)]
        output: OutputArguments,
    },
    #[command(hide = true)]
    /// Print the hashes of a template's lines, for the lists in `templates/history`
    Lines {
        /// Versions of a template
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Which lines
        #[arg(long, value_enum)]
        of: LineKind,
    },
    /// Show which sections a template requires, from which stage, since which release
    Show {
        /// The template [default: the built-in one]
        file: Option<PathBuf>,
        /// Only sections required at this stage
        #[arg(long, value_parser = stages())]
        stage: Option<Stage>,
        /// Output format
        #[arg(long, value_enum, default_value_t = TableFormat::Text)]
        format: TableFormat,
    },
}

#[derive(Debug, Args)]
pub struct CheckArguments {
    /// Directories, KEPs or files to check [default: `keps` of the repository, else `.`]
    pub paths: Vec<PathBuf>,
    /// Check every KEP against this stage, overriding kep.yaml
    #[arg(long, value_parser = stages())]
    pub stage: Option<Stage>,
    #[arg(long, value_name = "v1.NN", value_parser = release,
          help = format!("Kubernetes release under development [default: {}]", Release::CURRENT))]
    pub release: Option<Release>,
    /// Use this annotated template instead of the built-in one
    #[arg(long, value_name = "FILE")]
    pub template: Option<PathBuf>,
    /// Run only these rules or categories
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub select: Vec<String>,
    /// Do not run these rules or categories
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// Number of threads [default: number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Apply safe fixes and report the remaining findings
    #[arg(long)]
    pub fix: bool,
    /// Show the changes --fix would make, without writing; exit 1 if there are any
    #[arg(long, conflicts_with_all = ["fix", "format", "statistics"])]
    pub diff: bool,
    /// Also apply unsafe fixes; review the result
    #[arg(long)]
    pub unsafe_fixes: bool,
    #[command(flatten)]
    pub output: OutputArguments,
}

impl CheckArguments {
    /// The riskiest fixes to apply; `None` applies no fix.
    pub fn fixes(&self) -> Option<Safety> {
        (self.fix || self.diff).then_some(self.riskiest())
    }

    /// The riskiest fixes that the user wants to apply or to hear about.
    pub fn riskiest(&self) -> Safety {
        if self.unsafe_fixes { Safety::Unsafe } else { Safety::Safe }
    }
}

#[derive(Debug, Args)]
pub struct OutputArguments {
    #[arg(long, value_name = "FORMAT[=FILE]", help = formats())]
    pub format: Vec<FormatArgument>,
    /// Print finding counts per rule
    #[arg(long)]
    pub statistics: bool,
    /// Number of findings that pretty shows, errors first; 0 means all
    #[arg(long, alias = "max-diagnostics", value_name = "N", default_value_t = 200)]
    pub max_findings: usize,
    /// Lowest severity that makes the exit status 1
    #[arg(long, value_name = "SEVERITY", default_value = "error", value_parser = thresholds())]
    pub fail_on: Threshold,
    /// When to use color; `auto` follows NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE and CLICOLOR, and else uses color in a
    /// terminal
    #[arg(long, value_enum, default_value_t = When::Auto)]
    pub color: When,
    /// Do not print the summary line
    #[arg(short, long)]
    pub quiet: bool,
}

/// A format, and where its text goes.
#[derive(Clone, Debug)]
pub struct FormatArgument {
    pub format: &'static Format,
    /// `None` is standard output.
    pub file: Option<PathBuf>,
}

impl FromStr for FormatArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, file) = match text.split_once('=') {
            Some((_, "")) => return Err("missing FILE after `=`".to_owned()),
            Some((name, file)) => (name, Some(PathBuf::from(file))),
            None => (text, None),
        };
        let format = of_name(name).ok_or_else(unknown_format)?;
        Ok(Self { format, file })
    }
}

fn unknown_format() -> String {
    let names: Vec<&str> = ALL.iter().map(|format| format.name).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("formats are {} and {last}", others.join(", ")),
        _ => format!("the format is {}", names.concat()),
    }
}

/// The help of `--format`.
fn formats() -> String {
    let rows = ALL.iter().map(|format| format!("\n- {}: {}", format.name, format.summary));
    let rows: String = rows.collect();
    format!("How findings are printed, or written to FILE; may be given more than once{rows}")
}

/// Which lines of a template.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum LineKind {
    /// Guidance, in comments
    Comments,
    /// All that a reader sees, except headings
    Visible,
}

/// Which schema.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum SchemaKind {
    /// The report of `--format json`
    Report,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum TableFormat {
    Text,
    Markdown,
    Json,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum When {
    Auto,
    Always,
    Never,
}

/// The lowest severity that makes a run fail; with `None` it never fails.
#[derive(Clone, Copy, Debug)]
pub struct Threshold(pub Option<Severity>);

fn thresholds() -> impl TypedValueParser<Value = Threshold> {
    let names = Severity::ALL.map(Severity::name).into_iter().rev().chain(["never"]);
    PossibleValuesParser::new(names).map(|name| Threshold(Severity::from_name(&name)))
}

fn stages() -> impl TypedValueParser<Value = Stage> {
    PossibleValuesParser::new(Stage::words()).map(|word| Stage::from_word(&word).unwrap_or(Stage::Stable))
}

fn release(text: &str) -> Result<Release, String> {
    Release::parse(text).filter(|release| !release.is_unknown()).ok_or_else(|| "write it as v1.37".to_owned())
}
