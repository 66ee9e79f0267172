//! The command line: the only part that reads files, looks at the environment and prints.
//!
//! Exit status: 0 when no finding is as loud as `--fail-on`, 1 when one is, 2 when the job could not be done whole.

mod args;
mod check;
mod diff;
mod discover;
mod error;
mod explain;
mod files;
mod fixing;
mod output;
mod rule_table;
mod template;
mod tree;
mod write;

use self::args::{Arguments, Command};
use self::error::Failure;
use clap::Parser;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Clean,
    Findings,
    Incomplete,
}

/// Runs kep-lint on the arguments of this process.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = match arguments.command {
        None => check::run(&arguments.check),
        Some(Command::Check(check)) => check::run(&check),
        Some(Command::Explain { rules }) => explain::run(&rules),
        Some(Command::Rules { format }) => rule_table::run(format),
        Some(Command::Template { command }) => template::run(&command),
    };
    match outcome {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Ok(Outcome::Incomplete) => ExitCode::from(2),
        Err(failure) => {
            failure.print();
            ExitCode::from(2)
        }
    }
}

/// Prints to standard output. A reader that went away is no failure: it has what it wanted.
fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::new(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}
