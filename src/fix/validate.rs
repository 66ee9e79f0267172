//! Decides which applied fixes to revert.

use super::{FixRun, Identity, Reason, RevertedFix, counted, tally};
use crate::bounds;
use crate::diagnostic::subject::Subject;
use crate::diagnostic::{Diagnostic, Severity};
use crate::kep::names;
use crate::lint::report::KepReport;
use crate::markdown::Document;
use crate::mdtoc::Markers;
use crate::rules::select;
use crate::span::{FileId, slice};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// The fixes to revert. `without` runs all rounds again without those of one rule.
pub fn broken(run: &FixRun, without: &dyn Fn(&str) -> FixRun) -> Vec<RevertedFix> {
    if !run.refused.is_empty() {
        let refused = run.refused.iter();
        return refused.map(|(identity, words)| revert(identity, Reason::LosesText(words.clone()))).collect();
    }
    let unfinished = unfinished(run);
    if !unfinished.is_empty() {
        return unfinished;
    }
    let left = counted(&run.after);
    let still_there = run.applied.iter().filter(|(identity, applied)| {
        let seen = run.seen.get(identity).copied().unwrap_or_default();
        let left = left.get(identity).copied().unwrap_or_default();
        // A text that could not be read before may have a finding with the same identity.
        left > seen.saturating_sub(**applied) && !reveals(identity.rule)
    });
    let still_there: Vec<RevertedFix> = still_there.map(|(identity, _)| revert(identity, Reason::StillThere)).collect();
    if !still_there.is_empty() {
        return still_there;
    }
    new_error(run).map(|error| culprit(run, error, without)).unwrap_or_default()
}

fn unfinished(run: &FixRun) -> Vec<RevertedFix> {
    let mut unfinished: Vec<RevertedFix> = Vec::new();
    if run.rounds == bounds::ROUNDS {
        return unfinished;
    }
    let is_endless = run.stalled == bounds::STALLED_ROUNDS;
    for identity in &run.pending {
        let reverted = revert(identity, if is_endless { Reason::Endless } else { Reason::StillThere });
        if !unfinished.contains(&reverted) {
            unfinished.push(reverted);
        }
    }
    unfinished
}

fn revert(identity: &Identity, reason: Reason) -> RevertedFix {
    RevertedFix { rule: identity.rule, file: identity.file, reason }
}

fn new_error(run: &FixRun) -> Option<&Diagnostic> {
    let FixRun { before, after, .. } = run;
    let files = before.files.iter().zip(&after.files);
    let changed: Vec<bool> = files.map(|(old, new)| old.text != new.text).collect();
    let known = tally(before.diagnostics.iter().map(kind));
    let is_error = |finding: &&Diagnostic| finding.severity == Severity::Error;
    let now = tally(after.diagnostics.iter().filter(is_error).map(kind));
    let earlier = Earlier::of(run);
    after
        .diagnostics
        .iter()
        .filter(is_error)
        .filter(|error| changed.get(error.span.file.index()) == Some(&true))
        .find(|error| now.get(&kind(error)) > known.get(&kind(error)) && !earlier.could_have(error))
}

/// Identifies similar findings: by rule, file and section, because counts and names in their messages may differ.
type Kind<'a> = (&'static str, FileId, &'a Option<Vec<String>>);

fn kind(finding: &Diagnostic) -> Kind<'_> {
    (finding.rule, finding.span.file, &finding.section)
}

/// The KEP before the fixes: which errors it could have had already, but hidden by other findings.
struct Earlier<'a> {
    run: &'a FixRun,
    /// Whether the stage, phase and release that the KEP is checked against are the same as before. After an invalid
    /// status is fixed, more may be required.
    has_same_target: bool,
    /// Whether one of the applied fixes allows to read more of the KEP, or has removed what hid a part of it.
    reveals: bool,
    gaps: BTreeSet<&'a [String]>,
    /// The sections whose gap was fixed: now gaps below them are reported.
    filled: Vec<&'a [String]>,
    lookups: Cell<usize>,
    counts: [BTreeMap<Words<'a>, usize>; 2],
}

/// What a finding says and about which text, wherever that is: the heading above it may be new.
type Words<'a> = (&'static str, FileId, &'a str, &'a str);

fn words<'a>(report: &'a KepReport, finding: &'a Diagnostic) -> Words<'a> {
    let file = report.files.get(finding.span.file.index());
    let text = file.map(|file| slice(&file.text, finding.span.range())).unwrap_or_default();
    // What is about the whole file may point at any of its lines.
    let text = if finding.subject == Subject::File { "" } else { text };
    (finding.rule, finding.span.file, &finding.message, text)
}

impl<'a> Earlier<'a> {
    fn of(run: &'a FixRun) -> Self {
        let FixRun { before, after, applied, .. } = run;
        let gaps = before.diagnostics.iter().filter(|finding| is_gap(finding.rule));
        let filled = applied.keys().filter(|identity| is_gap(identity.rule));
        Self {
            run,
            has_same_target: before.target == after.target,
            reveals: applied.keys().any(|fixed| reveals(fixed.rule)) || count_hiding(before) > count_hiding(after),
            gaps: gaps.filter_map(|finding| finding.section.as_deref()).collect(),
            filled: filled.filter_map(|identity| identity.section.as_deref()).collect(),
            lookups: Cell::new(bounds::LOOKUPS),
            counts: [before, after].map(|report| tally(report.diagnostics.iter().map(|it| words(report, it)))),
        }
    }

    /// Whether the KEP could have had an error already before the fixes, without it being reported.
    fn could_have(&self, error: &Diagnostic) -> bool {
        if self.was_reported_before(error) || self.is_table_in_code(error) {
            return true;
        }
        // An error that hides others is always reported, unless another of its kind hides it.
        if reveals(error.rule) {
            return self.reveals && self.was_written_before(error);
        }
        !self.has_same_target || self.reveals || self.is_known_gap(error)
    }

    /// Whether an error was reported before, if with another severity or in another section.
    fn was_reported_before(&self, error: &Diagnostic) -> bool {
        let words = words(&self.run.after, error);
        let [before, after] = &self.counts;
        before.get(&words) >= after.get(&words)
    }

    /// Whether an error is about a table of contents in code, which no fix regenerates after those of headings.
    fn is_table_in_code(&self, error: &Diagnostic) -> bool {
        let Some(file) = self.run.after.files.get(error.span.file.index()) else { return false };
        let is_of_table = error.rule == "stale-toc" && error.fix.is_none();
        let table = Markers::find(&file.text).between().filter(|_| is_of_table);
        table.is_some_and(|table| Document::of_text(&file.text).code_around(table.start).is_some())
    }

    /// Whether the text of an error was in the file at least as often before the fixes.
    fn was_written_before(&self, error: &Diagnostic) -> bool {
        let Some(left) = self.lookups.get().checked_sub(1) else { return true };
        self.lookups.set(left);
        let text = |report: &'a KepReport| report.files.get(error.span.file.index()).map(|file| file.text.as_str());
        let (before, after) = (text(&self.run.before), text(&self.run.after));
        let Some((before, after)) = before.zip(after) else { return false };
        // A value may be in quotes only since it was fixed.
        let unquoted = |value: &str| value.replace(['"', '\'', '\\'], "");
        let written = unquoted(after.get(error.span.range()).unwrap_or_default().trim());
        let count = |file: &str| names::places(&unquoted(file), &written).count();
        !written.is_empty() && count(before) >= count(after)
    }

    /// Whether an error is a gap that was reported in another way before: its section or one in it already had a gap, the
    /// gap of another section covered it, or a gap of it or of a section around it was fixed.
    fn is_known_gap(&self, error: &Diagnostic) -> bool {
        if !is_gap(error.rule) {
            return false;
        }
        if self.run.before.diagnostics.iter().any(|gap| gap.covers.contains(&error.subject)) {
            return true;
        }
        let Some(section) = error.section.as_deref() else { return false };
        // The first gap of the section and of those in it, in the order of their titles.
        let gap = self.gaps.range(section..).next();
        gap.is_some_and(|gap| gap.starts_with(section)) || self.filled.iter().any(|filled| section.starts_with(filled))
    }
}

fn count_hiding(report: &KepReport) -> usize {
    report.diagnostics.iter().filter(|finding| reveals(finding.rule)).map(|finding| finding.count).sum()
}

pub fn reveals(rule: &str) -> bool {
    select::rule(rule).is_ok_and(|rule| rule.reveals)
}

fn is_gap(rule: &str) -> bool {
    select::rule(rule).is_ok_and(|rule| rule.is_gap)
}

/// The fixes of the rule that causes `error`, or all fixes of the KEP if no single rule does.
fn culprit(run: &FixRun, error: &Diagnostic, without: &dyn Fn(&str) -> FixRun) -> Vec<RevertedFix> {
    let reason = || Reason::NewError { rule: error.rule, message: error.message.clone() };
    let is_gone = |suspect: &RevertedFix| {
        new_error(&without(suspect.rule)).is_none_or(|other| Identity::of(other) != Identity::of(error))
    };
    let mut rules: Vec<RevertedFix> = run.applied.keys().map(|identity| revert(identity, reason())).collect();
    rules.dedup();
    match rules.iter().find(|rule| rule.file == error.span.file && is_gone(rule)) {
        Some(rule) => vec![rule.clone()],
        None => {
            rules.dedup_by_key(|rule| rule.rule);
            rules
        }
    }
}

#[cfg(test)]
mod tests;
