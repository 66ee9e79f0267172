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
use crate::lint::report::KepReport;
use crate::rules::rule::Category;
use crate::rules::select::rule_named;
use std::collections::{BTreeMap, BTreeSet};

pub fn render(run: &Run, look: &Look) -> String {
    let plain = Look { color: false, ..look.clone() };
    let ran: BTreeSet<Category> = run.rules.iter().filter_map(|name| Some(rule_named(name)?.category)).collect();
    let mut suites: Vec<Suite> = run.reports.iter().map(|report| suite(report, &ran, &plain)).collect();
    let (conditions, cases) = (run.conditions.lines(), run.failures.iter().map(failed).collect());
    suites.push(Suite { name: NAME.to_owned(), conditions, cases });
    suites.retain(|suite| !suite.cases.is_empty() || !suite.conditions.is_empty());
    let counts = counts(&suites.iter().flat_map(|suite| &suite.cases).collect::<Vec<_>>());
    let suites: String = suites.iter().map(Suite::xml).collect();
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{NAME}\"{counts}>\n{suites}</testsuites>\n")
}

const NAME: &str = env!("CARGO_PKG_NAME");

struct Suite {
    name: String,
    /// What decides how strict the run is, a sentence each.
    conditions: Vec<String>,
    cases: Vec<Case>,
}

struct Case {
    name: String,
    outcome: Outcome,
    inner: String,
}

#[derive(PartialEq, Eq)]
enum Outcome {
    Passed,
    Failed,
    Incomplete,
    Skipped,
}

#[derive(Default)]
struct Found<'a> {
    listed: Vec<&'a Diagnostic>,
    /// How many there are that the run has no room for.
    unlisted: Summary,
}

impl Found<'_> {
    fn counts(&self) -> Summary {
        Summary::sum(self.listed.iter().map(|finding| (finding.severity, finding.count))).plus(self.unlisted)
    }

    /// What is wrong, if that is one thing, or else how much is.
    fn summary(&self) -> String {
        match self.listed.as_slice() {
            [only] if only.count == 1 && self.unlisted.total() == 0 => only.message.clone(),
            _ => self.counts().words(),
        }
    }

    /// A line for each, and one for those that are not listed.
    fn lines(&self, report: &KepReport, plain: &Look) -> String {
        let mut lines: String = self.listed.iter().map(|finding| concise::line(report, finding, plain)).collect();
        if self.unlisted.total() > 0 {
            lines += &format!("and {} that are not listed\n", self.unlisted.words());
        }
        lines.lines().map(|line| escaped(line) + "\n").collect()
    }
}

fn suite(report: &KepReport, ran: &BTreeSet<Category>, plain: &Look) -> Suite {
    // A program that embeds the library may add findings of its own rules, which have no category.
    let mut by_category: BTreeMap<Option<Category>, [Found<'_>; 2]> = BTreeMap::new();
    if report.kep.is_some() {
        by_category.extend(ran.iter().map(|category| (Some(*category), Default::default())));
    }
    let category_of = |rule: &str| rule_named(rule).map(|rule| rule.category);
    let is_failing = |severity: Severity| plain.fail_on.is_some_and(|lowest| severity >= lowest);
    for finding in &report.diagnostics {
        let [failing, others] = by_category.entry(category_of(finding.rule)).or_default();
        let part = if is_failing(finding.severity) { failing } else { others };
        part.listed.push(finding);
    }
    for (&(rule, severity), count) in &report.unlisted {
        let [failing, others] = by_category.entry(category_of(rule)).or_default();
        let part = if is_failing(severity) { failing } else { others };
        *part.unlisted.count_mut(severity) += count;
    }
    let mut cases = Vec::new();
    for (category, [failing, others]) in by_category {
        let (outcome, mut inner) = match failing.counts().highest() {
            _ if report.is_left_out => {
                (Outcome::Skipped, "      <skipped message=\"past the stage of this run\"/>\n".to_owned())
            }
            Some(severity) => {
                let (summary, severity) = (escaped(&failing.summary()), severity.name());
                let lines = failing.lines(report, plain);
                let failure = format!("      <failure message=\"{summary}\" type=\"{severity}\">{lines}</failure>\n");
                (Outcome::Failed, failure)
            }
            None => (Outcome::Passed, String::new()),
        };
        let output = others.lines(report, plain);
        if !output.is_empty() {
            inner += &format!("      <system-out>{output}</system-out>\n");
        }
        cases.push(Case { name: category.map_or("other", Category::name).to_owned(), outcome, inner });
    }
    Suite { name: report.path().to_owned(), conditions: Vec::new(), cases }
}

fn failed(failure: &Failure) -> Case {
    let message = escaped(&with_help(&failure.message, "—", failure.help.as_deref()));
    Case {
        name: failure.path.clone().unwrap_or_else(|| "run".to_owned()),
        outcome: Outcome::Incomplete,
        inner: format!("      <error message=\"{message}\" type=\"failure\"/>\n"),
    }
}

/// How many cases there are, and how many of them did not pass, as attributes.
fn counts(cases: &[&Case]) -> String {
    let count = |outcome: Outcome| cases.iter().filter(|case| case.outcome == outcome).count();
    let (failures, errors, skipped) = (count(Outcome::Failed), count(Outcome::Incomplete), count(Outcome::Skipped));
    format!(" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"", cases.len())
}

impl Suite {
    fn xml(&self) -> String {
        let (name, counts) = (escaped(&self.name), counts(&self.cases.iter().collect::<Vec<_>>()));
        let mut xml = format!("  <testsuite name=\"{name}\"{counts}>\n");
        if !self.conditions.is_empty() {
            let property =
                |text: &String| format!("      <property name=\"condition\" value=\"{}\"/>\n", escaped(text));
            let properties: String = self.conditions.iter().map(property).collect();
            xml += &format!("    <properties>\n{properties}    </properties>\n");
        }
        for case in &self.cases {
            xml += &format!("    <testcase classname=\"{name}\" name=\"{}\"", escaped(&case.name));
            xml +=
                &if case.inner.is_empty() { "/>\n".to_owned() } else { format!(">\n{}    </testcase>\n", case.inner) };
        }
        xml + "  </testsuite>\n"
    }
}

#[cfg(test)]
mod tests;
