//! What `kep-lint completions` prints.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use clap_complete::Shell;

/// The argument of `kep-lint completions`.
#[derive(Clone, Copy, Debug)]
pub enum Completion {
    /// The script for a shell.
    Script(Shell),
    /// What the scripts ask for, hidden in the help.
    Names(Names),
}

/// What the scripts ask for.
#[derive(Clone, Copy, Debug)]
pub enum Names {
    /// The KEPs of the repository around.
    Keps,
    /// The SIGs.
    Sigs,
}

impl ValueEnum for Completion {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self::Script(Shell::Bash),
            Self::Script(Shell::Elvish),
            Self::Script(Shell::Fish),
            Self::Script(Shell::PowerShell),
            Self::Script(Shell::Zsh),
            Self::Names(Names::Keps),
            Self::Names(Names::Sigs),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Script(shell) => shell.to_possible_value(),
            Self::Names(Names::Keps) => Some(PossibleValue::new("keps").hide(true)),
            Self::Names(Names::Sigs) => Some(PossibleValue::new("sigs").hide(true)),
        }
    }
}
