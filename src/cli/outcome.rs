//! How a command ended.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There is nothing to report.
    Clean,
    /// There are findings at or above `--fail-on`.
    Findings,
    /// Something could not be done.
    Incomplete,
}

impl Outcome {
    /// The exit status.
    pub fn status(self) -> ExitCode {
        match self {
            Self::Clean => ExitCode::SUCCESS,
            Self::Findings => ExitCode::from(1),
            Self::Incomplete => ExitCode::from(2),
        }
    }
}
