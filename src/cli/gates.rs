//! `kep-lint gates [NAME|KEP]…`: what the list of feature gates says.

mod import;

use super::args::commands::{GatesArguments, GatesCommand};
use super::options::ConfigArguments;
use super::outcome::Outcome;
use super::print::print;
use super::{error, paths, screen};
use crate::config::values::Config;
use crate::diagnostic::{Failure, brief, counted, named};
use crate::gates::gate::is_name;
use crate::gates::{Gates, Newest};
use crate::kep::Kep;
use crate::lint::Options;
use crate::lint::templates::Templates;
use crate::ready::answer::Detail;
use crate::ready::{self, case::Ask};
use crate::report::printable;
use crate::report::wrap::wrapped;
use crate::repository::Repository;
use crate::rules::preset::Preset;
use crate::suggest;
use crate::workspace::config_file::{self, ConfigFile};
use crate::workspace::directory::KepDirectory;
use crate::workspace::discover::discover;
use crate::workspace::files::disk;
use crate::workspace::kep_files::{KepTexts, read_kep};
use crate::workspace::meant::Reference;
use crate::workspace::project::{Project, Terms};
use crate::workspace::tip::tell_by_default_branch;
use std::path::{Path, PathBuf};

pub fn run(arguments: &GatesArguments) -> Result<Outcome, Failure> {
    if let Some(GatesCommand::Import(arguments)) = &arguments.command {
        return import::run(arguments);
    }
    let config = config(&[paths::here()], &arguments.config)?;
    let list = config.code.as_deref().unwrap_or(Gates::built_in());
    if arguments.names.is_empty() {
        print(&shown(&about(list)))?;
        return Ok(Outcome::Clean);
    }
    let mut failures = Vec::new();
    for name in &arguments.names {
        let lines = if is_gate(name, list) { gate(name, list) } else { keps(name, &arguments.config) };
        match lines {
            Ok(lines) => print(&lines.iter().map(|line| shown(line)).collect::<String>())?,
            Err(failure) => failures.push(failure),
        }
    }
    Ok(error::outcome(&failures))
}

/// A line as a terminal shows it, or as other programs read it.
fn shown(line: &str) -> String {
    wrapped(&printable(line), screen::width_or(usize::MAX), "", "  ") + "\n"
}

/// Whether it is the name of a gate, or could only be that.
fn is_gate(name: &str, list: &Gates) -> bool {
    let path = Path::new(name);
    list.find(name).is_some() || (is_name(name) && Reference::parse(path, "KEP").is_none() && !path.exists())
}

fn about(list: &Gates) -> String {
    let count = counted(list.iter().count(), "feature gate", "feature gates");
    let Newest { release, date, commit } = &list.newest;
    format!("{count}; complete up to {}; {release} as of {date} ({commit:.10})", list.last_final)
}

fn config(paths: &[PathBuf], arguments: &ConfigArguments) -> Result<Config, Failure> {
    let file = config_file::find(paths, &arguments.wanted(), &disk::around).map_err(error::first)?;
    // Without a list of its own, a project has none of the gates that are built in.
    file.as_ref().filter(|file| file.config.code.is_none()).map_or(Ok(()), ConfigFile::only_keps)?;
    Ok(file.map(|file| file.config).unwrap_or_default())
}

fn gate(name: &str, list: &Gates) -> Result<Vec<String>, Failure> {
    if let Some(gate) = list.find(name) {
        return Ok(vec![list.describe(&gate)]);
    }
    let near = list.near(name).next().map(|gate| gate.name);
    let meant = near.or_else(|| suggest::nearest(name, list.names()).map(str::to_owned));
    let failure = Failure::new(format!("no feature gate `{}` in the list of {}", brief(name), list.as_of()));
    Err(failure.help(match meant {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "name a feature gate, or a KEP by its number or directory".to_owned(),
    }))
}

fn keps(name: &str, arguments: &ConfigArguments) -> Result<Vec<String>, Failure> {
    let paths = &[paths::meant(Path::new(name))];
    let config = config(paths, arguments)?;
    let found = discover(paths, Preset::default(), &disk::around);
    if !found.failures.is_empty() {
        return Err(error::first(found.failures));
    }
    if found.keps.is_empty() {
        let failure = Failure::new(format!("no KEP in {}", named(Path::new(name))));
        return Err(failure.help("name a KEP by its number or directory"));
    }
    let options = Options { config, ..Options::default() };
    let mut project = Project::open(Terms { options, ..Terms::default() }, found);
    tell_by_default_branch(&mut project.repositories, &project.terms.options);
    let templates = project.templates();
    let mut lines = Vec::new();
    for directory in &project.keps {
        let repository = project.repositories.of(directory);
        lines.extend(kep(directory, &templates, repository, &project.terms.options)?);
    }
    Ok(lines)
}

/// The same as the evidence of `kep-lint ready`.
fn kep(
    directory: &KepDirectory,
    templates: &Templates<'_>,
    repository: &Repository,
    options: &Options,
) -> Result<Vec<String>, Failure> {
    let KepTexts { texts, failures, .. } = read_kep(directory);
    if let Some(failure) = failures.into_iter().next() {
        return Err(failure);
    }
    let kep = Kep::parse(texts);
    let metadata = kep.metadata.as_ref();
    if let Some(problem) = metadata.and_then(|metadata| metadata.tree.problems.first()) {
        let failure = Failure::of("read the gates of", &directory.given, &problem.message);
        return Err(failure.help("`kep-lint` shows where kep.yaml is wrong"));
    }
    let lists_any = metadata.is_some_and(|metadata| !metadata.feature_gates.is_empty());
    let release = options.release_planned(repository, metadata, None, None).release;
    let name = kep.number().map_or_else(|| directory.shown.clone(), |number| format!("KEP-{number}"));
    let checklist = ready::judge(kep, templates.for_keps_of(repository), repository, Ask::merged(None, release));
    let Some(answer) = checklist.answer("gates") else {
        return Ok(vec![match (lists_any, repository.list_of_gates().is_some()) {
            (false, _) => format!("{name} lists no feature gate"),
            (true, true) => format!("{name} lists no feature gate that could be in the list"),
            (true, false) => format!(
                "{name}: no list of feature gates is known here; name one with `feature-gates` in .kep-lint.yaml"
            ),
        }]);
    };
    let detail = |Detail { words, help, .. }: &Detail| {
        let help = help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
        format!("{name}: {words}{help}")
    };
    if answer.details.is_empty() {
        return Ok(vec![format!("{name}: {}", answer.words)]);
    }
    Ok(answer.details.iter().map(detail).collect())
}
