//! The findings that a baseline file has, which a run does not report. Apart from `baseline`, which compares with an
//! earlier version of the KEPs: this file is written once, and people review, merge and edit it.
//!
//! An entry counts for what all of it says: it hides a finding only in the KEP that it names, of the rule that it names,
//! and up to its severity. What a reviewer reads is then what it does, though the fingerprint alone tells which finding is
//! meant.

pub mod document;

use self::document::{Document, Entries};
use super::Run;
use super::baseline::severity_of;
use super::fingerprint::{Names, from_tree};
use super::report::KepReport;
use crate::diagnostic::subject::Fingerprint;
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::rule::Rule;
use crate::rules::select::{Selection, rule_named};
use crate::stage::Release;
use std::collections::{BTreeMap, BTreeSet};

/// The rule that says which KEPs are not checked at all. Its findings are about the check, so that none is hidden.
const NEVER_HIDDEN: &str = "misplaced-kep";

/// A finding that is not reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The highest severity at which it is not reported.
    pub severity: Severity,
    /// Its rule; this kep-lint may not know it.
    pub rule: String,
    /// What fingerprints call the KEP: its number, or else its directory; empty for a file that belongs to no KEP.
    pub kep: String,
    /// The file, from `keps` on, as it was called when the entry was written.
    pub file: String,
}

/// What a run knows of a baseline file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accepted {
    /// The file, as reports show it.
    pub path: String,
    /// The release that it was written for; `None` if there is no file yet.
    pub release: Option<Release>,
    entries: Entries,
    /// The entries of each KEP.
    keps: BTreeMap<String, Vec<Fingerprint>>,
    /// Whether its findings are hidden. If it is about to be written again, they are not.
    is_hiding: bool,
}

/// What was seen of the entries of a baseline file in a KEP.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// Those with a finding.
    met: Vec<Fingerprint>,
    /// Those that would have a finding if nothing had been fixed: their rules ran.
    expected: Vec<Fingerprint>,
}

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
    /// The entries of the file at `path`, which are hidden or only compared.
    pub fn new(path: String, document: Document, is_hiding: bool) -> Self {
        let Document { release, entries } = document;
        let mut keps: BTreeMap<String, Vec<Fingerprint>> = BTreeMap::new();
        for (fingerprint, entry) in &entries {
            keps.entry(entry.kep.clone()).or_default().push(*fingerprint);
        }
        Self { path, release, entries, keps, is_hiding }
    }

    /// Whether its findings are hidden in the run.
    pub fn is_hiding(&self) -> bool {
        self.is_hiding
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Notes which entries have one of the `findings`, drops those that are hidden, and returns how many these are.
    pub(super) fn hide(&self, names: &Names, findings: &mut Vec<Diagnostic>, seen: &mut Seen) -> usize {
        let before = findings.len();
        findings.retain(|finding| {
            let known = |print: &Fingerprint| self.entries.get(print).filter(|entry| entry.is_about(finding, names));
            seen.met.extend(finding.stands_for().iter().filter(|print| known(print).is_some()));
            let covers = |print: &Fingerprint| known(print).is_some_and(|entry| entry.severity >= finding.severity);
            let prints = finding.stands_for();
            let is_known = !prints.is_empty() && prints.iter().all(covers);
            !(self.is_hiding && is_known && finding.count == 1 && can_be_hidden(finding))
        });
        before - findings.len()
    }

    /// Notes which entries of a KEP a run with these rules would have a finding for.
    pub(super) fn expect(&self, kep: &str, is_run: impl Fn(&Rule) -> bool, seen: &mut Seen) {
        let prints = self.keps.get(kep).map(Vec::as_slice).unwrap_or_default();
        seen.expected.extend(prints.iter().filter(|print| self.is_expected(print, &is_run)));
    }

    /// Whether the rule of an entry ran, or does not exist any more.
    fn is_expected(&self, print: &Fingerprint, is_run: &impl Fn(&Rule) -> bool) -> bool {
        self.entries.get(print).is_some_and(|entry| rule_named(&entry.rule).is_none_or(is_run))
    }

    /// The entries that have no finding any more, as far as `run` can tell: of KEPs that it checked, and of what does not
    /// exist.
    pub fn without_finding(&self, run: &Run, reach: &Reach) -> BTreeMap<Fingerprint, &Entry> {
        let mut expected: BTreeSet<Fingerprint> =
            run.reports.iter().flat_map(|report| &report.seen.expected).copied().collect();
        if reach.is_whole {
            let checked: BTreeSet<&str> =
                run.reports.iter().map(|report| report.names.kep()).filter(|kep| !kep.is_empty()).collect();
            let is_gone = |kep: &String| !checked.contains(kep.as_str()) && !reach.found.contains(kep);
            let gone = self.keps.iter().filter(|(kep, _)| is_gone(kep)).flat_map(|(_, prints)| prints);
            let is_run = |rule: &Rule| reach.selection.rules().any(|other| other.name == rule.name);
            expected.extend(gone.filter(|print| self.is_expected(print, &is_run)));
        }
        run.reports.iter().flat_map(|report| &report.seen.met).for_each(|print| {
            expected.remove(print);
        });
        expected.into_iter().filter_map(|print| Some((print, self.entries.get(&print)?))).collect()
    }

    /// What the file has after `run`: its findings, and the old entries about what it did not check. The findings leave the
    /// run, but for those that a baseline cannot hide.
    pub fn record(&self, run: &mut Run, reach: &Reach) -> Recorded {
        let fixed: BTreeSet<Fingerprint> = self.without_finding(run, reach).into_keys().collect();
        let met: BTreeSet<Fingerprint> = run.reports.iter().flat_map(|report| &report.seen.met).copied().collect();
        let mut recorded = Recorded::default();
        for report in &mut run.reports {
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

impl Entry {
    /// Whether it says what is true of a finding with its fingerprint.
    fn is_about(&self, finding: &Diagnostic, names: &Names) -> bool {
        let is_gap = |name: &str| rule_named(name).is_some_and(|rule| rule.is_gap);
        // A gap is the same finding whether the section is missing, empty or a placeholder.
        let is_rule = self.rule == finding.rule || (is_gap(&self.rule) && is_gap(finding.rule));
        is_rule && self.kep == names.kep()
    }
}

/// Whether a finding may be hidden at all: not one that hides others, be it of the same KEP or of all.
fn can_be_hidden(finding: &Diagnostic) -> bool {
    finding.rule != NEVER_HIDDEN && !finding.hides_status
}
