//! What becomes of a baseline file after a run: which entries have no finding any more, and what is written into it.

use super::accepted::document::{Entries, Entry};
use super::accepted::{Accepted, can_be_hidden};
use super::baseline::severity_of;
use super::fingerprint::from_tree;
use super::report::KepReport;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::subject::Fingerprint;
use crate::rules::rule::Rule;
use crate::rules::select::{Selection, rule_named};
use std::collections::{BTreeMap, BTreeSet};

/// How much of a tree a run is about.
#[derive(Clone, Debug)]
pub struct Reach {
    /// Whether it is about all of it, so that what it did not find is not there.
    pub is_whole: bool,
    /// The numbers and the paths of all KEPs that were found, also of those that are not checked.
    pub found: BTreeSet<String>,
    /// The rules for files that belong to no KEP.
    pub selection: Selection,
}

/// What a run writes into a baseline file.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// All entries.
    pub entries: Entries,
    /// How many findings of the run they are for.
    pub findings: usize,
    /// How many entries are new.
    pub added: usize,
    /// How many old entries have no finding any more.
    pub removed: usize,
    /// How many old entries are about what the run did not check.
    pub unchecked: usize,
}

impl Accepted {
    /// The entries that have no finding any more, as far as a run with these `reports` can tell: of KEPs that it checked, and of what does not
    /// exist.
    pub fn without_finding(&self, reports: &[KepReport], reach: &Reach) -> BTreeMap<Fingerprint, &Entry> {
        let mut expected: BTreeSet<Fingerprint> =
            reports.iter().flat_map(|report| &report.seen.expected).copied().collect();
        if reach.is_whole {
            let checked: BTreeSet<&str> =
                reports.iter().map(|report| report.names.kep()).filter(|kep| !kep.is_empty()).collect();
            let is_gone = |kep: &String| !checked.contains(kep.as_str()) && !reach.found.contains(kep);
            let gone = self.keps.iter().filter(|(kep, _)| is_gone(kep)).flat_map(|(_, prints)| prints);
            let is_run = |rule: &Rule| reach.selection.rules().any(|other| other.name == rule.name);
            expected.extend(gone.filter(|print| self.is_expected(print, &is_run)));
        }
        reports.iter().flat_map(|report| &report.seen.met).for_each(|print| {
            expected.remove(print);
        });
        expected.into_iter().filter_map(|print| Some((print, self.entries.get(&print)?))).collect()
    }

    /// What the file has after a run with these `reports`: their findings, and the old entries about what it did not check. The findings leave the
    /// reports, but for those that a baseline cannot hide.
    pub fn record(&self, reports: &mut [KepReport], reach: &Reach) -> Recorded {
        let fixed: BTreeSet<Fingerprint> = self.without_finding(reports, reach).into_keys().collect();
        let met: BTreeSet<Fingerprint> = reports.iter().flat_map(|report| &report.seen.met).copied().collect();
        let mut recorded = Recorded::default();
        for report in reports {
            recorded.take(report, &reach.selection);
        }
        recorded.added = recorded.entries.keys().filter(|print| !self.entries.contains_key(print)).count();
        for (print, entry) in &self.entries {
            if recorded.entries.contains_key(print) {
                continue;
            }
            // An entry with a finding that cannot be hidden does nothing.
            if fixed.contains(print) || met.contains(print) {
                recorded.removed += 1;
            } else {
                recorded.unchecked += 1;
                recorded.entries.insert(*print, entry.clone());
            }
        }
        recorded
    }
}

impl Recorded {
    /// Takes the findings of a report that can be hidden.
    fn take(&mut self, report: &mut KepReport, selection: &Selection) {
        let KepReport { diagnostics, files, names, target, .. } = report;
        for finding in diagnostics.iter().filter(|finding| can_be_hidden(finding)) {
            let file = files.get(finding.span.file.index()).map(|file| from_tree(&file.path)).unwrap_or_default();
            let level = target.and_then(|target| selection.severity(rule_named(finding.rule)?, &target));
            for print in finding.stands_for() {
                let severity = severity_of(finding, *print, level);
                let (rule, kep) = (finding.rule.to_owned(), names.kep().to_owned());
                let entry = Entry { severity, rule, kep, file: file.clone() };
                let known = self.entries.entry(*print).or_insert(entry);
                known.severity = known.severity.max(severity);
            }
        }
        let count = |findings: &[Diagnostic]| findings.iter().map(|finding| finding.count).sum::<usize>();
        let before = count(diagnostics);
        diagnostics.retain(|finding| !can_be_hidden(finding));
        let taken = before - count(diagnostics);
        report.accepted += taken;
        self.findings += taken;
    }
}
