//! Findings to standard output and files, the summary line to standard error, and the exit status that follows.

use super::args::OutputArguments;
use super::destination::{self, TO_FILES, Target};
use super::outcome::Outcome;
use super::print::print;
use super::{checkout, github, screen};
use crate::diagnostic::{Failure, Severity};
use crate::lint::Run;
use crate::report::format::{Format, Reader};
use crate::report::look::{self, Look, Order};
use crate::report::{self, Summary, github_review, markdown, printable, statistics, wrap};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

/// Where the findings of a run go. Made before any work is done, so that a path that cannot be written is reported at
/// once.
pub struct Outputs {
    pub arguments: OutputArguments,
    files: Vec<(&'static Format, Target)>,
}

impl Outputs {
    /// Refuses formats that cannot be printed together, and files that cannot be written, such as the `inputs` of the run.
    pub fn open(arguments: &OutputArguments, inputs: impl FnOnce() -> Vec<PathBuf>) -> Result<Self, Failure> {
        let files = destination::open(&arguments.format, inputs)?;
        let competes_with_statistics = |(format, target): &&(&Format, Target)| {
            arguments.statistics && matches!(target, Target::Stdout) && format.reader == Reader::Program
        };
        if let Some((format, _)) = files.iter().find(competes_with_statistics) {
            let name = format.name;
            let both = format!("`--statistics` and `--format {name}` cannot both go to standard output");
            return Err(Failure::new(both).help(TO_FILES));
        }
        Ok(Self { arguments: arguments.clone(), files })
    }

    /// Whether the findings on standard output are only those from a level on.
    pub fn print_from_level(&self) -> bool {
        let mut printed = self.files.iter().filter(|(_, target)| matches!(target, Target::Stdout));
        let is_for_program = printed.any(|(format, _)| format.reader == Reader::Program);
        let counts_all = self.arguments.statistics && self.arguments.level.is_none();
        !counts_all && !is_for_program
    }

    /// Prints and writes the findings of `run`, each format even if another one fails. Returns the failures.
    pub fn write(self, run: &Run, level: Severity) -> Vec<Failure> {
        let Self { arguments, files } = self;
        let mut failures = Vec::new();
        let look = look(&arguments, level);
        let mut printed = if files.is_empty() { Some(github::automatic_format()) } else { None };
        for (format, target) in files {
            let is_of_commit = run.since.as_ref().is_some_and(|since| since.reviewed.commit.is_some());
            if format.name == github_review::NAME && !is_of_commit {
                if run.failures.is_empty() {
                    let failure = "cannot make a review: the files on disk are not those of the last commit";
                    failures.push(Failure::new(failure).help("commit them, and push the commit"));
                }
                continue;
            }
            match target {
                Target::Stdout => printed = Some(format),
                target => failures.extend(target.write(&look, |look| format.render(run, look)).err()),
            }
        }
        if arguments.statistics {
            // A table is short, so that it has all unless a level is asked for.
            let lowest = arguments.level.unwrap_or(Severity::Advice);
            let look = Look { level: lowest, ..look };
            failures.extend(print(&statistics::render(run, &look)).err());
        } else if let Some(format) = printed {
            failures.extend(print(&format.render(run, &look)).err());
            if format.name == report::github::NAME {
                failures.extend(github::append_summary(&markdown::render(run, &look.plain())).err());
            }
        }
        failures
    }
}

pub fn close(line: &str, is_quiet: bool) {
    if !is_quiet {
        note(line);
    }
}

/// Prints a line that programs look for to standard error, unless it is not wanted: whole, however narrow the terminal is.
pub fn mark(line: &str, is_quiet: bool) {
    if !is_quiet {
        say(line);
    }
}

/// A line that fits the screen: what does not is in lines below, which are indented more.
pub fn fitting(line: &str, width: usize) -> String {
    let indent = &" ".repeat(line.len() - line.trim_start().len());
    wrap::wrapped(printable(line).trim_start(), width, indent, &format!("{indent}  "))
}

pub fn note(line: &str) {
    // In a log, it stays on one line.
    let width = if io::stderr().is_terminal() { screen::width() } else { usize::MAX };
    say(&fitting(line, width));
}

/// Prints a command to standard error: in one line, however long, so that it can be copied.
pub fn command(line: &str) {
    say(&format!("  {}", printable(line)));
}

fn say(lines: &str) {
    // If standard error is closed, there is no place to report it.
    let _ = writeln!(io::stderr(), "{lines}");
}

/// How many findings of `run` are below `level`, and how to see them; `None` if there are none.
pub fn hidden(run: &Run, level: Severity) -> Option<String> {
    let hidden = Summary::of(run).below(level);
    let lowest = if hidden.suggestion > 0 { Severity::Advice } else { Severity::Warning };
    (hidden.total() > 0).then(|| format!("{} hidden; `--level {}` shows all", hidden.words(), lowest.name()))
}

pub fn outcome(run: &Run, output: &OutputArguments) -> Outcome {
    match (output.threshold(), Summary::of(run).highest()) {
        (Some(limit), Some(highest)) if highest >= limit => Outcome::Findings,
        _ => Outcome::Clean,
    }
}

/// How findings are printed. Frames are for terminals: in a log they are noise.
fn look(output: &OutputArguments, level: Severity) -> Look {
    let color = screen::has_color(output.color);
    Look {
        width: screen::width_or(Look::default().width),
        color,
        frames: screen::shows_frames(),
        order: if io::stdout().is_terminal() { Order::WorstLast } else { Order::WorstFirst },
        max_findings: output.max_findings,
        level,
        fail_on: output.threshold(),
        links: if color { screen::links() } else { None },
        link_base: output.link_base.clone(),
        checkout: checkout::around_here(),
        docs_base: output.docs_base.clone().or_else(look::book),
    }
}
