//! `kep-lint [check] [PATHS]…`: the main job.

mod done;
mod job;

use self::done::{Decisions, Done};
use self::job::Job;
use super::args::{CheckArguments, Command};
use super::outcome::Outcome;
use super::output::{self, Outputs};
use super::plan::{Plan, inputs};
use super::{error, stdin, today};
use crate::bounds;
use crate::diagnostic::{Failure, Severity, named};
use crate::lint::Run;
use crate::ready::calendar::on_day;
use crate::rules::preset::Preset;
use crate::stage::release::Meant;
use crate::workspace::change::Scope;
use crate::workspace::discover::{Discovery, discover};
use crate::workspace::files::{Source, disk, laid_out};
use crate::workspace::kep_files;
use crate::workspace::project::{Choice, LeftOut, Project, Terms};
use crate::workspace::tip::tell_by_default_branch;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Checks the KEPs that the arguments name, and fixes them with `--fix`. Whatever comes of it, what makes
/// the run less strict is said at its end.
pub fn run(arguments: &CheckArguments) -> Result<Outcome, Failure> {
    let mut outputs = Outputs::open(&arguments.output, || inputs(arguments))?;
    let mut decisions = Decisions::of(arguments);
    let outcome = match attempt(arguments, &mut outputs, &mut decisions) {
        Ok(Attempt::Done(done)) => done.report(outputs, &mut decisions),
        Err(failures) if arguments.watch => {
            // The last report stays, on the screen and in files.
            error::outcome(&failures)
        }
        Err(mut failures) => {
            if let Some(file) = &decisions.config {
                failures = failures.into_iter().map(|failure| file.config.layout.said(failure)).collect();
            }
            write_empty(Run { failures, ..Run::default() }, outputs, &decisions);
            Outcome::Incomplete
        }
        Ok(Attempt::Nothing(run, mut sentence)) => {
            run.layout.say(&mut sentence);
            let outcome = write_empty(*run, outputs, &decisions);
            output::close(&sentence, arguments.output.quiet);
            outcome
        }
    };
    for mut line in decisions.lines() {
        decisions.config.iter().for_each(|file| file.config.layout.say(&mut line));
        output::note(&line);
    }
    Ok(outcome)
}

enum Attempt {
    Done(Box<Done>),
    /// There is nothing to check, which the sentence says.
    Nothing(Box<Run>, String),
}

/// Writes the report of a run that checked no KEP, and prints failures.
fn write_empty(mut run: Run, outputs: Outputs, decisions: &Decisions) -> Outcome {
    run.conditions = decisions.conditions();
    let unwritten = outputs.write(&run, Severity::Advice);
    error::print_all(&[run.failures.as_slice(), &unwritten].concat());
    if unwritten.is_empty() { Outcome::Clean } else { Outcome::Incomplete }
}

fn attempt(
    arguments: &CheckArguments,
    outputs: &mut Outputs,
    decisions: &mut Decisions,
) -> Result<Attempt, Vec<Failure>> {
    let plan = Plan::of(arguments)?;
    outputs.arguments.clone_from(&plan.arguments.output);
    decisions.config.clone_from(&plan.config);
    decisions.configuration = plan.scope.as_ref().and_then(Scope::configuration_name);
    decisions.is_configured = decisions.configuration.is_some() && plan.is_configured();
    // Whether there is a KEP at a path that is named is only known by looking.
    if let Some(scope) = plan.scope.as_ref().filter(|scope| scope.has_nothing_staged())
        && plan.arguments.paths.is_empty()
    {
        return Ok(Attempt::Nothing(Box::new(scope.empty_run(&plan.terms.options, None)), scope.nothing()));
    }
    let new_layout = plan.new_layout();
    let is_brought = new_layout.is_some() && plan.terms.options.config.layout.is_of_keps();
    let discovery = match find(&plan) {
        Err(_) if is_brought => Discovery::default(),
        found => found?,
    };
    // All proposals may have moved with the pattern that finds them.
    let has_only_none = discovery.keps.is_empty() && discovery.failures.len() == 1;
    let is_moved = || has_only_none && plan.arguments.paths.is_empty() && new_layout.is_some();
    if is_brought && discovery.keps.is_empty() || is_moved() {
        let mut run = plan.scope.as_ref().map(|scope| scope.empty_run(&plan.terms.options, None)).unwrap_or_default();
        run.layout = new_layout.unwrap_or_default();
        let sentence = "the layout of this change counts from the next one on".to_owned();
        return Ok(Attempt::Nothing(Box::new(run), sentence));
    }
    let threads = threads(plan.arguments.jobs, discovery.keps.len())?;
    threads.install(|| check(plan, discovery, decisions))
}

fn check(mut plan: Plan, discovery: Discovery, decisions: &mut Decisions) -> Result<Attempt, Vec<Failure>> {
    let mut project = opened(&plan, discovery)?;
    let left_out = choose(&mut plan, &mut project)?;
    let Plan { arguments, paths, unsaved, scope, .. } = plan;
    decisions.counts.excluded = left_out.excluded;
    let is_of_change = scope.is_some() || arguments.is_hook || arguments.stdin_filename.is_some();
    if !is_of_change && project.failures.is_empty() {
        looked_at_nothing(&project, left_out, &arguments.paths).map_or(Ok(()), Err)?;
    }
    let planned = plan_ahead(&mut project)?;
    let narrowed = scope.as_ref().map(|scope| scope.narrow(&mut project)).transpose()?;
    if let Some(narrowed) = &narrowed {
        decisions.edited = narrowed.edited();
        if narrowed.is_empty() && project.failures.is_empty() {
            let run = narrowed.scope.empty_run(&project.terms.options, Some(&project.repositories));
            let sentence =
                format!("{}{}", narrowed.scope.nothing(), left_out.words(&project.terms.options.config.layout));
            return Ok(Attempt::Nothing(Box::new(run), sentence));
        }
    }
    let job = Job {
        arguments: &arguments,
        project: &project,
        narrowed: narrowed.as_ref(),
        unsaved: unsaved.as_ref(),
        named: &paths,
        tally: Mutex::default(),
    };
    let (mut run, tally) = job.run();
    run.meant = planned.unwrap_or(run.meant);
    let since = scope.as_ref().map(|scope| scope.words(&run)).unwrap_or_default();
    run.failures = [project.failures, run.failures].concat();
    run.failures = std::mem::take(&mut run.failures).into_iter().map(|failure| run.layout.said(failure)).collect();
    Ok(Attempt::Done(Box::new(Done { run, tally, arguments, left_out, skipped: project.skipped, since })))
}

/// The failure of a run that would check nothing, because of its filters or because the files that are
/// named belong to no KEP. It must not look as if all was well.
fn looked_at_nothing(project: &Project, left_out: LeftOut, paths: &[PathBuf]) -> Option<Failure> {
    let filtered = left_out.failure(&project.terms.options.config.layout);
    if filtered.is_some() || !project.keps.is_empty() || project.skipped == 0 {
        return filtered;
    }
    let failure = Failure::new(match paths {
        [file] => format!("{} is not part of a KEP", named(file)),
        _ => "none of these files is part of a KEP".to_owned(),
    });
    Some(failure.help("name a directory of KEPs, a KEP, or a file in one"))
}

/// The KEPs that the paths mean. Where a path does not exist, a command may be meant: fails if the first
/// one is that.
fn find(plan: &Plan) -> Result<Discovery, Failure> {
    let source_of = |path: &Path| -> Source {
        let given = plan.unsaved.clone().or_else(|| plan.scope.as_ref()?.source());
        laid_out(given.unwrap_or_else(|| disk::around(path)), &plan.terms.options.config.layout)
    };
    let preset = plan.terms.options.selection.preset;
    let mut discovery = match &plan.arguments.stdin_filename {
        Some(file) => stdin::discover_around(file, preset, &source_of),
        None => discover(&plan.paths, preset, &source_of),
    };
    for index in std::mem::take(&mut discovery.missing) {
        let Some(failure) = discovery.failures.get_mut(index) else { continue };
        let Some(command) = failure.path.as_deref().and_then(Command::meant) else { continue };
        failure.help = Some(command);
        let first = plan.arguments.paths.first().and_then(|path| path.to_str());
        if first == failure.path.as_deref() {
            return Err(failure.clone());
        }
    }
    let setting = plan.config.as_ref().and_then(|file| Some((file, file.config.documents.as_ref()?)));
    for index in std::mem::take(&mut discovery.unmatched) {
        if let (Some((file, setting)), Some(failure)) = (setting, discovery.failures.get_mut(index)) {
            *failure = file.of_setting(failure.clone(), setting);
        }
    }
    if let Some((name, is_gone)) = plan.without_layout().filter(|_| discovery.keps.is_empty()) {
        let (does, help) = if is_gone {
            ("removes", "keep it: its key `documents` says where the proposals are")
        } else {
            ("touches", "say in its key `documents` where the proposals are")
        };
        let failure = Failure::new(format!("no proposal is found, and this change {does} the configuration `{name}`"));
        return Err(failure.help(help));
    }
    Ok(discovery)
}

fn opened(plan: &Plan, found: Discovery) -> Result<Project, Failure> {
    let scope = plan.scope.as_ref();
    let mut project = Project::open(plan.terms.clone(), found);
    project.take_strangers(scope.is_some() || plan.arguments.is_hook);
    find_release(&mut project, scope)?;
    Ok(project)
}

pub fn choose(plan: &mut Plan, project: &mut Project) -> Result<LeftOut, Failure> {
    let Plan { arguments, config, scope, terms, .. } = plan;
    project.choose(Choice {
        config: config.as_mut(),
        // A configuration of another version may be about SIGs that are gone now.
        knows_sigs: scope.as_ref().is_none_or(|scope| scope.configuration_name().is_none()),
        has_excluded: arguments.no_exclude || project.terms.options.selection.preset == Preset::Upstream,
        filter: &arguments.filters.filter(&terms.options.config.layout)?,
    })
}

pub fn find_release(project: &mut Project, scope: Option<&Scope>) -> Result<(), Failure> {
    let Project { repositories, terms, failures, .. } = project;
    match scope {
        Some(scope) => failures.extend(scope.decide(repositories, &terms.options).err()),
        None => tell_by_default_branch(repositories, &terms.options),
    }
    failures.append(&mut repositories.failures);
    scope.and_then(Scope::failure).map_or(Ok(()), Err)
}

/// The release that a question about KEPs that are named means, with a stage ahead that for which `promote` plans each of
/// them today; `None` if it is not the same for all.
fn plan_ahead(project: &mut Project) -> Result<Option<Meant>, Failure> {
    let Project { keps, repositories, terms: Terms { options, .. }, .. } = project;
    if keps.iter().any(|kep| kep.is_searched) || keps.len() > 1 && options.stage.is_none() {
        return Ok(None);
    }
    options.today = Some(on_day(today::time()?));
    let mut meant = keps.iter().map(|kep| {
        let metadata = kep_files::metadata(kep);
        options.release_asked(repositories.of(kep), metadata.as_ref(), options.stage, options.today)
    });
    let first = meant.next();
    Ok(first.filter(|first| meant.all(|other| other == *first)))
}

/// As many threads as `--jobs` says, but no more than there are KEPs.
pub fn threads(jobs: Option<u16>, keps: usize) -> Result<ThreadPool, Failure> {
    let jobs = jobs.map_or(0, |jobs| usize::from(jobs).min(keps.max(1)));
    let pool = ThreadPoolBuilder::new().num_threads(jobs).stack_size(bounds::STACK_BYTES).build();
    pool.map_err(|error| Failure::new(format!("cannot start threads: {error}")).help("lower `--jobs`"))
}
