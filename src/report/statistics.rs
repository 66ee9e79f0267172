//! Finding counts per rule and per SIG, to compare rules or runs.

use super::look::Look;
use super::paint::Paint;
use super::table::{GAP, aligned};
use super::{NONE, Summary, printable, width};
use crate::diagnostic::{Safety, Severity};
use crate::lint::Run;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// What a name has at least, if it is that long; a longer one is cut before a column is left out.
const NAME_COLUMNS: usize = 30;

/// Renders the findings of `run` from the level of `look` on: a line per rule and, if there are findings,
/// one per SIG, those with most errors first. Columns for which there is no room are left out.
pub fn render(run: &Run, look: &Look) -> String {
    let (mut rules, mut sigs): (BTreeMap<&str, Row>, BTreeMap<&str, Row>) = (BTreeMap::new(), BTreeMap::new());
    let mut total = Row::default();
    for report in &run.reports {
        let listed = report.diagnostics.iter().map(|finding| {
            let safety = finding.fix.as_ref().map(|fix| fix.safety);
            let fixes = [Safety::Safe, Safety::Unsafe].map(|kind| usize::from(safety == Some(kind)));
            (finding.rule, finding.severity, finding.count, fixes)
        });
        let unlisted = report.unlisted.iter().map(|(&(rule, severity), count)| (rule, severity, *count, [0, 0]));
        let counted: Vec<_> = listed.chain(unlisted).filter(|(_, severity, ..)| *severity >= look.level).collect();
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
    let keps = run.layout.names();
    let rules = table("rule", &keps, &rules, look);
    if sigs.is_empty() { rules } else { rules + "\n" + &table(run.layout.group(), &keps, &sorted(sigs), look) }
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

fn table(what: &str, keps: &str, rows: &[(&str, Row)], look: &Look) -> String {
    type Number = fn(&Row) -> usize;
    let columns: [(&str, Severity, Number); 6] = [
        ("errors", Severity::Error, |row| row.findings.error),
        ("warnings", Severity::Warning, |row| row.findings.warning),
        ("suggestions", Severity::Advice, |row| row.findings.suggestion),
        (keps, Severity::Error, |row| row.keps),
        ("safe fixes", Severity::Error, |row| row.safe),
        ("unsafe fixes", Severity::Error, |row| row.risky),
    ];
    let mut columns: Vec<_> = columns.into_iter().filter(|(_, severity, _)| *severity >= look.level).collect();
    let width_of = |name: &str| GAP.len() + name.len();
    let longest = rows.iter().map(|(name, _)| width::columns(&printable(name))).max().unwrap_or_default();
    let mut left = look.columns();
    columns.retain(|(name, ..)| {
        left = left.saturating_sub(width_of(name));
        left >= longest.min(NAME_COLUMNS)
    });
    let taken: usize = columns.iter().map(|(name, ..)| width_of(name)).sum();
    let free = look.columns().saturating_sub(taken);
    let names = [what].into_iter().chain(columns.iter().map(|(name, ..)| *name));
    let mut cells: Vec<Vec<String>> = vec![names.map(str::to_owned).collect()];
    for (name, row) in rows {
        let numbers = columns.iter().map(|(.., number)| number(row).to_string());
        let name = width::cut_inside(&printable(name), free, look.ellipsis());
        cells.push([name].into_iter().chain(numbers).collect());
    }
    let mut lines = aligned(&cells, 1..columns.len() + 1);
    if let Some(heading) = lines.first_mut() {
        *heading = Paint::Bold.only_if(look.color).apply(heading);
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
rule           errors  warnings  suggestions  KEPs  safe fixes  unsafe fixes
empty-section       1         0            0     1           0             0
placeholder         0         1            1     1           0             1
total               1         1            1     1           0             1

SIG       errors  warnings  suggestions  KEPs  safe fixes  unsafe fixes
sig-node       1         0            1     1           0             1
none           0         1            0     0           0             0
";
        assert_eq!(render(&run, &Look::default()), expected);
        run.reports[0].diagnostics[0].severity = Severity::Advice;
        assert!(render(&run, &Look { color: true, ..Look::default() }).starts_with("\u{1b}[1mrule "));
        let rules = render(&run, &Look::default());
        assert!(rules.find("placeholder") < rules.find("empty-section"), "{rules}");
    }

    #[test]
    fn only_what_is_shown_is_counted() {
        let expected = "\
rule         errors  warnings  KEPs  safe fixes  unsafe fixes
placeholder       0         1     0           0             0
total             0         1     0           0             0

SIG   errors  warnings  KEPs  safe fixes  unsafe fixes
none       0         1     0           0             0
";
        let mut run = sample::run();
        run.reports[0].diagnostics.remove(0);
        assert_eq!(render(&run, &Look { level: Severity::Warning, ..Look::default() }), expected);
    }

    #[test]
    fn nothing_found_is_a_total_of_nothing() {
        assert_eq!(render(&Run::default(), &Look::default()).lines().count(), 2);
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        let mut run = sample::run();
        run.reports[0].about.as_mut().expect("it is a KEP").sig = Some("sig-".to_owned() + &"漢x".repeat(200));
        let widths = |width: usize| {
            let text = render(&run, &Look { width, ..Look::default() });
            let widest = text.lines().map(width::columns).max().unwrap_or_default();
            assert!(widest <= width && text.contains("errors"), "{text}");
            text.lines().next().unwrap_or_default().split("  ").filter(|part| !part.is_empty()).count()
        };
        assert_eq!([40, 60, 70, 80, 100].map(widths), [3, 5, 6, 7, 7]);
    }
}
