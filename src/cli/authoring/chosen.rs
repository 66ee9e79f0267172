//! The one KEP that a command changes, with its texts and its project.

use super::arguments::KepArguments;
use crate::cli::{error, paths, template};
use crate::diagnostic::{Failure, counted, named};
use crate::editor::promote::prepare;
use crate::kep::layout::Layout;
use crate::kep::texts::Texts;
use crate::lint::Options;
use crate::rules::preset::Preset;
use crate::stage::Release;
use crate::workspace::config_file::{self, ConfigFile};
use crate::workspace::directory::KepDirectory;
use crate::workspace::discover::discover;
use crate::workspace::files::{Source, disk};
use crate::workspace::kep_files::{KepTexts, Origin, read_kep};
use crate::workspace::project::{Project, Terms};
use crate::workspace::tip::tell_by_default_branch;
use std::path::Path;

pub struct Chosen {
    pub directory: KepDirectory,
    pub texts: Texts,
    pub places: Vec<Origin>,
    pub project: Project,
}

impl Chosen {
    /// The KEP that a command names, of the files that `source_of` has.
    pub fn of(
        arguments: &KepArguments,
        release: Option<Release>,
        source_of: &dyn Fn(&Path) -> Source,
    ) -> Result<Self, Failure> {
        let paths = &[paths::meant(&arguments.kep)];
        let mut config = config_file::find(paths, &arguments.config.wanted(), source_of).map_err(error::first)?;
        config.as_ref().map_or(Ok(()), ConfigFile::only_keps)?;
        let mut discovery = discover(paths, Preset::default(), source_of);
        if !discovery.failures.is_empty() {
            return Err(error::first(discovery.failures));
        }
        if let Some(file) = &mut config {
            file.place(&mut discovery.keps, true);
        }
        let [directory] = discovery.keps.as_slice() else {
            let count = counted(discovery.keps.len(), "KEP", "KEPs");
            let failure = Failure::new(format!("{} has {count}, not one", named(&arguments.kep)));
            return Err(failure.at(&arguments.kep).help("name one KEP by its number or its directory"));
        };
        let directory = directory.clone();
        let KepTexts { texts, places, failures, .. } = read_kep(&directory);
        if !failures.is_empty() {
            return Err(error::first(failures));
        }
        let mut project = Project::open(terms(arguments, release, config)?, discovery);
        let Project { repositories, terms, .. } = &mut project;
        if let Some(failure) = repositories.failures.pop() {
            return Err(failure);
        }
        tell_by_default_branch(repositories, &terms.options);
        repositories.leave_out_own_findings();
        Ok(Self { directory, texts, places, project })
    }
}

fn terms(arguments: &KepArguments, release: Option<Release>, config: Option<ConfigFile>) -> Result<Terms, Failure> {
    let path = match &arguments.template {
        Some(path) => Some(path.clone()),
        None => config.as_ref().map(ConfigFile::template).transpose()?.flatten(),
    };
    let template = template::load_for_check(path.as_deref(), &Layout::default(), &disk::around)?;
    let config = config.map(|file| file.config).unwrap_or_default();
    let mut options = Options { config, release, ..Options::default() };
    prepare(&mut options);
    Ok(Terms { options, template, prefers_own: path.is_none(), ..Terms::default() })
}
