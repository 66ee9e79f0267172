//! Applies the fixes of findings to a KEP's texts, round after round until no fix is left, and validates them by
//! linting the KEP again. This is separate from the rules, because no rule knows what the fixes of the others change.
//!
//! Edits replace bytes of the original text. All other bytes are kept, including line endings, the byte order mark and
//! a missing final newline. Fixes that conflict are applied in different rounds.

pub mod addition;
mod guard;
pub mod hunks;
pub mod patch;
mod validate;

use self::guard::Guard;
use self::patch::Patch;
use crate::bounds;
use crate::diagnostic::subject::{Fingerprint, Subject};
use crate::diagnostic::{Diagnostic, Edit, Fix, Safety};
use crate::kep::texts::Texts;
use crate::lint::report::KepReport;
use crate::source::SourceFile;
use crate::span::FileId;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub struct Fixed {
    pub before: KepReport,
    /// The KEP after fixing: the same files in the same order, and the remaining findings.
    pub after: KepReport,
    pub applied: BTreeMap<&'static str, usize>,
    /// What the findings were that are fixed, by file.
    pub what: Vec<FixedFinding>,
    pub reverted: Vec<RevertedFix>,
    /// Files that have fixes, but are not changed because they are not UTF-8.
    pub locked: BTreeSet<FileId>,
    pub rounds: usize,
}

impl Fixed {
    pub fn changes(&self) -> impl Iterator<Item = (&SourceFile, &SourceFile)> {
        let files = self.before.files.iter().map(AsRef::as_ref).zip(self.after.files.iter().map(AsRef::as_ref));
        files.filter(|(before, after)| before.text != after.text)
    }
}

/// Findings with the same message that are fixed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedFinding {
    pub file: FileId,
    pub rule: &'static str,
    pub message: String,
    pub count: usize,
    /// Whether nothing of its rule was found in the file before another fix.
    pub is_caused: bool,
}

/// A fix that was applied, or checked, and then reverted with all others of its rule. This is a bug of the rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevertedFix {
    pub rule: &'static str,
    pub file: FileId,
    pub reason: Reason,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    StillThere,
    NewError {
        rule: &'static str,
        message: String,
    },
    Endless,
    /// It would delete these words of the text, and was not applied.
    LosesText(String),
}

impl Reason {
    pub fn words(&self) -> String {
        match self {
            Self::StillThere => "the finding is still reported afterwards".to_owned(),
            Self::NewError { rule, message } => format!("it causes error[{rule}] {message}"),
            Self::Endless => "fixing does not converge".to_owned(),
            Self::LosesText(words) => format!("it would delete `{words}`"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Identity {
    rule: &'static str,
    file: FileId,
    section: Option<Vec<String>>,
    subject: Subject,
    message: String,
}

impl Identity {
    fn of(finding: &Diagnostic) -> Self {
        let Diagnostic { rule, span, section, subject, message, .. } = finding;
        // A fix may change the text near its finding.
        let subject = if matches!(subject, Subject::Near(_)) { Subject::Text } else { *subject };
        Self { rule, file: span.file, section: section.clone(), subject, message: message.clone() }
    }
}

/// Applies the fixes of the findings that `lint` returns for `texts`, until none is left. With `allowed` safe, only
/// safe fixes are applied.
pub fn fix(texts: &Texts, allowed: Safety, lint: &dyn Fn(&Texts) -> KepReport) -> Fixed {
    let mut reverted: Vec<RevertedFix> = Vec::new();
    loop {
        let without = |more: Option<&str>| {
            let is_excluded = |rule| Some(rule) == more || reverted.iter().any(|other| other.rule == rule);
            FixRun::run_with(texts, lint, &|_, _, finding, fix| {
                (fix.safety == Safety::Safe || allowed == Safety::Unsafe) && !is_excluded(finding.rule)
            })
        };
        let run = without(None);
        let broken = validate::broken(&run, &|rule| without(Some(rule)));
        if broken.is_empty() {
            return run.end(reverted);
        }
        reverted.extend(broken);
    }
}

/// Applies the fix of the finding with this fingerprint, as editors offer it, and the safe fixes of what it causes: a new
/// heading makes the table of contents stale. `None` if `lint` returns no such finding for `texts`, or if it has no fix. A
/// fix that does not work is reverted, with all that followed.
pub fn fix_one(texts: &Texts, wanted: Fingerprint, lint: &dyn Fn(&Texts) -> KepReport) -> Option<Fixed> {
    let known = OnceCell::new();
    let is_it = |finding: &Diagnostic| finding.fingerprint == Some(wanted);
    let run = FixRun::run_with(texts, lint, &|round, before, finding, fix| {
        let follows = fix.safety == Safety::Safe && finding.count == 1;
        let is_new = || !known.get_or_init(|| counted(before)).contains_key(&Identity::of(finding));
        if round == 0 { is_it(finding) } else { !is_it(finding) && follows && is_new() }
    });
    let (finding, _) = fixes(&run.before).find(|(finding, _)| is_it(finding))?;
    // What was hidden before is no consequence of the fix.
    let run = if validate::reveals(finding.rule) && run.rounds > 1 {
        FixRun::run_with(texts, lint, &|round, _, other, _| round == 0 && is_it(other))
    } else {
        run
    };
    let broken = validate::broken(&run, &|_| FixRun::starting_with(run.before.clone()));
    Some(if broken.is_empty() { run.end(broken) } else { FixRun::starting_with(run.before).end(broken) })
}

/// Replaces bytes of `text`; `None` if edits conflict with each other or are out of bounds.
pub fn apply(text: &str, edits: &[Edit]) -> Option<String> {
    let file = edits.first().map(|edit| edit.span.file);
    let are_in_bounds = edits.iter().all(|edit| text.get(edit.span.range()).is_some() && Some(edit.span.file) == file);
    let mut patch = Patch::default();
    let is_complete = are_in_bounds && edits.iter().all(|edit| patch.add(std::slice::from_ref(edit), None));
    is_complete.then(|| file.map_or_else(|| text.to_owned(), |file| patch.apply(file, text)))
}

#[derive(Default)]
struct FixRun {
    before: KepReport,
    after: KepReport,
    applied: BTreeMap<Identity, usize>,
    /// The highest number of findings with the same identity at the start of any round.
    seen: BTreeMap<Identity, usize>,
    pending: Vec<Identity>,
    locked: BTreeSet<FileId>,
    refused: Vec<(Identity, String)>,
    rounds: usize,
    /// The number of rounds that did not reduce the number of findings.
    stalled: usize,
}

impl FixRun {
    fn starting_with(before: KepReport) -> Self {
        Self { after: before.clone(), before, ..Self::default() }
    }

    /// All rounds, with the fixes that are wanted by the number of the round and the first report.
    fn run_with(
        texts: &Texts,
        lint: &dyn Fn(&Texts) -> KepReport,
        is_wanted: &dyn Fn(usize, &KepReport, &Diagnostic, &Fix) -> bool,
    ) -> Self {
        let mut texts = texts.clone();
        let mut run = Self::starting_with(lint(&texts));
        let mut least = usize::MAX;
        loop {
            for (identity, count) in counted(&run.after) {
                let most = run.seen.entry(identity).or_default();
                *most = count.max(*most);
            }
            let mut fixes: Vec<(&Diagnostic, &Fix)> = fixes(&run.after)
                .filter(|(finding, fix)| is_wanted(run.rounds, &run.before, finding, fix))
                .filter(|(_, fix)| !is_locked(fix, &texts, &mut run.locked))
                .collect();
            // What other fixes change may be read in another way after these.
            if fixes.iter().any(|(finding, _)| validate::reveals(finding.rule)) {
                fixes.retain(|(finding, _)| validate::reveals(finding.rule));
            }
            // Where a section goes is only known once the others are at their place.
            if fixes.iter().any(|(finding, _)| ["misplaced-section", "renamed-section"].contains(&finding.rule)) {
                fixes.retain(|(finding, _)| finding.rule != "missing-section");
            }
            run.pending = fixes.iter().map(|(finding, _)| Identity::of(finding)).collect();
            let left = run.after.diagnostics.iter().map(|finding| finding.count).sum();
            run.stalled += usize::from(left >= least);
            least = least.min(left);
            if fixes.is_empty() || run.stalled == bounds::STALLED_ROUNDS || run.rounds == bounds::ROUNDS {
                return run;
            }
            let mut guard = Guard::new(&texts, &run.after.ignores);
            let lost =
                |(finding, fix): &(&Diagnostic, &Fix)| Some((Identity::of(finding), guard.lost_words(finding, fix)?));
            run.refused = fixes.iter().filter_map(lost).collect();
            if !run.refused.is_empty() {
                return run;
            }
            let mut patch = Patch::default();
            for (finding, fix) in fixes {
                if is_applicable(fix, &texts) && patch.add(&fix.edits, Some((finding.rule, finding.span))) {
                    *run.applied.entry(Identity::of(finding)).or_default() += 1;
                }
            }
            if !change(&mut texts, &patch) {
                return run;
            }
            run.after = lint(&texts);
            run.rounds += 1;
        }
    }

    fn end(self, reverted: Vec<RevertedFix>) -> Fixed {
        let mut applied = BTreeMap::new();
        let mut what = Vec::new();
        let Self { before, after, locked, rounds, seen, .. } = self;
        let found: BTreeSet<_> = before.diagnostics.iter().map(|finding| (finding.rule, finding.span.file)).collect();
        for (identity, count) in self.applied {
            // A finding that came back after another fix, and was fixed again, counts once.
            let count = seen.get(&identity).copied().unwrap_or_default().min(count);
            let Identity { rule, file, message, .. } = identity;
            *applied.entry(rule).or_default() += count;
            what.push(FixedFinding { file, rule, message, count, is_caused: !found.contains(&(rule, file)) });
        }
        what.sort_by_key(|fixed| fixed.file);
        Fixed { before, after, applied, what, reverted, locked, rounds }
    }
}

fn fixes(report: &KepReport) -> impl Iterator<Item = (&Diagnostic, &Fix)> {
    report.diagnostics.iter().filter_map(|finding| Some((finding, finding.fix.as_ref()?)))
}

fn change(texts: &mut Texts, patch: &Patch) -> bool {
    let mut has_changed = false;
    for (id, file) in (0..).map(FileId::at).zip(&mut texts.files) {
        let text = patch.apply(id, &file.text);
        if text != file.text {
            *file = Arc::new(SourceFile::decode(file.path.as_str(), text.into_bytes()));
            has_changed = true;
        }
    }
    has_changed
}

/// How often there is each of these.
fn tally<T: Ord>(things: impl Iterator<Item = T>) -> BTreeMap<T, usize> {
    let mut counts = BTreeMap::new();
    things.for_each(|thing| *counts.entry(thing).or_default() += 1);
    counts
}

fn counted(report: &KepReport) -> BTreeMap<Identity, usize> {
    tally(report.diagnostics.iter().map(Identity::of))
}

/// Whether a fix changes a file that is not UTF-8, whose text cannot be written. Notes it in `locked`.
fn is_locked(fix: &Fix, texts: &Texts, locked: &mut BTreeSet<FileId>) -> bool {
    let files = fix.edits.iter().map(|edit| edit.span.file);
    let is_not_utf8 = |id: &FileId| texts.files.get(id.index()).is_some_and(|file| file.invalid_utf8.is_some());
    let unreadable: Vec<FileId> = files.filter(is_not_utf8).collect();
    locked.extend(&unreadable);
    !unreadable.is_empty()
}

fn is_applicable(fix: &Fix, texts: &Texts) -> bool {
    fix.edits.iter().all(|edit| {
        let file = texts.files.get(edit.span.file.index());
        file.is_some_and(|file| file.text.get(edit.span.range()).is_some())
    })
}

/// Drops the fixes of `report` that change other files than those that `is_own` names. Returns whether there were any.
pub fn keep_own(report: &mut KepReport, is_own: impl Fn(FileId) -> bool) -> bool {
    let mut has_dropped = false;
    for finding in &mut report.diagnostics {
        let is_other = |fix: &mut Fix| fix.edits.iter().any(|edit| !is_own(edit.span.file));
        has_dropped |= finding.fix.take_if(is_other).is_some();
    }
    has_dropped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    fn edit(file: u32, range: std::ops::Range<usize>, text: &str) -> Edit {
        Edit { span: Span::new(FileId(file), range), text: text.to_owned() }
    }

    #[test]
    fn edits_are_applied_together_or_not_at_all() {
        assert_eq!(apply("one two", &[]).as_deref(), Some("one two"));
        assert_eq!(apply("one two", &[edit(0, 4..7, "2"), edit(0, 0..3, "1")]).as_deref(), Some("1 2"));
        assert_eq!(apply("one two", &[edit(0, 0..3, "1"), edit(0, 2..5, "2")]), None);
        assert_eq!(apply("one two", &[edit(0, 0..3, "1"), edit(0, 4..8, "2")]), None);
        assert_eq!(apply("one two", &[edit(0, 0..3, "1"), edit(1, 4..7, "2")]), None);
    }

    #[test]
    fn a_fix_with_an_edit_outside_its_file_changes_nothing() {
        let mut texts = Texts::default();
        texts.push(Arc::new(SourceFile::decode("README.md", "one é".into())));
        for outside in [edit(0, 4..5, "2"), edit(0, 4..9, "2"), edit(1, 0..1, "2")] {
            let edits = vec![edit(0, 0..3, "1"), outside];
            let fix = Fix { safety: Safety::Safe, title: "change it".to_owned(), edits };
            assert!(!is_applicable(&fix, &texts), "{fix:?}");
        }
        let edits = vec![edit(0, 0..3, "1"), edit(0, 4..6, "2")];
        assert!(is_applicable(&Fix { safety: Safety::Safe, title: "change it".to_owned(), edits }, &texts));
    }
}
