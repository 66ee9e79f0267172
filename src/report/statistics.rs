//! Finding counts per rule, to compare rules or runs.

use super::Summary;
use super::paint::Paint;
use crate::lint::Run;
use std::collections::{BTreeMap, BTreeSet};

/// Renders one line per rule of `run`, the most frequent first; the heading in bold if `color` is on.
pub fn render(run: &Run, color: bool) -> String {
    let (rules, total) = count(run);
    let mut rules: Vec<(&str, Row)> = rules.into_iter().collect();
    rules.sort_by_key(|(rule, row)| (std::cmp::Reverse(row.findings.total()), *rule));
    rules.push(("total", total));

    let width = rules.iter().map(|(rule, _)| rule.len()).max().unwrap_or(0);
    let heading = line(width, ["rule", "errors", "warnings", "advice", "fixable", "KEPs"].map(str::to_owned));
    let mut table = Paint::Bold.only_if(color).apply(&heading) + "\n";
    for (rule, Row { findings, fixable, keps }) in rules {
        let numbers = [findings.error, findings.warning, findings.advice, fixable, keps];
        let [errors, warnings, advice, fixable, keps] = numbers.map(|number| number.to_string());
        table.push_str(&line(width, [rule.to_owned(), errors, warnings, advice, fixable, keps]));
        table.push('\n');
    }
    table
}

#[derive(Clone, Copy, Default)]
struct Row {
    findings: Summary,
    /// How many of the findings have a fix.
    fixable: usize,
    keps: usize,
}

fn count(run: &Run) -> (BTreeMap<&'static str, Row>, Row) {
    let mut rules: BTreeMap<&'static str, Row> = BTreeMap::new();
    let mut total = Row::default();
    for report in &run.reports {
        let mut here: BTreeSet<&'static str> = BTreeSet::new();
        for found in &report.diagnostics {
            let row = rules.entry(found.rule).or_default();
            for row in [&mut *row, &mut total] {
                *row.findings.count_mut(found.severity) += found.count;
                row.fixable += usize::from(found.fix.is_some());
            }
            row.keps += usize::from(report.kep.is_some() && here.insert(found.rule));
        }
        for more in &report.unlisted {
            let row = rules.entry(more.rule).or_default();
            for row in [&mut *row, &mut total] {
                *row.findings.count_mut(more.severity) += more.count;
                row.fixable += more.safe + more.risky;
            }
            row.keps += usize::from(report.kep.is_some() && here.insert(more.rule));
        }
        total.keps += usize::from(report.kep.is_some() && !here.is_empty());
    }
    (rules, total)
}

fn line(width: usize, [rule, errors, warnings, advice, fixable, keps]: [String; 6]) -> String {
    format!("{rule:width$}  {errors:>6}  {warnings:>8}  {advice:>6}  {fixable:>7}  {keps:>5}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn the_most_frequent_rule_comes_first() {
        let expected = "\
rule           errors  warnings  advice  fixable   KEPs
placeholder         0         1       1        1      1
empty-section       1         0       0        0      1
total               1         1       1        1      1
";
        assert_eq!(render(&sample::run(), false), expected);
    }

    #[test]
    fn equally_frequent_rules_go_by_name() {
        let mut run = sample::run();
        run.reports.truncate(1);
        let table = render(&run, true);
        let rules: Vec<&str> = table.lines().filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(rules, ["\u{1b}[1mrule", "empty-section", "placeholder", "total"]);
    }

    #[test]
    fn nothing_found_is_a_total_of_nothing() {
        assert_eq!(render(&Run::default(), false).lines().count(), 2);
    }
}
