//! Finding counts per rule and per SIG, to compare rules or runs.

use super::paint::Paint;
use super::table::aligned;
use super::{Summary, printable};
use crate::diagnostic::{Safety, Severity};
use crate::lint::Run;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// What stands for the SIG of files that belong to no KEP, and of KEPs without one.
const NONE: &str = "none";

/// Renders the findings of `run` from `level` on: a line per rule and, if there are findings, one per SIG, those with most
/// errors first; the headings in bold if `color` is on.
pub fn render(run: &Run, level: Severity, color: bool) -> String {
    let (mut rules, mut sigs): (BTreeMap<&str, Row>, BTreeMap<&str, Row>) = (BTreeMap::new(), BTreeMap::new());
    let mut total = Row::default();
    for report in &run.reports {
        let listed = report.diagnostics.iter().map(|finding| {
            let safety = finding.fix.as_ref().map(|fix| fix.safety);
            let fixes = [Safety::Safe, Safety::Unsafe].map(|kind| usize::from(safety == Some(kind)));
            (finding.rule, finding.severity, finding.count, fixes)
        });
        let unlisted =
            report.unlisted.iter().map(|more| (more.rule, more.severity, more.count, [more.safe, more.risky]));
        let counted: Vec<_> = listed.chain(unlisted).filter(|(_, severity, ..)| *severity >= level).collect();
        if counted.is_empty() {
            continue;
        }
        let sig = report.about.as_ref().and_then(|about| about.sig.as_deref()).unwrap_or(NONE);
        let sig = sigs.entry(sig).or_default();
        for (rule, severity, findings, [safe, risky]) in &counted {
            for row in [rules.entry(rule).or_default(), &mut *sig, &mut total] {
                *row.findings.count_mut(*severity) += findings;
                row.safe += safe;
                row.risky += risky;
            }
        }
        if report.kep.is_some() {
            let names: BTreeSet<&str> = counted.iter().map(|(rule, ..)| *rule).collect();
            names.into_iter().for_each(|name| rules.entry(name).or_default().keps += 1);
            sig.keps += 1;
            total.keps += 1;
        }
    }
    let mut rules = sorted(rules);
    rules.push(("total", total));
    let rules = table("rule", &rules, level, color);
    if sigs.is_empty() { rules } else { rules + "\n" + &table("SIG", &sorted(sigs), level, color) }
}

#[derive(Clone, Copy, Default)]
struct Row {
    findings: Summary,
    /// How many of the findings have a safe or an unsafe fix.
    safe: usize,
    risky: usize,
    keps: usize,
}

/// The rows, those with most errors first; equal ones by name.
fn sorted(rows: BTreeMap<&str, Row>) -> Vec<(&str, Row)> {
    let mut rows: Vec<(&str, Row)> = rows.into_iter().collect();
    rows.sort_by_key(|(_, row)| Reverse(row.findings));
    rows
}

fn table(what: &str, rows: &[(&str, Row)], level: Severity, color: bool) -> String {
    type Number = fn(&Row) -> usize;
    let columns: [(&str, Severity, Number); 6] = [
        ("errors", Severity::Error, |row| row.findings.error),
        ("warnings", Severity::Warning, |row| row.findings.warning),
        ("suggestions", Severity::Advice, |row| row.findings.advice),
        ("safe fixes", Severity::Error, |row| row.safe),
        ("unsafe fixes", Severity::Error, |row| row.risky),
        (" KEPs", Severity::Error, |row| row.keps),
    ];
    let columns: Vec<_> = columns.into_iter().filter(|(_, severity, _)| *severity >= level).collect();
    let names = [what].into_iter().chain(columns.iter().map(|(name, ..)| *name));
    let mut cells: Vec<Vec<String>> = vec![names.map(str::to_owned).collect()];
    for (name, row) in rows {
        let numbers = columns.iter().map(|(.., number)| number(row).to_string());
        cells.push([printable(name)].into_iter().chain(numbers).collect());
    }
    let mut lines = aligned(&cells, 1..columns.len() + 1);
    if let Some(heading) = lines.first_mut() {
        *heading = Paint::Bold.only_if(color).apply(heading);
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn errors_come_first_and_fixes_are_counted_apart() {
        let mut run = sample::run();
        run.reports[0].about.as_mut().expect("it is a KEP").sig = Some("sig-node".to_owned());
        let expected = "\
rule           errors  warnings  suggestions  safe fixes  unsafe fixes   KEPs
empty-section       1         0            0           0             0      1
placeholder         0         1            1           0             1      1
total               1         1            1           0             1      1

SIG       errors  warnings  suggestions  safe fixes  unsafe fixes   KEPs
sig-node       1         0            1           0             1      1
none           0         1            0           0             0      0
";
        assert_eq!(render(&run, Severity::Advice, false), expected);
        run.reports[0].diagnostics[0].severity = Severity::Advice;
        assert!(render(&run, Severity::Advice, true).starts_with("\u{1b}[1mrule "));
        let rules = render(&run, Severity::Advice, false);
        assert!(rules.find("placeholder") < rules.find("empty-section"), "{rules}");
    }

    #[test]
    fn only_what_is_shown_is_counted() {
        let expected = "\
rule         errors  warnings  safe fixes  unsafe fixes   KEPs
placeholder       0         1           0             0      0
total             0         1           0             0      0

SIG   errors  warnings  safe fixes  unsafe fixes   KEPs
none       0         1           0             0      0
";
        let mut run = sample::run();
        run.reports[0].diagnostics.remove(0);
        assert_eq!(render(&run, Severity::Warning, false), expected);
    }

    #[test]
    fn nothing_found_is_a_total_of_nothing() {
        assert_eq!(render(&Run::default(), Severity::Advice, false).lines().count(), 2);
    }
}
