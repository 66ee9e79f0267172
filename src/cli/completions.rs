//! `kep-lint completions`: the scripts that complete commands in shells. They know what the arguments only check after
//! they are read: the names of rules, categories and formats.

use super::args::Arguments;
use super::outcome::Outcome;
use super::print::print;
use crate::diagnostic::Failure;
use crate::report::format;
use crate::rules::ALL;
use crate::rules::rule::Category;
use clap::builder::PossibleValuesParser;
use clap::{Command, CommandFactory};
use clap_complete::Shell;

/// The arguments that are names of rules or categories.
const RULES: [&str; 3] = ["select", "ignore", "names"];

/// Prints the script for a shell.
pub fn run(shell: Shell) -> Result<Outcome, Failure> {
    let mut command = with_names(Arguments::command());
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, env!("CARGO_PKG_NAME"), &mut script);
    // Bash's script looks for the options of a command under another name than it gives to the command, if the name of the
    // program has a dash.
    print(&String::from_utf8_lossy(&script).replace("kep__subcmd__lint", "kep__lint"))?;
    Ok(Outcome::Clean)
}

/// The command, and all below it, with the names that their arguments can have.
fn with_names(command: Command) -> Command {
    command.mut_subcommands(with_names).mut_args(|argument| match argument.get_id().as_str() {
        "format" if argument.get_possible_values().is_empty() => {
            argument.value_parser(PossibleValuesParser::new(format::ALL.iter().map(|format| format.name)))
        }
        id if RULES.contains(&id) => argument.value_parser(PossibleValuesParser::new(rules())),
        _ => argument,
    })
}

/// The names of all categories and rules.
fn rules() -> impl Iterator<Item = &'static str> {
    Category::ALL.iter().map(|category| category.name()).chain(ALL.iter().map(|rule| rule.name))
}
