//! JUnit XML, which Prow, Jenkins, GitLab and most other CI systems show as test results.
//!
//! Each KEP is a suite with a case for each category of rules that ran, so that passing shows. Findings at or above
//! `--fail-on` make their case a failure; the others are in its output (`system-out`), whatever `--level` is. Files that
//! are not part of a KEP are suites with cases for the categories of their findings only. A KEP that the run left out has
//! skipped cases. What could not be read or done is an error in a suite of its own,
//! which also has what decides how strict the run is, as properties. Findings are lines as in the concise
//! format; columns count characters. There are no times, because a report of the same files is always the same.

use super::html::text::escaped;
use super::look::Look;
use super::{Summary, concise, with_help};
use crate::diagnostic::{Diagnostic, Failure, Severity};
use crate::lint::Run;
use crate::lint::kept::Unlisted;
use crate::lint::report::KepReport;
use crate::rules::rule::Category;
use crate::rules::select::rule_named;
use std::collections::{BTreeMap, BTreeSet};

/// Renders the findings and failures of `run`.
pub fn render(run: &Run, look: &Look) -> String {
    let plain = Look { color: false, ..look.clone() };
    let ran: BTreeSet<Category> = run.rules.iter().filter_map(|name| Some(rule_named(name)?.category)).collect();
    let mut suites: Vec<Suite> = run.reports.iter().map(|report| suite(report, &ran, &plain)).collect();
    let (conditions, failures) = (run.conditions.lines(), run.failures.iter().map(failed).collect());
    suites.push(Suite { name: NAME.to_owned(), report: None, conditions, cases: failures });
    suites.retain(|suite| !suite.cases.is_empty() || !suite.conditions.is_empty());
    let counts = suites.iter().flat_map(|suite| &suite.cases).fold(Counts::default(), Counts::with);
    let suites: String = suites.iter().map(|suite| suite.xml(&plain)).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{NAME}\"{}>\n{suites}</testsuites>\n",
        counts.xml()
    )
}

const NAME: &str = env!("CARGO_PKG_NAME");

/// A suite. Its findings become text one suite after another.
struct Suite<'a> {
    name: String,
    report: Option<&'a KepReport>,
    /// What decides how strict the run is, a sentence each.
    conditions: Vec<String>,
    cases: Vec<Case<'a>>,
}

struct Case<'a> {
    name: String,
    outcome: Outcome<'a>,
    /// The findings that do not matter for the outcome.
    output: Found<'a>,
}

enum Outcome<'a> {
    Passed,
    Failed { severity: Severity, found: Found<'a> },
    Incomplete { message: String },
    Skipped,
}

#[derive(Default)]
struct Found<'a> {
    listed: Vec<&'a Diagnostic>,
    /// How many there are that the run has no room for.
    unlisted: Summary,
}

impl<'a> Found<'a> {
    /// The findings whose severity is one that `is_meant`.
    fn of(listed: &[&'a Diagnostic], unlisted: &[&Unlisted], is_meant: impl Fn(Severity) -> bool) -> Self {
        let listed = listed.iter().copied().filter(|finding| is_meant(finding.severity)).collect();
        let mut count = Summary::default();
        let meant = unlisted.iter().filter(|more| is_meant(more.severity));
        meant.for_each(|more| *count.count_mut(more.severity) += more.count);
        Self { listed, unlisted: count }
    }

    fn highest(&self) -> Option<Severity> {
        self.listed.iter().map(|finding| finding.severity).max().max(self.unlisted.highest())
    }

    /// What is wrong, if that is one thing, or else how much is.
    fn summary(&self) -> String {
        match self.listed.as_slice() {
            [only] if only.count == 1 && self.unlisted.total() == 0 => only.message.clone(),
            listed => {
                let mut summary = self.unlisted;
                listed.iter().for_each(|finding| *summary.count_mut(finding.severity) += finding.count);
                summary.words()
            }
        }
    }

    /// A line for each, and one for those that are not listed.
    fn lines(&self, report: Option<&KepReport>, plain: &Look) -> String {
        let listed = self.listed.iter().filter_map(|finding| Some(concise::line(report?, finding, plain)));
        let more = (self.unlisted.total() > 0).then(|| format!("and {} that are not listed\n", self.unlisted.words()));
        listed.chain(more).collect()
    }
}

/// How many cases there are, and how many of them did not pass.
#[derive(Clone, Copy, Default)]
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
}

fn suite<'a>(report: &'a KepReport, ran: &BTreeSet<Category>, plain: &Look) -> Suite<'a> {
    let file = || report.files.first().map(|file| file.path.clone()).unwrap_or_default();
    let name = report.kep.clone().unwrap_or_else(file);
    // A program that embeds the library may add findings of its own rules, which have no category.
    let mut by_category: BTreeMap<Option<Category>, (Vec<&Diagnostic>, Vec<&Unlisted>)> = BTreeMap::new();
    if report.kep.is_some() {
        by_category.extend(ran.iter().map(|category| (Some(*category), Default::default())));
    }
    let category_of = |rule: &str| rule_named(rule).map(|rule| rule.category);
    for diagnostic in &report.diagnostics {
        by_category.entry(category_of(diagnostic.rule)).or_default().0.push(diagnostic);
    }
    for more in &report.unlisted {
        by_category.entry(category_of(more.rule)).or_default().1.push(more);
    }
    let cases = by_category.into_iter().map(|(category, (listed, unlisted))| {
        let is_failing = |severity: Severity| plain.fail_on.is_some_and(|lowest| severity >= lowest);
        let failing = Found::of(&listed, &unlisted, is_failing);
        let outcome = match failing.highest() {
            _ if report.is_left_out => Outcome::Skipped,
            Some(severity) => Outcome::Failed { severity, found: failing },
            None => Outcome::Passed,
        };
        let output = Found::of(&listed, &unlisted, |severity| !is_failing(severity));
        Case { name: category.map_or("other", Category::name).to_owned(), outcome, output }
    });
    Suite { cases: cases.collect(), name, report: Some(report), conditions: Vec::new() }
}

fn failed(failure: &Failure) -> Case<'_> {
    Case {
        name: failure.path.clone().unwrap_or_else(|| "run".to_owned()),
        outcome: Outcome::Incomplete { message: with_help(&failure.message, failure.help.as_deref()) },
        output: Found::default(),
    }
}

impl Counts {
    fn with(self, case: &Case<'_>) -> Self {
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

impl Suite<'_> {
    fn xml(&self, plain: &Look) -> String {
        let counts = self.cases.iter().fold(Counts::default(), Counts::with).xml();
        let cases: String = self.cases.iter().map(|case| case.xml(self, plain)).collect();
        let property = |text: &String| format!("      <property name=\"condition\" value=\"{}\"/>\n", escaped(text));
        let properties = match self.conditions.iter().map(property).collect::<String>() {
            all if all.is_empty() => all,
            all => format!("    <properties>\n{all}    </properties>\n"),
        };
        format!("  <testsuite name=\"{}\"{counts}>\n{properties}{cases}  </testsuite>\n", escaped(&self.name))
    }
}

impl Case<'_> {
    fn xml(&self, suite: &Suite<'_>, plain: &Look) -> String {
        let outcome = match &self.outcome {
            Outcome::Passed => String::new(),
            Outcome::Failed { severity, found } => {
                let (summary, severity) = (escaped(&found.summary()), severity.name());
                let lines = escaped_lines(&found.lines(suite.report, plain));
                format!("      <failure message=\"{summary}\" type=\"{severity}\">{lines}</failure>\n")
            }
            Outcome::Incomplete { message } => {
                format!("      <error message=\"{}\" type=\"failure\"/>\n", escaped(message))
            }
            Outcome::Skipped => "      <skipped message=\"the KEP is past the stage of this run\"/>\n".to_owned(),
        };
        let output = match self.output.lines(suite.report, plain).as_str() {
            "" => String::new(),
            output => format!("      <system-out>{}</system-out>\n", escaped_lines(output)),
        };
        let start = format!("    <testcase classname=\"{}\" name=\"{}\"", escaped(&suite.name), escaped(&self.name));
        match outcome + &output {
            inner if inner.is_empty() => format!("{start}/>\n"),
            inner => format!("{start}>\n{inner}    </testcase>\n"),
        }
    }
}

fn escaped_lines(lines: &str) -> String {
    lines.lines().map(|line| escaped(line) + "\n").collect()
}

#[cfg(test)]
mod tests;
