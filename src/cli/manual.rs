//! `kep-lint man`: the manual pages, made from the same arguments as the help.

use super::args::{Arguments, EXIT_STATUS};
use super::outcome::Outcome;
use super::print::print;
use super::protected::refuse_input;
use crate::diagnostic::Failure;
use crate::suggest;
use crate::workspace::failure;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use std::fs;
use std::io::{Error, Write};
use std::path::Path;

/// The date of the pages: a build has none. Without an argument in its place, the next one would be taken for it.
const NO_DATE: &str = " ";

/// Prints the page of kep-lint, or of the command that `names` lead to; or writes all pages into a directory.
pub fn run(names: &[String], directory: Option<&Path>) -> Result<Outcome, Failure> {
    let mut program = Arguments::command().disable_help_subcommand(true);
    program.build();
    match directory {
        Some(directory) => {
            refuse_input(&directory.join("kep-lint.1"), &[])?;
            write_all(&program, directory)?;
        }
        None => print(&String::from_utf8_lossy(&page(command(&program, names)?)))?,
    }
    Ok(Outcome::Clean)
}

fn write_all(command: &Command, directory: &Path) -> Result<(), Failure> {
    let file = directory.join(Man::new(command.clone()).get_filename());
    fs::write(&file, page(command)).map_err(|io| failure::io("write", &file, &io))?;
    shown_commands(command).try_for_each(|command| write_all(command, directory))
}

fn shown_commands(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|command| !command.is_hide_set())
}

fn command<'c>(program: &'c Command, names: &[String]) -> Result<&'c Command, Failure> {
    let Some((name, rest)) = names.split_first() else { return Ok(program) };
    let known = || shown_commands(program).map(Command::get_name);
    let Some(subcommand) = program.find_subcommand(name) else {
        let failure = Failure::new(format!("unknown command `{name}`"));
        return Err(match suggest::nearest(name, known()) {
            Some(nearest) => failure.help(format!("did you mean `{nearest}`?")),
            None => failure.help(format!("the commands are {}", suggest::list(known(), "and"))),
        });
    };
    command(subcommand, rest)
}

fn page(command: &Command) -> Vec<u8> {
    let mut page = Vec::new();
    write(command, &mut page).expect("a vector takes all bytes");
    with_code(&String::from_utf8_lossy(&page)).into_bytes()
}

/// A page in which the lines that are indented, which are commands to be typed, stay as they are.
fn with_code(page: &str) -> String {
    let lines = page.split_inclusive('\n');
    lines.map(|line| if line.starts_with("    ") { format!(".nf\n{line}.fi\n") } else { line.to_owned() }).collect()
}

/// Writes the page of a command. The sections are those of `Man::render`, but for its "EXTRA".
fn write(command: &Command, page: &mut dyn Write) -> Result<(), Error> {
    let release = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));
    let manual = Man::new(command.clone()).date(NO_DATE).source(release).manual("kep-lint manual");
    manual.render_title(page)?;
    manual.render_name_section(page)?;
    manual.render_synopsis_section(page)?;
    manual.render_description_section(page)?;
    if command.get_arguments().any(|argument| !argument.is_hide_set()) {
        manual.render_options_section(page)?;
    }
    if command.has_subcommands() {
        manual.render_subcommands_section(page)?;
    }
    if command.get_after_help().or(command.get_after_long_help()).is_some() {
        let sentences = EXIT_STATUS.trim_start_matches("Exit status: ");
        Roff::new().control("SH", ["EXIT STATUS"]).text([roman(sentences)]).to_writer(page)?;
    }
    Ok(())
}
