//! Findings to standard output and files, the closing line to standard error, and the exit status that follows.

use super::args::{Format, Kind, OutputArguments, When};
use super::error::Failure;
use super::{Outcome, diff, print};
use crate::diagnostic::Severity;
use crate::lint::Run;
use crate::report::pretty::Look;
use crate::report::{concise, json, pretty, statistics};
use std::env;
use std::fs;
use std::io::{self, IsTerminal, Write};

/// How wide the pretty report is where no terminal says so, in columns.
const WIDTH: usize = 100;

/// Refuses what cannot be printed together, before any work is done.
pub fn validate(output: &OutputArguments) -> Result<(), Failure> {
    let printed: Vec<&Format> = output.format.iter().filter(|format| format.file.is_none()).collect();
    let failure = match printed.as_slice() {
        [_, _, ..] => Failure::new("only one format can go to standard output"),
        [format] if output.statistics && format.kind == Kind::Json => {
            Failure::new("`--statistics` and `--format json` cannot both go to standard output")
        }
        _ => return Ok(()),
    };
    Err(failure.help("write the others to files: `--format json=FILE`"))
}

/// Prints and writes the findings of `run`.
pub fn write(run: &Run, output: &OutputArguments) -> Result<(), Failure> {
    for format in &output.format {
        let Some(file) = &format.file else { continue };
        let text = render(run, output, format.kind, false);
        fs::write(file, text).map_err(|error| Failure::io("write", file, &error))?;
    }
    let colour = is_coloured(output.color);
    let printed = output.format.iter().find(|format| format.file.is_none()).map(|format| format.kind);
    let default = if io::stdout().is_terminal() { Kind::Pretty } else { Kind::Concise };
    if output.statistics {
        print(&statistics::render(run, colour))
    } else if printed.is_some() || output.format.is_empty() {
        print(&render(run, output, printed.unwrap_or(default), colour))
    } else {
        Ok(())
    }
}

/// Prints the closing line, unless it is not wanted.
pub fn close(line: &str, output: &OutputArguments) {
    if !output.quiet {
        // Where standard error is closed, nobody is left to tell.
        let _ = writeln!(io::stderr(), "{line}");
    }
}

/// Whether the findings of `run` are loud enough to fail.
pub fn outcome(run: &Run, output: &OutputArguments) -> Outcome {
    let loudest: Option<Severity> =
        run.reports.iter().flat_map(|report| &report.diagnostics).map(|diagnostic| diagnostic.severity).max();
    match (output.fail_on.0, loudest) {
        (Some(limit), Some(loudest)) if loudest >= limit => Outcome::Findings,
        _ => Outcome::Clean,
    }
}

/// How a diff is to look.
pub fn diff_look(output: &OutputArguments) -> diff::Look {
    diff::Look { colour: is_coloured(output.color), terminal: io::stdout().is_terminal() }
}

fn render(run: &Run, output: &OutputArguments, kind: Kind, colour: bool) -> String {
    match kind {
        Kind::Concise => concise::render(run, colour),
        Kind::Json => json::render(run),
        Kind::Pretty => {
            let width = terminal_size::terminal_size().map_or(WIDTH, |(width, _)| width.0.into());
            let look = Look { width, colour, unicode: is_unicode(), max_diagnostics: output.max_diagnostics };
            let text = pretty::render(run, &look);
            if text.is_empty() { text } else { text + "\n" }
        }
    }
}

fn is_coloured(when: When) -> bool {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    match when {
        When::Always => true,
        When::Never => false,
        When::Auto => {
            let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
            io::stdout().is_terminal() && !is_set("NO_COLOR") && !is_dumb
        }
    }
}

/// Whether the locale can show box drawing: all but the plain C locale can.
fn is_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().filter_map(env::var_os).find(|value| !value.is_empty());
    locale.is_none_or(|locale| locale != "C" && locale != "POSIX")
}
