//! The work on each KEP of a run: to read, check and fix it.

use crate::bounds;
use crate::cli::args::CheckArguments;
use crate::cli::diff;
use crate::cli::fixing::{self, Tally};
use crate::diagnostic::{Failure, Safety};
use crate::fix::addition::{Request, add_ignores};
use crate::fix::{Fixed, fix, keep_own};
use crate::kep::texts::Texts;
use crate::lint::panics::caught;
use crate::lint::report::{Checked, KepReport, keep_most_severe};
use crate::lint::{Env, Run};
use crate::span::FileId;
use crate::workspace::change::Narrowed;
use crate::workspace::directory::KepDirectory;
use crate::workspace::discover::kep_around;
use crate::workspace::files::Source;
use crate::workspace::kep_files::{KepTexts, Origin, read_kep};
use crate::workspace::paths::RealPath;
use crate::workspace::pool::each;
use crate::workspace::project::Project;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many KEPs are fixed before their files are written: until then, all of their texts and findings are in memory.
const FIXED_KEPS: usize = 16;

pub struct Job<'a> {
    pub arguments: &'a CheckArguments,
    pub project: &'a Project,
    pub narrowed: Option<&'a Narrowed<'a>>,
    /// The file that standard input is, if only its findings are of interest.
    pub unsaved: Option<&'a Source>,
    pub named: &'a [PathBuf],
    pub tally: Mutex<Tally>,
}

const NOT_NAMED: &str =
    "note: fixes of a document without kep.yaml outside of `keps` need the path of the document itself";
const SHARED: &str =
    "note: a file that several KEPs have by links is changed only for the KEP whose directory it is in";

enum Fixing<'a> {
    /// Those with a fix that is as safe as this are fixed.
    Fix(Safety),
    /// They are ignored, also those that only a `whole` run knows.
    Ignore { reason: &'a str, whole: &'a Run },
}

struct FixedKep {
    fixed: Fixed,
    places: Vec<Origin>,
    failures: Vec<Failure>,
}

impl Job<'_> {
    /// The findings in the KEPs, of which some are fixed or ignored if that is wanted.
    pub fn run(self) -> (Run, Tally) {
        let mut run = match (&self.arguments.add_ignores, self.arguments.fixes()) {
            (Some(reason), _) => self.fix_all(&Fixing::Ignore { reason, whole: &self.check_all() }),
            (None, Some(allowed)) => self.fix_all(&Fixing::Fix(allowed)),
            (None, None) => self.check_all(),
        };
        if let Some(unsaved) = self.unsaved {
            unsaved.keep_own(&mut run);
        }
        if let Some(narrowed) = self.narrowed {
            narrowed.finish(&mut run, self.project);
        }
        (run, self.tally.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn check_all(&self) -> Run {
        let Project { keps, .. } = self.project;
        self.project.join(self.project.check_each(keps, |kep| self.read(kep)))
    }

    /// Fixes each KEP, or adds ignores to it, and writes or shows what has changed. Only the texts of a part of the KEPs are
    /// in memory at once, and files are written one after the other.
    fn fix_all(&self, fixing: &Fixing<'_>) -> Run {
        let env = self.project.env();
        let fix = |kep: &KepDirectory| caught("check", &kep.shown, || self.fix(kep, &env, fixing));
        let mut reports: Vec<Checked> = Vec::new();
        for keps in self.project.keps.chunks(FIXED_KEPS) {
            for (kep, fixed) in keps.iter().zip(each(keps, fix)) {
                reports.push(fixed.map(|fixed| self.finish(kep, fixed, &env)));
            }
            keep_most_severe(reports.iter_mut().flatten(), bounds::FINDINGS_OF_RUN);
        }
        self.project.join(reports)
    }

    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self, kep: &KepDirectory) -> KepTexts {
        let mut read = read_kep(kep);
        if let Some(narrowed) = self.narrowed {
            narrowed.annotate(&mut read.texts, kep);
        }
        read
    }

    fn fix(&self, kep: &KepDirectory, env: &Env<'_>, fixing: &Fixing<'_>) -> FixedKep {
        let KepTexts { texts, places, failures, .. } = self.read(kep);
        let lint = |version: &Texts| env.lint_whole(version, self.project.repositories.of(kep));
        let own: Vec<bool> = places.iter().map(|origin| self.is_own(kep, origin)).collect();
        let is_own = |file: FileId| own.get(file.index()) == Some(&true);
        let fixed = match fixing {
            Fixing::Ignore { reason, whole } => {
                let report = whole.reports.iter().find(|report| report.kep.as_ref() == Some(&texts.directory));
                let known = report.map(|report| report.diagnostics.as_slice()).unwrap_or_default();
                let level = self.arguments.ignored_level();
                add_ignores(&texts, Request { reason, level, known, is_own: &is_own }, &lint)
            }
            Fixing::Fix(allowed) => {
                let mut fixed = fix(&texts, *allowed, &|version| {
                    let mut report = lint(version);
                    if keep_own(&mut report, is_own) {
                        self.tally().notes.insert(SHARED);
                    }
                    self.keep_wanted_fixes(&mut report, kep, &places);
                    report
                });
                let unused = if self.arguments.diff { &mut fixed.after } else { &mut fixed.before };
                unused.diagnostics = Vec::new();
                fixed
            }
        };
        FixedKep { fixed, places, failures }
    }

    fn keep_wanted_fixes(&self, report: &mut KepReport, kep: &KepDirectory, places: &[Origin]) {
        if let Some(unsaved) = self.unsaved {
            unsaved.keep_own_fixes(report);
        } else if !kep.has_place() {
            let is_named = |file: FileId| places.get(file.index()).is_some_and(|origin| self.names(&origin.real));
            if keep_own(report, is_named) {
                self.tally().notes.insert(NOT_NAMED);
            }
        }
    }

    /// Whether a file of `kep` may be changed for it. A link may lead to a file of another KEP, which wants something else of
    /// it.
    fn is_own(&self, kep: &KepDirectory, origin: &Origin) -> bool {
        let way = origin.given.strip_prefix(&kep.given).unwrap_or(&origin.given);
        if kep.real.below(way) == origin.real {
            return true;
        }
        match kep_around(&origin.real, &kep.source).filter(KepDirectory::has_place) {
            Some(owner) => owner.real == kep.real,
            None => !self.project.keps.iter().any(|other| other.real != kep.real && other.has_file_at(&origin.real)),
        }
    }

    fn names(&self, place: &RealPath) -> bool {
        self.named.iter().any(|path| RealPath::canonical(path).is_ok_and(|path| path == *place))
    }

    fn finish(&self, kep: &KepDirectory, fixed: FixedKep, env: &Env<'_>) -> KepReport {
        let FixedKep { fixed, places, mut failures } = fixed;
        failures.extend(fixing::complaints(&fixed));
        let mut tally = self.tally();
        let report = if self.arguments.diff {
            tally.show(&fixed, diff::Look::of(self.arguments.output.color));
            fixed.before
        } else {
            let unwritten = tally.write(&fixed, &places, &kep.source);
            let is_written = unwritten.is_empty();
            failures.extend(unwritten);
            if is_written {
                fixed.after
            } else {
                env.lint_whole(&self.read(kep).texts, self.project.repositories.of(kep))
            }
        };
        let mut report = report.reduced();
        report.failures.splice(0..0, failures);
        report
    }
}
