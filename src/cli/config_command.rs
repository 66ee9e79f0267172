//! `kep-lint config`: shows the configuration that applies, writes a first file, and prints the schema.

use super::args::ConfigCommand;
use super::options::ConfigArguments;
use super::outcome::Outcome;
use super::print::print;
use super::write::together::{self, Change};
use super::{error, output, paths, screen, template};
use crate::config::{NAMES, initial, json_schema};
use crate::diagnostic::{Failure, named};
use crate::kep::directory::{TREE, has_groups};
use crate::lint::{Options, Run};
use crate::report::{printable, settings};
use crate::rules::preset::Preset;
use crate::workspace::config_file::{self, ConfigFile};
use crate::workspace::discover::discover;
use crate::workspace::edge::Edge;
use crate::workspace::files::disk;
use crate::workspace::files::opened::or_here;
use crate::workspace::project::Project;
use crate::workspace::terms::Terms;
use crate::workspace::tip::tell_by_default_branch;
use std::path::{Path, PathBuf};

pub fn run(command: &ConfigCommand) -> Result<Outcome, Failure> {
    match command {
        ConfigCommand::Show { paths, config } => show(paths, config),
        ConfigCommand::Init { directory } => init(directory.as_deref()),
        ConfigCommand::Schema => {
            print(&json_schema())?;
            Ok(Outcome::Clean)
        }
    }
}

fn show(paths: &[PathBuf], arguments: &ConfigArguments) -> Result<Outcome, Failure> {
    let paths = &paths::all(paths);
    let file = match config_file::find(paths, &arguments.wanted(), &disk::around) {
        Ok(file) => file,
        Err(failures) => {
            error::print_all(&failures);
            return Ok(Outcome::Incomplete);
        }
    };
    let config = file.as_ref().map(|file| file.config.clone()).unwrap_or_default();
    let discovery = discover(paths, Preset::default(), &disk::with_layout(&config.layout));
    if !discovery.failures.is_empty() {
        error::print_all(&discovery.failures);
        return Ok(Outcome::Incomplete);
    }
    let options = Options { config, ..Options::default() };
    let Project { keps, mut repositories, terms, .. } = Project::open(Terms { options, ..Terms::default() }, discovery);
    tell_by_default_branch(&mut repositories, &terms.options);
    let run = Run::new(&terms.options, repositories.iter().next());
    let repository =
        repositories.iter().find(|repository| repository.template.is_some()).or(repositories.iter().next());
    let path = file.as_ref().map(|file| file.path.as_str());
    if let Some(file) = &file {
        // A run with a template or names that cannot be used would fail.
        template::load_for_check(file.template()?.as_deref(), &disk::around)?;
        file.check_sigs(&keps, &repositories)?;
    }
    print(&settings::table(path, &terms.options.config, &run, repository).fitted(screen::width()))?;
    file.iter().flat_map(ConfigFile::gone).for_each(|line| output::note(&line));
    Ok(Outcome::Clean)
}

/// Writes a configuration file into a directory, or else into the root of the repository around the working directory.
fn init(directory: Option<&Path>) -> Result<Outcome, Failure> {
    let directory = directory.map_or_else(root, Path::to_owned);
    let files = NAMES.map(|name| directory.join(name));
    if let Some(file) = files.iter().find(|file| file.symlink_metadata().is_ok()) {
        let failure = Failure::new(format!("{} exists", named(file))).at(file);
        return Err(failure.help("edit it, or remove it first"));
    }
    let [file, _] = files;
    let source = disk::around(&directory);
    let keps = source.names(&directory.join(TREE));
    let text = initial::text(keps.is_empty() || has_groups(keps.iter()));
    if !or_here(&directory).is_dir() {
        let failure = Failure::of("write", &file, &format!("there is no directory {}", named(&directory)));
        return Err(failure.help("make the directory first"));
    }
    let Some(edge) = source.edge() else { return Err(Failure::new("a configuration is written only on disk")) };
    together::write(&[Change { given: file.clone(), before: None, after: text }], edge)?;
    print(&format!("wrote {}\n", printable(&named(&file))))?;
    Ok(Outcome::Clean)
}

/// The root of the repository around the working directory, as the user would write it.
fn root() -> PathBuf {
    let here = Path::new(".");
    let edge = Edge::around(here);
    let here = here.canonicalize().unwrap_or_default();
    let depth = here.strip_prefix(edge.root()).map_or(0, |way| way.components().count());
    std::iter::repeat_n("..", depth).collect()
}
