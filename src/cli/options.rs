//! Options that several commands have, and how their values are read.

use crate::stage::{Release, Stage};
use crate::workspace::config_file::Wanted;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub const CONFIGURATION: &str = "Configuration file";

/// Which configuration file applies.
#[derive(Clone, Debug, Args)]
pub struct ConfigArguments {
    /// Read this configuration file instead of the nearest `.kep-lint.yaml` or `kep-lint.yaml`
    #[arg(long, value_name = "FILE", help_heading = CONFIGURATION)]
    pub config: Option<PathBuf>,
    /// Read no configuration file
    #[arg(long, conflicts_with = "config", help_heading = CONFIGURATION)]
    pub isolated: bool,
}

impl ConfigArguments {
    pub fn wanted(&self) -> Wanted {
        match &self.config {
            _ if self.isolated => Wanted::None,
            Some(path) => Wanted::Named(path.clone()),
            None => Wanted::Nearest,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum When {
    Auto,
    Always,
    Never,
}

pub fn stages() -> impl TypedValueParser<Value = Stage> {
    PossibleValuesParser::new(Stage::words()).map(|word| Stage::from_word(&word).unwrap_or(Stage::Stable))
}

pub fn release(text: &str) -> Result<Release, String> {
    let release = Release::read(text)?;
    if release.is_unknown() { Err(format!("write it as {}", Release::CURRENT)) } else { Ok(release) }
}
