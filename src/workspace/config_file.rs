//! Finds and reads the configuration file of a run: the first one from a linted directory up to the root of
//! its repository. It may be part of an untrusted pull request, so it is small, has no aliases, and its
//! paths stay in the repository.

use super::directory::KepDirectory;
use super::files::Source;
use super::files::opened::{Kind, Opened, or_here};
use super::filtered;
use super::paths::{RealPath, shown};
use super::trees::Repositories;
use crate::bounds;
use crate::config::values::{Config, Override, Setting};
use crate::config::{self, NAMES};
use crate::diagnostic::{Failure, named};
use crate::gates::Gates;
use crate::source::SourceFile;
use crate::yaml::tree::Problem;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// The first one from what is checked up to the root of the repository.
    #[default]
    Nearest,
    Named(PathBuf),
    None,
}

#[derive(Clone, Debug)]
pub struct ConfigFile {
    pub path: String,
    directory: PathBuf,
    real: RealPath,
    pub file: Arc<SourceFile>,
    pub config: Config,
}

impl ConfigFile {
    /// Fails if the proposals are no KEPs, for a command that only knows these.
    pub fn only_keps(&self) -> Result<(), Failure> {
        let Some(Setting { span, .. }) = &self.config.documents else { return Ok(()) };
        let message = "this command does not support `documents`".to_owned();
        let help = Some("check the documents with `kep-lint`, or list them with `kep-lint list`".to_owned());
        Err(failure(&self.file, Problem { span: *span, message, help }))
    }

    /// The path of a directory from that of this file on.
    fn path_of(&self, real: &RealPath) -> Option<String> {
        real.strip_prefix(&self.real).ok().map(shown)
    }

    pub fn excludes(&self, real: &RealPath) -> bool {
        self.path_of(real).is_some_and(|path| self.config.excludes(&path))
    }

    /// What it has that no longer has an effect, in sentences without full stops.
    pub fn gone(&self) -> impl Iterator<Item = String> {
        let line =
            |gone: &Setting<String>| format!("{}:{}: {}; it has no effect here", self.path, gone.line, gone.value);
        self.config.gone.iter().map(line)
    }

    /// The path of a tree as [`Self::place`] tells it to its KEPs; empty if the file is in the tree itself.
    pub fn path_of_tree(&self, root: &RealPath, files: &Source) -> String {
        let is_elsewhere = !root.starts_with(&self.real);
        let around = if is_elsewhere { &files.root_around(root) } else { &self.real };
        root.strip_prefix(around).map(shown).unwrap_or_default()
    }

    /// Tells each of the `keps` where it is, seen from this file, and removes those that are excluded,
    /// unless all are wanted. Returns how many were removed.
    pub fn place(&mut self, keps: &mut Vec<KepDirectory>, all: bool) -> usize {
        let count = keps.len();
        // A file that is kept elsewhere is for the repository of the KEPs.
        let is_elsewhere = !keps.iter().any(|kep| kep.real.starts_with(&self.real));
        if let Some(kep) = keps.first()
            && is_elsewhere
        {
            self.real = kep.source.root_around(&kep.real);
        }
        keps.iter_mut().for_each(|kep| kep.from_config = self.path_of(&kep.real));
        keps.retain(|kep| all || !self.excludes(&kep.real));
        count - keps.len()
    }

    /// Fails if an override is for a SIG that does not exist, so that a typo does not look like an override.
    pub fn check_sigs(&self, keps: &[KepDirectory], repositories: &Repositories) -> Result<(), Failure> {
        self.config.overrides.iter().try_for_each(|Override { filter, sigs, .. }| {
            let checked = filtered::check_sigs(&filter.sigs, keps, repositories);
            let problem = |Failure { message, help, .. }, span| failure(&self.file, Problem { span, message, help });
            checked.map_err(|unknown| sigs.map_or_else(|| unknown.clone(), |span| problem(unknown.clone(), span)))
        })
    }

    /// The files of the templates that the configuration names, one for each kind of documents.
    pub fn templates(&self) -> Result<Vec<PathBuf>, Failure> {
        self.config.templates.iter().map(|template| self.inside("template", template)).collect()
    }

    /// A failure to read the file of a template, as one of the line that names it.
    pub fn of_template(&self, failure: Failure) -> Failure {
        let path = failure.path.as_ref().filter(|_| failure.quote.is_none()).map(PathBuf::from);
        let mut named = self.config.templates.iter();
        match named.find(|setting| path.is_some() && self.inside("template", setting).ok() == path) {
            Some(setting) => self.of_setting(failure, setting),
            None => failure,
        }
    }

    /// A failure as one of the line of a setting.
    pub fn of_setting<T>(&self, Failure { message, help, .. }: Failure, setting: &Setting<T>) -> Failure {
        failure(&self.file, Problem { span: setting.span, message, help })
    }

    /// The first of them, which is the only one of KEPs.
    pub fn template(&self) -> Result<Option<PathBuf>, Failure> {
        Ok(self.templates()?.into_iter().next())
    }

    /// The file of the list of feature gates, if the configuration names one.
    pub fn gates(&self) -> Result<Option<PathBuf>, Failure> {
        self.config.gates.as_ref().map(|gates| self.inside("feature-gates", gates)).transpose()
    }

    /// The file that the value of `key` names. Fails if it is not below the directory of this file.
    fn inside(&self, key: &str, Setting { value, span, .. }: &Setting<String>) -> Result<PathBuf, Failure> {
        let path = Path::new(value);
        let is_inside = |component: Component<'_>| matches!(component, Component::Normal(_) | Component::CurDir);
        if path.components().all(is_inside) {
            return Ok(self.directory.join(path));
        }
        let message = format!("`{key}` leads out of its directory");
        let help = Some("write a path from the directory of the configuration file on".to_owned());
        Err(failure(&self.file, Problem { span: *span, message, help }))
    }

    fn read_gates(&mut self, source_of: &dyn Fn(&Path) -> Source) -> Result<(), Failure> {
        let Some(path) = self.gates()? else { return Ok(()) };
        let opened = source_of(or_here(&self.directory)).read(&path, bounds::LIST_BYTES);
        let help = "`kep-lint gates import DIR --output FILE` writes such a list";
        let file = opened.map_err(|failure| failure.help(help))?.file;
        self.config.code = Some(Arc::new(list_of(&file)?));
        Ok(())
    }
}

pub fn list_of(file: &Arc<SourceFile>) -> Result<Gates, Failure> {
    Gates::parse(file).map_err(|problem| failure(file, problem))
}

/// The configuration file of a run over `paths`, if there is one. `source_of` says where a path is read.
pub fn find(
    paths: &[PathBuf],
    wanted: &Wanted,
    source_of: &dyn Fn(&Path) -> Source,
) -> Result<Option<ConfigFile>, Vec<Failure>> {
    let read = |path: &Path, around: &Path| {
        let mut file = read(path, &source_of(around))?;
        file.read_gates(source_of).map_err(|failure| vec![failure])?;
        Ok(file)
    };
    match wanted {
        Wanted::None => return Ok(None),
        Wanted::Named(path) => return read(path, path).map(Some),
        Wanted::Nearest => {}
    }
    let mut found: Option<(Option<PathBuf>, &Path)> = None;
    for path in paths {
        let nearest = around(path, source_of).map_err(|failure| vec![failure])?;
        let real = |file: &Option<PathBuf>| file.as_ref().map(|file| source_of(file).real(file));
        match &found {
            None => found = Some((nearest, path)),
            Some((other, _)) if real(other) == real(&nearest) => {}
            Some((other, first)) => {
                let words = |file: &Option<PathBuf>| file.as_ref().map_or("none".to_owned(), |file| named(file));
                let files = format!("{} for {}, {} for {}", words(other), named(first), words(&nearest), named(path));
                let failure = Failure::new(format!("the paths have different configuration files: {files}"));
                return Err(vec![failure.help("run kep-lint once for each, or use `--config FILE` or `--isolated`")]);
            }
        }
    }
    // Nobody named it: a link out of its directory is not followed.
    found.and_then(|(file, _)| file).map(|file| read(&file, or_here(file.parent().unwrap_or(&file)))).transpose()
}

/// The configuration file nearest to a path of the command line.
fn around(path: &Path, source_of: &dyn Fn(&Path) -> Source) -> Result<Option<PathBuf>, Failure> {
    let start = source_of(path);
    // A KEP that is named by its number is in the repository around the working directory, and a directory
    // that is new is not there in an earlier version.
    let is_directory = |around: &&Path| start.kind(around) == Some(Kind::Directory);
    let mut directory = or_here(path.ancestors().find(is_directory).unwrap_or(Path::new("."))).to_owned();
    let source = source_of(&directory);
    loop {
        if !source.holds(&source.real(&directory)) {
            return Ok(None);
        }
        let shown = directory.strip_prefix(".").unwrap_or(&directory);
        let here = NAMES.map(|name| shown.join(name));
        let mut files = here.iter().filter(|file| source.kind(file).is_some());
        match (files.next(), files.next()) {
            (Some(one), Some(other)) => {
                let failure = Failure::new(format!("both {} and {} exist", named(one), named(other)));
                return Err(failure.at(other).help("remove one of them"));
            }
            (Some(file), None) => return Ok(Some(file.clone())),
            _ => {}
        }
        match up(&directory) {
            Some(above) => directory = above,
            None => return Ok(None),
        }
    }
}

/// The directory above, as the user would write it.
fn up(directory: &Path) -> Option<PathBuf> {
    let last = directory.components().next_back();
    match last {
        Some(Component::Normal(_)) => directory.parent().map(Path::to_owned),
        Some(Component::ParentDir) => Some(directory.join("..")),
        Some(Component::CurDir) | None => Some(PathBuf::from("..")),
        Some(Component::RootDir | Component::Prefix(_)) => None,
    }
}

fn read(path: &Path, source: &Source) -> Result<ConfigFile, Vec<Failure>> {
    let Opened { file, place } = source.read(path, bounds::CONFIG_BYTES).map_err(|failure| vec![failure])?;
    let config = config::parse(&file).map_err(|problems| {
        let failure = |problem| failure(&file, problem);
        problems.into_iter().map(failure).collect::<Vec<_>>()
    })?;
    let directory = path.parent().unwrap_or(Path::new("")).to_owned();
    let real = place.parent().unwrap_or_default();
    Ok(ConfigFile { path: shown(path), directory, real, file, config })
}

/// The failure for what is wrong in a configuration file.
pub(super) fn failure(file: &Arc<SourceFile>, problem: Problem) -> Failure {
    let place = file.position(problem.span.start);
    let failure = Failure::new(format!("{}:{}:{}: {}", file.path, place.line, place.column, problem.message));
    let failure = failure.at(&file.path).quote(file, problem.span);
    match problem.help {
        Some(help) => failure.help(help),
        None => failure,
    }
}
