//! Findings for which a run has no room.

use crate::diagnostic::{Diagnostic, Safety, Severity};

/// Findings of one rule and severity that are counted but not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unlisted {
    pub rule: &'static str,
    pub severity: Severity,
    pub count: usize,
    /// How many entries of a list they would be: one entry can stand for many findings.
    pub entries: usize,
    /// How many of the entries have a safe fix.
    pub safe: usize,
    /// How many of the entries have an unsafe fix.
    pub risky: usize,
}

impl Unlisted {
    pub(super) fn add(list: &mut Vec<Self>, finding: &Diagnostic) {
        let Diagnostic { rule, severity, count, .. } = *finding;
        let counts_it = |unlisted: &Self| unlisted.rule == rule && unlisted.severity == severity;
        if !list.iter().any(counts_it) {
            list.push(Self { rule, severity, count: 0, entries: 0, safe: 0, risky: 0 });
        }
        let Some(unlisted) = list.iter_mut().find(|unlisted| counts_it(unlisted)) else { return };
        unlisted.count += count;
        unlisted.entries += 1;
        match finding.fix.as_ref().map(|fix| fix.safety) {
            Some(Safety::Safe) => unlisted.safe += 1,
            Some(Safety::Unsafe) => unlisted.risky += 1,
            None => {}
        }
    }
}
