//! `kep-lint config`: shows the configuration that applies, writes a first file, and prints the schema.

use super::args::ConfigCommand;
use super::options::ConfigArguments;
use super::outcome::Outcome;
use super::print::print;
use super::write::together::{self, Change};
use super::{error, output, paths, screen, template};
use crate::bounds;
use crate::config::{NAMES, initial, json_schema};
use crate::diagnostic::{Failure, named};
use crate::kep::directory::has_groups;
use crate::kep::front_matter::of_document;
use crate::kep::layout::TREE;
use crate::kep::layout::documents::Documents;
use crate::kep::layout::seen::{self, Seen};
use crate::lint::{Options, Run};
use crate::report::{printable, settings};
use crate::rules::preset::Preset;
use crate::workspace::config_file::{self, ConfigFile};
use crate::workspace::discover::discover;
use crate::workspace::edge::Edge;
use crate::workspace::files::opened::or_here;
use crate::workspace::files::{Source, disk};
use crate::workspace::paths::shown;
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

/// Writes a configuration file into a directory, or else into the root of the repository around the working
/// directory.
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
    let mut text = initial::text(keps.is_empty() || has_groups(keps.iter()));
    if keps.is_empty() {
        text += &found(&directory, &source);
    }
    if !or_here(&directory).is_dir() {
        let failure = Failure::of("write", &file, &format!("there is no directory {}", named(&directory)));
        return Err(failure.help("make the directory first"));
    }
    let Some(edge) = source.edge() else { return Err(Failure::new("a configuration is written only on disk")) };
    together::write(&[Change { given: file.clone(), before: None, after: text }], edge)?;
    print(&format!("wrote {}\n", printable(&named(&file))))?;
    Ok(Outcome::Clean)
}

/// What is seen of proposals that are no KEPs, as keys of a configuration; empty if there are none.
fn found(directory: &Path, source: &Source) -> String {
    let walk = source.list(or_here(directory));
    let paths: Vec<String> = walk.paths.iter().map(|path| shown(path)).collect();
    let Some(Seen { pattern, count }) = seen::most(paths.iter().map(String::as_str)) else { return String::new() };
    let Ok(documents) = Documents::parse(&pattern, None) else { return String::new() };
    let read = |path: &str| source.read(&directory.join(path), bounds::FILE_BYTES).ok().map(|opened| opened.file);
    let is_template = |path: &&String| {
        let lower = path.to_lowercase();
        lower.contains("template") && lower.contains(".md") && !lower.starts_with('.')
    };
    let is_other = |path: &&String| !Path::new(path.as_str()).ancestors().any(|around| documents.has(around));
    let template = paths.iter().filter(is_template).filter(is_other).find_map(|path| Some((path, read(path)?)));
    let mut text = format!("\n# What was seen here: {count} documents.\ndocuments: \"{pattern}\"\n");
    let is_proposal = |path: &&String| path.ends_with(".md") && documents.has(Path::new(path.as_str()));
    let beside = paths.iter().find(|path| path.starts_with(&documents.tree) && path.ends_with("/metadata.yaml"));
    let has_front = |path: &String| read(path).is_some_and(|file| of_document(&file.text).is_some());
    text += match (beside, paths.iter().filter(is_proposal).any(has_front)) {
        (Some(_), _) => "metadata: metadata.yaml\n",
        (None, true) => "metadata: front-matter\n",
        (None, false) => "metadata: none\n",
    };
    let Some((path, file)) = template else { return text };
    text += &format!("template: \"{path}\"\n");
    let title = file.text.lines().find_map(|line| line.strip_prefix("# ")?.split_once("NNNN"));
    if let Some((before, _)) = title.filter(|(before, _)| !before.contains(['"', '\\', '{'])) {
        text += &format!("title: \"{before}{{number}}: {{title}}\"\n");
    }
    text
}

/// The root of the repository around the working directory, as the user would write it.
fn root() -> PathBuf {
    let here = Path::new(".");
    let edge = Edge::around(here);
    let here = here.canonicalize().unwrap_or_default();
    let depth = here.strip_prefix(edge.root()).map_or(0, |way| way.components().count());
    std::iter::repeat_n("..", depth).collect()
}
