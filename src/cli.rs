//! The command line: the only part that reads files, looks at the environment and prints.
//!
//! Exit status: 0: no findings at or above `--fail-on`; 1: findings; 2: the run could not be completed.

mod args;
mod authoring;
mod check;
mod checkout;
mod combination;
mod completions;
mod config_command;
mod config_init;
mod destination;
mod diff;
mod error;
mod explain;
mod facts;
mod filters;
mod fixing;
mod gates;
mod github;
mod help;
mod list;
#[cfg(feature = "lsp")]
mod lsp;
mod manual;
mod options;
mod outcome;
mod output;
mod paths;
mod plan;
mod pre_commit;
mod print;
mod protected;
mod ready;
mod screen;
mod signals;
mod stdin;
mod template;
mod today;
mod watch;
mod write;

use self::args::{CheckArguments, Command, SchemaKind};
use self::outcome::Outcome;
use crate::diagnostic::Failure;
use crate::lint::panics::{self, caught};
use crate::report::{json, kep_schema, list as listed, printable, ready as readiness};
use crate::suggest;
use crate::workspace::config_file::{self, Wanted};
use crate::workspace::failure;
use crate::workspace::files::disk;
use clap::error::{ContextKind, ContextValue};
use std::env;
use std::io::ErrorKind;
use std::path::Path;
use std::process::ExitCode;

pub fn main() -> ExitCode {
    panics::install_hook();
    signals::make_size_limit_an_error();
    screen::read_force_color();
    let arguments = match help::parse(env::args_os()) {
        Ok(arguments) => arguments,
        Err(message) => {
            let gone = || unknown_option(&message).and_then(suggest::gone).map(Failure::new);
            return match unsupported(&message).or_else(gone) {
                Some(failure) => {
                    error::print(&failure);
                    Outcome::Incomplete.status()
                }
                None => explain_usage(&without_controls(message)),
            };
        }
    };
    let run = || match arguments.command {
        None => check(&arguments.check),
        Some(Command::Check(arguments)) => check(&arguments),
        Some(Command::PreCommit(arguments)) => pre_commit::run(&arguments),
        Some(Command::Ready(arguments)) => ready::run(&arguments),
        Some(Command::List(arguments)) => list::run(&arguments),
        Some(Command::Explain(arguments)) => explain::run(&arguments),
        Some(Command::Rules(arguments)) => explain::list_rules(&arguments),
        Some(Command::Gates(arguments)) => gates::run(&arguments),
        Some(Command::Facts(arguments)) => facts::run(&arguments),
        Some(Command::New(arguments)) => authoring::new::run(&arguments),
        Some(Command::Promote(arguments)) => authoring::promote::run(&arguments),
        Some(Command::Upgrade(arguments)) => authoring::upgrade::run(&arguments),
        Some(Command::Answer(arguments)) => authoring::answer::run(&arguments),
        Some(Command::Template { command }) => template::run(&command),
        Some(Command::Config { command }) => config_command::run(&command),
        Some(Command::Schema { of }) => show_schema(of),
        Some(Command::Completions { shell }) => completions::run(shell),
        #[cfg(feature = "lsp")]
        Some(Command::Lsp(arguments)) => lsp::run(&arguments),
        Some(Command::Man { page, to }) => manual::run(&page, to.as_deref()),
    };
    let outcome = working_directory().and_then(|()| caught("check", ".", run).flatten());
    let outcome = outcome.unwrap_or_else(|failure| {
        error::print(&failure);
        Outcome::Incomplete
    });
    outcome.status()
}

/// Fails if the working directory was deleted: relative paths mean nothing then.
fn working_directory() -> Result<(), Failure> {
    let failed = |error| {
        failure::io("find the working directory", Path::new("."), &error).help("change to a directory that exists")
    };
    env::current_dir().map(drop).map_err(failed)
}

fn check(arguments: &CheckArguments) -> Result<Outcome, Failure> {
    combination::refuse(arguments)?;
    if arguments.watch { watch::run(arguments) } else { check::run(arguments) }
}

fn show_schema(of: SchemaKind) -> Result<Outcome, Failure> {
    print::print(&match of {
        SchemaKind::Report => json::SCHEMA.to_owned(),
        SchemaKind::Ready => readiness::json::SCHEMA.to_owned(),
        SchemaKind::List => listed::SCHEMA.to_owned(),
        SchemaKind::Kep => kep_schema::proposal(),
        SchemaKind::Prr => kep_schema::review(),
    })?;
    Ok(Outcome::Clean)
}

/// The failure of a command that knows no other layout than that of KEPs: its arguments do not matter then.
fn unsupported(message: &clap::Error) -> Option<Failure> {
    let command = env::args_os().nth(1)?;
    if !message.use_stderr() || !["answer", "new", "promote", "upgrade"].iter().any(|name| command == *name) {
        return None;
    }
    config_file::find(&[paths::here()], &Wanted::Nearest, &disk::around).ok()??.only_keps().err()
}

fn unknown_option(message: &clap::Error) -> Option<&str> {
    match message.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(option)) if message.kind() == clap::error::ErrorKind::UnknownArgument => Some(option),
        _ => None,
    }
}

/// The same message for the arguments as they may be printed: it quotes them as they are.
fn without_controls(message: clap::Error) -> clap::Error {
    let harmless = env::args_os().map(|argument| printable(&argument.to_string_lossy()));
    let mut message = help::parse(harmless).err().unwrap_or(message);
    // clap compares letters.
    let suggested = message.get(ContextKind::SuggestedArg);
    if unknown_option(&message) == Some("--stage") && suggested == Some(&ContextValue::String("--status".to_owned())) {
        message.insert(ContextKind::SuggestedArg, ContextValue::String("--kep-stage".to_owned()));
        message.remove(ContextKind::Usage);
    }
    message
}

fn explain_usage(message: &clap::Error) -> ExitCode {
    match message.print() {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            error::print(&Failure::new(format!("cannot write to standard output: {error}")));
            Outcome::Incomplete.status()
        }
        _ => u8::try_from(message.exit_code()).map_or(Outcome::Incomplete.status(), ExitCode::from),
    }
}
