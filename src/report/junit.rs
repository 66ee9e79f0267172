//! JUnit XML, which Prow, Jenkins, GitLab and most other CI systems show as test results.
//!
//! Each KEP is a suite with a case for each category of rules that ran, so that passing shows. Findings at or above
//! `--fail-on` make their case a failure; the others are in its output (`system-out`), whatever `--level` is. Files that
//! are not part of a KEP are suites with cases for the categories of their findings only. A KEP that the run left out has
//! skipped cases. What could not be read or done is an error in a suite of its own. Findings are lines as in the concise
//! format; columns count characters. There are no times, because a report of the same files is always the same.

use super::look::Look;
use super::{Summary, concise, printable, with_help};
use crate::diagnostic::{Diagnostic, Failure, Severity};
use crate::lint::{KepReport, Run};
use crate::rules::rule::Category;
use crate::rules::select::rule_named;
use std::collections::{BTreeMap, BTreeSet};

/// Renders the findings and failures of `run`.
pub fn render(run: &Run, look: &Look) -> String {
    let plain = Look { color: false, ..look.clone() };
    let ran: BTreeSet<Category> = run.rules.iter().filter_map(|name| Some(rule_named(name)?.category)).collect();
    let mut suites: Vec<Suite> = run.reports.iter().map(|report| suite(report, &ran, &plain)).collect();
    suites.push(Suite { name: NAME.to_owned(), cases: run.failures.iter().map(failed).collect() });
    suites.retain(|suite| !suite.cases.is_empty());
    let counts = suites.iter().flat_map(|suite| &suite.cases).fold(Counts::default(), Counts::with);
    let inner: String = suites.iter().map(Suite::xml).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{NAME}\"{}>\n{inner}</testsuites>\n",
        counts.xml()
    )
}

const NAME: &str = env!("CARGO_PKG_NAME");

struct Suite {
    name: String,
    cases: Vec<Case>,
}

struct Case {
    class: String,
    name: String,
    outcome: Outcome,
    /// The findings that do not matter for the outcome.
    output: String,
}

enum Outcome {
    Passed,
    Failed { summary: String, severity: Severity, lines: String },
    Incomplete { message: String },
    Skipped,
}

/// How many cases there are, and how many of them did not pass.
#[derive(Clone, Copy, Default)]
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
}

fn suite(report: &KepReport, ran: &BTreeSet<Category>, plain: &Look) -> Suite {
    let file = || report.files.first().map(|file| file.path.clone()).unwrap_or_default();
    let name = report.kep.clone().unwrap_or_else(file);
    // A program that embeds the library may add findings of its own rules, which have no category.
    let mut found: BTreeMap<Option<Category>, Vec<&Diagnostic>> = BTreeMap::new();
    if report.kep.is_some() {
        found.extend(ran.iter().map(|category| (Some(*category), Vec::new())));
    }
    for diagnostic in &report.diagnostics {
        found.entry(rule_named(diagnostic.rule).map(|rule| rule.category)).or_default().push(diagnostic);
    }
    let cases = found.into_iter().map(|(category, found)| {
        let lines = |found: &[&Diagnostic]| found.iter().map(|found| concise::line(report, found, plain)).collect();
        let (failing, others): (Vec<&Diagnostic>, Vec<&Diagnostic>) =
            found.into_iter().partition(|found| plain.fail_on.is_some_and(|lowest| found.severity >= lowest));
        let outcome = match failing.iter().map(|found| found.severity).max() {
            _ if report.is_left_out => Outcome::Skipped,
            Some(severity) => Outcome::Failed { summary: summary(&failing), severity, lines: lines(&failing) },
            None => Outcome::Passed,
        };
        let case = category.map_or("other", Category::name).to_owned();
        Case { class: name.clone(), name: case, outcome, output: lines(&others) }
    });
    Suite { cases: cases.collect(), name }
}

/// What is wrong, if that is one thing, or else how much is.
fn summary(found: &[&Diagnostic]) -> String {
    match found {
        [only] if only.count == 1 => only.message.clone(),
        _ => {
            let mut summary = Summary::default();
            found.iter().for_each(|found| *summary.count_mut(found.severity) += found.count);
            summary.words()
        }
    }
}

fn failed(failure: &Failure) -> Case {
    Case {
        class: NAME.to_owned(),
        name: failure.path.clone().unwrap_or_else(|| "run".to_owned()),
        outcome: Outcome::Incomplete { message: with_help(&failure.message, failure.help.as_deref()) },
        output: String::new(),
    }
}

impl Counts {
    fn with(self, case: &Case) -> Self {
        let Self { tests, failures, errors, skipped } = self;
        let tests = tests + 1;
        match case.outcome {
            Outcome::Passed => Self { tests, ..self },
            Outcome::Failed { .. } => Self { tests, failures: failures + 1, ..self },
            Outcome::Incomplete { .. } => Self { tests, errors: errors + 1, ..self },
            Outcome::Skipped => Self { tests, skipped: skipped + 1, ..self },
        }
    }

    fn xml(self) -> String {
        let Self { tests, failures, errors, skipped } = self;
        format!(" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"")
    }
}

impl Suite {
    fn xml(&self) -> String {
        let counts = self.cases.iter().fold(Counts::default(), Counts::with).xml();
        let cases: String = self.cases.iter().map(Case::xml).collect();
        format!("  <testsuite name=\"{}\"{counts}>\n{cases}  </testsuite>\n", escaped(&self.name))
    }
}

impl Case {
    fn xml(&self) -> String {
        let outcome = match &self.outcome {
            Outcome::Passed => String::new(),
            Outcome::Failed { summary, severity, lines } => {
                let (summary, severity) = (escaped(summary), severity.name());
                let lines = escaped_lines(lines);
                format!("      <failure message=\"{summary}\" type=\"{severity}\">{lines}</failure>\n")
            }
            Outcome::Incomplete { message } => {
                format!("      <error message=\"{}\" type=\"failure\"/>\n", escaped(message))
            }
            Outcome::Skipped => "      <skipped message=\"the KEP is past the stage of this run\"/>\n".to_owned(),
        };
        let output = match self.output.as_str() {
            "" => String::new(),
            output => format!("      <system-out>{}</system-out>\n", escaped_lines(output)),
        };
        let start = format!("    <testcase classname=\"{}\" name=\"{}\"", escaped(&self.class), escaped(&self.name));
        match outcome + &output {
            inner if inner.is_empty() => format!("{start}/>\n"),
            inner => format!("{start}>\n{inner}    </testcase>\n"),
        }
    }
}

fn escaped_lines(lines: &str) -> String {
    lines.lines().map(|line| escaped(line) + "\n").collect()
}

/// One line as XML: [`printable`] replaces the characters that XML cannot hold.
fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in printable(text).chars() {
        match letter {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '"' => shown.push_str("&quot;"),
            '\'' => shown.push_str("&apos;"),
            _ => shown.push(letter),
        }
    }
    shown
}

#[cfg(test)]
mod tests;
