//! The fixes of findings, applied to a KEP's texts round after round until none is left, and judged by what the rules
//! then say. Apart from the rules because none of them sees what the others change.
//!
//! Edits are bytes of the text as it was read: what no edit names is kept, line endings, byte order mark and a missing
//! final newline too. Those that touch one another wait for the next round.

mod guard;
mod validate;
mod patch;

use self::guard::Guard;
use self::patch::Patch;
use crate::diagnostic::{Diagnostic, Edit, Fix, Safety};
use crate::kep::texts::Texts;
use crate::lint::KepReport;
use crate::source::SourceFile;
use crate::span::FileId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How many rounds a KEP gets that leave no less to fix than there was before.
pub const MOST_ROUNDS: usize = 10;

/// How many rounds of fixes a KEP gets in all. What is left then can be fixed in another run.
const MOST_ROUNDS_IN_ALL: usize = 40;

/// What fixing a KEP came to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fixed {
    /// The KEP as it was.
    pub before: KepReport,
    /// The KEP as it is now: the same files in the same order, and the findings that are left.
    pub after: KepReport,
    /// How many findings were fixed, by rule.
    pub applied: BTreeMap<&'static str, usize>,
    /// Fixes that did not keep their promise.
    pub reverted: Vec<RevertedFix>,
    /// Files that fixes would change, were they UTF-8.
    pub locked: BTreeSet<FileId>,
    /// How many rounds it took.
    pub rounds: usize,
}

impl Fixed {
    /// The files that changed: as they were, and as they are.
    pub fn changes(&self) -> impl Iterator<Item = (&SourceFile, &SourceFile)> {
        let files = self.before.files.iter().map(AsRef::as_ref).zip(self.after.files.iter().map(AsRef::as_ref));
        files.filter(|(before, after)| before.text != after.text)
    }
}

/// A fix that did not keep its promise: a bug of its rule.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RevertedFix {
    /// The rule.
    pub rule: &'static str,
    /// A file that it was to change.
    pub file: FileId,
    /// The finding that it was to mend; none: all fixes of the rule were taken back.
    pub finding: Option<Fingerprint>,
    /// What is wrong with it.
    pub reason: Reason,
}

/// What is wrong with a fix.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// What it was to mend is still found.
    StillThere,
    /// There is an error that was not there before.
    NewError {
        /// The rule that reports it.
        rule: &'static str,
        /// What it says.
        message: String,
    },
    /// After the last round there is still as much to fix as before.
    Endless,
    /// It would lose these words of the text, and was not applied.
    LosesText(String),
}

/// What makes two findings the same before and after a fix has moved them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fingerprint {
    rule: &'static str,
    file: FileId,
    section: Option<Vec<String>>,
    message: String,
}

impl Fingerprint {
    fn of(found: &Diagnostic) -> Self {
        let Diagnostic { rule, span, section, message, .. } = found;
        Self { rule, file: span.file, section: section.clone(), message: message.clone() }
    }
}

/// Applies the fixes that `lint` gives out for `texts`, up to the riskiest that is `allowed`, until none is left.
pub fn fix(texts: &Texts, allowed: Safety, lint: &dyn Fn(&Texts) -> KepReport) -> Fixed {
    let mut reverted: Vec<RevertedFix> = Vec::new();
    loop {
        let run = FixRun::run(texts, allowed, &reverted, lint);
        let broken = validate::broken(&run, &|more| {
            let excluded: Vec<RevertedFix> = reverted.iter().cloned().chain([more.clone()]).collect();
            FixRun::run(texts, allowed, &excluded, lint)
        });
        if broken.is_empty() {
            return run.end(reverted);
        }
        // A rule whose fixes go wrong a second time has lost its credit, so that this comes to an end.
        let known = reverted.len();
        for it in broken {
            let is_again = reverted.iter().take(known).any(|other| other.rule == it.rule);
            reverted.push(RevertedFix { finding: it.finding.filter(|_| !is_again), ..it });
        }
    }
}

/// Replaces bytes of `text`; none if edits touch one another or lie outside of it.
pub fn apply(text: &str, edits: &[Edit]) -> Option<String> {
    let file = edits.first().map(|edit| edit.span.file);
    let are_inside = edits.iter().all(|edit| text.get(edit.span.range()).is_some() && Some(edit.span.file) == file);
    let mut patch = Patch::default();
    let is_whole = are_inside && edits.iter().all(|edit| patch.add(std::slice::from_ref(edit), None));
    is_whole.then(|| file.map_or_else(|| text.to_owned(), |file| patch.apply(file, text)))
}

/// Rounds of fixes from a KEP's texts on.
struct FixRun {
    before: KepReport,
    after: KepReport,
    /// Fixes applied, by what their findings said.
    applied: BTreeMap<Fingerprint, usize>,
    /// The most findings alike that any round began with.
    seen: BTreeMap<Fingerprint, usize>,
    /// What could still be fixed at the end.
    pending: Vec<Fingerprint>,
    locked: BTreeSet<FileId>,
    /// Fixes that would lose text, with the first words of it.
    refused: Vec<(Fingerprint, String)>,
    rounds: usize,
    /// Rounds that left no less to fix than there was before.
    stalled: usize,
}

impl FixRun {
    fn run(texts: &Texts, allowed: Safety, excluded: &[RevertedFix], lint: &dyn Fn(&Texts) -> KepReport) -> Self {
        let mut texts = texts.clone();
        let before = lint(&texts);
        let after = before.clone();
        let mut run = Self {
            before,
            after,
            applied: BTreeMap::new(),
            seen: BTreeMap::new(),
            pending: Vec::new(),
            locked: BTreeSet::new(),
            refused: Vec::new(),
            rounds: 0,
            stalled: 0,
        };
        let mut least = usize::MAX;
        loop {
            run.count();
            let locked = &mut run.locked;
            let fixes: Vec<(&Diagnostic, &Fix)> = run
                .after
                .diagnostics
                .iter()
                .filter_map(|found| Some((found, found.fix.as_ref()?)))
                .filter(|(found, fix)| is_allowed(fix, allowed) && !excluded.iter().any(|bar| excludes(bar, found)))
                .filter(|(_, fix)| !is_locked(fix, &texts, locked))
                .collect();
            run.pending = fixes.iter().map(|(found, _)| Fingerprint::of(found)).collect();
            let left = run.after.diagnostics.iter().map(|found| found.count).sum();
            run.stalled += usize::from(left >= least);
            least = least.min(left);
            if fixes.is_empty() || run.stalled == MOST_ROUNDS || run.rounds == MOST_ROUNDS_IN_ALL {
                return run;
            }
            let mut guard = Guard::new(&texts);
            let refused =
                fixes.iter().filter_map(|(found, fix)| Some((Fingerprint::of(found), guard.lost_words(found, fix)?)));
            run.refused = refused.collect();
            if !run.refused.is_empty() {
                return run;
            }
            let mut patch = Patch::default();
            for (found, fix) in fixes {
                if is_applicable(fix, &texts) && patch.add(&fix.edits, Some((found.rule, found.span))) {
                    *run.applied.entry(Fingerprint::of(found)).or_default() += 1;
                }
            }
            let mut has_changed = false;
            for (id, file) in (0..).map(FileId::at).zip(&mut texts.files) {
                let text = patch.apply(id, &file.text);
                if text != file.text {
                    *file = Arc::new(SourceFile::decode(file.path.as_str(), text.into_bytes()));
                    has_changed = true;
                }
            }
            if !has_changed {
                return run;
            }
            run.after = lint(&texts);
            run.rounds += 1;
        }
    }

    fn count(&mut self) {
        for (fingerprint, count) in counted(&self.after) {
            let most = self.seen.entry(fingerprint).or_default();
            *most = count.max(*most);
        }
    }

    fn end(self, reverted: Vec<RevertedFix>) -> Fixed {
        let mut applied = BTreeMap::new();
        for (fingerprint, count) in &self.applied {
            // What another fix brought up again was found once.
            let found = self.seen.get(fingerprint).copied().unwrap_or_default();
            *applied.entry(fingerprint.rule).or_default() += found.min(*count);
        }
        let Self { before, after, locked, rounds, .. } = self;
        Fixed { before, after, applied, reverted, locked, rounds }
    }
}

/// How many findings of a report are alike.
fn counted(report: &KepReport) -> BTreeMap<Fingerprint, usize> {
    let mut counts = BTreeMap::new();
    for found in &report.diagnostics {
        *counts.entry(Fingerprint::of(found)).or_default() += 1;
    }
    counts
}

fn is_allowed(fix: &Fix, allowed: Safety) -> bool {
    fix.safety == Safety::Safe || allowed == Safety::Unsafe
}

fn excludes(bar: &RevertedFix, found: &Diagnostic) -> bool {
    bar.rule == found.rule && bar.finding.as_ref().is_none_or(|finding| *finding == Fingerprint::of(found))
}

/// Whether a fix changes a file that is not UTF-8, of which `?` stand for bytes; such files are added to `locked`.
fn is_locked(fix: &Fix, texts: &Texts, locked: &mut BTreeSet<FileId>) -> bool {
    let files = fix.edits.iter().map(|edit| edit.span.file);
    let is_not_utf8 = |id: &FileId| texts.files.get(id.index()).is_some_and(|file| file.invalid_utf8.is_some());
    let found: Vec<FileId> = files.filter(is_not_utf8).collect();
    locked.extend(&found);
    !found.is_empty()
}

fn is_applicable(fix: &Fix, texts: &Texts) -> bool {
    fix.edits.iter().all(|edit| {
        let file = texts.files.get(edit.span.file.index());
        file.is_some_and(|file| file.text.get(edit.span.range()).is_some())
    })
}
