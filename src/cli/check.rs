//! `kep-lint [check] [PATHS]…`: the main job.

use super::args::CheckArguments;
use super::discover::{Discovery, KepDirectory, discover};
use super::error::Failure;
use super::tree::{self, Trees};
use super::{Outcome, files, output, template};
use crate::diagnostic::Severity;
use crate::lint::{KepReport, Options, Run, lint, lint_template, lint_tree};
use crate::report::{self, Summary};
use crate::rules::{Selection, UnknownName};
use crate::template::Template;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Checks the KEPs that the arguments name.
pub fn run(arguments: &CheckArguments) -> Result<Outcome, Failure> {
    output::validate(&arguments.output)?;
    let selection = Selection::new(&arguments.select, &arguments.ignore).map_err(unknown_name)?;
    let options = Options { stage: arguments.stage, release: arguments.release, selection };
    let template = template::load(arguments.template.as_deref())?;
    let Discovery { keps, walks, passed_over, mut failures } = discover(&arguments.paths);
    let pool = threads(arguments.jobs)?;
    let trees = pool.install(|| tree::collect(&keps, &walks));
    failures.extend_from_slice(&trees.failures);
    let checked = pool.install(|| check_all(&keps, &template, &trees, &options));
    let mut run = Run::default();
    run.reports.extend(trees.iter().flat_map(|tree| lint_tree(tree, &options)));
    for (report, problems) in checked {
        run.reports.push(report);
        failures.extend(problems);
    }
    let own = lint_template(&template, Severity::Warning, &options);
    if !own.diagnostics.is_empty() {
        run.reports.insert(0, own);
    }
    output::write(&run, &arguments.output)?;
    failures.iter().for_each(Failure::print);
    let (keps, files) = (report::kep_count(&run), report::file_count(&run));
    output::close(&Summary::of(&run).closing_line(keps, files, passed_over), &arguments.output);
    Ok(if failures.is_empty() { output::outcome(&run, &arguments.output) } else { Outcome::Incomplete })
}

type Checked = (KepReport, Vec<Failure>);

fn check_all(keps: &[KepDirectory], template: &Template, trees: &Trees, options: &Options) -> Vec<Checked> {
    let check = |kep: &KepDirectory| {
        let (texts, failures) = files::read_kep(kep);
        (lint(texts, template, trees.of(kep), options), failures)
    };
    keps.par_iter().map(check).collect()
}

fn threads(jobs: Option<u16>) -> Result<ThreadPool, Failure> {
    let pool = ThreadPoolBuilder::new().num_threads(jobs.unwrap_or_default().into()).build();
    pool.map_err(|error| Failure::new(format!("cannot start threads: {error}")).help("lower `--jobs`"))
}

/// A name that no rule and no category has, with the way out.
pub fn unknown_name(error: UnknownName) -> Failure {
    let help = match error.nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "see `kep-lint rules` for all names".to_owned(),
    };
    Failure::new(format!("there is no rule or category `{}`", error.name)).help(help)
}
