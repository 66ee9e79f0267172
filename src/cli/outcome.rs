//! How a command ended.

use std::process::ExitCode;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Clean,
    /// There are findings at or above `--fail-on`.
    Findings,
    Incomplete,
}

impl Outcome {
    pub fn status(self) -> ExitCode {
        match self {
            Self::Clean => ExitCode::SUCCESS,
            Self::Findings => ExitCode::from(1),
            Self::Incomplete => ExitCode::from(2),
        }
    }
}
