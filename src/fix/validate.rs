//! Decides which applied fixes to revert.

use super::{FixRun, Identity, Reason, RevertedFix, counted};
use crate::diagnostic::{Diagnostic, Severity};
use crate::lint::KepReport;
use crate::rules::select;
use crate::span::{FileId, slice};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// How many errors are searched for in the text before the fixes. Further errors count as old, which limits the cost.
const MOST_LOOKUPS: usize = 100;

/// The fixes to revert. `without` runs all rounds again without one fix.
pub fn broken(run: &FixRun, without: &dyn Fn(&RevertedFix) -> FixRun) -> Vec<RevertedFix> {
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

/// Fixes that never end, or could not be applied.
fn unfinished(run: &FixRun) -> Vec<RevertedFix> {
    let mut unfinished: Vec<RevertedFix> = Vec::new();
    if run.rounds == super::MOST_ROUNDS_IN_ALL {
        return unfinished;
    }
    let is_endless = run.stalled == super::MOST_ROUNDS;
    for identity in &run.pending {
        let reverted = if is_endless {
            RevertedFix { finding: None, ..revert(identity, Reason::Endless) }
        } else {
            revert(identity, Reason::StillThere)
        };
        if !unfinished.contains(&reverted) {
            unfinished.push(reverted);
        }
    }
    unfinished
}

fn revert(identity: &Identity, reason: Reason) -> RevertedFix {
    RevertedFix { rule: identity.rule, file: identity.file, finding: Some(identity.clone()), reason }
}

/// An error in a changed file that was not there before the fixes.
fn new_error(run: &FixRun) -> Option<&Diagnostic> {
    let FixRun { before, after, .. } = run;
    let files = before.files.iter().zip(&after.files);
    let changed: Vec<bool> = files.map(|(before, after)| before.text != after.text).collect();
    let known = count_kinds(before.diagnostics.iter());
    let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
    let now = count_kinds(after.diagnostics.iter().filter(is_error));
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

fn kind(found: &Diagnostic) -> Kind<'_> {
    (found.rule, found.span.file, &found.section)
}

fn count_kinds<'a>(found: impl Iterator<Item = &'a Diagnostic>) -> BTreeMap<Kind<'a>, usize> {
    let mut counts = BTreeMap::new();
    found.for_each(|found| *counts.entry(kind(found)).or_default() += 1);
    counts
}

/// The KEP before the fixes: which errors it could have had already, but hidden by other findings.
struct Earlier<'a> {
    run: &'a FixRun,
    /// Whether the stage, phase and release that the KEP is checked against are the same as before. After an invalid
    /// status is fixed, more may be required.
    has_same_target: bool,
    /// Whether one of the applied fixes allows to read more of the KEP.
    reveals: bool,
    /// The sections with a gap before the fixes.
    gaps: BTreeSet<&'a [String]>,
    /// The sections whose gap was fixed: now gaps below them are reported.
    filled: Vec<&'a [String]>,
    /// How many more errors may be searched for in the text.
    lookups: Cell<usize>,
}

impl<'a> Earlier<'a> {
    fn of(run: &'a FixRun) -> Self {
        let FixRun { before, after, applied, .. } = run;
        let gaps = before.diagnostics.iter().filter(|found| is_gap(found.rule));
        let filled = applied.keys().filter(|identity| is_gap(identity.rule));
        Self {
            run,
            has_same_target: before.target == after.target,
            reveals: applied.keys().any(|fixed| reveals(fixed.rule)),
            gaps: gaps.filter_map(|found| found.section.as_deref()).collect(),
            filled: filled.filter_map(|identity| identity.section.as_deref()).collect(),
            lookups: Cell::new(MOST_LOOKUPS),
        }
    }

    /// Whether the KEP could have had an error already before the fixes, without it being reported.
    fn could_have(&self, error: &Diagnostic) -> bool {
        // An error that hides others is always reported, unless another of its kind hides it.
        if reveals(error.rule) {
            return self.reveals && self.was_written_before(error);
        }
        !self.has_same_target || self.reveals || self.is_known_gap(error)
    }

    /// Whether the text of an error was in the file at least as often before the fixes.
    fn was_written_before(&self, error: &Diagnostic) -> bool {
        let Some(left) = self.lookups.get().checked_sub(1) else { return true };
        self.lookups.set(left);
        let text = |report: &'a KepReport| report.files.get(error.span.file.index()).map(|file| file.text.as_str());
        let (before, after) = (text(&self.run.before), text(&self.run.after));
        let Some((before, after)) = before.zip(after) else { return false };
        // A value may be in quotes only since it was fixed.
        let unquoted = |text: &str| text.replace(['"', '\'', '\\'], "");
        let written = unquoted(after.get(error.span.range()).unwrap_or_default().trim());
        let count = |text: &str| count_whole(&unquoted(text), &written);
        !written.is_empty() && count(before) >= count(after)
    }

    /// Whether an error is a gap that was reported in another way before: its section or one in it already had a gap, or
    /// a gap of it or of a section around it was fixed.
    fn is_known_gap(&self, error: &Diagnostic) -> bool {
        let Some(section) = error.section.as_deref().filter(|_| is_gap(error.rule)) else { return false };
        // The first gap of the section and of those in it, in the order of their titles.
        let gap = self.gaps.range(section..).next();
        gap.is_some_and(|gap| gap.starts_with(section)) || self.filled.iter().any(|filled| section.starts_with(filled))
    }
}

/// How often `words` are in `text`, not as a part of longer words.
fn count_whole(text: &str, words: &str) -> usize {
    let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    let is_whole = |at: &usize| {
        let (before, after) = (slice(text, ..*at), slice(text, at + words.len()..));
        !is_letter(before.chars().next_back()) && !is_letter(after.chars().next())
    };
    text.match_indices(words).map(|(at, _)| at).filter(is_whole).count()
}

fn reveals(rule: &str) -> bool {
    select::rule(rule).is_ok_and(|rule| rule.reveals)
}

fn is_gap(rule: &str) -> bool {
    select::rule(rule).is_ok_and(|rule| rule.is_gap)
}

/// How many fixes of one rule are tested one by one to find the culprit. If there are more, all are reverted.
const MOST_SUSPECTS: usize = 16;

/// The fix that causes `error`; all fixes of its rule if there are many, and all fixes of the KEP if no single rule
/// causes it.
fn culprit(run: &FixRun, error: &Diagnostic, without: &dyn Fn(&RevertedFix) -> FixRun) -> Vec<RevertedFix> {
    let reason = || Reason::NewError { rule: error.rule, message: error.message.clone() };
    let is_gone = |suspect: &RevertedFix| {
        let other = without(suspect);
        new_error(&other).is_none_or(|found| Identity::of(found) != Identity::of(error))
    };
    let mut rules: Vec<RevertedFix> = Vec::new();
    for identity in run.applied.keys().filter(|identity| identity.file == error.span.file) {
        if rules.last().is_none_or(|last| last.rule != identity.rule) {
            rules.push(RevertedFix { finding: None, ..revert(identity, reason()) });
        }
    }
    let Some(rule) = rules.into_iter().find(|rule| is_gone(rule)) else {
        let suspects = run.applied.keys().map(|identity| revert(identity, reason()));
        let mut all: Vec<RevertedFix> = suspects.map(|suspect| RevertedFix { finding: None, ..suspect }).collect();
        all.dedup_by_key(|suspect| suspect.rule);
        return all;
    };
    let suspects = run.applied.keys().filter(|identity| identity.rule == rule.rule);
    let suspects: Vec<RevertedFix> =
        suspects.take(MOST_SUSPECTS + 1).map(|identity| revert(identity, reason())).collect();
    let culprit = match suspects.len() > MOST_SUSPECTS {
        true => None,
        false => suspects.into_iter().find(|suspect| is_gone(suspect)),
    };
    vec![culprit.unwrap_or(rule)]
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

    /// A rule that reports `word`; its fix replaces it by `other`.
    #[derive(Clone)]
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
                    let message = format!("`{word}` is wrong");
                    let fix = (swap.severity != Severity::Error).then_some(fix);
                    Diagnostic { fix, ..Diagnostic::new(swap.rule, swap.severity, span, message) }
                }));
            }
        }
        let is_ready = texts.files.iter().any(|file| file.text.contains("ready"));
        let target = Target::new(None, if is_ready { Phase::Active } else { Phase::Provisional }, None);
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
        fixed_by(text, &|texts| report(texts, swaps))
    }

    fn fixed_by(text: &str, lint: &dyn Fn(&Texts) -> KepReport) -> Fixed {
        let mut texts = Texts::default();
        texts.push(Arc::new(SourceFile::decode("README.md", text.into())));
        fix(&texts, Safety::Safe, lint)
    }

    fn outcome(fixed: &Fixed) -> (&str, Vec<(&str, bool, &Reason)>) {
        let reverted = fixed.reverted.iter().map(|it| (it.rule, it.finding.is_some(), &it.reason));
        (&fixed.after.files[0].text, reverted.collect())
    }

    #[test]
    fn a_fix_can_enable_another() {
        let fixed = fixed("one, one", &[swap("a", "one", "two"), swap("b", "two", "three")]);
        assert_eq!(outcome(&fixed), ("three, three", vec![]));
        assert_eq!(fixed.rounds, 2);
        assert_eq!(fixed.applied.into_iter().collect::<Vec<_>>(), [("a", 2), ("b", 2)]);
    }

    #[test]
    fn only_the_fix_without_effect_is_reverted() {
        let fixed = fixed("one two", &[swap("a", "one", "one"), swap("b", "two", "three")]);
        assert_eq!(outcome(&fixed), ("one three", vec![("a", true, &Reason::StillThere)]));
        assert_eq!(fixed.applied.into_iter().collect::<Vec<_>>(), [("b", 1)]);
    }

    #[test]
    fn fixes_that_never_end_are_reverted() {
        let fixed = fixed("one two", &[swap("a", "one", "one!one"), swap("b", "two", "three")]);
        assert_eq!(outcome(&fixed), ("one three", vec![("a", false, &Reason::Endless)]));
    }

    #[test]
    fn fixes_that_undo_each_other_are_reverted() {
        let fixed = fixed("one", &[swap("a", "one", "two"), swap("b", "two", "one")]);
        assert_eq!(fixed.after.files[0].text, "one");
        assert!(!fixed.reverted.is_empty());
    }

    #[test]
    fn a_fix_that_causes_a_new_error_is_reverted() {
        let error = Swap { severity: Severity::Error, ..swap("c", "three", "") };
        let fixed = fixed("one two", &[swap("a", "one", "four"), swap("b", "two", "three"), error]);
        let reason = Reason::NewError { rule: "c", message: "`three` is wrong".to_owned() };
        assert_eq!(outcome(&fixed), ("four two", vec![("b", true, &reason)]));
    }

    #[test]
    fn a_finding_that_stays_without_a_fix_reverts_the_fix() {
        let lint = |texts: &Texts| {
            let mut report = report(texts, &[swap("a", "one", "one!")]);
            let has_changed = report.files[0].text.contains('!');
            report.diagnostics.retain_mut(|found| {
                found.fix = found.fix.take().filter(|_| !has_changed);
                true
            });
            report
        };
        assert_eq!(outcome(&fixed_by("one", &lint)), ("one", vec![("a", true, &Reason::StillThere)]));
    }

    #[test]
    fn a_rule_whose_fixes_fail_twice_is_disabled() {
        let error = |word| Swap { severity: Severity::Error, ..swap("c", word, "") };
        let swaps = [
            swap("a", "one", "worse"),
            swap("a", "two", "worst"),
            swap("a", "three", "good"),
            swap("b", "four", "five"),
            error("worse"),
            error("worst"),
        ];
        let fixed = fixed("one two three four", &swaps);
        let reason = |word: &str| Reason::NewError { rule: "c", message: format!("`{word}` is wrong") };
        let (first, second) = (reason("worse"), reason("worst"));
        assert_eq!(outcome(&fixed), ("one two three five", vec![("a", true, &first), ("a", false, &second)]));
    }

    #[test]
    fn another_error_of_a_known_kind_is_new() {
        let error = Swap { severity: Severity::Error, ..swap("c", "three", "") };
        let fixed = fixed("one three", &[swap("a", "one", "three"), error]);
        let reason = Reason::NewError { rule: "c", message: "`three` is wrong".to_owned() };
        assert_eq!(outcome(&fixed), ("one three", vec![("a", true, &reason)]));
    }

    #[test]
    fn all_fixes_of_a_rule_are_reverted_if_several_cause_the_error() {
        let error = Swap { severity: Severity::Error, ..swap("c", "bad", "") };
        let fixes = [swap("a", "zero", "nil"), swap("b", "one", "bad"), swap("b", "two", "bad")];
        let fixed = fixed("zero one two", &[fixes.to_vec(), vec![error]].concat());
        let reason = Reason::NewError { rule: "c", message: "`bad` is wrong".to_owned() };
        assert_eq!(outcome(&fixed), ("nil one two", vec![("b", false, &reason)]));
    }

    #[test]
    fn all_fixes_are_reverted_if_several_rules_cause_the_error() {
        let error = Swap { severity: Severity::Error, ..swap("d", "bad", "") };
        let fixed = fixed("zero one", &[swap("a", "zero", "bad"), swap("b", "one", "bad"), error]);
        let reason = Reason::NewError { rule: "d", message: "`bad` is wrong".to_owned() };
        assert_eq!(outcome(&fixed), ("zero one", vec![("a", false, &reason), ("b", false, &reason)]));
    }

    #[test]
    fn only_a_few_fixes_of_a_rule_are_tested_one_by_one() {
        const WORDS: [&str; MOST_SUSPECTS + 1] =
            ["a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "b0", "b1", "b2", "b3", "b4", "b5", "z0"];
        let outcome_of = |words: &[&'static str], culprit: &str| {
            let other = |word: &&str| if *word == culprit { "bad" } else { "good" };
            let mut swaps: Vec<Swap> = words.iter().map(|word| swap("a", word, other(word))).collect();
            swaps.push(Swap { severity: Severity::Error, ..swap("c", "bad", "") });
            let fixed = fixed(&words.join(" "), &swaps);
            let reverted: Vec<bool> = fixed.reverted.iter().map(|it| it.finding.is_some()).collect();
            (fixed.after.files[0].text.matches("good").count(), reverted)
        };
        assert_eq!(outcome_of(&WORDS[1..], "z0"), (MOST_SUSPECTS - 1, vec![true]));
        assert_eq!(outcome_of(&WORDS, "a0"), (0, vec![false]));
    }

    /// Applies `fix`, which replaces `one`. Only without `one`, the rule `broken` reports the error `three`.
    fn fixed_hidden(text: &str, fix: Swap, broken: &'static str) -> Fixed {
        let error = Swap { severity: Severity::Error, ..swap(broken, "three", "") };
        let swaps = [fix, error];
        fixed_by(text, &|texts| {
            let mut report = report(texts, &swaps);
            let hides = report.files[0].text.contains("one");
            report.diagnostics.retain(|found| !hides || found.severity != Severity::Error);
            report
        })
    }

    #[test]
    fn an_error_that_the_fixed_one_had_hidden_is_not_new() {
        let key = |other| swap("duplicate-key", "one", other);
        assert_eq!(outcome(&fixed_hidden("one three", key("two"), "c")), ("two three", vec![]));
        assert_eq!(outcome(&fixed_hidden("one three", key("two"), "invalid-yaml")), ("two three", vec![]));
    }

    #[test]
    fn quotes_and_backslashes_that_a_fix_adds_do_not_change_a_text() {
        let quoted = fixed_hidden("one:th\\ree", swap("duplicate-key", "one:th\\ree", "\"three\""), "invalid-yaml");
        assert_eq!(outcome(&quoted), ("\"three\"", vec![]));
    }

    #[test]
    fn an_error_that_hides_others_is_new_if_nothing_had_hidden_it() {
        let fixed = fixed_hidden("one three", swap("a", "one", "two"), "invalid-yaml");
        let reason = Reason::NewError { rule: "invalid-yaml", message: "`three` is wrong".to_owned() };
        assert_eq!(outcome(&fixed), ("one three", vec![("a", true, &reason)]));
    }

    #[test]
    fn an_error_that_hides_others_is_new_if_the_fix_wrote_its_text() {
        let reason = Reason::NewError { rule: "invalid-yaml", message: "`three` is wrong".to_owned() };
        for text in ["one", "one threes", "one éthree"] {
            let fixed = fixed_hidden(text, swap("duplicate-key", "one", "three"), "invalid-yaml");
            assert_eq!(outcome(&fixed), (text, vec![("duplicate-key", true, &reason)]), "{text}");
        }
    }

    #[test]
    fn a_gap_in_a_section_whose_gap_was_fixed_is_not_new() {
        let outcome_of = |fixing: &'static str, broken: &'static str| {
            let error = Swap { severity: Severity::Error, ..swap(broken, "two", "") };
            let swaps = [swap(fixing, "one", "two"), error];
            let fixed = fixed_by("one", &|texts| {
                let mut report = report(texts, &swaps);
                report.diagnostics.iter_mut().for_each(|found| found.section = Some(vec!["Summary".to_owned()]));
                report
            });
            fixed.after.files[0].text.clone()
        };
        assert_eq!(outcome_of("missing-section", "empty-section"), "two");
        assert_eq!(outcome_of("missing-section", "stale-toc"), "one");
        assert_eq!(outcome_of("stale-toc", "empty-section"), "one");
        assert_eq!(outcome_of("stale-toc", "dead-anchor"), "one");
    }

    #[test]
    fn only_whole_words_are_counted() {
        assert_eq!(count_whole("beta, beta\nbetas alphabeta (beta)", "beta"), 3);
        assert_eq!(count_whole("stage: beta", "stage: beta"), 1);
        assert_eq!(count_whole("éa a", "a"), 1);
        assert_eq!(count_whole("stage: alpha", "beta"), 0);
    }

    #[test]
    fn an_old_error_reverts_nothing() {
        let error = Swap { severity: Severity::Error, ..swap("c", "three", "") };
        let fixed = fixed("one three", &[swap("a", "one", "four"), error]);
        assert_eq!(outcome(&fixed), ("four three", vec![]));
    }

    #[test]
    fn an_error_that_a_fixed_status_requires_is_not_new() {
        let error = |rule| Swap { severity: Severity::Error, ..swap(rule, "ready", "") };
        let valid = fixed("raedy", &[swap("a", "raedy", "ready"), error("c")]);
        assert_eq!(outcome(&valid), ("ready", vec![]));
        let broken = fixed("raedy", &[swap("a", "raedy", "ready"), error("invalid-yaml")]);
        assert_eq!(outcome(&broken).0, "raedy");
    }

    #[test]
    fn a_file_that_is_not_utf8_is_not_changed() {
        let mut texts = Texts::default();
        texts.push(Arc::new(SourceFile::decode("README.md", b"one \xff".to_vec())));
        let fixed = fix(&texts, Safety::Safe, &|texts| report(texts, &[swap("a", "one", "two")]));
        assert_eq!(outcome(&fixed), ("one ?", vec![]));
        assert_eq!(fixed.locked, BTreeSet::from([FileId(0)]));
        assert!(fixed.applied.is_empty());
    }
}
