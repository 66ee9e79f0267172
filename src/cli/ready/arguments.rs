//! The arguments of `kep-lint ready`.
use super::pulls::export::COMMAND;
use crate::cli::destination::FormatArgument;
use crate::cli::filters::{HEADING, KepFilterArguments};
use crate::cli::options::{ConfigArguments, When, base_url, release, stages};
use crate::kep::filter::{Filter, Handle};
use crate::ready::gate::Gate;
use crate::report::ready::{ALL, ReadyFormat};
use crate::stage::{Release, Stage};
use crate::suggest;
use clap::Args;
use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;

pub const EXIT_STATUS: &str =
    "Exit status: 0: every KEP is ready; 1: some KEP is not; 2: the run could not be completed.";

const ABOUT_WAITING: &str = "Only KEPs that wait for this person: their PRR, if a pull request names them for the stage, or the \
     PRR file names nobody and they are a PRR approver; or their SIG approval, if `approvers` names them and the status is \
     provisional. With --prs, also the pull requests that wait for them";

#[derive(Clone, Debug, Args)]
pub struct ReadyArguments {
    /// KEPs by number, name or path. Of a directory of KEPs, those whose `latest-milestone` is the release [default: the
    /// KEP of the working directory, otherwise all KEPs]
    #[arg(value_name = "KEP")]
    pub keps: Vec<PathBuf>,
    /// The target stage [default: the `stage` of each KEP]
    #[arg(long, value_parser = stages(), ignore_case = true)]
    pub stage: Option<Stage>,
    /// The release [default: that of --milestone, otherwise as for a check; for KEPs named one by one, their
    /// `latest-milestone` where it is later]
    #[arg(long, value_name = "v1.NN", value_parser = release)]
    pub release: Option<Release>,
    /// All KEPs with this `latest-milestone`
    #[arg(long, value_name = "v1.NN", value_parser = release)]
    pub milestone: Option<Release>,
    /// The KEPs of a list, in its order: CSV, TSV, or lines `NUMBER [STAGE]`; `-` reads standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["keps", "milestone"])]
    pub from: Option<PathBuf>,
    #[arg(long, value_name = "FILE", help = about_pulls())]
    pub prs: Option<PathBuf>,
    #[arg(long, value_name = "HANDLE", value_parser = Filter::parse_handle, help = ABOUT_WAITING)]
    pub waiting_for: Option<Handle>,
    /// Judge the files of this commit, branch or tag instead of those on disk
    #[arg(long, value_name = "REF", value_parser = NonEmptyStringValueParser::new())]
    pub at: Option<String>,
    /// Judge the files of a fetched pull request, by its number or ref: the KEPs that it changes, or those that are named
    #[arg(long, value_name = "HEAD_REF", conflicts_with = "at", value_parser = NonEmptyStringValueParser::new())]
    pub pr: Option<String>,
    /// Show first what changed since an earlier board: a file that `--format json=FILE` wrote, or a commit, branch or tag at
    /// which the same KEPs are judged
    #[arg(long, value_name = "FILE|REF", value_parser = NonEmptyStringValueParser::new())]
    pub compare: Option<String>,
    /// Show what PRR approvers read: the questions of the stage with their answers, what changed since the approval, and how
    /// many KEPs each approver has
    #[arg(long)]
    pub prr: bool,
    /// Evidence that is not met also fails
    #[arg(long)]
    pub strict: bool,
    /// Use this annotated template instead of the repository's or the built-in one
    #[arg(long, value_name = "FILE")]
    pub template: Option<PathBuf>,
    /// Read the days of the release from this clone of kubernetes/sig-release
    #[arg(long, value_name = "DIR")]
    pub sig_release: Option<PathBuf>,
    /// Only KEPs to be closed at the end of the release: stable in it, and not `implemented`
    #[arg(long, conflicts_with = "waiting_for")]
    pub to_close: bool,
    #[command(flatten)]
    pub config: ConfigArguments,
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = format_argument, help = formats())]
    pub format: Vec<ReadyOutput>,
    /// What `--format comment` is about: the deadline or the enhancements freeze, before it or, at the team's party, after it
    #[arg(long, value_name = "GATE", value_parser = gates())]
    pub gate: Option<Gate>,
    /// Fill in the Release Team's communication-templates.md for `--format comment`: the file, or a clone of
    /// kubernetes/sig-release
    #[arg(long, value_name = "PATH", requires = "gate")]
    pub comment_templates: Option<PathBuf>,
    /// Link places in html to this URL of the repository's root, such as
    /// https://github.com/kubernetes/enhancements/blob/master
    #[arg(long, value_name = "URL", value_parser = base_url)]
    pub link_base: Option<String>,
    /// When to use color
    #[arg(long, value_enum, default_value_t = When::Auto)]
    pub color: When,
    #[command(flatten)]
    pub filters: KepFilterArguments,
    /// Only KEPs with this contact in the list
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = Filter::parse_handle, requires = "from",
          conflicts_with_all = ["keps", "milestone"], help_heading = HEADING)]
    pub contact: Vec<Handle>,
}

#[derive(Clone, Debug)]
pub enum ReadyOutput {
    Board(FormatArgument<ReadyFormat>),
    /// A comment on each KEP in this directory; `None` for that on the only KEP, on standard output.
    Comments(Option<PathBuf>),
}

pub const COMMENT: &str = "comment";

fn format_argument(text: &str) -> Result<ReadyOutput, String> {
    match text.split_once('=') {
        None if text == COMMENT => return Ok(ReadyOutput::Comments(None)),
        Some((COMMENT, "")) => return Err("missing DIR after `=`".to_owned()),
        Some((COMMENT, directory)) => return Ok(ReadyOutput::Comments(Some(PathBuf::from(directory)))),
        _ => {}
    }
    let names: Vec<&str> = ALL.iter().map(|format| format.name).chain([COMMENT]).collect();
    let format = FormatArgument::parse(text, |name| {
        ALL.iter().find(|format| format.name == name).ok_or_else(|| suggest::help(name, &names))
    });
    format.map(ReadyOutput::Board)
}

fn about_pulls() -> String {
    format!(
        "A list of open pull requests, which are judged as well where their heads were fetched; `-` reads standard input. \
         It is written by\n\n    {COMMAND}"
    )
}

fn formats() -> String {
    let rows: String = ALL.iter().map(|format| format!("\n- {}: {}", format.name, format.summary)).collect();
    format!(
        "How the result is printed, or written to FILE; may be given more than once{rows}\n- {COMMENT}: the Release Team's \
         comment at a --gate on one KEP; `{COMMENT}=DIR` writes DIR/NUMBER.md for each KEP"
    )
}

fn gates() -> impl TypedValueParser<Value = Gate> {
    let parser = PossibleValuesParser::new(Gate::ALL.map(|gate| gate.name));
    parser.map(|name| Gate::ALL.into_iter().find(|gate| gate.name == name).unwrap_or(Gate::DEADLINE))
}
