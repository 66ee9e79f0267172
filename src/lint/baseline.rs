//! The findings of an earlier version of the KEPs, so that a run can report only what is new. Apart from fingerprints,
//! which say what is the same: this says what is worth reporting again.

use super::fingerprint::Names;
use crate::diagnostic::subject::Fingerprint;
use crate::diagnostic::{Diagnostic, RequiredFrom, Severity};
use crate::requirement::Target;
use crate::rules::select::{self, Selection};
use std::collections::BTreeMap;

/// What is known from an earlier version.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    /// The findings, each with its severity.
    known: BTreeMap<Fingerprint, Severity>,
    /// What the KEPs were checked against.
    targets: BTreeMap<String, Target>,
}

impl Baseline {
    /// Adds the findings of one report.
    pub(super) fn add(
        &mut self,
        names: &Names,
        target: Option<Target>,
        diagnostics: &[Diagnostic],
        selection: &Selection,
    ) {
        for found in diagnostics {
            // A section that is not reported because its parent is would have the severity of the rule.
            let level = select::rule(found.rule).ok().zip(target);
            let level = level.and_then(|(rule, target)| selection.severity(rule, &target));
            for print in found.stands_for() {
                let is_own = found.fingerprint == Some(*print);
                let severity =
                    if is_own { found.severity } else { level.unwrap_or(found.severity).max(found.severity) };
                let known = self.known.entry(*print).or_insert(severity);
                *known = severity.max(*known);
            }
        }
        self.targets.extend(target.map(|target| (names.kep().to_owned(), target)));
    }

    /// Drops the findings that are known at the same severity or a higher one, and returns how many there were. Says of
    /// the others if they are new only because more is required.
    pub(super) fn retain_new(&self, names: &Names, target: Option<Target>, diagnostics: &mut Vec<Diagnostic>) -> usize {
        let before: usize = diagnostics.iter().map(|found| found.count).sum();
        diagnostics.retain(|found| self.is_new(found));
        let after: usize = diagnostics.iter().map(|found| found.count).sum();
        if let Some((old, new)) = self.targets.get(names.kep()).zip(target) {
            diagnostics.iter_mut().for_each(|found| explain(found, old, &new));
        }
        before - after
    }

    fn is_new(&self, found: &Diagnostic) -> bool {
        let is_new = |print: &Fingerprint| self.known.get(print).is_none_or(|severity| *severity < found.severity);
        found.stands_for().iter().any(is_new)
    }
}

/// Adds to the help of a gap why its section was not required before.
fn explain(found: &mut Diagnostic, old: &Target, new: &Target) {
    let Some(RequiredFrom { stage, since }) = found.requirement else { return };
    let is_later_stage = stage.is_some_and(|stage| old.stage.is_none_or(|old| old < stage));
    let is_later_release = since.filter(|_| new.has_since).is_some_and(|since| old.since.is_none_or(|old| old < since));
    let (from, to) = match (new.stage, new.since) {
        (Some(stage), _) if is_later_stage => {
            (old.stage.map_or_else(|| old.phase.name().to_owned(), |old| old.to_string()), stage.to_string())
        }
        (_, Some(release)) if is_later_release => {
            (old.since.map_or_else(|| "no milestone".to_owned(), |old| old.to_string()), release.to_string())
        }
        _ => return,
    };
    let why = format!("newly required: {from} → {to}");
    let help = found.help.get_or_insert_default();
    if !help.contains(&why) {
        *help += if help.is_empty() { "" } else { "; " };
        *help += &why;
    }
}
