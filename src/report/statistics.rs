//! Finding counts per rule, to compare rules or runs.

use super::Summary;
use super::paint::Paint;
use crate::lint::Run;
use std::collections::BTreeMap;

/// Renders one line per rule of `run`, the most frequent first; the heading in bold if `color` is on.
pub fn render(run: &Run, color: bool) -> String {
    let (rules, total) = count(run);
    let mut rules: Vec<(&str, Row)> = rules.into_iter().collect();
    rules.sort_by_key(|(rule, row)| (std::cmp::Reverse(row.findings.total()), *rule));
    rules.push(("total", total));

    let width = rules.iter().map(|(rule, _)| rule.len()).max().unwrap_or(0);
    let heading = line(width, ["rule", "errors", "warnings", "advice", "KEPs"].map(str::to_owned));
    let mut table = Paint::Bold.only_if(color).apply(&heading) + "\n";
    for (rule, Row { findings, keps }) in rules {
        let numbers = [findings.error, findings.warning, findings.advice, keps].map(|number| number.to_string());
        let [errors, warnings, advice, keps] = numbers;
        table.push_str(&line(width, [rule.to_owned(), errors, warnings, advice, keps]));
        table.push('\n');
    }
    table
}

#[derive(Clone, Copy, Default)]
struct Row {
    findings: Summary,
    keps: usize,
}

fn count(run: &Run) -> (BTreeMap<&'static str, Row>, Row) {
    let mut rules: BTreeMap<&'static str, Row> = BTreeMap::new();
    for report in &run.reports {
        let mut here: BTreeMap<&'static str, Summary> = BTreeMap::new();
        for found in &report.diagnostics {
            *here.entry(found.rule).or_default().count_mut(found.severity) += found.count;
        }
        for (rule, findings) in here {
            let row = rules.entry(rule).or_default();
            row.findings.error += findings.error;
            row.findings.warning += findings.warning;
            row.findings.advice += findings.advice;
            row.keps += usize::from(report.kep.is_some());
        }
    }
    let with_findings = run.reports.iter().filter(|report| report.kep.is_some() && !report.diagnostics.is_empty());
    (rules, Row { findings: Summary::of(run), keps: with_findings.count() })
}

fn line(width: usize, [rule, errors, warnings, advice, keps]: [String; 5]) -> String {
    format!("{rule:width$}  {errors:>6}  {warnings:>8}  {advice:>6}  {keps:>5}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn the_most_frequent_rule_comes_first() {
        let expected = "\
rule           errors  warnings  advice   KEPs
placeholder         0         1       1      1
empty-section       1         0       0      1
total               1         1       1      1
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
