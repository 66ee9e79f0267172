//! The options that say which of the KEPs found are checked, by what their kep.yaml says, such as `--sig`.

use crate::kep::filter::{Filter, Handle, Sig};
use crate::stage::{Release, Stage, Status};
use clap::Args;

pub const HEADING: &str = "Filters (several values: any of them; several options: all of them)";

/// The options of a command that checks all KEPs.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = HEADING)]
pub struct FilterArguments {
    #[command(flatten)]
    pub kep: KepFilterArguments,
    /// Only KEPs with this `latest-milestone`
    #[arg(long, value_name = "v1.NN", value_delimiter = ',', value_parser = Filter::parse_milestone)]
    pub milestone: Vec<Release>,
}

/// The options of any command.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = HEADING)]
pub struct KepFilterArguments {
    /// Only KEPs of this SIG: `owning-sig`, otherwise the directory
    #[arg(long, value_name = "SIG", value_delimiter = ',', value_parser = Filter::parse_sig)]
    pub sig: Vec<Sig>,
    /// Only KEPs with this `status`
    #[arg(long, value_name = "STATUS", value_delimiter = ',', value_parser = Filter::parse_status)]
    pub status: Vec<Status>,
    /// Only KEPs with this `stage` in kep.yaml; `ga` is stable. --stage is what they are checked for
    #[arg(long, value_name = "STAGE", value_delimiter = ',', value_parser = Filter::parse_stage)]
    pub kep_stage: Vec<Stage>,
    /// Only KEPs of this author
    #[arg(long, value_name = "HANDLE", value_delimiter = ',', value_parser = Filter::parse_handle)]
    pub author: Vec<Handle>,
    /// Only KEPs with this approver, or with this approver of any stage in the PRR file
    #[arg(long, value_name = "HANDLE", value_delimiter = ',', value_parser = Filter::parse_handle)]
    pub approver: Vec<Handle>,
}

impl FilterArguments {
    pub fn filter(&self) -> Filter {
        Filter { milestones: self.milestone.clone(), ..self.kep.filter() }
    }
}

impl KepFilterArguments {
    pub fn filter(&self) -> Filter {
        let Self { sig, status, kep_stage, author, approver } = self;
        Filter {
            sigs: sig.clone(),
            statuses: status.clone(),
            stages: kep_stage.clone(),
            milestones: Vec::new(),
            authors: author.clone(),
            approvers: approver.clone(),
        }
    }
}
