//! What a run of `check` is to do, before any KEP is looked for: the arguments, completed by the
//! configuration.

use super::args::CheckArguments;
use super::options::{ConfigArguments, Threshold};
use super::{paths, stdin, template as templates};
use crate::config::NAMES;
use crate::config::values::Config;
use crate::diagnostic::{Failure, named};
use crate::kep::layout::Layout;
use crate::lint::Options;
use crate::lint::ignoring::IgnoreComments;
use crate::rules::select::Selection;
use crate::workspace::change::{self, Scope};
use crate::workspace::config_file::{self, ConfigFile};
use crate::workspace::files::{Source, disk};
use crate::workspace::meant::meant_file;
use crate::workspace::project::Terms;
use std::path::{Path, PathBuf};

pub struct Plan {
    pub arguments: CheckArguments,
    pub paths: Vec<PathBuf>,
    /// The text on standard input, if that is what is checked.
    pub unsaved: Option<Source>,
    pub config: Option<ConfigFile>,
    /// How each KEP is checked, by the template that the arguments or the configuration name, or else the
    /// built-in one.
    pub terms: Terms,
    /// What the run is compared with, if it is about a change.
    pub scope: Option<Scope>,
}

impl Plan {
    /// Reads the configuration and the template. Fails if something of that cannot be read, or does not fit
    /// together.
    pub fn of(arguments: &CheckArguments) -> Result<Self, Vec<Failure>> {
        let name = arguments.stdin_filename.as_deref();
        let stdin_filename = name.map(|name| meant_file(name, &disk::around(name)));
        let arguments = CheckArguments { stdin_filename, ..arguments.clone() };
        let unsaved = stdin::read(&arguments)?;
        let mut paths = match &arguments.stdin_filename {
            Some(file) => vec![file.clone()],
            None => paths::all(&arguments.paths, &arguments.config.wanted()),
        };
        let mut scope = arguments.comparison().map(|wanted| change::of(&wanted, &paths)).transpose()?;
        let Named { config, templates: named, files } = Named::find(&arguments, &paths, scope.as_ref())?;
        let layout = config.as_ref().map(|file| file.config.layout.clone()).unwrap_or_default();
        // The configuration of the base may say that the proposals are elsewhere than on disk.
        let here = vec![paths::here_in(&layout)];
        if arguments.paths.is_empty() && arguments.stdin_filename.is_none() && paths != here {
            scope = arguments.comparison().map(|wanted| change::of(&wanted, &here)).transpose()?;
            paths = here;
        }
        let source_of = |path: &Path| source(scope.as_ref(), path);
        let failed = |failure| match &config {
            Some(file) => file.of_template(failure),
            None => failure,
        };
        let terms = templates::load_all(&named, &layout, &source_of).map_err(failed)?;
        let arguments = completed(arguments, config.as_ref());
        let options = options(&arguments, config.as_ref())?;
        if let Some(scope) = &mut scope {
            scope.lay_out(&options.config.layout);
            scope.share(files.iter())?;
        }
        Ok(Self { arguments, paths, unsaved, config, terms: Terms { options, ..terms }, scope })
    }

    /// The configuration file that the change touches, if that may be why no layout is known; and whether none is left.
    pub fn without_layout(&self) -> Option<(&'static str, bool)> {
        let scope = self.scope.as_ref().filter(|_| self.terms.options.config.layout.is_of_keps())?;
        let name = NAMES.into_iter().find(|name| scope.has_touched(Path::new(name)))?;
        Some((name, matches!(self.own_configuration(), Ok(None))))
    }

    /// The layout of the change, if that has one of its own, and the configuration is that of the base.
    pub fn new_layout(&self) -> Option<Layout> {
        self.scope.as_ref().and_then(Scope::configuration_name)?;
        let layout = self.own_configuration().ok()??.config.layout;
        Some(layout).filter(|layout| !layout.is_of_keps() && *layout != self.terms.options.config.layout)
    }

    /// Whether there is a configuration file, in the version that it is taken from or in the one that is checked.
    pub fn is_configured(&self) -> bool {
        self.config.is_some() || !matches!(self.own_configuration(), Ok(None))
    }

    /// The configuration of the version that is checked.
    fn own_configuration(&self) -> Result<Option<ConfigFile>, Vec<Failure>> {
        let staged = |path: &Path| self.scope.as_ref().and_then(Scope::source).unwrap_or_else(|| disk::around(path));
        config_file::find(&self.paths, &self.arguments.config.wanted(), &staged)
    }
}

/// What the arguments and the configuration name.
struct Named {
    config: Option<ConfigFile>,
    /// One for each kind of documents.
    templates: Vec<PathBuf>,
    /// All files that decide what is asked, also those that are not there.
    files: Vec<PathBuf>,
}

impl Named {
    fn find(arguments: &CheckArguments, paths: &[PathBuf], scope: Option<&Scope>) -> Result<Self, Vec<Failure>> {
        let place = |path: &PathBuf| scope.map_or_else(|| path.clone(), |scope| scope.place(path));
        let config_path = arguments.config.config.as_ref().map(place);
        let config = configuration(scope, &arguments.config, config_path.as_ref(), paths)?;
        let mut templates: Vec<PathBuf> = arguments.template.iter().map(place).collect();
        let mut gates = None;
        if let Some(file) = &config {
            if templates.is_empty() {
                templates = file.templates()?;
            }
            gates = file.gates()?;
        }
        let known = known(scope, templates.first())?;
        let files = config_path.into_iter().chain(gates).chain(templates.iter().cloned()).collect();
        // Without the first, the built-in one counts.
        Ok(Self { config, templates: known.map(|_| templates).unwrap_or_default(), files })
    }
}

/// Where a file is read that decides what is asked: in the base, if that decides; as it is staged, if that
/// is checked; else on disk.
fn source(scope: Option<&Scope>, path: &Path) -> Source {
    let base = scope.and_then(|scope| scope.configuration(path));
    let staged = || scope.and_then(Scope::source).filter(|source| source.kind(path).is_some());
    base.or_else(staged).unwrap_or_else(|| disk::around(path))
}

/// The configuration that the arguments ask for, or that is found around `paths`.
fn configuration(
    scope: Option<&Scope>,
    arguments: &ConfigArguments,
    named: Option<&PathBuf>,
    paths: &[PathBuf],
) -> Result<Option<ConfigFile>, Vec<Failure>> {
    let known = known(scope, named)?;
    if named.is_some() && known.is_none() {
        return Ok(None);
    }
    let wanted = ConfigArguments { config: known, ..*arguments }.wanted();
    let mut found = config_file::find(paths, &wanted, &|path| source(scope, path));
    if let (Err(failures), Some(version)) = (&mut found, scope.and_then(Scope::configuration_name)) {
        failures.iter_mut().for_each(|failure| failure.message += &format!(" (in the version {version})"));
    }
    found
}

/// A file that options or the configuration name. What the base does not have is not taken from the change:
/// the defaults count then. Fails if it is not of the change either.
fn known(scope: Option<&Scope>, path: Option<&PathBuf>) -> Result<Option<PathBuf>, Failure> {
    let (Some(path), Some(scope)) = (path, scope) else { return Ok(path.cloned()) };
    let is_missing = scope.configuration(path).is_some_and(|base| base.kind(path).is_none());
    if is_missing && !scope.has_touched(path) {
        let version = scope.configuration_name().unwrap_or_default();
        let failure = Failure::of("read", path, &format!("{} does not have it", named(Path::new(&version))));
        return Err(failure.help("name a file of that version, or one outside of the repository"));
    }
    Ok(if is_missing { None } else { Some(path.clone()) })
}

/// The arguments, with the values of the configuration file where the command line has none.
fn completed(mut arguments: CheckArguments, file: Option<&ConfigFile>) -> CheckArguments {
    let Some(file) = file else { return arguments };
    let Config { preset, fail_on, level, .. } = &file.config;
    arguments.preset = arguments.preset.or(preset.as_ref().map(|setting| setting.value));
    let fail_on = fail_on.as_ref().map(|setting| Threshold(setting.value));
    arguments.output.fail_on = arguments.output.fail_on.or(fail_on);
    if !arguments.names_rule() {
        arguments.output.level = arguments.output.level.or(level.as_ref().map(|setting| setting.value));
    }
    arguments
}

/// The files and directories that the arguments and the configuration name.
pub fn inputs(arguments: &CheckArguments) -> Vec<PathBuf> {
    let CheckArguments { template, config, stdin_filename, .. } = arguments;
    let mut inputs = paths::all(&arguments.paths, &config.wanted());
    inputs.extend(stdin_filename.clone());
    let named = [template, &config.config].into_iter().flatten();
    inputs.extend(paths::of_configuration(&inputs, &config.wanted()).into_iter().chain(named.cloned()));
    inputs
}

pub fn selection(arguments: &CheckArguments) -> Result<Selection, Failure> {
    let selection = Selection::new(&arguments.select, &arguments.ignore)?;
    if selection.clone().with(arguments.preset.unwrap_or_default()).rules().next().is_none() {
        let failure = Failure::new("no rule is left to run");
        return Err(failure.help("use other values for `--select`, `--ignore` and `--preset`"));
    }
    Ok(selection)
}

fn options(arguments: &CheckArguments, config: Option<&ConfigFile>) -> Result<Options, Failure> {
    let selection = selection(arguments)?.with(arguments.preset.unwrap_or_default());
    let is_unusual = arguments.release.is_some() || arguments.template.is_some();
    let ignores = IgnoreComments::of_run(selection.preset, is_unusual);
    let config = config.map(|file| file.config.clone()).unwrap_or_default();
    let CheckArguments { stage, release, .. } = *arguments;
    Ok(Options { stage, release, selection, config, ignores, ..Options::default() })
}
