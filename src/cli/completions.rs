//! `kep-lint completions`: the scripts that complete commands in shells. They know what the arguments only check after
//! they are read, such as the names of rules.

use super::args::Arguments;
use super::outcome::Outcome;
use super::print::print;
use super::ready::arguments::COMMENT;
use crate::diagnostic::Failure;
use crate::report::{format, ready};
use crate::repository::GROUPS;
use crate::rules::ALL;
use crate::rules::rule::Category;
use crate::stage::{Stage, Status};
use clap::builder::PossibleValuesParser;
use clap::{Command, CommandFactory};
use clap_complete::Shell;

/// The names of files as clap's script gives them to bash, which writes them into the line as they are. Where a script gives
/// nothing, bash completes files itself, and quotes what it would read as code.
const UNQUOTED_FILES: &str = r#"$(compgen -f "${cur}")"#;

const ZSH: &str = r#"
(( $+functions[_kep_lint_first] )) ||
_kep_lint_first() {
    local ret=1
    _kep-lint_commands && ret=0
    _files && ret=0
    return ret
}
"#;

pub fn run(shell: Shell) -> Result<Outcome, Failure> {
    let mut command = with_names(Arguments::command());
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, env!("CARGO_PKG_NAME"), &mut script);
    let script = String::from_utf8_lossy(&script);
    print(&match shell {
        // The script looks for the options of a command under another name than it gives to the command, if the name of
        // the program has a dash.
        Shell::Bash => script.replace("kep__subcmd__lint", "kep__lint").replace(UNQUOTED_FILES, ""),
        // The function that completes is called at the end.
        Shell::Zsh => with_first_word(&script).replacen('\n', &format!("\n{ZSH}"), 1),
        _ => script.into_owned(),
    })?;
    Ok(Outcome::Clean)
}

/// The script for zsh, which takes the first word for a path and the second one for a command: the first word is either.
fn with_first_word(script: &str) -> String {
    let Some((start, rest)) = script.split_once("'::paths -- ") else { return script.to_owned() };
    let Some((_, rest)) = rest.split_once("\":: :_kep-lint_commands\"") else { return script.to_owned() };
    let Some((choice, commands)) = rest.split_once("(check)") else { return script.to_owned() };
    format!("{start}\":: :_kep_lint_first\"{}(check){commands}", choice.replace("$line[2]", "$line[1]"))
}

/// The command, and all below it, with the names that their arguments can have.
fn with_names(command: Command) -> Command {
    let formats: Vec<&str> = match command.get_name() {
        "ready" => ready::ALL.iter().map(|format| format.name).chain([COMMENT]).collect(),
        _ => format::ALL.iter().map(|format| format.name).collect(),
    };
    command.mut_subcommands(with_names).mut_args(|argument| match argument.get_id().as_str() {
        "format" if argument.get_possible_values().is_empty() => {
            argument.value_parser(PossibleValuesParser::new(&formats))
        }
        "status" => argument.value_parser(PossibleValuesParser::new(Status::ALL.map(Status::name))),
        "kep_stage" => argument.value_parser(PossibleValuesParser::new(Stage::words())),
        "sig" => argument.value_parser(PossibleValuesParser::new(GROUPS.lines())),
        "select" | "ignore" | "names" => {
            let names = Category::ALL.map(Category::name).into_iter().chain(ALL.iter().map(|rule| rule.name));
            argument.value_parser(PossibleValuesParser::new(names))
        }
        _ => argument,
    })
}
