//! Options that several commands have. Apart from the commands, so that the file of each can name them.

use crate::stage::{Release, Stage};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// The heading of the options about the configuration file in a help.
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

/// When to use color.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum When {
    Auto,
    Always,
    Never,
}

/// A stage, by one of its words.
pub fn stages() -> impl TypedValueParser<Value = Stage> {
    PossibleValuesParser::new(Stage::words()).map(|word| Stage::from_word(&word).unwrap_or(Stage::Stable))
}

/// A release, which is known.
pub fn release(text: &str) -> Result<Release, String> {
    Release::parse(text).filter(|release| !release.is_unknown()).ok_or_else(|| "write it as v1.37".to_owned())
}
