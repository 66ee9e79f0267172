//! Findings as annotations of GitHub Actions: one command of the runner per line, which shows it beside the changed line.

use super::look::Look;
use super::{Location, Summary, counted, in_order, printable};
use crate::diagnostic::{Diagnostic, Failure, Severity};
use crate::lint::{KepReport, Run};
use crate::span::Position;

/// How many annotations of each kind GitHub shows of one step; it drops the others without a word.
const MOST: usize = 10;

/// Renders the failures of `run`, and the findings that `look` asks for, as many as GitHub shows.
pub fn render(run: &Run, look: &Look) -> String {
    let mut text = String::new();
    let mut left = Summary { error: MOST, warning: MOST, advice: MOST };
    let mut admits = |severity| {
        let left = left.count_mut(severity);
        let is_shown = *left > 0;
        *left = left.saturating_sub(1);
        is_shown
    };
    let mut failures = 0;
    for failure in &run.failures {
        match admits(Severity::Error) {
            true => text += &of_failure(failure),
            false => failures += 1,
        }
    }
    let mut omitted = Summary::default();
    for (report, found) in in_order(run).into_iter().filter(|(_, found)| found.severity >= look.level) {
        match admits(found.severity) {
            true => text += &of_finding(report, found, look),
            false => *omitted.count_mut(found.severity) += found.count,
        }
    }
    text + &rest(failures, omitted)
}

/// What has no annotation, on a line.
fn rest(failures: usize, omitted: Summary) -> String {
    let failures = (failures > 0).then(|| counted(failures, "failure", "failures"));
    let findings = (omitted.total() > 0).then(|| omitted.words());
    let words: Vec<String> = failures.into_iter().chain(findings).collect();
    if words.is_empty() {
        return String::new();
    }
    format!("not annotated, because GitHub shows only {MOST} of a kind: {}\n", words.join(", "))
}

fn of_failure(Failure { message, help, .. }: &Failure) -> String {
    format!("::error title=kep-lint::{}\n", sentence(message, help.as_deref()))
}

fn of_finding(report: &KepReport, found: &Diagnostic, look: &Look) -> String {
    let Location { path, start, end } = Location::of(report, found.span);
    let command = match found.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Advice => "notice",
    };
    let path = look.repository_path(path).unwrap_or_else(|| path.to_owned());
    let (file, lines) = (property(&path), lines(start, end));
    let title = property(&format!("kep-lint: {}", found.rule));
    let text = sentence(&found.message, found.help.as_deref());
    format!("::{command} file={file},{lines},title={title}::{text}\n")
}

/// Where a finding is. GitHub takes columns only on a single line, and counts the last character in.
fn lines(start: Position, end: Position) -> String {
    let Position { line, column } = start;
    // A place that ends before the first character of a line ends with the line before.
    let last = if end.column == 1 && end.line > line { end.line - 1 } else { end.line };
    if last > line {
        return format!("line={line},endLine={last}");
    }
    let end_column = if end.line == line { end.column.saturating_sub(1).max(column) } else { column };
    format!("line={line},col={column},endLine={line},endColumn={end_column}")
}

/// The message and the help on one line.
fn sentence(message: &str, help: Option<&str>) -> String {
    let help = help.map(|help| format!(" — help: {help}")).unwrap_or_default();
    data(&printable(&format!("{message}{help}")))
}

/// A text behind the last `::` of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property of a command.
fn property(text: &str) -> String {
    data(&printable(text)).replace(':', "%3A").replace(',', "%2C")
}
