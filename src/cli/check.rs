//! `kep-lint [check] [PATHS]…`: the main job.

use super::args::CheckArguments;
use super::directory::KepDirectory;
use super::discover::{Discovery, discover, here};
use super::error;
use super::files::{KepTexts, Origin};
use super::fixing::{self, Tally};
use super::ignoring::{self, Known};
use super::output::Outputs;
use super::repository::{self, Repositories};
use super::source::Source;
use super::{Outcome, bounds, files, output, print, template};
use crate::diagnostic::{Failure, Safety, Severity};
use crate::fix::addition::{Request, add_ignores};
use crate::fix::{Fixed, fix};
use crate::lint::panics::caught;
use crate::lint::{Checked, Linter, Listing, Options, Run, Supply, Workspace, run as lint};
use crate::report::{Summary, counted, kep_count};
use crate::rules::select::{Selection, UnknownName};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Mutex, PoisonError};

/// Checks the KEPs that the arguments name, and fixes them with `--fix`.
pub fn run(arguments: &CheckArguments) -> Result<Outcome, Failure> {
    let outputs = Outputs::open(&arguments.output)?;
    let read = || Ok((options(arguments)?, template::load_for_check(arguments.template.as_deref())?));
    let (options, template) = match read() {
        Ok(read) => read,
        Err(failure) => return Ok(stop(failure, outputs)),
    };
    let around = [here()];
    let paths = if arguments.paths.is_empty() { &around } else { arguments.paths.as_slice() };
    let Discovery { keps, walks, skipped, mut failures, .. } = discover(paths, &Source::disk);
    let pool = match threads(arguments.jobs, keps.len()) {
        Ok(pool) => pool,
        Err(failure) => return Ok(stop(failure, outputs)),
    };
    let repositories = pool.install(|| repository::collect(&keps, &walks));
    drop(walks);
    failures.extend_from_slice(&repositories.failures);
    let tally = Mutex::new(Tally::default());
    let job = Job { arguments, keps: &keps, repositories: &repositories, tally: &tally };
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
            let listing = Listing::Short;
            let check = |linter: &Linter<'_>| pool.install(|| job.check_all(linter));
            let found = lint_with(Box::new(check), &Options { listing, ..options.clone() });
            let known = Known::of(&found);
            let add =
                |linter: &Linter<'_>| job.finish_all(pool.install(|| job.ignore_all(linter, reason, &known)), linter);
            lint_with(Box::new(add), &options)
        }
        None => {
            let supply = |linter: &Linter<'_>| match arguments.fixes() {
                None => pool.install(|| job.check_all(linter)),
                Some(allowed) => job.finish_all(pool.install(|| job.fix_all(linter, allowed)), linter),
            };
            lint_with(Box::new(supply), &options)
        }
    };
    failures.append(&mut run.failures);
    let tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    if arguments.diff {
        return Ok(show(&tally, &run, failures, arguments));
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
    let fixed = match arguments.fix {
        _ if arguments.add_ignores.is_some() => ignoring::added(&tally, &run, arguments.ignored_level()),
        true => format!("; fixed {}", tally.words()),
        false => String::new(),
    };
    if failures.is_empty() || kep_count(&run) > 0 {
        output::close(&format!("{summary}{fixed}"), &arguments.output);
    }
    if let Some(hidden) = hidden {
        output::close(&hidden, &arguments.output);
    }
    if let Some(offer) = fixing::offer(&run, arguments.riskiest()) {
        output::close(&offer, &arguments.output);
    }
    Ok(if failures.is_empty() { output::outcome(&run, &arguments.output) } else { Outcome::Incomplete })
}

fn options(arguments: &CheckArguments) -> Result<Options, Failure> {
    let selection = Selection::new(&arguments.select, &arguments.ignore).map_err(unknown_name)?;
    let is_whole = arguments.fixes().is_some() || arguments.add_ignores.is_some();
    let listing = if is_whole { Listing::Whole } else { Listing::Short };
    Ok(Options { stage: arguments.stage, release: arguments.release, selection, listing, ..Options::default() })
}

/// Reports why no KEP is checked.
fn stop(failure: Failure, outputs: Outputs<'_>) -> Outcome {
    let run = Run { failures: vec![failure], ..Run::default() };
    let unwritten = outputs.write(&run, Severity::Advice);
    error::print_all(&[run.failures, unwritten].concat());
    Outcome::Incomplete
}

/// Prints what fixes would change.
fn show(tally: &Tally, run: &Run, mut failures: Vec<Failure>, arguments: &CheckArguments) -> Outcome {
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
    output::close(&words, &arguments.output);
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
    fn check_all(&self, linter: &Linter<'_>) -> Vec<Checked> {
        let repositories = self.repositories;
        let check = |kep: &KepDirectory| {
            let read = caught("check", &kep.shown, || files::read_kep(kep));
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
                let KepTexts { texts, places, failures, .. } = files::read_kep(kep);
                let fixed = fix(&texts, allowed, &|texts| linter.lint(texts, repositories.of(kep)));
                FixedKep { fixed, places, failures }
            })
        };
        self.keps.par_iter().map(fix).collect()
    }

    fn ignore_all(&self, linter: &Linter<'_>, reason: &str, known: &Known<'_>) -> Vec<Result<FixedKep, Failure>> {
        let (repositories, level) = (self.repositories, self.arguments.ignored_level());
        let ignore = |kep: &KepDirectory| {
            caught("check", &kep.shown, || {
                let KepTexts { texts, places, failures, .. } = files::read_kep(kep);
                let request = Request { reason, level, known: known.of_kep(&texts.directory) };
                let fixed = add_ignores(&texts, request, &|texts| linter.lint(texts, repositories.of(kep)));
                FixedKep { fixed, places, failures }
            })
        };
        self.keps.par_iter().map(ignore).collect()
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
                    false => linter.lint(&files::read_kep(kep).texts, self.repositories.of(kep)),
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
