//! What a run of `check` is to do, before any KEP is looked for: the arguments, completed by the configuration.

use super::args::CheckArguments;
use super::option_values::Threshold;
use super::paths::STDIN;
use super::stdin;
use super::{paths, template as templates};
use crate::config::values::Config;
use crate::diagnostic::{Failure, named};
use crate::lint::Options;
use crate::lint::ignoring::IgnoreComments;
use crate::rules::select::{Selection, UnknownName};
use crate::workspace::change::{self, Scope};
use crate::workspace::config_file::{self, ConfigFile};
use crate::workspace::files::unsaved::Unsaved;
use crate::workspace::files::{Source, disk};
use crate::workspace::terms::Terms;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub struct Plan {
    pub arguments: CheckArguments,
    pub paths: Vec<PathBuf>,
    /// The text on standard input, if that is what is checked.
    pub unsaved: Option<Arc<Unsaved>>,
    pub config: Option<ConfigFile>,
    /// How each KEP is checked, by the template that the arguments or the configuration name, or else the built-in one.
    pub terms: Terms,
    /// What the run is compared with, if it is about a change.
    pub scope: Option<Scope>,
}

impl Plan {
    /// Reads the configuration and the template. Fails if something of that cannot be read, or does not fit together.
    pub fn of(user_arguments: &CheckArguments) -> Result<Self, Vec<Failure>> {
        let one = |failure: Failure| vec![failure];
        let mut arguments = user_arguments.clone();
        arguments.stdin_filename = arguments.stdin_filename.as_deref().map(paths::meant_file);
        let unsaved = stdin::read(&arguments).map_err(one)?.map(Arc::new);
        let paths = arguments.stdin_filename.as_ref().map_or_else(|| paths(&arguments), |file| vec![file.clone()]);
        let wanted = arguments.comparison();
        let mut scope = wanted.map(|wanted| change::of(&wanted, &paths)).transpose().map_err(one)?;
        if let Some(scope) = &scope {
            let files = arguments.config.config.iter_mut().chain(&mut arguments.template);
            files.for_each(|path| *path = scope.place(path));
        }
        let mut named: Vec<PathBuf> = arguments.config.config.iter().chain(&arguments.template).cloned().collect();
        let deciding = DecidingFiles { scope: scope.as_ref() };
        let source_of = |path: &Path| deciding.source(path);
        let config = match deciding.known(arguments.config.config.take()).map_err(one)? {
            None if user_arguments.config.config.is_some() => None,
            config => {
                arguments.config.config = config;
                config_file::find(&paths, &arguments.config.wanted(), &source_of)
                    .map_err(|failures| deciding.of_version(failures))?
            }
        };
        let is_unusual = arguments.release.is_some() || arguments.template.is_some();
        if let Some(file) = &config {
            complete(&mut arguments, file).map_err(one)?;
        }
        named.extend(arguments.template.clone());
        named.extend(config.as_ref().map(ConfigFile::gates).transpose().map_err(one)?.flatten());
        arguments.template = deciding.known(arguments.template.take()).map_err(one)?;
        let template = templates::load_for_check(arguments.template.as_deref(), &source_of).map_err(one)?;
        let options = options(&arguments, config.as_ref(), is_unusual).map_err(one)?;
        if let Some(scope) = &mut scope {
            scope.share(named.iter()).map_err(one)?;
        }
        let terms = Terms { options, template, prefers_own: arguments.template.is_none() };
        Ok(Self { arguments, paths, unsaved, config, terms, scope })
    }
}

/// Where the files are that decide what is asked.
struct DecidingFiles<'a> {
    scope: Option<&'a Scope>,
}

impl DecidingFiles<'_> {
    /// Where a file is read: in the base, if that decides; as it is staged, if that is checked; else on disk.
    fn source(&self, path: &Path) -> Source {
        let base = self.scope.and_then(|scope| scope.configuration(path));
        let staged = || self.scope.and_then(|scope| scope.source().filter(|source| source.kind(path).is_some()));
        base.or_else(staged).unwrap_or_else(|| disk::around(path))
    }

    /// A file that options or the configuration name. What the base does not have is not taken from the change: the
    /// defaults count then. Fails if it is not of the change either.
    fn known(&self, path: Option<PathBuf>) -> Result<Option<PathBuf>, Failure> {
        let Some((path, scope)) = path.as_ref().zip(self.scope) else { return Ok(path) };
        match scope.configuration(path) {
            Some(base) if base.kind(path).is_none() && scope.has_touched(path) => Ok(None),
            Some(base) if base.kind(path).is_none() => {
                let version = scope.configuration_name().unwrap_or_default();
                let failure = Failure::of("read", path, &format!("{} does not have it", named(Path::new(&version))));
                Err(failure.help("name a file of that version, or one outside of the repository"))
            }
            _ => Ok(Some(path.clone())),
        }
    }

    /// The failures, with the version that their files are of, if that is not the one that is checked.
    fn of_version(&self, mut failures: Vec<Failure>) -> Vec<Failure> {
        if let Some(version) = self.scope.and_then(Scope::configuration_name) {
            failures.iter_mut().for_each(|failure| failure.message += &format!(" (in the version {version})"));
        }
        failures
    }
}

/// Adds the values of the configuration file where the command line has none.
fn complete(arguments: &mut CheckArguments, file: &ConfigFile) -> Result<(), Failure> {
    let Config { preset, fail_on, level, .. } = &file.config;
    if arguments.template.is_none() {
        arguments.template = file.template()?;
    }
    arguments.preset = arguments.preset.or(preset.as_ref().map(|setting| setting.value));
    let fail_on = fail_on.as_ref().map(|setting| Threshold(setting.value));
    arguments.output.fail_on = arguments.output.fail_on.or(fail_on);
    if !arguments.names_rule() {
        arguments.output.level = arguments.output.level.or(level.as_ref().map(|setting| setting.value));
    }
    Ok(())
}

pub fn paths(arguments: &CheckArguments) -> Vec<PathBuf> {
    let meant = |path: &PathBuf| if path.as_os_str() == STDIN { path.clone() } else { paths::meant(path) };
    if arguments.paths.is_empty() { vec![paths::here()] } else { arguments.paths.iter().map(meant).collect() }
}

/// The files and directories that the arguments and the configuration name.
pub fn inputs(arguments: &CheckArguments) -> Vec<PathBuf> {
    let CheckArguments { template, config, stdin_filename, .. } = arguments;
    let mut inputs = paths(arguments);
    inputs.extend(stdin_filename.clone());
    let named = [template, &config.config].into_iter().flatten();
    inputs.extend(paths::of_configuration(&inputs, &config.wanted()).into_iter().chain(named.cloned()));
    inputs
}

pub fn selection(arguments: &CheckArguments) -> Result<Selection, Failure> {
    Selection::new(&arguments.select, &arguments.ignore).map_err(UnknownName::failure)
}

fn options(arguments: &CheckArguments, config: Option<&ConfigFile>, is_unusual: bool) -> Result<Options, Failure> {
    let selection = selection(arguments)?.with(arguments.preset.unwrap_or_default());
    let ignores = IgnoreComments::of_run(selection.preset(), is_unusual);
    let config = config.map(|file| file.config.clone()).unwrap_or_default();
    let CheckArguments { stage, release, .. } = *arguments;
    Ok(Options { stage, release, selection, config, baseline: None, ignores })
}
