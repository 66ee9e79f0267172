//! `kep-lint list`: a line per KEP. Findings are those of `check`, open sections and who has to act
//! those of `ready`.

use super::args::commands::{Key, ListArguments};
use super::check::threads;
use super::destination::{self, Target};
use super::outcome::Outcome;
use super::template::load_all;
use super::{error, output, paths, screen};
use crate::diagnostic::{Failure, counted};
use crate::kep::Kep;
use crate::lint::panics::caught;
use crate::lint::report::KepReport;
use crate::lint::{Options, Run};
use crate::report::Summary;
use crate::report::list::{FORMATS, List, ListedKep};
use crate::report::look::Look;
use crate::rules::preset::Preset;
use crate::stage::Phase;
use crate::workspace::config_file::{self, ConfigFile};
use crate::workspace::directory::KepDirectory;
use crate::workspace::discover::discover;
use crate::workspace::files::disk;
use crate::workspace::git::last_changes;
use crate::workspace::kep_files::read_kep;
use crate::workspace::pool::each;
use crate::workspace::project::{Choice, Project, Terms};
use crate::workspace::tip::tell_by_default_branch;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::{self, IsTerminal};

pub fn run(arguments: &ListArguments) -> Result<Outcome, Failure> {
    let wanted = arguments.config.wanted();
    let paths = paths::all(&arguments.paths, &wanted);
    let inputs = || paths::of_configuration(&paths, &wanted).into_iter().chain(paths.iter().cloned()).collect();
    let mut outputs = destination::open(&arguments.format, inputs)?;
    if outputs.is_empty() {
        outputs.extend(FORMATS.first().map(|format| (format, Target::Stdout)));
    }
    let mut config = config_file::find(&paths, &wanted, &disk::around).map_err(error::first)?;
    let own = config.as_ref().map(ConfigFile::templates).transpose()?.unwrap_or_default();
    let options =
        Options { config: config.as_ref().map(|it| it.config.clone()).unwrap_or_default(), ..Options::default() };
    let layout = options.config.layout.clone();
    let terms = Terms { options, ..load_all(&own, &layout, &disk::around)? };
    let mut project = Project::open(terms, discover(&paths, Preset::default(), &disk::with_layout(&layout)));
    tell_by_default_branch(&mut project.repositories, &project.terms.options);
    let filter = arguments.filters.filter(&layout)?;
    let choice =
        Choice { config: config.as_mut(), knows_sigs: true, has_excluded: arguments.no_exclude, filter: &filter };
    let left_out = project.choose(choice).map_err(|failure| layout.said(failure))?;
    let (run, mut list) = threads(None, project.keps.len())?.install(|| listed(&project));
    sort(&mut list.keps, arguments.sort);
    if list.keps.is_empty() {
        let none = || Failure::new("there is no KEP to list").help("name a directory of KEPs");
        let nothing = || left_out.failure(&layout).unwrap_or_else(none);
        let failure = if run.failures.is_empty() { nothing() } else { error::first(run.failures) };
        return Err(layout.said(failure));
    }
    let look = look(arguments);
    outputs.into_iter().try_for_each(|(format, target)| target.write(&look, |look| (format.render)(&list, look)))?;
    output::note(&format!("{}{}", counted(list.keps.len(), layout.name(), &layout.names()), left_out.words(&layout)));
    Ok(error::outcome(&run.failures))
}

/// Sorts KEPs by a key, and what is equal by number.
fn sort(keps: &mut [ListedKep], key: Key) {
    let number = |kep: &ListedKep| kep.about.number.as_ref()?.parse::<u64>().ok();
    keps.sort_by_cached_key(|kep| (number(kep), kep.name()));
    match key {
        Key::Number => {}
        Key::Title => keps.sort_by_cached_key(|kep| Some(kep.about.title.as_ref()?.to_lowercase())),
        Key::Sig => keps.sort_by(|one, other| one.about.owner().cmp(&other.about.owner())),
        Key::Stage => keps.sort_by_key(|kep| kep.stage),
        Key::Status => keps.sort_by(|one, other| one.about.status.cmp(&other.about.status)),
        Key::Milestone => keps.sort_by_cached_key(|kep| Reverse(kep.milestone())),
        Key::Changed => keps.sort_by_key(|kep| Reverse(kep.changed)),
        Key::Open => keps.sort_by_key(|kep| Reverse(kep.open())),
        Key::Findings => keps.sort_by_key(|kep| Reverse(kep.findings)),
    }
}

/// In a log, nothing is cut.
fn look(arguments: &ListArguments) -> Look {
    let width = if io::stdout().is_terminal() { screen::width() } else { screen::width_or(usize::MAX) };
    let color = screen::has_color(arguments.color);
    Look { width, color, frames: screen::shows_frames(), ..Look::default() }
}

fn listed(project: &Project) -> (Run, List) {
    let run = project.check();
    let reports: HashMap<&str, &KepReport> =
        run.reports.iter().filter_map(|report| Some((report.kep.as_deref()?, report))).collect();
    let roots = project.repositories.roots();
    let days: HashMap<_, _> = roots.flat_map(last_changes::of_tree).collect();
    let list_kep = |kep: &KepDirectory| {
        let report = reports.get(kep.shown.as_str())?;
        let target = report.target?;
        let layout = &project.terms.options.config.layout;
        let has_kinds = layout.documents().is_some_and(|documents| documents.patterns.len() > 1);
        let is_asked = layout.is_of_keps() && matches!(target.phase, Phase::Provisional | Phase::Active);
        let judge = || project.judge(kep, Kep::parse(read_kep(kep).texts), None);
        let judged = || caught("judge", &kep.shown, judge).ok();
        Some(ListedKep {
            directory: kep.shown.clone(),
            about: report.about.clone()?,
            file: kep.shown.rsplit('/').next().filter(|_| has_kinds).map(str::to_owned),
            stage: target.own_stage,
            changed: days.get(&kep.real).copied(),
            findings: Summary::of_report(report),
            checklist: if is_asked { judged() } else { None },
        })
    };
    let keps = each(&project.keps, list_kep).into_iter().flatten().collect();
    let list = List { meant: run.meant, layout: run.layout.clone(), keps };
    (run, list)
}
