//! `kep-lint [check] [PATHS]…`: the main job.

use super::args::CheckArguments;
use super::config_file::{self, ConfigFile};
use super::directory::KepDirectory;
use super::discover::{Discovery, discover, here};
use super::error;
use super::files::{KepTexts, Origin};
use super::fixing::{self, Tally};
use super::output::Outputs;
use super::repository::{self, Repositories};
use super::source::Source;
use super::{Outcome, bounds, files, output, print, template};
use crate::diagnostic::{Failure, Safety, Severity};
use crate::fix::{Fixed, fix};
use crate::lint::panics::caught;
use crate::lint::{Checked, Linter, Listing, Options, Run, Workspace, run as lint};
use crate::report::{Summary, counted, kep_count, silenced_count};
use crate::rules::select::{Selection, UnknownName};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Mutex, PoisonError};

/// Checks the KEPs that the arguments name, and fixes them with `--fix`.
pub fn run(arguments: &CheckArguments) -> Result<Outcome, Failure> {
    let outputs = Outputs::open(&arguments.output)?;
    let around = [here()];
    let paths = if arguments.paths.is_empty() { &around } else { arguments.paths.as_slice() };
    let config = match config_file::find(paths, &arguments.config) {
        Ok(config) => config,
        Err(failures) => return Ok(stop(failures, outputs)),
    };
    let read = || {
        let arguments = config.as_ref().map_or_else(|| Ok(arguments.clone()), |file| file.complete(arguments))?;
        let template = template::load_for_check(arguments.template.as_deref())?;
        Ok((options(&arguments, config.as_ref())?, template, arguments))
    };
    let (options, template, arguments) = match read() {
        Ok(read) => read,
        Err(failure) => return Ok(stop(vec![failure], outputs)),
    };
    let arguments = &arguments;
    let Discovery { mut keps, walks, skipped, mut failures, .. } = discover(paths, &Source::disk);
    let pool = match threads(arguments.jobs, keps.len()) {
        Ok(pool) => pool,
        Err(failure) => return Ok(stop(vec![failure], outputs)),
    };
    let mut repositories = pool.install(|| repository::collect(&keps, &walks));
    repositories.adopt(&options.config);
    // What is excluded is still known: links and PRR files may refer to it.
    let excluded = config.as_ref().map_or(0, |file| file.place(&mut keps, arguments.no_exclude));
    drop(walks);
    failures.extend_from_slice(&repositories.failures);
    let tally = Mutex::new(Tally::default());
    let job = Job { arguments, keps: &keps, repositories: &repositories, tally: &tally };
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
    let configured = config.map(|file| file.effect(excluded, silenced_count(&run))).unwrap_or_default();
    if failures.is_empty() || kep_count(&run) > 0 {
        output::close(&format!("{summary}{fixed}{configured}"), &arguments.output);
    }
    if let Some(hidden) = hidden {
        output::close(&hidden, &arguments.output);
    }
    if let Some(offer) = fixing::offer(&run, arguments.riskiest()) {
        output::close(&offer, &arguments.output);
    }
    Ok(if failures.is_empty() { output::outcome(&run, &arguments.output) } else { Outcome::Incomplete })
}

fn options(arguments: &CheckArguments, config: Option<&ConfigFile>) -> Result<Options, Failure> {
    let selection = Selection::new(&arguments.select, &arguments.ignore).map_err(unknown_name)?;
    let listing = if arguments.fixes().is_some() { Listing::Whole } else { Listing::Short };
    let config = config.map(|file| file.config.clone()).unwrap_or_default();
    Ok(Options { stage: arguments.stage, release: arguments.release, selection, listing, config })
}

/// Reports why no KEP is checked.
fn stop(failures: Vec<Failure>, outputs: Outputs<'_>) -> Outcome {
    let run = Run { failures, ..Run::default() };
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
