//! What is to be thought of fixes once no more of them can be applied.

use super::{Fingerprint, FixRun, Reason, RevertedFix, counted};
use crate::diagnostic::{Diagnostic, Severity};
use crate::lint::KepReport;
use crate::rules::select;
use crate::span::FileId;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// How many errors are looked up in the text before the fixes; of more, it is not asked whether a fix made them.
const MOST_LOOKED_UP: usize = 100;

/// The fixes that did not keep their promise. `without` runs the run again without one of them.
pub fn broken(run: &FixRun, without: &dyn Fn(&RevertedFix) -> FixRun) -> Vec<RevertedFix> {
    if !run.refused.is_empty() {
        let refused = run.refused.iter();
        return refused.map(|(fingerprint, words)| revert(fingerprint, Reason::LosesText(words.clone()))).collect();
    }
    let unfinished = unfinished(run);
    if !unfinished.is_empty() {
        return unfinished;
    }
    let left = counted(&run.after);
    let still_there = run.applied.iter().filter(|(fingerprint, applied)| {
        let seen = run.seen.get(fingerprint).copied().unwrap_or_default();
        let left = left.get(fingerprint).copied().unwrap_or_default();
        // What is read only now may have the same said of it as what was fixed.
        let is_revealed = reveals(fingerprint.rule) && left < seen;
        left > seen.saturating_sub(**applied) && !is_revealed
    });
    let still_there: Vec<RevertedFix> =
        still_there.map(|(fingerprint, _)| revert(fingerprint, Reason::StillThere)).collect();
    if !still_there.is_empty() {
        return still_there;
    }
    new_error(run).map(|error| culprit(run, error, without)).unwrap_or_default()
}

/// Fixes that could be applied again and again, or not at all.
fn unfinished(run: &FixRun) -> Vec<RevertedFix> {
    let mut unfinished: Vec<RevertedFix> = Vec::new();
    if run.rounds == super::MOST_ROUNDS_IN_ALL {
        return unfinished;
    }
    let is_endless = run.stalled == super::MOST_ROUNDS;
    for fingerprint in &run.pending {
        let it = if is_endless {
            RevertedFix { finding: None, ..revert(fingerprint, Reason::Endless) }
        } else {
            revert(fingerprint, Reason::StillThere)
        };
        if !unfinished.contains(&it) {
            unfinished.push(it);
        }
    }
    unfinished
}

fn revert(fingerprint: &Fingerprint, reason: Reason) -> RevertedFix {
    RevertedFix { rule: fingerprint.rule, file: fingerprint.file, finding: Some(fingerprint.clone()), reason }
}

/// An error of a changed file that is there only since it was fixed.
fn new_error(run: &FixRun) -> Option<&Diagnostic> {
    let FixRun { before, after, .. } = run;
    let files = before.files.iter().zip(&after.files);
    let changed: Vec<bool> = files.map(|(before, after)| before.text != after.text).collect();
    let known = count_alike(before.diagnostics.iter());
    let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
    let now = count_alike(after.diagnostics.iter().filter(is_error));
    let light = Light::of(run);
    after
        .diagnostics
        .iter()
        .filter(is_error)
        .filter(|error| changed.get(error.span.file.index()) == Some(&true))
        .find(|error| now.get(&alike(error)) > known.get(&alike(error)) && !light.explains(error))
}

/// What makes findings alike: the rule and the section, as counts and names in their messages may differ.
type Alike<'a> = (&'static str, FileId, &'a Option<Vec<String>>);

fn alike(found: &Diagnostic) -> Alike<'_> {
    (found.rule, found.span.file, &found.section)
}

fn count_alike<'a>(found: impl Iterator<Item = &'a Diagnostic>) -> BTreeMap<Alike<'a>, usize> {
    let mut counts = BTreeMap::new();
    found.for_each(|found| *counts.entry(alike(found)).or_default() += 1);
    counts
}

/// What the applied fixes may have brought to light.
struct Light<'a> {
    run: &'a FixRun,
    /// Whether the KEP is checked against the same as before: a status that can be read again asks for more.
    has_same_target: bool,
    /// Whether a fix lets more be read of the KEP.
    reveals: bool,
    /// The sections that were gaps before.
    gaps: BTreeSet<&'a [String]>,
    /// The sections of which a gap was fixed: what is in them is a gap of its own now.
    opened: Vec<&'a [String]>,
    /// How many more errors are looked up in the text.
    lookups: Cell<usize>,
}

impl<'a> Light<'a> {
    fn of(run: &'a FixRun) -> Self {
        let FixRun { before, after, applied, .. } = run;
        let gaps = before.diagnostics.iter().filter(|found| is_gap(found.rule));
        let opened = applied.keys().filter(|fingerprint| is_gap(fingerprint.rule));
        Self {
            run,
            has_same_target: before.target == after.target,
            reveals: applied.keys().any(|fixed| reveals(fixed.rule)),
            gaps: gaps.filter_map(|found| found.section.as_deref()).collect(),
            opened: opened.filter_map(|fingerprint| fingerprint.section.as_deref()).collect(),
            lookups: Cell::new(MOST_LOOKED_UP),
        }
    }

    /// Whether an error was there before, for all that could be seen.
    fn explains(&self, error: &Diagnostic) -> bool {
        // What keeps other things from being read could always be seen, but behind a worse one of its kind.
        if reveals(error.rule) {
            return self.reveals && self.was_written_before(error);
        }
        !self.has_same_target || self.reveals || self.is_known_gap(error)
    }

    /// Whether the file held the text of an error as often before the fixes.
    fn was_written_before(&self, error: &Diagnostic) -> bool {
        let Some(left) = self.lookups.get().checked_sub(1) else { return true };
        self.lookups.set(left);
        let text = |report: &'a KepReport| report.files.get(error.span.file.index()).map(|file| file.text.as_str());
        let (before, after) = (text(&self.run.before), text(&self.run.after));
        let Some((before, after)) = before.zip(after) else { return false };
        // A value may be in quotes only since it was fixed.
        let unquoted = |text: &str| text.replace(['"', '\'', '\\'], "");
        let written = unquoted(after.get(error.span.range()).unwrap_or_default().trim());
        let count = |text: &str| unquoted(text).matches(&written).count();
        !written.is_empty() && count(before) >= count(after)
    }

    /// Whether an error is a gap by another name: its section was one before, or it or one around it was opened.
    fn is_known_gap(&self, error: &Diagnostic) -> bool {
        let Some(section) = error.section.as_deref().filter(|_| is_gap(error.rule)) else { return false };
        self.gaps.contains(section) || self.opened.iter().any(|opened| section.starts_with(opened))
    }
}

fn reveals(rule: &str) -> bool {
    select::rule(rule).is_ok_and(|rule| rule.reveals)
}

fn is_gap(rule: &str) -> bool {
    select::rule(rule).is_ok_and(|rule| rule.is_gap)
}

/// How many fixes of one rule are tried one by one for the one to blame; of more, all are taken back.
const MOST_SUSPECTS: usize = 16;

/// The fix without which `error` would not be there; all fixes of its rule if they are many, and all of the KEP if no
/// single rule is to blame.
fn culprit(run: &FixRun, error: &Diagnostic, without: &dyn Fn(&RevertedFix) -> FixRun) -> Vec<RevertedFix> {
    let reason = || Reason::NewError { rule: error.rule, message: error.message.clone() };
    let is_gone = |suspect: &RevertedFix| {
        let other = without(suspect);
        new_error(&other).is_none_or(|found| Fingerprint::of(found) != Fingerprint::of(error))
    };
    let mut rules: Vec<RevertedFix> = Vec::new();
    for fingerprint in run.applied.keys().filter(|fingerprint| fingerprint.file == error.span.file) {
        if rules.last().is_none_or(|last| last.rule != fingerprint.rule) {
            rules.push(RevertedFix { finding: None, ..revert(fingerprint, reason()) });
        }
    }
    let Some(whole) = rules.into_iter().find(|rule| is_gone(rule)) else {
        let suspects = run.applied.keys().map(|fingerprint| revert(fingerprint, reason()));
        let mut all: Vec<RevertedFix> = suspects.map(|it| RevertedFix { finding: None, ..it }).collect();
        all.dedup_by_key(|it| it.rule);
        return all;
    };
    let suspects = run.applied.keys().filter(|fingerprint| fingerprint.rule == whole.rule);
    let suspects: Vec<RevertedFix> =
        suspects.take(MOST_SUSPECTS + 1).map(|fingerprint| revert(fingerprint, reason())).collect();
    let alone = match suspects.len() > MOST_SUSPECTS {
        true => None,
        false => suspects.into_iter().find(|suspect| is_gone(suspect)),
    };
    vec![alone.unwrap_or(whole)]
}

#[cfg(test)]
mod tests {
    use super::super::{Fixed, fix};
    use super::*;
    use crate::diagnostic::{Edit, Fix, Safety};
    use crate::kep::texts::Texts;
    use crate::requirement::Target;
    use crate::source::SourceFile;
    use crate::span::Span;
    use crate::stage::Phase;
    use std::sync::Arc;

    /// Finds `word` and has `other` written in its place.
    struct Swap {
        rule: &'static str,
        word: &'static str,
        other: &'static str,
        severity: Severity,
    }

    fn swap(rule: &'static str, word: &'static str, other: &'static str) -> Swap {
        Swap { rule, word, other, severity: Severity::Warning }
    }

    fn report(texts: &Texts, swaps: &[Swap]) -> KepReport {
        let mut diagnostics = Vec::new();
        for (id, file) in texts.iter() {
            for swap in swaps {
                diagnostics.extend(file.text.match_indices(swap.word).map(|(at, word)| {
                    let span = Span::new(id, at..at + word.len());
                    let edits = vec![Edit { span, text: swap.other.to_owned() }];
                    let fix = Fix { safety: Safety::Safe, title: "swap".to_owned(), edits };
                    Diagnostic {
                        rule: swap.rule,
                        severity: swap.severity,
                        span,
                        message: format!("`{word}` is wrong"),
                        help: None,
                        section: None,
                        related: Vec::new(),
                        fix: (swap.severity != Severity::Error).then_some(fix),
                        count: 1,
                    }
                }));
            }
        }
        let is_ready = texts.files.iter().any(|file| file.text.contains("ready"));
        let target =
            Target { stage: None, phase: if is_ready { Phase::Active } else { Phase::Provisional }, release: None };
        KepReport {
            kep: Some(texts.directory.clone()),
            documents: texts.files.len(),
            files: texts.files.clone(),
            target: Some(target),
            diagnostics,
            ..KepReport::default()
        }
    }

    fn fixed(text: &str, swaps: &[Swap]) -> Fixed {
        let mut texts = Texts::default();
        texts.push(Arc::new(SourceFile::decode("README.md", text.into())));
        fix(&texts, Safety::Safe, &|texts| report(texts, swaps))
    }

    fn outcome(fixed: &Fixed) -> (&str, Vec<(&str, bool, &Reason)>) {
        let reverted = fixed.reverted.iter().map(|it| (it.rule, it.finding.is_some(), &it.reason));
        (&fixed.after.files[0].text, reverted.collect())
    }

    #[test]
    fn fixes_follow_one_another() {
        let fixed = fixed("one, one", &[swap("a", "one", "two"), swap("b", "two", "three")]);
        assert_eq!(outcome(&fixed), ("three, three", vec![]));
        assert_eq!(fixed.rounds, 2);
        assert_eq!(fixed.applied.into_iter().collect::<Vec<_>>(), [("a", 2), ("b", 2)]);
    }

    #[test]
    fn a_fix_without_effect_is_taken_back_alone() {
        let fixed = fixed("one two", &[swap("a", "one", "one"), swap("b", "two", "three")]);
        assert_eq!(outcome(&fixed), ("one three", vec![("a", true, &Reason::StillThere)]));
        assert_eq!(fixed.applied.into_iter().collect::<Vec<_>>(), [("b", 1)]);
    }

    #[test]
    fn fixes_without_end_are_taken_back() {
        let fixed = fixed("one two", &[swap("a", "one", "one!one"), swap("b", "two", "three")]);
        assert_eq!(outcome(&fixed), ("one three", vec![("a", false, &Reason::Endless)]));
    }

    #[test]
    fn fixes_against_each_other_are_taken_back() {
        let fixed = fixed("one", &[swap("a", "one", "two"), swap("b", "two", "one")]);
        assert_eq!(fixed.after.files[0].text, "one");
        assert!(!fixed.reverted.is_empty());
    }

    #[test]
    fn the_fix_that_brings_up_an_error_is_taken_back() {
        let error = Swap { severity: Severity::Error, ..swap("c", "three", "") };
        let fixed = fixed("one two", &[swap("a", "one", "four"), swap("b", "two", "three"), error]);
        let reason = Reason::NewError { rule: "c", message: "`three` is wrong".to_owned() };
        assert_eq!(outcome(&fixed), ("four two", vec![("b", true, &reason)]));
    }

    #[test]
    fn an_error_that_was_there_before_blames_nobody() {
        let error = Swap { severity: Severity::Error, ..swap("c", "three", "") };
        let fixed = fixed("one three", &[swap("a", "one", "four"), error]);
        assert_eq!(outcome(&fixed), ("four three", vec![]));
    }

    #[test]
    fn what_a_kep_owes_by_a_mended_status_is_no_new_error() {
        let error = |rule| Swap { severity: Severity::Error, ..swap(rule, "ready", "") };
        let mended = fixed("raedy", &[swap("a", "raedy", "ready"), error("c")]);
        assert_eq!(outcome(&mended), ("ready", vec![]));
        let broken = fixed("raedy", &[swap("a", "raedy", "ready"), error("invalid-yaml")]);
        assert_eq!(outcome(&broken).0, "raedy");
    }

    #[test]
    fn a_file_that_is_not_utf8_is_locked() {
        let mut texts = Texts::default();
        texts.push(Arc::new(SourceFile::decode("README.md", b"one \xff".to_vec())));
        let fixed = fix(&texts, Safety::Safe, &|texts| report(texts, &[swap("a", "one", "two")]));
        assert_eq!(outcome(&fixed), ("one ?", vec![]));
        assert_eq!(fixed.locked, BTreeSet::from([FileId(0)]));
        assert!(fixed.applied.is_empty());
    }
}
