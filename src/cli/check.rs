//! `kep-lint [check] [PATHS]…`: the main job.

use super::args::{CheckArguments, Command};
use super::conditions::Decisions;
use super::fixing::{self, Tally};
use super::ignoring::{self, Known};
use super::output::{self, Outputs};
use super::plan::{Plan, paths};
use super::write::lock::Lock;
use super::{Outcome, error, print, screen, stdin};
use crate::bounds;
use crate::diagnostic::{Failure, Safety, Severity, counted};
use crate::fix::addition::{Request, add_ignores};
use crate::fix::{Fixed, fix, keep_own};
use crate::kep::texts::Texts;
use crate::lint::panics::caught;
use crate::lint::{Checked, Linter, Options, Run, Supply, Workspace, run as lint};
use crate::report::{Summary, kep_count};
use crate::rules::preset::Preset;
use crate::span::FileId;
use crate::template::Template;
use crate::workspace::change::base::Base;
use crate::workspace::change::{Narrowed, Scope};
use crate::workspace::development;
use crate::workspace::directory::KepDirectory;
use crate::workspace::discover::{Discovery, discover};
use crate::workspace::files::unsaved::Unsaved;
use crate::workspace::files::{Source, disk};
use crate::workspace::filtered::{self, Filtered};
use crate::workspace::kep_files::{self, KepTexts, Origin};
use crate::workspace::trees::{self, Extent, Repositories};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Checks the KEPs that the arguments name, and fixes them with `--fix`. Whatever comes of it, what makes the run less
/// strict is said at its end.
pub fn run(arguments: &CheckArguments) -> Result<Outcome, Failure> {
    let outputs = Outputs::open(&arguments.output)?;
    let mut decisions = Decisions::of(arguments);
    let _lock = match lock(arguments) {
        Ok(lock) => lock,
        Err(failure) => return Ok(stop(vec![failure], outputs, arguments, &decisions)),
    };
    let plan = match Plan::of(arguments) {
        Ok(plan) => plan,
        Err(failures) => return Ok(stop(failures, outputs, arguments, &decisions)),
    };
    decisions.plan(plan.config.as_ref(), plan.scope.as_ref().and_then(Scope::configuration_name));
    let outcome = check(plan, outputs, &mut decisions);
    decisions.lines().iter().for_each(|line| output::note(line));
    outcome
}

fn check(plan: Plan, outputs: Outputs<'_>, decisions: &mut Decisions<'_>) -> Result<Outcome, Failure> {
    let Plan { arguments, paths, unsaved, mut config, mut options, template, scope } = plan;
    let arguments = &arguments;
    let outputs = outputs.with(&arguments.output);
    // Whether there is a KEP at a path that is named is only known by looking for it.
    let needs_no_files = |scope: &&Scope| arguments.paths.is_empty() && scope.has_nothing_staged();
    if let Some(scope) = scope.as_ref().filter(needs_no_files) {
        let run = scope.empty_run(&options, None);
        return Ok(write_nothing(run, &scope.nothing(), outputs, arguments, decisions));
    }
    let source_of = |path: &Path| -> Source {
        match &unsaved {
            Some(unsaved) => unsaved.clone(),
            None => scope.as_ref().and_then(Scope::source).unwrap_or_else(|| disk::around(path)),
        }
    };
    let preset = options.selection.preset();
    let found = match &arguments.stdin_filename {
        Some(file) => stdin::discover_around(file, preset, &source_of),
        None => discover(&paths, preset, &source_of),
    };
    let Discovery { mut keps, walks, mut skipped, strangers, mut failures, missing, .. } = found;
    for at in missing {
        let Some(failure) = failures.get_mut(at) else { continue };
        failure.help = failure.path.as_deref().and_then(Command::meant).or(failure.help.take());
    }
    // What a hook is passed, and what changed, may be no KEP.
    match scope.is_some() || arguments.is_hook {
        true => skipped += strangers.len(),
        false => failures.extend(strangers),
    }
    let pool = match threads(arguments.jobs, keps.len()) {
        Ok(pool) => pool,
        Err(failure) => return Ok(stop(vec![failure], outputs, arguments, decisions)),
    };
    let mut repositories = pool.install(|| trees::collect(&keps, &walks, Extent::Whole));
    drop(walks);
    match &scope {
        Some(scope) => {
            repositories.decide_by(&|tree| scope.configuration(tree));
            failures.extend(scope.find_releases(&mut repositories, &options).err());
        }
        None => development::find_on_default_branch(&mut repositories, keps.iter(), &options),
    }
    repositories.adopt(&options);
    if let Some(failure) = scope.as_ref().and_then(Scope::failure) {
        return Ok(stop(vec![failure], outputs, arguments, decisions));
    }
    failures.extend_from_slice(&repositories.failures);
    // A configuration of another version may be about SIGs that are gone now.
    let is_own = scope.as_ref().is_none_or(|scope| scope.configuration_name().is_none());
    let own = config.as_ref().filter(|_| is_own);
    if let Some(Err(failure)) = own.map(|file| file.check_sigs(&keps, &repositories)) {
        return Ok(stop(vec![failure], outputs, arguments, decisions));
    }
    // What is excluded is still known: links and PRR files may refer to it.
    let has_all = arguments.no_exclude || preset == Preset::Upstream;
    decisions.counts.excluded = config.as_mut().map_or(0, |file| file.place(&mut keps, has_all));
    let filter = arguments.filters.filter();
    let filtered = match pool.install(|| filtered::apply(&filter, keps, &repositories)) {
        Ok(filtered) => filtered,
        Err(failure) => return Ok(stop(vec![failure], outputs, arguments, decisions)),
    };
    if !filter.is_empty() {
        repositories.leave_out_own_findings();
    }
    failures.extend_from_slice(&filtered.failures);
    let around = Around { repositories: &repositories, template: &template, arguments, pool: &pool };
    let narrowed = match narrow(scope.as_ref(), &filtered.keps, around, &mut options) {
        Ok(narrowed) => narrowed,
        Err(failure) => return Ok(stop(vec![failure], outputs, arguments, decisions)),
    };
    decisions.edited = narrowed.as_ref().map(Narrowed::edited).unwrap_or_default();
    if narrowed.as_ref().is_some_and(|narrowed| narrowed.is_empty() && failures.is_empty())
        && let Some(scope) = &scope
    {
        let run = scope.empty_run(&options, Some(&repositories));
        let sentence = format!("{}{}", scope.nothing(), filtered.words());
        return Ok(write_nothing(run, &sentence, outputs, arguments, decisions));
    }
    let keps = narrowed.as_ref().map_or(filtered.keps.as_slice(), |narrowed| narrowed.touched.keps.as_slice());
    let base = narrowed.as_ref().map(|narrowed| &narrowed.base);
    let tally = Mutex::new(Tally::default());
    let unsaved = unsaved.as_deref();
    let spared = AtomicBool::default();
    let (named, spared) = (paths.as_slice(), &spared);
    let job = Job { arguments, keps, base, repositories: &repositories, tally: &tally, unsaved, named, spared };
    let lint_with = |supply: Supply<'_>, options: &Options| {
        let workspace = Workspace {
            template: &template,
            prefers_own: arguments.template.is_none(),
            repositories: repositories.iter().collect(),
            keps: supply,
            documents: Box::new(|path| repositories.document(path)),
        };
        lint(&workspace, options)
    };
    let mut run = match &arguments.add_ignores {
        Some(reason) => {
            // Only a whole run knows the findings that need several KEPs.
            let check = |linter: &Linter<'_>| pool.install(|| job.check_all(linter));
            let found = lint_with(Box::new(check), &options);
            let known = Known::of(&found);
            let add = |linter: &Linter<'_>| {
                job.in_parts(|job| job.finish_all(pool.install(|| job.ignore_all(linter, reason, &known)), linter))
            };
            lint_with(Box::new(add), &options)
        }
        None => {
            let supply = |linter: &Linter<'_>| match arguments.fixes() {
                None => pool.install(|| job.check_all(linter)),
                Some(allowed) => {
                    job.in_parts(|job| job.finish_all(pool.install(|| job.fix_all(linter, allowed)), linter))
                }
            };
            lint_with(Box::new(supply), &options)
        }
    };
    if let Some(unsaved) = unsaved {
        unsaved.keep_own(&mut run);
    }
    failures.append(&mut run.failures);
    if let Some(narrowed) = &narrowed {
        narrowed.finish(&mut run);
    }
    decisions.count(&run);
    run.conditions = decisions.conditions();
    let tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    if arguments.diff {
        return Ok(show(&tally, &run, failures, &filtered, arguments));
    }
    if arguments.watch && kep_count(&run) == 0 && !failures.is_empty() {
        // The last report stays on the screen.
        error::print_all(&failures);
        return Ok(Outcome::Incomplete);
    }
    if arguments.watch {
        failures.extend(print(screen::cleared()).err());
    }
    run.failures.clone_from(&failures);
    let level = arguments.level(&run);
    let hidden = output::hidden(&run, level).filter(|_| outputs.print_from_level());
    failures.extend(outputs.write(&run, level));
    error::print_all(&failures);
    if arguments.unsafe_fixes && arguments.fixes().is_none() {
        output::close("note: `--unsafe-fixes` does nothing without `--fix` or `--diff`", &arguments.output);
    }
    let summary = filtered.nothing().unwrap_or_else(|| format!("{}{}", Summary::line(&run, skipped), filtered.words()));
    let fixed = match arguments.fix {
        _ if arguments.add_ignores.is_some() => ignoring::added(&tally, &run, arguments.ignored_level()),
        true => format!("; fixed {}", tally.words()),
        false => String::new(),
    };
    if failures.is_empty() || kep_count(&run) > 0 {
        let known = scope.as_ref().map(|scope| scope.words(&run)).unwrap_or_default();
        output::close(&format!("{summary}{known}{fixed}"), &arguments.output);
    }
    if let Some(hidden) = hidden {
        output::close(&hidden, &arguments.output);
    }
    if spared.load(Ordering::Relaxed) {
        let note = "note: fixes of a document without kep.yaml outside of `keps` need the path of the document itself";
        output::close(note, &arguments.output);
    }
    if let Some(offer) = fixing::offer(&run, arguments.riskiest()).filter(|_| unsaved.is_none()) {
        output::close(&offer, &arguments.output);
    }
    Ok(if failures.is_empty() { output::outcome(&run, &arguments.output) } else { Outcome::Incomplete })
}

/// The lock of what is checked, if the run changes it.
fn lock(arguments: &CheckArguments) -> Result<Option<Lock>, Failure> {
    let writes = (arguments.fix || arguments.add_ignores.is_some()) && !arguments.diff;
    if writes { Lock::around(paths(arguments).iter().map(PathBuf::as_path)).map(Some) } else { Ok(None) }
}

/// What KEPs are checked against.
#[derive(Clone, Copy)]
struct Around<'a> {
    repositories: &'a Repositories,
    template: &'a Template,
    arguments: &'a CheckArguments,
    pool: &'a ThreadPool,
}

/// The KEPs that a change touches, if the run is about one; with `--new-only`, the options get what the base has.
fn narrow<'s>(
    scope: Option<&'s Scope>,
    keps: &[KepDirectory],
    around: Around<'_>,
    options: &mut Options,
) -> Result<Option<Narrowed<'s>>, Failure> {
    let Some(scope) = scope else { return Ok(None) };
    let Around { repositories, template, arguments, pool } = around;
    let narrowed = pool.install(|| scope.narrow(keps, repositories))?;
    if arguments.new_only && !narrowed.is_empty() {
        let template = (template, arguments.template.is_none());
        options.baseline = Some(Arc::new(narrowed.base.baseline(repositories, template, options, pool)?));
    }
    Ok(Some(narrowed))
}

/// Reports that no KEP is to be checked.
fn write_nothing(
    mut run: Run,
    sentence: &str,
    outputs: Outputs<'_>,
    arguments: &CheckArguments,
    decisions: &Decisions<'_>,
) -> Outcome {
    run.conditions = decisions.conditions();
    let failures = outputs.write(&run, Severity::Advice);
    error::print_all(&failures);
    output::close(sentence, &arguments.output);
    if failures.is_empty() { Outcome::Clean } else { Outcome::Incomplete }
}

/// Reports why no KEP is checked.
fn stop(
    failures: Vec<Failure>,
    outputs: Outputs<'_>,
    arguments: &CheckArguments,
    decisions: &Decisions<'_>,
) -> Outcome {
    if arguments.watch {
        // The last report stays, on the screen and in files.
        error::print_all(&failures);
        return Outcome::Incomplete;
    }
    let run = Run { failures, conditions: decisions.conditions(), ..Run::default() };
    let unwritten = outputs.write(&run, Severity::Advice);
    error::print_all(&[run.failures, unwritten].concat());
    Outcome::Incomplete
}

/// Prints what fixes would change.
fn show(
    tally: &Tally,
    run: &Run,
    mut failures: Vec<Failure>,
    filtered: &Filtered,
    arguments: &CheckArguments,
) -> Outcome {
    if arguments.watch {
        failures.extend(print(screen::cleared()).err());
    }
    failures.extend(print(&tally.diff).err());
    error::print_all(&failures);
    if tally.altered > 0 {
        let lines = counted(tally.altered, "line", "lines");
        let note = format!(
            "{lines} of the diff could control a terminal or a log and show `?` instead: use `--fix` to apply them"
        );
        output::close(&note, &arguments.output);
    }
    let words = match arguments.add_ignores {
        Some(_) => ignoring::shown(tally, run, arguments.ignored_level()),
        None => format!("would fix {}", tally.words()),
    };
    output::close(&format!("{words}{}", filtered.words()), &arguments.output);
    match (failures.is_empty(), tally.is_empty()) {
        (false, _) => Outcome::Incomplete,
        (true, false) => Outcome::Findings,
        (true, true) => Outcome::Clean,
    }
}

/// How each KEP is checked.
struct Job<'a> {
    arguments: &'a CheckArguments,
    keps: &'a [KepDirectory],
    base: Option<&'a Base>,
    repositories: &'a Repositories,
    tally: &'a Mutex<Tally>,
    /// The file that standard input is, if only its findings are of interest.
    unsaved: Option<&'a Unsaved>,
    /// What the command line names.
    named: &'a [PathBuf],
    /// Whether files that it does not name have fixes that are not for them.
    spared: &'a AtomicBool,
}

/// A KEP with its fixes, and the failures of reading it.
struct FixedKep {
    fixed: Fixed,
    places: Vec<Origin>,
    failures: Vec<Failure>,
}

/// As many threads as `--jobs` says, but no more than there are KEPs.
pub fn threads(jobs: Option<u16>, keps: usize) -> Result<ThreadPool, Failure> {
    let jobs = jobs.map_or(0, |jobs| usize::from(jobs).min(keps.max(1)));
    let pool = ThreadPoolBuilder::new().num_threads(jobs).stack_size(bounds::STACK_BYTES).build();
    pool.map_err(|error| Failure::new(format!("cannot start threads: {error}")).help("lower `--jobs`"))
}

impl Job<'_> {
    /// Whether the command line names the file at `place`, a path without links.
    fn names(&self, place: &Path) -> bool {
        self.named.iter().any(|path| path.canonicalize().is_ok_and(|path| path == place))
    }

    fn read(&self, kep: &KepDirectory) -> KepTexts {
        let mut read = kep_files::read_kep(kep);
        if let Some(base) = self.base {
            base.annotate(&mut read.texts, kep);
        }
        read
    }

    fn check_all(&self, linter: &Linter<'_>) -> Vec<Checked> {
        let repositories = self.repositories;
        let check = |kep: &KepDirectory| {
            let read = caught("check", &kep.shown, || self.read(kep));
            read.map_or_else(Checked::failed, |KepTexts { texts, failures, .. }| {
                let checked = linter.check(&texts, repositories.of(kep));
                Checked { failures: [failures, checked.failures].concat(), ..checked }
            })
        };
        self.keps.par_iter().map(check).collect()
    }

    fn fix_all(&self, linter: &Linter<'_>, allowed: Safety) -> Vec<Result<FixedKep, Failure>> {
        let repositories = self.repositories;
        let fix = |kep: &KepDirectory| {
            caught("check", &kep.shown, || {
                let KepTexts { texts, places, failures, .. } = self.read(kep);
                let lint = |texts: &Texts| {
                    let mut report = linter.lint(texts, repositories.of(kep));
                    if let Some(unsaved) = self.unsaved {
                        unsaved.keep_own_fixes(&mut report);
                    } else if !kep.has_place() {
                        let is_named = |file: FileId| places.get(file.index()).is_some_and(|it| self.names(&it.real));
                        let has_dropped = keep_own(&mut report, is_named);
                        self.spared.fetch_or(has_dropped, Ordering::Relaxed);
                    }
                    report
                };
                let mut fixed = fix(&texts, allowed, &lint);
                let unused = if self.arguments.diff { &mut fixed.after } else { &mut fixed.before };
                unused.diagnostics = Vec::new();
                FixedKep { fixed, places, failures }
            })
        };
        self.keps.par_iter().map(fix).collect()
    }

    fn ignore_all(&self, linter: &Linter<'_>, reason: &str, known: &Known<'_>) -> Vec<Result<FixedKep, Failure>> {
        let (repositories, level) = (self.repositories, self.arguments.ignored_level());
        let ignore = |kep: &KepDirectory| {
            caught("check", &kep.shown, || {
                let KepTexts { texts, places, failures, .. } = kep_files::read_kep(kep);
                let request = Request { reason, level, known: known.of_kep(&texts.directory) };
                let fixed = add_ignores(&texts, request, &|texts| linter.lint(texts, repositories.of(kep)));
                FixedKep { fixed, places, failures }
            })
        };
        self.keps.par_iter().map(ignore).collect()
    }

    /// Does `work` for a part of the KEPs after the other, so that only the texts of one part are in memory.
    fn in_parts(&self, work: impl Fn(&Job<'_>) -> Vec<Checked>) -> Vec<Checked> {
        self.keps.chunks(bounds::FIXED_KEPS).flat_map(|keps| work(&Job { keps, ..*self })).collect()
    }

    /// Writes or shows what was fixed, one KEP after another.
    fn finish_all(&self, fixed: Vec<Result<FixedKep, Failure>>, linter: &Linter<'_>) -> Vec<Checked> {
        let finish = |(kep, fixed): (&KepDirectory, Result<FixedKep, Failure>)| {
            let FixedKep { fixed, places, mut failures } = match fixed {
                Ok(fixed) => fixed,
                Err(failure) => return Checked::failed(failure),
            };
            failures.extend(fixing::complaints(&fixed));
            let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
            let report = if self.arguments.diff {
                tally.show(&fixed, output::diff_look(&self.arguments.output));
                fixed.before
            } else {
                let unwritten = tally.write(&fixed, &places, &kep.source);
                let is_written = unwritten.is_empty();
                failures.extend(unwritten);
                match is_written {
                    true => fixed.after,
                    false => linter.lint(&self.read(kep).texts, self.repositories.of(kep)),
                }
            };
            let checked = linter.finished(report);
            Checked { failures: [failures, checked.failures].concat(), ..checked }
        };
        self.keps.iter().zip(fixed).map(finish).collect()
    }
}
