//! The options that say which of the KEPs found are checked, by what their kep.yaml says, such as `--sig`.

use crate::diagnostic::{Failure, brief};
use crate::kep::filter::{Filter, Handle, Sig};
use crate::kep::layout::Layout;
use crate::stage::Release;
use clap::Args;

pub const HEADING: &str = "Filters (several values: any of them; several options: all of them)";

/// The options of a command that checks all KEPs.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = HEADING)]
pub struct FilterArguments {
    #[command(flatten)]
    pub kep: KepFilterArguments,
    /// Only KEPs with this `latest-milestone`
    #[arg(long, value_name = "v1.NN", value_delimiter = ',', value_parser = Release::read)]
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
    #[arg(long, value_name = "STATUS", value_delimiter = ',', value_parser = word)]
    pub status: Vec<String>,
    /// Only KEPs with this `stage` in kep.yaml; `ga` is stable. --stage is what they are checked for
    #[arg(long, value_name = "STAGE", value_delimiter = ',', value_parser = word)]
    pub kep_stage: Vec<String>,
    /// Only KEPs of this author
    #[arg(long, value_name = "HANDLE", value_delimiter = ',', value_parser = Filter::parse_handle)]
    pub author: Vec<Handle>,
    /// Only KEPs with this approver, or with this approver of any stage in the PRR file
    #[arg(long, value_name = "HANDLE", value_delimiter = ',', value_parser = Filter::parse_handle)]
    pub approver: Vec<Handle>,
}

fn known<T>(what: &str, words: &[String], parse: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, Failure> {
    let failure = |word: &str, help| Failure::new(format!("unknown {what} `{}`", brief(word))).help(help);
    words.iter().map(|word| parse(word).map_err(|help| failure(word, help))).collect()
}

/// A word whose meaning the configuration may tell.
fn word(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err("write a word".to_owned()) } else { Ok(text.to_owned()) }
}

impl FilterArguments {
    pub fn filter(&self, layout: &Layout) -> Result<Filter, Failure> {
        let filter = Filter { milestones: self.milestone.clone(), ..self.kep.filter(layout)? };
        filter.check(layout)?;
        Ok(filter)
    }
}

impl KepFilterArguments {
    /// Fails for words that have no meaning in the layout.
    pub fn filter(&self, layout: &Layout) -> Result<Filter, Failure> {
        let Self { sig, status, kep_stage, author, approver } = self;
        Ok(Filter {
            sigs: sig.clone(),
            statuses: known("status", status, |word| Filter::parse_status(word, layout))?,
            stages: known("stage", kep_stage, |word| Filter::parse_stage(word, layout))?,
            milestones: Vec::new(),
            authors: author.clone(),
            approvers: approver.clone(),
        })
    }
}
