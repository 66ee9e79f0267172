//! `kep-lint [check] [PATHS]…`: the main job.

use super::args::CheckArguments;
use super::directory::KepDirectory;
use super::discover::{Discovery, discover};
use super::error::Failure;
use super::files::{KepTexts, Origin};
use super::fixing::{self, Tally};
use super::output::Outputs;
use super::repository::{self, Repositories};
use super::{Outcome, bounds, caught, files, output, print, template};
use crate::diagnostic::{Safety, Severity};
use crate::fix::{Fixed, fix};
use crate::kep::Texts;
use crate::lint::{KepReport, Listing, Options, Run, lint, lint_links, lint_repository, lint_template};
use crate::report::{self, Summary, counted};
use crate::rules::select::{Selection, UnknownName};
use crate::source::SourceFile;
use crate::template::Template;
use crate::yaml;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::path::Path;

/// Checks the KEPs that the arguments name, and fixes them where that is asked for.
pub fn run(arguments: &CheckArguments) -> Result<Outcome, Failure> {
    let selection = Selection::new(&arguments.select, &arguments.ignore).map_err(unknown_name)?;
    let listing = if arguments.fixes().is_some() { Listing::Whole } else { Listing::Short };
    let options = Options { stage: arguments.stage, release: arguments.release, selection, listing };
    let template = template::load(arguments.template.as_deref())?;
    let outputs = Outputs::open(&arguments.output)?;
    let Discovery { keps, walks, passed_over, mut failures, .. } = discover(&arguments.paths);
    let pool = threads(arguments.jobs, keps.len())?;
    let repositories = pool.install(|| repository::collect(&keps, &walks));
    drop(walks);
    failures.extend_from_slice(&repositories.failures);
    let job = Job { template: &template, repositories: &repositories, options: &options, fixes: arguments.fixes() };
    let checked = pool.install(|| job.check_all(&keps));
    let mut tally = Tally::default();
    let mut run = Run::default();
    run.reports.extend(repositories.iter().flat_map(|repository| lint_repository(repository, &options)));
    for (kep, (checked, problems)) in keps.iter().zip(checked) {
        failures.extend(problems);
        run.reports.extend(match checked {
            Checked::Failed => None,
            Checked::Linted(report) => Some(report),
            Checked::Fixed(fixed, places) => {
                failures.extend(fixing::complaints(&fixed));
                if arguments.diff {
                    tally.show(&fixed, output::diff_look(&arguments.output));
                    Some(fixed.before)
                } else {
                    let unwritten = tally.write(&fixed, &places, &kep.edge);
                    let is_written = unwritten.is_empty();
                    failures.extend(unwritten);
                    let mut report = if is_written { fixed.after } else { job.lint(kep, files::read_kep(kep).texts) };
                    report.fold();
                    report.drop_unused_texts();
                    Some(report)
                }
            }
        });
    }
    lint_links(&mut run.reports);
    if arguments.diff {
        failures.extend(print(&tally.diff).err());
        Failure::print_all(&failures);
        if tally.altered > 0 {
            let lines = counted(tally.altered, "line", "lines");
            let note = format!(
                "{lines} of the diff would steer a terminal or a log, and show `?` instead: apply with `--fix`"
            );
            output::close(&note, &arguments.output);
        }
        output::close(&format!("would fix {}", tally.words()), &arguments.output);
        return Ok(match (failures.is_empty(), tally.is_empty()) {
            (false, _) => Outcome::Incomplete,
            (true, false) => Outcome::Findings,
            (true, true) => Outcome::Clean,
        });
    }
    let own = lint_template(&template, Severity::Warning, &options);
    if !own.diagnostics.is_empty() {
        run.reports.insert(0, own);
    }
    failures.extend(outputs.write(&run));
    Failure::print_all(&failures);
    let (keps, files) = (report::kep_count(&run), report::file_count(&run));
    let closing_line = Summary::of(&run).closing_line(keps, files, passed_over);
    let fixed = if arguments.fix { format!("; fixed {}", tally.words()) } else { String::new() };
    output::close(&format!("{closing_line}{fixed}"), &arguments.output);
    if let Some(offer) = fixing::offer(&run, arguments.riskiest()) {
        output::close(&offer, &arguments.output);
    }
    Ok(if failures.is_empty() { output::outcome(&run, &arguments.output) } else { Outcome::Incomplete })
}

/// What is done with each KEP.
struct Job<'a> {
    template: &'a Template,
    repositories: &'a Repositories,
    options: &'a Options,
    /// The riskiest fixes that are applied; none: nothing is fixed.
    fixes: Option<Safety>,
}

/// As many threads as are asked for, but no more than there are KEPs.
fn threads(jobs: Option<u16>, keps: usize) -> Result<ThreadPool, Failure> {
    let jobs = jobs.map_or(0, |jobs| usize::from(jobs).min(keps.max(1)));
    let pool = ThreadPoolBuilder::new().num_threads(jobs).stack_size(bounds::STACK_BYTES).build();
    pool.map_err(|error| Failure::new(format!("cannot start threads: {error}")).help("lower `--jobs`"))
}

enum Checked {
    /// The KEP could not be checked.
    Failed,
    Linted(KepReport),
    Fixed(Box<Fixed>, Vec<Origin>),
}

impl Job<'_> {
    fn check_all(&self, keps: &[KepDirectory]) -> Vec<(Checked, Vec<Failure>)> {
        let check = |kep: &KepDirectory| {
            caught("check", &kep.given, || self.check(kep)).unwrap_or_else(|failure| (Checked::Failed, vec![failure]))
        };
        keps.par_iter().map(check).collect()
    }

    fn check(&self, kep: &KepDirectory) -> (Checked, Vec<Failure>) {
        let KepTexts { texts, places, mut failures, .. } = files::read_kep(kep);
        let lint = |texts| self.lint(kep, texts);
        let fixed = self.fixes.map(|allowed| fix(&texts, allowed, &lint));
        let checked = match fixed {
            None => {
                let mut report = lint(texts);
                failures.extend(too_deep(&report));
                report.drop_unused_texts();
                Checked::Linted(report)
            }
            Some(fixed) => {
                failures.extend(too_deep(&fixed.after));
                Checked::Fixed(Box::new(fixed), places)
            }
        };
        (checked, failures)
    }

    fn lint(&self, kep: &KepDirectory, texts: Texts) -> KepReport {
        lint(texts, self.template, self.repositories.of(kep), self.options)
    }
}

/// The files of a KEP that were not read whole.
fn too_deep(report: &KepReport) -> Vec<Failure> {
    let files = report.too_deep.iter().filter_map(|file| report.files.get(file.index()));
    let failure = |file: &SourceFile| {
        let reason = format!("it is nested more than {} levels deep", yaml::tree::MAX_DEPTH);
        Failure::of("read all of", Path::new(&file.path), &reason).help("write it flatter")
    };
    files.map(failure).collect()
}

/// A name that no rule and no category has, with the way out.
pub fn unknown_name(error: UnknownName) -> Failure {
    let help = match error.nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "see `kep-lint rules` for all names".to_owned(),
    };
    if error.name.trim().is_empty() {
        return Failure::new("the name of a rule or category is empty").help(help);
    }
    Failure::new(format!("there is no rule or category `{}`", error.name)).help(help)
}
