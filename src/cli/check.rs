//! `kep-lint [check] [PATHS]…`: the main job.

use super::args::CheckArguments;
use super::base::Base;
use super::directory::KepDirectory;
use super::discover::{Discovery, discover, here};
use super::error;
use super::files::{KepTexts, Origin};
use super::fixing::{self, Tally};
use super::output::Outputs;
use super::repository::{self, Extent, Repositories};
use super::scope::{self, Narrowed, Scope};
use super::source::Source;
use super::{Outcome, bounds, combination, files, output, print, template as templates};
use crate::diagnostic::{Failure, Safety, Severity};
use crate::fix::{Fixed, fix};
use crate::lint::panics::caught;
use crate::lint::{Checked, Linter, Listing, Options, Run, Workspace, run as lint};
use crate::report::{Summary, counted, kep_count};
use crate::rules::select::{Selection, UnknownName};
use crate::template::Template;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Checks the KEPs that the arguments name, and fixes them with `--fix`.
pub fn run(arguments: &CheckArguments) -> Result<Outcome, Failure> {
    let outputs = Outputs::open(&arguments.output)?;
    let default = [here()];
    let paths = if arguments.paths.is_empty() { &default } else { arguments.paths.as_slice() };
    let read = || {
        combination::refused(arguments).map_or(Ok(()), Err)?;
        let read = (options(arguments)?, templates::load_for_check(arguments.template.as_deref())?);
        Ok((read, scope::of(arguments, paths)?))
    };
    let ((mut options, template), scope) = match read() {
        Ok(read) => read,
        Err(failure) => return Ok(stop(failure, outputs)),
    };
    let source_of = |path: &Path| scope.as_ref().and_then(Scope::source).unwrap_or_else(|| Source::disk(path));
    let Discovery { keps, walks, skipped, mut failures, .. } = discover(paths, &source_of);
    let pool = match threads(arguments.jobs, keps.len()) {
        Ok(pool) => pool,
        Err(failure) => return Ok(stop(failure, outputs)),
    };
    let repositories = pool.install(|| repository::collect(&keps, &walks, Extent::Whole));
    drop(walks);
    failures.extend_from_slice(&repositories.failures);
    let around = Around { repositories: &repositories, template: &template, arguments, pool: &pool };
    let narrowed = match narrow(scope.as_ref(), &keps, around, &mut options) {
        Ok(narrowed) => narrowed,
        Err(failure) => return Ok(stop(failure, outputs)),
    };
    if let Some(narrowed) = narrowed.as_ref().filter(|narrowed| narrowed.is_empty() && failures.is_empty()) {
        failures.extend(outputs.write(&Run::default(), Severity::Advice));
        error::print_all(&failures);
        output::close(&narrowed.nothing(), &arguments.output);
        return Ok(if failures.is_empty() { Outcome::Clean } else { Outcome::Incomplete });
    }
    let keps = narrowed.as_ref().map_or(keps.as_slice(), |narrowed| narrowed.touched.keps.as_slice());
    let base = narrowed.as_ref().map(|narrowed| &narrowed.base);
    let tally = Mutex::new(Tally::default());
    let job = Job { arguments, keps, base, repositories: &repositories, tally: &tally };
    let supply = |linter: &Linter<'_>| match arguments.fixes() {
        None => pool.install(|| job.check_all(linter)),
        Some(allowed) => job.finish_all(pool.install(|| job.fix_all(linter, allowed)), linter),
    };
    let workspace = Workspace {
        template: &template,
        prefers_own: arguments.template.is_none(),
        repositories: repositories.iter().collect(),
        keps: Box::new(supply),
        documents: Box::new(|path| repositories.document(path)),
    };
    let mut run = lint(&workspace, &options);
    drop(workspace);
    failures.append(&mut run.failures);
    if let Some(narrowed) = &narrowed {
        narrowed.finish(&mut run);
    }
    let tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    if arguments.diff {
        return Ok(show(&tally, failures, arguments));
    }
    run.failures.clone_from(&failures);
    let level = arguments.level(&run);
    let hidden = output::hidden(&run, level).filter(|_| outputs.print_from_level());
    failures.extend(outputs.write(&run, level));
    error::print_all(&failures);
    if arguments.unsafe_fixes && arguments.fixes().is_none() {
        output::close("note: `--unsafe-fixes` does nothing without `--fix` or `--diff`", &arguments.output);
    }
    let summary = Summary::line(&run, skipped);
    let fixed = if arguments.fix { format!("; fixed {}", tally.words()) } else { String::new() };
    if failures.is_empty() || kep_count(&run) > 0 {
        let known = scope.as_ref().map(|scope| scope.words(&run)).unwrap_or_default();
        output::close(&format!("{summary}{known}{fixed}"), &arguments.output);
    }
    if let Some(hidden) = hidden {
        output::close(&hidden, &arguments.output);
    }
    if let Some(offer) = fixing::offer(&run, arguments.riskiest()) {
        output::close(&offer, &arguments.output);
    }
    Ok(if failures.is_empty() { output::outcome(&run, &arguments.output) } else { Outcome::Incomplete })
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

fn options(arguments: &CheckArguments) -> Result<Options, Failure> {
    let selection = Selection::new(&arguments.select, &arguments.ignore).map_err(unknown_name)?;
    let listing = if arguments.fixes().is_some() { Listing::Whole } else { Listing::Short };
    Ok(Options { stage: arguments.stage, release: arguments.release, selection, listing, baseline: None })
}

/// Reports why no KEP is checked.
fn stop(failure: Failure, outputs: Outputs<'_>) -> Outcome {
    let run = Run { failures: vec![failure], ..Run::default() };
    let unwritten = outputs.write(&run, Severity::Advice);
    error::print_all(&[run.failures, unwritten].concat());
    Outcome::Incomplete
}

/// Prints what fixes would change.
fn show(tally: &Tally, mut failures: Vec<Failure>, arguments: &CheckArguments) -> Outcome {
    failures.extend(print(&tally.diff).err());
    error::print_all(&failures);
    if tally.altered > 0 {
        let lines = counted(tally.altered, "line", "lines");
        let note = format!(
            "{lines} of the diff could control a terminal or a log and show `?` instead: use `--fix` to apply them"
        );
        output::close(&note, &arguments.output);
    }
    output::close(&format!("would fix {}", tally.words()), &arguments.output);
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
}

/// A KEP with its fixes, and the failures of reading it.
struct FixedKep {
    fixed: Fixed,
    places: Vec<Origin>,
    failures: Vec<Failure>,
}

/// As many threads as `--jobs` says, but no more than there are KEPs.
fn threads(jobs: Option<u16>, keps: usize) -> Result<ThreadPool, Failure> {
    let jobs = jobs.map_or(0, |jobs| usize::from(jobs).min(keps.max(1)));
    let pool = ThreadPoolBuilder::new().num_threads(jobs).stack_size(bounds::STACK_BYTES).build();
    pool.map_err(|error| Failure::new(format!("cannot start threads: {error}")).help("lower `--jobs`"))
}

impl Job<'_> {
    fn read(&self, kep: &KepDirectory) -> KepTexts {
        let mut read = files::read_kep(kep);
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
                let fixed = fix(&texts, allowed, &|texts| linter.lint(texts, repositories.of(kep)));
                FixedKep { fixed, places, failures }
            })
        };
        self.keps.par_iter().map(fix).collect()
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

/// The failure for a name that no rule and no category has.
pub fn unknown_name(error: UnknownName) -> Failure {
    let help = match error.nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "see `kep-lint rules` for all names".to_owned(),
    };
    if error.name.trim().is_empty() {
        return Failure::new("the name of a rule or category is empty").help(help);
    }
    Failure::new(format!("unknown rule or category `{}`", error.name)).help(help)
}
