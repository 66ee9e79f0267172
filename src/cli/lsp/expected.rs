//! `kep-lint lsp --check`: what an editor that is started here can expect.

use super::answers;
use super::settings::{FORMAT, OPTIONS, Settings};
use super::watch::Watch;
use crate::cli::args::Arguments;
use crate::cli::outcome::Outcome;
use crate::cli::plan::Plan;
use crate::cli::print::print;
use crate::cli::{error, paths, screen};
use crate::diagnostic::{Failure, brief, counted};
use crate::editor::position::Encoding;
use crate::report::{printable, wrap};
use crate::workspace::discover::discover;
use crate::workspace::edge::Edge;
use crate::workspace::files::disk;
use clap::CommandFactory;
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What the server does without being asked.
const TOLD: &str = "textDocument/publishDiagnostics";

/// Prints it. What is wrong here is reported as for a check, and makes the outcome incomplete.
pub fn run() -> Result<Outcome, Failure> {
    let mut text = format!("kep-lint {} serves editors over standard input and output\n", env!("CARGO_PKG_VERSION"));
    row(&mut text, "abilities", [TOLD].into_iter().chain(answers::methods()));
    row(&mut text, "positions", Encoding::ALL.map(Encoding::name).into_iter());
    row(&mut text, "settings", settings().iter().map(String::as_str));
    let mut failures = Vec::new();
    let here = Edge::around(Path::new(".")).root().clone();
    row(&mut text, "repository", [&*here.to_string_lossy()].into_iter());
    let arguments = Settings::of(&Value::Null, None).map_err(Failure::new)?.arguments();
    match Plan::of(&arguments) {
        Ok(plan) => {
            let config = plan.config.map_or_else(|| "none, so that the defaults apply".to_owned(), |file| file.path);
            row(&mut text, "configuration", [&*config].into_iter());
        }
        Err(problems) => failures.extend(problems),
    }
    let source = disk::around(Path::new("."));
    let tree = source.tree_around().unwrap_or_else(paths::here);
    let found = discover(std::slice::from_ref(&tree), arguments.preset.unwrap_or_default(), &disk::around);
    let count = counted(found.keps.len(), "KEP", "KEPs");
    row(&mut text, "KEPs", [&*format!("{count} in `{}`", brief(&tree.to_string_lossy()))].into_iter());
    if found.keps.is_empty() {
        let failure = Failure::new("there is no KEP here");
        failures.push(failure.help("start the editor in a repository with a directory `keps`"));
    }
    let document = found.keps.first().map(|kep| PathBuf::from(kep.real.clone()).join("README.md"));
    failures.extend(found.failures);
    match Watch::new().aim(&document.as_deref().into_iter().collect::<Vec<_>>(), &[]) {
        Ok(()) => row(&mut text, "changes on disk", ["are noticed"].into_iter()),
        Err(failure) => failures.push(failure),
    }
    print(&text)?;
    Ok(error::outcome(&failures))
}

/// Adds a name and its values, one below the other.
fn row<'a>(text: &mut String, name: &str, values: impl Iterator<Item = &'a str>) {
    let width = screen::width().saturating_sub(18).max(20);
    let lines = values.flat_map(|value| wrap::lines(&printable(value), width, "", "  "));
    for (at, line) in lines.enumerate() {
        let name = if at == 0 { name } else { "" };
        // A text takes all that is written to it.
        let _ = writeln!(text, "{name:16}  {line}");
    }
}

/// The settings, each with what the option of its name says.
fn settings() -> Vec<String> {
    let command = Arguments::command();
    let help = |name: &str| {
        let argument = command.get_arguments().find(|argument| argument.get_long() == Some(name))?;
        let help = argument.get_help()?.to_string();
        let values: Vec<String> =
            argument.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
        let values = if values.is_empty() { String::new() } else { format!(" ({})", values.join(", ")) };
        Some(help + &values)
    };
    let options = OPTIONS.iter().map(|name| format!("{name}: {}", help(name).unwrap_or_default()));
    options.chain([format!("{}: {} (true, false)", FORMAT.0, FORMAT.1)]).collect()
}
