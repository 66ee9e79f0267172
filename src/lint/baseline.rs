//! The findings of an earlier version of the KEPs, so that a run can report only what is new. Apart from fingerprints,
//! which say what is the same: this says what is worth reporting again, and why it is new though its text is not.

use super::fingerprint::Names;
use crate::diagnostic::subject::Fingerprint;
use crate::diagnostic::{Diagnostic, RequiredFrom, Severity};
use crate::requirement::Target;
use crate::rules::select::{self, Selection};
use std::collections::BTreeMap;

/// What is known from an earlier version.
#[derive(Clone, Debug)]
pub struct Baseline {
    known: BTreeMap<Fingerprint, Severity>,
    targets: BTreeMap<String, Target>,
    selection: Selection,
}

impl Baseline {
    pub(super) fn new(selection: Selection) -> Self {
        Self { known: BTreeMap::new(), targets: BTreeMap::new(), selection }
    }

    pub(super) fn add(&mut self, names: &Names, target: Option<Target>, diagnostics: &[Diagnostic]) {
        for finding in diagnostics {
            // A section that is not reported because its parent is would have the severity of the rule.
            let level = target.and_then(|target| self.level(finding, &target));
            for print in finding.stands_for() {
                self.note(*print, severity_of(finding, *print, level));
            }
        }
        self.targets.extend(target.map(|target| (names.kep().to_owned(), target)));
    }

    /// Adds what is known from another version.
    pub fn extend(&mut self, other: Self) {
        other.known.into_iter().for_each(|(print, severity)| self.note(print, severity));
        for (kep, target) in other.targets {
            self.targets.entry(kep).or_insert(target);
        }
    }

    fn note(&mut self, print: Fingerprint, severity: Severity) {
        let known = self.known.entry(print).or_insert(severity);
        *known = severity.max(*known);
    }

    /// Drops the findings that are known at the same severity or a higher one, and returns how many there were. Says of
    /// the others if they are new only because more is required.
    pub(super) fn retain_new(&self, names: &Names, target: Option<Target>, diagnostics: &mut Vec<Diagnostic>) -> usize {
        let before: usize = diagnostics.iter().map(|finding| finding.count).sum();
        diagnostics.retain(|finding| self.is_new(finding));
        let after: usize = diagnostics.iter().map(|finding| finding.count).sum();
        if let Some((old, new)) = self.targets.get(names.kep()).zip(target) {
            diagnostics.iter_mut().for_each(|finding| explain(finding, self.reason(finding, old, &new)));
        }
        before - after
    }

    fn is_new(&self, finding: &Diagnostic) -> bool {
        let is_new = |print: &Fingerprint| self.known.get(print).is_none_or(|severity| *severity < finding.severity);
        finding.stands_for().iter().any(is_new)
    }

    /// The severity that the rule of `finding` has for a KEP with this target; `None` if it is off.
    fn level(&self, finding: &Diagnostic, target: &Target) -> Option<Severity> {
        self.selection.severity(select::rule(finding.rule).ok()?, target)
    }

    /// Why a finding is new, if that is because of what the KEP is checked against.
    fn reason(&self, finding: &Diagnostic, old: &Target, new: &Target) -> Option<String> {
        let known = finding.stands_for().iter().filter_map(|print| self.known.get(print)).max().copied();
        match known.filter(|before| *before < finding.severity) {
            Some(before) => Some(raised(before, old, new)),
            None if known.is_none() => newly_required(finding, old, new).or_else(|| {
                let is_woken = self.level(finding, old).is_none() && self.level(finding, new).is_some();
                is_woken.then(|| format!("not checked while the KEP was {}", old.phase.name()))
            }),
            None => newly_required(finding, old, new),
        }
    }
}

/// The severity of the finding that one of the fingerprints of `finding` would have alone, where its rule has this level.
pub(super) fn severity_of(finding: &Diagnostic, print: Fingerprint, level: Option<Severity>) -> Severity {
    // Findings that are only counted have the severity of their own, and are no sections of each other.
    let is_covered = finding.count == 1 && finding.fingerprint != Some(print);
    if is_covered { level.unwrap_or(finding.severity).max(finding.severity) } else { finding.severity }
}

/// Why a section was not required before: its stage is reached only now, or the release since which it is required.
fn newly_required(finding: &Diagnostic, old: &Target, new: &Target) -> Option<String> {
    let RequiredFrom { stage, since } = finding.requirement?;
    let is_later_stage = stage.is_some_and(|stage| old.stage.is_none_or(|old| old < stage));
    let is_later_release = new.has_since && since.is_some_and(|since| old.since.is_none_or(|old| old < since));
    let (from, to) = match (new.stage, new.since) {
        (Some(reached), _) if is_later_stage => {
            (old.stage.map_or_else(|| old.phase.name().to_owned(), |old| old.to_string()), reached.to_string())
        }
        (_, Some(release)) if is_later_release => {
            (old.since.map_or_else(|| "no milestone".to_owned(), |old| old.to_string()), release.to_string())
        }
        _ => return None,
    };
    Some(format!("newly required: {from} → {to}"))
}

fn raised(before: Severity, old: &Target, new: &Target) -> String {
    let was = match before {
        Severity::Advice => "was a suggestion",
        Severity::Warning | Severity::Error => "was a warning",
    };
    match (old.release, new.release) {
        _ if old.phase != new.phase => format!("{was} while the KEP was {}", old.phase.name()),
        (Some(last), Some(release)) if !last.is_fresh(release) => format!("{was}: the KEP was stale ({last})"),
        (last, Some(release)) if last != Some(release) => format!("{was} until the KEP aimed at {release}"),
        _ => match new.stage.filter(|stage| old.stage != Some(*stage)) {
            Some(stage) => format!("{was} until the KEP aimed at {stage}"),
            None => format!("{was} before this change"),
        },
    }
}

fn explain(finding: &mut Diagnostic, reason: Option<String>) {
    let Some(reason) = reason else { return };
    let help = finding.help.get_or_insert_default();
    if !help.contains(&reason) {
        *help += if help.is_empty() { "" } else { "; " };
        *help += &reason;
    }
}
