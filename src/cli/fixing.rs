//! Writes the files of fixed KEPs, or shows them as a diff, and counts what was fixed.

use super::options::When;
use super::outcome::Outcome;
use super::print::print;
use super::protected::refuse_left_out;
use super::write::together::{self, Change};
use super::{diff, output};
use crate::diagnostic::{Failure, Safety, Severity, counted};
use crate::fix::{Fixed, FixedFinding, RevertedFix};
use crate::lint::Run;
use crate::report::Summary;
use crate::source::SourceFile;
use crate::span::FileId;
use crate::workspace::files::Source;
use crate::workspace::kep_files::Origin;
use crate::workspace::paths::shown;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How many of the fixed findings have a line: more are read in a diff.
const FIXED_LINES: usize = 20;

#[derive(Debug, Default)]
pub struct Tally {
    pub findings: usize,
    files: usize,
    /// A line for each of the findings that are fixed, with its file.
    fixed: Vec<String>,
    pub diff: String,
    /// How many lines of them differ from the files because they have control characters.
    pub altered: usize,
    pub notes: BTreeSet<&'static str>,
}

impl Tally {
    /// Writes each of the files that changed, which are at `places`. Returns what could not be written.
    pub fn write(&mut self, fixed: &Fixed, places: &[Origin], source: &Source) -> Vec<Failure> {
        let written = changes(fixed, places).into_iter().map(|change| write(&[change], source));
        let failures: Vec<Failure> = written.filter_map(Result::err).collect();
        if failures.is_empty() {
            self.count(fixed);
        }
        failures
    }

    pub fn show(&mut self, fixed: &Fixed, look: diff::Look) {
        for (before, after) in fixed.changes() {
            let rendered = diff::render(&after.path, Some(&before.text), &after.text, look);
            self.diff += &rendered.text;
            self.altered += rendered.altered;
        }
        self.count(fixed);
    }

    pub fn is_empty(&self) -> bool {
        self.files == 0
    }

    pub fn words(&self) -> String {
        let (findings, files) = (self.findings, self.files);
        format!("{} in {}", counted(findings, "finding", "findings"), counted(files, "file", "files"))
    }

    /// The lines that say which findings were fixed, and how many more there are.
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.fixed.iter().take(FIXED_LINES).cloned().collect();
        let more = self.fixed.len() - lines.len();
        if more > 0 {
            lines.push(format!("and {more} more; `git diff` shows all"));
        }
        lines
    }

    fn count(&mut self, fixed: &Fixed) {
        // What a fix caused and another one fixed was not offered.
        let (caused, offered): (Vec<_>, Vec<_>) = fixed.what.iter().partition(|finding| finding.is_caused);
        for FixedFinding { file, rule, message, count, .. } in offered {
            let Some(file) = fixed.after.files.get(file.index()) else { continue };
            let times = if *count > 1 { format!(", {count} times") } else { String::new() };
            self.fixed.push(format!("fixed {}: {message} ({rule}{times})", file.path));
        }
        self.findings += fixed.applied.values().sum::<usize>();
        self.findings -= caused.iter().map(|finding| finding.count).sum::<usize>();
        self.files += fixed.changes().count();
    }
}

/// The files of a KEP that are changed by fixes, each with its place.
pub fn changes(fixed: &Fixed, places: &[Origin]) -> Vec<Change> {
    let files = fixed.before.files.iter().zip(&fixed.after.files).zip(places);
    let changed = files.filter(|((before, after), _)| before.text != after.text);
    let change = |((before, after), place): ((&Arc<SourceFile>, &Arc<SourceFile>), &Origin)| Change {
        given: place.given.clone(),
        before: Some((place.real.clone(), before.text.clone())),
        after: after.text.clone(),
    };
    changed.map(change).collect()
}

/// Writes files that belong together, if their source is on disk.
pub fn write(changes: &[Change], source: &Source) -> Result<(), Failure> {
    let edge = source.edge().ok_or_else(|| Failure::new("files are written only on disk"))?;
    changes.iter().filter(|change| change.before.is_none()).try_for_each(|change| refuse_left_out(&change.given))?;
    together::write(changes, edge)
}

/// Shows what a command would write.
pub fn show(changes: &[Change], when: When) -> Result<Outcome, Failure> {
    let (mut text, mut altered) = (String::new(), 0);
    for Change { given, before, after } in changes {
        let before = before.as_ref().map(|(_, before)| before.as_str());
        let diff = diff::render(&shown(given), before, after, diff::Look::of(when));
        text += &diff.text;
        altered += diff.altered;
    }
    print(&text)?;
    if altered > 0 {
        let lines = counted(altered, "line", "lines");
        output::note(&format!("{lines} of the diff could control a terminal or a log and show `?` instead"));
    }
    output::note(&format!("would write {}", counted(changes.len(), "file", "files")));
    Ok(if changes.is_empty() { Outcome::Clean } else { Outcome::Findings })
}

/// The fixes of a KEP that were not applied.
pub fn complaints(fixed: &Fixed) -> Vec<Failure> {
    let path = |id: FileId| fixed.before.files.get(id.index()).map(|file| file.path.as_str()).unwrap_or_default();
    let locked = fixed.locked.iter().map(|id| {
        let failure = Failure::new(format!("cannot fix `{}`: it is not UTF-8", path(*id))).at(path(*id));
        failure.help("save it as UTF-8, and run kep-lint again")
    });
    let reverted = fixed.reverted.iter().map(|RevertedFix { rule, file, reason, .. }| {
        let failure = Failure::new(format!(
            "reverted all `{rule}` fixes because of one in `{}`: {}",
            path(*file),
            reason.words()
        ));
        failure
            .at(path(*file))
            .help(format!("fix it by hand or use `--ignore {rule}`, and report this as a bug of kep-lint"))
    });
    locked.chain(reverted).collect()
}

/// How many findings of `run` can be fixed, and how; `None` if there are none.
pub fn offer(run: &Run, allowed: Safety) -> Option<String> {
    let keps = run.reports.iter().filter(|report| report.kep.is_some());
    let fixes = keps.flat_map(|report| &report.diagnostics).filter_map(|finding| finding.fix.as_ref());
    let (safe, others): (Vec<_>, Vec<_>) = fixes.partition(|fix| fix.safety == Safety::Safe);
    let (safe, others) = (safe.len(), others.len());
    let findings = |number: usize| counted(number, "finding", "findings");
    match (safe, others) {
        (0, 0) => None,
        (safe, 0) => Some(format!("{} can be fixed with `--fix`", findings(safe))),
        (safe, others) if safe == 0 || allowed == Safety::Unsafe => {
            Some(format!("{} can be fixed with `--fix --unsafe-fixes`", findings(safe + others)))
        }
        (safe, others) => {
            Some(format!("{} can be fixed with `--fix`, {others} more with `--unsafe-fixes`", findings(safe)))
        }
    }
}

/// How many findings ignores were added for, and how many at or above `level` are left in `run`, which was made with
/// these ignores.
pub fn ignores_added(tally: &Tally, run: &Run, level: Severity) -> String {
    format!("; added ignores for {}{}", tally.words(), left(Summary::of(run).from_level(level).total()))
}

/// The same for ignores that are only shown: `run` was made without them.
pub fn ignores_shown(tally: &Tally, run: &Run, level: Severity) -> String {
    let all = Summary::of(run).from_level(level).total();
    format!("would add ignores for {}{}", tally.words(), left(all.saturating_sub(tally.findings)))
}

fn left(count: usize) -> String {
    match count {
        0 => String::new(),
        count => format!("; {} left, where kep-lint adds no ignore", counted(count, "finding is", "findings are")),
    }
}
