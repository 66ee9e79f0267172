//! Which fixes are reverted, with rules that replace words.

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

fn outcome(fixed: &Fixed) -> (&str, Vec<(&str, &Reason)>) {
    let reverted = fixed.reverted.iter().map(|it| (it.rule, &it.reason));
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
    assert_eq!(outcome(&fixed), ("one three", vec![("a", &Reason::StillThere)]));
    assert_eq!(fixed.applied.into_iter().collect::<Vec<_>>(), [("b", 1)]);
}

#[test]
fn fixes_that_never_end_are_reverted() {
    let fixed = fixed("one two", &[swap("a", "one", "one!one"), swap("b", "two", "three")]);
    assert_eq!(outcome(&fixed), ("one three", vec![("a", &Reason::Endless)]));
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
    assert_eq!(outcome(&fixed), ("four two", vec![("b", &reason)]));
}

#[test]
fn a_table_of_contents_in_code_that_becomes_stale_reverts_nothing() {
    let stale = Swap { severity: Severity::Error, ..swap("stale-toc", "two", "") };
    let swaps = [swap("a", "one", "two"), stale];
    let count = |marker: &str| fixed(&format!("{marker}\n- x\n<!-- /toc -->\n\none\n"), &swaps).reverted.len();
    assert_eq!((count("    <!-- toc -->"), count("<!-- toc -->")), (0, 1));
}

#[test]
fn a_finding_that_stays_without_a_fix_reverts_the_fix() {
    let lint = |texts: &Texts| {
        let mut report = report(texts, &[swap("a", "one", "one!")]);
        let has_changed = report.files[0].text.contains('!');
        report.diagnostics.retain_mut(|finding| {
            if has_changed {
                finding.fix = None;
            }
            true
        });
        report
    };
    assert_eq!(outcome(&fixed_by("one", &lint)), ("one", vec![("a", &Reason::StillThere)]));
}

#[test]
fn all_fixes_of_a_rule_with_a_bug_are_reverted() {
    let error = Swap { severity: Severity::Error, ..swap("c", "worse", "") };
    let swaps = [swap("a", "one", "worse"), swap("a", "two", "good"), swap("b", "three", "four"), error];
    let reason = Reason::NewError { rule: "c", message: "`worse` is wrong".to_owned() };
    assert_eq!(outcome(&fixed("one two three", &swaps)), ("one two four", vec![("a", &reason)]));
}

#[test]
fn another_error_of_a_known_kind_is_new() {
    let error = Swap { severity: Severity::Error, ..swap("c", "three", "") };
    let fixed = fixed("one three", &[swap("a", "one", "three"), error]);
    let reason = Reason::NewError { rule: "c", message: "`three` is wrong".to_owned() };
    assert_eq!(outcome(&fixed), ("one three", vec![("a", &reason)]));
}

#[test]
fn all_fixes_are_reverted_if_several_rules_cause_the_error() {
    let error = Swap { severity: Severity::Error, ..swap("d", "bad", "") };
    let fixed = fixed("zero one", &[swap("a", "zero", "bad"), swap("b", "one", "bad"), error]);
    let reason = Reason::NewError { rule: "d", message: "`bad` is wrong".to_owned() };
    assert_eq!(outcome(&fixed), ("zero one", vec![("a", &reason), ("b", &reason)]));
}

/// Applies `fix`, which replaces `one`. Only without `one`, the rule `broken` reports the error `three`.
fn fixed_hidden(text: &str, fix: Swap, broken: &'static str) -> Fixed {
    let error = Swap { severity: Severity::Error, ..swap(broken, "three", "") };
    let swaps = [fix, error];
    fixed_by(text, &|texts| {
        let mut report = report(texts, &swaps);
        let hides = report.files[0].text.contains("one");
        report.diagnostics.retain(|finding| !hides || finding.severity != Severity::Error);
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
fn an_error_is_not_new_if_what_had_hidden_it_is_gone() {
    // Such as a comment in a value, which is not valid YAML.
    let swaps = [swap("a", "one", "two"), Swap { severity: Severity::Error, ..swap("c", "three", "") }];
    let lint = |hiding: &'static str| {
        let hiding = Swap { severity: Severity::Error, ..swap(hiding, "one", "") };
        let swaps = [swaps.as_slice(), &[hiding]].concat();
        fixed_by("one three", &|texts| {
            let mut report = report(texts, &swaps);
            let is_hidden = report.files[0].text.contains("one");
            report.diagnostics.retain(|finding| !is_hidden || finding.rule != "c");
            report
        })
    };
    assert_eq!(outcome(&lint("invalid-yaml")), ("two three", vec![]));
    assert_eq!(outcome(&lint("dead-link")).0, "one three");
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
    assert_eq!(outcome(&fixed), ("one three", vec![("a", &reason)]));
}

#[test]
fn an_error_that_hides_others_is_new_if_the_fix_wrote_its_text() {
    let reason = Reason::NewError { rule: "invalid-yaml", message: "`three` is wrong".to_owned() };
    for text in ["one", "one threes", "one éthree"] {
        let fixed = fixed_hidden(text, swap("duplicate-key", "one", "three"), "invalid-yaml");
        assert_eq!(outcome(&fixed), (text, vec![("duplicate-key", &reason)]), "{text}");
    }
}

#[test]
fn a_gap_in_a_section_whose_gap_was_fixed_is_not_new() {
    let outcome_of = |fixing: &'static str, broken: &'static str| {
        let error = Swap { severity: Severity::Error, ..swap(broken, "two", "") };
        let swaps = [swap(fixing, "one", "two"), error];
        let fixed = fixed_by("one", &|texts| {
            let mut report = report(texts, &swaps);
            report.diagnostics.iter_mut().for_each(|finding| finding.section = Some(vec!["Summary".to_owned()]));
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
    let fixed = fix(&texts, Safety::Safe, &|current| report(current, &[swap("a", "one", "two")]));
    assert_eq!(outcome(&fixed), ("one ?", vec![]));
    assert_eq!(fixed.locked, BTreeSet::from([FileId(0)]));
    assert!(fixed.applied.is_empty());
}

#[test]
fn an_error_whose_section_gets_another_parent_is_not_new() {
    let error = Swap { severity: Severity::Error, ..swap("c", "three", "") };
    let swaps = [swap("a", "one", "two"), error];
    let fixed = fixed_by("one three", &|texts| {
        let mut report = report(texts, &swaps);
        let parent = if report.files[0].text.contains("one") { "Old" } else { "New" };
        report.diagnostics.iter_mut().for_each(|finding| finding.section = Some(vec![parent.to_owned()]));
        report
    });
    assert_eq!(outcome(&fixed), ("two three", vec![]));
}

#[test]
fn a_fix_that_lets_more_be_read_comes_first() {
    let fixed = fixed("one", &[swap("a", "one", "two"), swap("not-a-heading", "one", "three")]);
    assert_eq!(outcome(&fixed), ("three", vec![]));
}

#[test]
fn a_finding_about_something_else_is_not_the_fixed_one() {
    let fixed = fixed_by("one two", &|texts| {
        let mut report = report(texts, &[swap("a", "one", "three"), swap("a", "two", "two")]);
        let has_moved = report.files[0].text.contains("three");
        for finding in &mut report.diagnostics {
            let is_first = finding.message == "`one` is wrong";
            finding.subject = Subject::named([&finding.message]);
            finding.section = if is_first || has_moved { None } else { Some(vec!["Old".to_owned()]) };
            finding.message = "a word is wrong".to_owned();
            finding.fix.take_if(|_| !is_first);
        }
        report
    });
    assert_eq!(outcome(&fixed), ("three two", vec![]));
}

#[test]
fn a_gap_that_another_one_covered_is_not_new() {
    let path = ["Design Details", "Test Plan"].map(str::to_owned);
    let fixed = fixed_by("one", &|texts| {
        let mut report = report(texts, &[swap("a", "one", "two")]);
        let is_first = !report.diagnostics.is_empty();
        let mut gap = Diagnostic::new("missing-section", Severity::Error, Span::new(FileId(0), 0..0), "missing");
        gap.section = Some(if is_first { path[..1].to_vec() } else { path.to_vec() });
        gap.subject = Subject::gap(gap.section.as_deref().unwrap_or_default());
        gap.covers.extend(is_first.then(|| Subject::gap(&path)));
        report.diagnostics.push(gap);
        report
    });
    assert_eq!(outcome(&fixed), ("two", vec![]));
}
