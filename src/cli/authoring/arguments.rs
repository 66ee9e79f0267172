//! The arguments of the commands that write KEPs, and of `explain --answers`.

use crate::authoring::promotion::Goal;
use crate::cli::options::{ConfigArguments, When, release, stages};
use crate::stage::{Release, Stage};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;

/// How many answers of other KEPs are shown at most.
const MOST_ANSWERS: u16 = 100;

pub const NEW_STATUS: &str = "Exit status: 0: written; 1: --diff shows the files; 2: the run could not be completed.";

pub const PROMOTE_STATUS: &str = "Exit status: 0: promoted, even if something is left to do; 1: --diff shows changes; 2: the run could not be completed.";

/// Write the files of a new KEP
///
/// The files are README.md from the repository's template, kep.yaml with what is known, and the PRR file with a
/// placeholder for the approver. The author is `github.user` of git's configuration. In a repository without directories
/// of SIGs, no SIG is given.
#[derive(Clone, Debug, Args)]
#[command(override_usage = "kep-lint new [OPTIONS] <SIG> <NUMBER> <TITLE>...")]
pub struct NewArguments {
    /// The SIG, with or without `sig-`, the number of the tracking issue, and the title
    #[arg(required = true, num_args = 2.., value_names = ["SIG", "NUMBER", "TITLE"])]
    pub words: Vec<String>,
    /// The release that the alpha is planned for [default: the one under development until its enhancements freeze is over,
    /// then the next one]
    #[arg(long, value_name = "v1.NN", value_parser = release)]
    pub release: Option<Release>,
    /// Show the files, without writing; exit 1
    #[arg(long)]
    pub diff: bool,
    /// When to use color
    #[arg(long, value_enum, default_value_t = When::Auto)]
    pub color: When,
    #[command(flatten)]
    pub config: ConfigArguments,
}

/// Move a KEP to a stage and release, or to `implemented`
///
/// In kep.yaml, the stage, the milestones, the status and the date of `last-updated` are set; all other bytes stay. The
/// PRR file gets an entry with a placeholder for the approver, and the README the sections that the stage requires, with
/// the template's guidance, and a new table of contents. Then the readiness checklist is printed.
#[derive(Clone, Debug, Args)]
pub struct PromoteArguments {
    /// A later stage, the same stage with a later release, or `implemented`
    #[arg(value_name = "STAGE", index = 2, value_parser = goals(), ignore_case = true)]
    pub goal: Goal,
    /// Kubernetes release that it is promoted in [default: the one under development until its enhancements freeze is over,
    /// then the next one, or the KEP's own where it is later]
    #[arg(long, value_name = "v1.NN", value_parser = release)]
    pub release: Option<Release>,
    /// Go from alpha to stable, without beta
    #[arg(long)]
    pub skip_beta: bool,
    /// Show the changes, without writing; exit 1 if there are any
    #[arg(long)]
    pub diff: bool,
    #[command(flatten)]
    pub kep: KepArguments,
}

/// The KEP that a command changes, and its terms.
#[derive(Clone, Debug, Args)]
pub struct KepArguments {
    /// The KEP: its number, directory or a file in it
    #[arg(value_name = "KEP", index = 1)]
    pub kep: PathBuf,
    /// Use this annotated template instead of the repository's or the built-in one
    #[arg(long, value_name = "FILE")]
    pub template: Option<PathBuf>,
    /// When to use color
    #[arg(long, value_enum, default_value_t = When::Auto)]
    pub color: When,
    #[command(flatten)]
    pub config: ConfigArguments,
}

pub const UPGRADE_STATUS: &str =
    "Exit status: 0: upgraded; 1: --diff shows changes; 2: the run could not be completed.";

/// Bring a README to today's template
///
/// The headings that README.md lacks are added in the template's order, with its guidance. Headings with
/// another name there are renamed, and links follow; so do the checklist and the table of contents. Every other
/// line stays where it is. What stands elsewhere is listed, and kep.yaml is not changed.
#[derive(Clone, Debug, Args)]
pub struct UpgradeArguments {
    /// The stage that it goes to, whose sections are listed to be filled in [default: that of kep.yaml]
    #[arg(long, value_parser = stages(), ignore_case = true)]
    pub stage: Option<Stage>,
    /// Add only the sections that the stage requires
    #[arg(long)]
    pub only_required: bool,
    /// Show the changes, without writing; exit 1 if there are any
    #[arg(long)]
    pub diff: bool,
    #[command(flatten)]
    pub kep: KepArguments,
}

pub const ANSWER_STATUS: &str =
    "Exit status: 0: done, even if sections are still open; 2: the run could not be completed.";

/// Answer the open sections of a KEP, one after the other
///
/// Each open section that has a heading is shown with what the template asks there and with answers of implemented KEPs,
/// those of its SIG first. What you write is shown as a diff, and written into README.md once you confirm it.
#[derive(Clone, Debug, Args)]
pub struct AnswerArguments {
    /// The stage whose sections are asked [default: that of kep.yaml]
    #[arg(long, value_parser = stages(), ignore_case = true)]
    pub stage: Option<Stage>,
    #[command(flatten)]
    pub kep: KepArguments,
}

fn goals() -> impl TypedValueParser<Value = Goal> {
    PossibleValuesParser::new(Goal::words()).try_map(|word| Goal::from_word(&word).ok_or("unknown stage"))
}

/// Whether answers of other KEPs are shown, and which.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Answers of other KEPs")]
pub struct AnswersArguments {
    /// Show how N implemented KEPs of the repository answer a section: short, complete and recent answers
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST_ANSWERS)))]
    pub answers: Option<u16>,
    /// Show answers of this SIG first [default: the SIG of the working directory]
    #[arg(long, requires = "answers")]
    pub sig: Option<String>,
    /// The directory of the KEPs [default: `keps` of the repository]
    #[arg(long, value_name = "PATH", requires = "answers")]
    pub keps: Option<PathBuf>,
}
