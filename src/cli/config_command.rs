//! `kep-lint config`: shows the configuration that applies, writes a first file, and prints the schema.

use super::args::ConfigCommand;
use super::options::ConfigArguments;
use super::outcome::Outcome;
use super::print::print;
use super::{config_init, error, output, paths, screen, template};
use crate::config::json_schema;
use crate::diagnostic::Failure;
use crate::lint::{Options, Run};
use crate::report::settings;
use crate::rules::preset::Preset;
use crate::workspace::config_file::{self, ConfigFile};
use crate::workspace::discover::discover;
use crate::workspace::files::disk;
use crate::workspace::project::{Project, Terms};
use crate::workspace::tip::tell_by_default_branch;
use std::path::PathBuf;

pub fn run(command: &ConfigCommand) -> Result<Outcome, Failure> {
    match command {
        ConfigCommand::Show { paths, config } => show(paths, config),
        ConfigCommand::Init { directory, print } => config_init::run(directory.as_deref(), *print),
        ConfigCommand::Schema => {
            print(&json_schema())?;
            Ok(Outcome::Clean)
        }
    }
}

fn show(paths: &[PathBuf], arguments: &ConfigArguments) -> Result<Outcome, Failure> {
    let wanted = arguments.wanted();
    let paths = &paths::all(paths, &wanted);
    let file = match config_file::find(paths, &wanted, &disk::around) {
        Ok(file) => file,
        Err(failures) => return Ok(error::outcome(&failures)),
    };
    let config = file.as_ref().map(|file| file.config.clone()).unwrap_or_default();
    let discovery = discover(paths, Preset::default(), &disk::with_layout(&config.layout));
    if !discovery.failures.is_empty() {
        return Ok(error::outcome(&discovery.failures));
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
        template::load_all(&file.templates()?, &file.config.layout, &disk::around)?;
        file.check_sigs(&keps, &repositories)?;
    }
    print(&settings::table(path, &terms.options.config, &run, repository).fitted(screen::width()))?;
    file.iter().flat_map(ConfigFile::gone).for_each(|line| output::note(&line));
    Ok(Outcome::Clean)
}
