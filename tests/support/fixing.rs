//! What must be true of all fixes, whatever the KEP.

use super::in_turn;
use super::keps::Source;
use super::library::{self, Against};
use kep_lint::bounds::STALLED_ROUNDS;
use kep_lint::diagnostic::{Diagnostic, Safety};
use kep_lint::fix::{Fixed, apply};
use kep_lint::kep::texts::Texts;
use kep_lint::lint::report::KepReport;
use kep_lint::markdown::Document;
use kep_lint::repository::Repository;
use kep_lint::rules::ALL;
use kep_lint::rules::select::Selection;
use kep_lint::source::SourceFile;
use kep_lint::span::Span;
use kep_lint::stage::Stage;
use kep_lint::template::Template;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// The rules whose safe fixes are about headings, with what they may change.
const TITLES: [&str; 2] = ["bad-title", "unnumbered-title"];

/// Fixes the KEP with all fixes, and again with the safe ones alone, which must keep its headings. Returns the first
/// outcome, or what is wrong with one of them.
pub fn fixed_soundly(texts: &Texts, against: Against<'_>) -> Result<Fixed, String> {
    let fixed = against.fix(texts, Safety::Unsafe);
    is_sound(&fixed, texts, Safety::Unsafe, against)?;
    let is_safe = |found: &Diagnostic| found.fix.as_ref().is_some_and(|fix| fix.safety == Safety::Safe);
    if fixed.before.diagnostics.iter().any(is_safe) {
        keeps_headings(texts, against)?;
        // Where all fixes were safe, the safe ones alone are the same.
        if ALL.iter().any(|rule| rule.fix == Some(Safety::Unsafe) && fixed.applied.contains_key(rule.name)) {
            is_sound(&against.fix(texts, Safety::Safe), texts, Safety::Safe, against)?;
        }
    }
    Ok(fixed)
}

fn is_sound(fixed: &Fixed, texts: &Texts, allowed: Safety, against: Against<'_>) -> Result<(), String> {
    let Fixed { before, after, reverted, rounds, .. } = fixed;
    that(reverted.is_empty(), || format!("taken back: {reverted:#?}"))?;
    that(*rounds < STALLED_ROUNDS, || format!("{rounds} rounds"))?;
    let again = against.fix_again(texts, fixed, allowed);
    that(again.changes().next().is_none(), || format!("fixed again: {:?}", again.applied))?;
    for (old, new) in fixed.changes() {
        that(old.invalid_utf8.is_none(), || format!("{} is not UTF-8", old.path))?;
        keeps_its_form(&old.text, &new.text)?;
    }
    for found in before.diagnostics.iter().chain(&after.diagnostics) {
        has_the_fix_of_its_rule(found)?;
    }
    before.diagnostics.iter().try_for_each(|found| changes_nothing_else(before, found))
}

/// Byte order mark, line ends and the end of the last line.
fn keeps_its_form(old: &str, new: &str) -> Result<(), String> {
    let form = |text: &str| (text.starts_with('\u{feff}'), text.ends_with('\n') || text.is_empty());
    that(form(old) == form(new), || format!("{:?} became {:?}: {new:?}", form(old), form(new)))?;
    let (own, now) = (line_ends(old), line_ends(new));
    // A text of one line has none to keep.
    let is_alike = own.is_empty() || now.is_subset(&own);
    that(is_alike, || format!("lines that end with {own:?} end with {now:?}: {new:?}"))
}

/// The ends that lines of `text` have.
pub fn line_ends(text: &str) -> BTreeSet<&'static str> {
    let rest = text.replace("\r\n", "");
    let ends = [("\r\n", text.contains("\r\n")), ("\n", rest.contains('\n')), ("\r", rest.contains('\r'))];
    ends.into_iter().filter(|(_, is_there)| *is_there).map(|(end, _)| end).collect()
}

fn has_the_fix_of_its_rule(found: &Diagnostic) -> Result<(), String> {
    let rule = ALL.iter().find(|rule| rule.name == found.rule).expect("findings name a rule");
    let safety = found.fix.as_ref().map(|fix| fix.safety);
    that(safety.is_none() || safety == rule.fix || rule.fix == Some(Safety::Unsafe), || {
        format!("{} has a fix that is {safety:?}", found.rule)
    })
}

/// The edits of one fix, made by hand from the last to the first, are what [`apply`] makes.
fn changes_nothing_else(report: &KepReport, found: &Diagnostic) -> Result<(), String> {
    let Some(fix) = &found.fix else { return Ok(()) };
    let mut edits = fix.edits.clone();
    edits.sort_by_key(|edit| (edit.span.file, edit.span.start));
    let same_file = edits.first().map(|first| edits.iter().all(|edit| edit.span.file == first.span.file));
    that(same_file == Some(true), || format!("edits of no file, or of several: {found:#?}"))?;
    let file = &report.files[edits[0].span.file.index()];
    let mut by_hand = file.text.clone();
    for edit in edits.iter().rev() {
        by_hand.replace_range(edit.span.range(), &edit.text);
    }
    that(apply(&file.text, &fix.edits).as_ref() == Some(&by_hand), || format!("not what was meant: {found:#?}"))
}

/// Safe fixes of sections keep all headings, but for the number of the title, and leave kep.yaml alone.
fn keeps_headings(texts: &Texts, against: Against<'_>) -> Result<(), String> {
    let titles = TITLES.map(str::to_owned);
    // What HTML hides is a heading again.
    let ignored = [&titles[..], &["swallowed-heading".to_owned()]].concat();
    for (select, ignore) in [(vec!["sections".to_owned()], &ignored[..]), (titles.to_vec(), &[])] {
        let selection = Selection::new(&select, ignore).expect("these are names");
        let mut options = against.options.clone();
        options.selection = selection;
        let fixed = Against { options: &options, ..against }.fix(texts, Safety::Safe);
        for (old, new) in fixed.changes() {
            that(!old.path.ends_with(".yaml"), || format!("{} was changed", old.path))?;
            let (old, new) = (headings(old, ignore.is_empty()), headings(new, ignore.is_empty()));
            that(old == new, || format!("{old:#?} became {new:#?}"))?;
        }
    }
    Ok(())
}

/// Levels and titles; whatever can be part of a number is left out of the first title where that may change.
fn headings(file: &SourceFile, without_number: bool) -> Vec<(u8, String)> {
    let document = Document::of_text(&file.text);
    let title = if without_number { document.sections.title() } else { None };
    let sections = document.sections.iter().map(|(id, section)| {
        let words = section.title.text.chars();
        let is_kept = |letter: &char| Some(id) != title || !(letter.is_ascii_digit() || "KEPN-: ".contains(*letter));
        (section.level, words.filter(is_kept).collect())
    });
    sections.collect()
}

fn that(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// Why a place of `found` cannot be shown or edited, if that is so.
pub fn bad_place(report: &KepReport, found: &Diagnostic) -> Option<String> {
    let is_bad = |span: &Span| {
        let file = report.files.get(span.file.index());
        file.is_none_or(|file| file.text.get(span.range()).is_none())
    };
    found.spans().find(is_bad).map(|span| format!("{span:?} of {found:?} is no part of its file"))
}

/// Fixes all of `keps`, each checked against one of `stages` in turn, and asserts that all went well. Returns how many
/// findings of which rules were fixed.
pub fn all_are_fixed(keps: &[Source], stages: &[Option<Stage>]) -> BTreeMap<&'static str, usize> {
    let (template, repository) = (Template::built_in(), Repository::default());
    let fixed = |(kep, stage): &(&Source, Option<Stage>)| {
        let options = library::options(|options| options.stage = *stage);
        let against = Against { template: &template, repository: &repository, options: &options };
        fixed_soundly(&kep.texts(), against)
    };
    let asked =
        keps.iter().enumerate().flat_map(|(at, kep)| in_turn(stages, at).iter().map(move |stage| (kep, *stage)));
    let asked: Vec<(&Source, Option<Stage>)> = asked.collect();
    let outcomes: Vec<_> = asked.par_iter().map(fixed).collect();
    let mut findings = BTreeMap::new();
    let mut failed = Vec::new();
    for ((kep, stage), outcome) in asked.iter().zip(outcomes) {
        match outcome {
            Ok(fixed) => fixed.applied.iter().for_each(|(rule, count)| *findings.entry(*rule).or_default() += count),
            Err(problem) => failed.push(format!("{} checked against {stage:?}: {problem}", kep.name)),
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    findings
}
