//! The findings that a baseline file has, which a run does not report. Apart from `baseline`, which compares with an
//! earlier version of the KEPs: this file is written once, and people review, merge and edit it.
//!
//! An entry counts for what all of it says: it hides a finding only in the KEP that it names, of the rule that it names,
//! and up to its severity. What a reviewer reads is then what it does, though the fingerprint alone tells which finding is
//! meant.

pub mod document;

use self::document::{Document, Entries, Entry};
use super::fingerprint::Names;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::subject::Fingerprint;
use crate::rules::rule::Rule;
use crate::rules::select::rule_named;
use crate::stage::Release;
use std::collections::BTreeMap;

/// The rule that says which KEPs are not checked at all. Its findings are about the check, so that none is hidden.
const NEVER_HIDDEN: &str = "misplaced-kep";

/// What a run knows of a baseline file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accepted {
    /// The file, as reports show it.
    pub path: String,
    /// The release that it was written for; `None` if there is no file yet.
    pub release: Option<Release>,
    pub(super) entries: Entries,
    /// The entries of each KEP.
    pub(super) keps: BTreeMap<String, Vec<Fingerprint>>,
    /// Whether its findings are hidden. If it is about to be written again, they are not.
    is_hiding: bool,
}

/// What was seen of the entries of a baseline file in a KEP.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// Those with a finding.
    pub(super) met: Vec<Fingerprint>,
    /// Those that would have a finding if nothing had been fixed: their rules ran.
    pub(super) expected: Vec<Fingerprint>,
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
            let known = |print: &Fingerprint| self.entries.get(print).filter(|entry| is_about(entry, finding, names));
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
    pub(super) fn is_expected(&self, print: &Fingerprint, is_run: &impl Fn(&Rule) -> bool) -> bool {
        self.entries.get(print).is_some_and(|entry| rule_named(&entry.rule).is_none_or(is_run))
    }
}

/// Whether an entry says what is true of a finding with its fingerprint.
fn is_about(entry: &Entry, finding: &Diagnostic, names: &Names) -> bool {
    let is_gap = |name: &str| rule_named(name).is_some_and(|rule| rule.is_gap);
    // A gap is the same finding whether the section is missing, empty or a placeholder.
    let is_rule = entry.rule == finding.rule || (is_gap(&entry.rule) && is_gap(finding.rule));
    is_rule && entry.kep == names.kep()
}

/// Whether a finding may be hidden at all: not one that hides others, be it of the same KEP or of all.
pub(super) fn can_be_hidden(finding: &Diagnostic) -> bool {
    finding.rule != NEVER_HIDDEN && !finding.hides_status
}
