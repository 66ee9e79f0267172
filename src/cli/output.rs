//! Findings to standard output and files, the closing line to standard error, and the exit status that follows.

use super::args::{Format, Kind, OutputArguments, When};
use super::write::ReportFile;
use super::{Outcome, diff, print};
use crate::diagnostic::{Failure, Severity};
use crate::lint::Run;
use crate::report::pretty::Look;
use crate::report::printable;
use crate::report::{concise, json, pretty, statistics};
use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// How wide the pretty report is where no terminal says so, in columns.
const WIDTH: usize = 100;

/// Where the findings of a run go. Made before any work is done, so that what cannot be written costs none.
pub struct Outputs<'a> {
    arguments: &'a OutputArguments,
    files: Vec<(Kind, Target)>,
}

/// What a format is written to.
enum Target {
    Stdout,
    Stderr,
    File(ReportFile),
}

impl<'a> Outputs<'a> {
    /// Refuses what cannot be printed together, and files that cannot be written.
    pub fn open(arguments: &'a OutputArguments) -> Result<Self, Failure> {
        let mut files = Vec::new();
        for Format { kind, file } in &arguments.format {
            let target = match file.as_deref().map(Path::to_str) {
                None | Some(Some("/dev/stdout")) => Target::Stdout,
                Some(Some("/dev/stderr")) => Target::Stderr,
                Some(Some("-")) => {
                    let failure = Failure::new("`-` is not a file");
                    return Err(failure.help("leave it out to print to standard output"));
                }
                _ => Target::File(ReportFile::create(file.as_deref().unwrap_or(Path::new("")))?),
            };
            let is_same =
                |other: &Target| matches!((other, &target), (Target::File(one), Target::File(two)) if one.is_same(two));
            if files.iter().any(|(_, other)| is_same(other)) {
                return Err(Failure::new("two formats go to the same file").help("name another file for one of them"));
            }
            files.push((*kind, target));
        }
        let printed = || files.iter().filter(|(_, target)| matches!(target, Target::Stdout));
        let failure = match printed().count() {
            0 => return Ok(Self { arguments, files }),
            1 if arguments.statistics && printed().any(|(kind, _)| *kind == Kind::Json) => {
                Failure::new("`--statistics` and `--format json` cannot both go to standard output")
            }
            1 => return Ok(Self { arguments, files }),
            _ => Failure::new("only one format can go to standard output"),
        };
        Err(failure.help("write the others to files: `--format json=FILE`"))
    }

    /// Prints and writes the findings of `run`, each format whatever becomes of the others. Returns what failed.
    pub fn write(self, run: &Run) -> Vec<Failure> {
        let Self { arguments, files } = self;
        let mut failures = Vec::new();
        let colour = is_coloured(arguments.color);
        let mut printed = None;
        let is_default = files.is_empty();
        for (kind, target) in files {
            match target {
                Target::Stdout => printed = Some(kind),
                // Where standard error is closed, nobody is left to tell.
                Target::Stderr => drop(write!(io::stderr(), "{}", render(run, arguments, kind, false))),
                Target::File(file) => failures.extend(file.finish(&render(run, arguments, kind, false)).err()),
            }
        }
        let default = if io::stdout().is_terminal() { Kind::Pretty } else { Kind::Concise };
        let text = match printed.or(is_default.then_some(default)) {
            _ if arguments.statistics => Some(statistics::render(run, colour)),
            kind => kind.map(|kind| render(run, arguments, kind, colour)),
        };
        failures.extend(text.and_then(|text| print(&text).err()));
        failures
    }
}

/// Prints the closing line, unless it is not wanted.
pub fn close(line: &str, output: &OutputArguments) {
    if !output.quiet {
        // Where standard error is closed, nobody is left to tell.
        let _ = writeln!(io::stderr(), "{}", printable(line));
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
