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
use crate::stage::Status;
use crate::workspace::config_file::{self, ConfigFile};
use crate::workspace::discover::discover;
use crate::workspace::edge::Edge;
use crate::workspace::files::opened::or_here;
use crate::workspace::files::{Source, disk};
use crate::workspace::paths::shown;
use crate::workspace::project::Project;
use crate::workspace::terms::Terms;
use crate::workspace::tip::tell_by_default_branch;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub fn run(command: &ConfigCommand) -> Result<Outcome, Failure> {
    match command {
        ConfigCommand::Show { paths, config } => show(paths, config),
        ConfigCommand::Init { directory, print } => init(directory.as_deref(), *print),
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
        template::load_for_check(file.template()?.as_deref(), &file.config.layout, &disk::around)?;
        template::load_more(&file.more_templates()?, &file.config.layout, &disk::around)?;
        file.check_sigs(&keps, &repositories)?;
    }
    print(&settings::table(path, &terms.options.config, &run, repository).fitted(screen::width()))?;
    file.iter().flat_map(ConfigFile::gone).for_each(|line| output::note(&line));
    Ok(Outcome::Clean)
}

/// Writes a configuration file into a directory, or else into the root of the repository around the working
/// directory; or only shows it.
fn init(directory: Option<&Path>, is_shown: bool) -> Result<Outcome, Failure> {
    let directory = directory.map_or_else(root, Path::to_owned);
    let source = disk::around(&directory);
    let keps = source.names(&directory.join(TREE));
    let mut text = initial::text(keps.is_empty() || has_groups(keps.iter()));
    if keps.is_empty() {
        text += &found(&directory, &source);
    }
    if is_shown {
        print(&text)?;
        return Ok(Outcome::Clean);
    }
    let files = NAMES.map(|name| directory.join(name));
    if let Some(file) = files.iter().find(|file| file.symlink_metadata().is_ok()) {
        let failure = Failure::new(format!("{} exists", named(file))).at(file);
        return Err(failure.help("edit it, or remove it first"));
    }
    let [file, _] = files;
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
    let Ok(documents) = Documents::parse(&pattern, None, true) else { return String::new() };
    let read = |path: &str| source.read(&directory.join(path), bounds::FILE_BYTES).ok().map(|opened| opened.file);
    let is_template = |path: &&String| {
        let lower = path.to_lowercase();
        lower.contains("template") && lower.contains(".md") && !lower.starts_with('.')
    };
    let is_other = |path: &&String| !Path::new(path.as_str()).ancestors().any(|around| documents.has(around));
    let stem = documents.file.as_deref().and_then(|file| file.strip_suffix(".md")).unwrap_or_default();
    let is_near = |path: &&String| path.starts_with(&documents.tree) || path.matches('/').count() < 2;
    let templates = paths.iter().filter(is_template).filter(is_other).filter(is_near);
    let nearest = templates.min_by_key(|path| (!path.starts_with(&documents.tree), !path.contains(stem), path.len()));
    let template = nearest.and_then(|path| Some((path, read(path)?)));
    let mut text = format!("\n# What was seen here: {count} documents.\ndocuments: \"{pattern}\"\n");
    let is_proposal = |path: &&String| path.ends_with(".md") && documents.has(Path::new(path.as_str()));
    let is_metadata = |path: &&String| path.starts_with(&documents.tree) && path.ends_with("/metadata.yaml");
    let mut metadata: Vec<String> =
        paths.iter().filter(is_metadata).filter_map(|path| Some(read(path)?.text.clone())).collect();
    text += if metadata.is_empty() {
        let fronts =
            paths.iter().filter(is_proposal).filter_map(|path| Some(of_document(&read(path)?.text)?.to_owned()));
        metadata.extend(fronts);
        if metadata.is_empty() { "metadata: none\n" } else { "metadata: front-matter\n" }
    } else {
        "metadata: metadata.yaml\n"
    };
    let Some((path, file)) = template else { return text + &phases(&metadata, "") };
    text += &format!("template: \"{path}\"\n");
    let title = file.text.lines().find_map(|line| line.strip_prefix("# ")?.split_once("NNNN"));
    if let Some((before, _)) = title.filter(|(before, _)| !before.contains(['"', '\\', '{'])) {
        text += &format!("title: \"{before}{{number}}: {{title}}\"\n");
    }
    text + &phases(&metadata, of_document(&file.text).unwrap_or_default())
}

/// Words for statuses that KEPs don't have, by the phase that they mean elsewhere.
const STATUSES: [(&str, &[&str]); 4] = [
    ("provisional", &["draft", "idea"]),
    ("active", &["accepted", "experimental", "implementing", "proposed", "prototyping"]),
    ("implemented", &["completed", "done", "memorandum", "standard"]),
    ("closed", &["abandoned", "declined", "obsolete", "superseded"]),
];

/// The keys of a configuration for the words that several proposals, or their template, have as a status,
/// and for the keys of the template. What is not known is a comment.
fn phases(proposals: &[String], template: &str) -> String {
    let mut words: BTreeMap<String, usize> = BTreeMap::new();
    let of_proposals = proposals.iter().map(|metadata| (metadata.as_str(), 1));
    for (metadata, weight) in of_proposals.chain([(template, seen::FEW)]) {
        let status = metadata.lines().find_map(|line| line.strip_prefix("status:")).unwrap_or_default();
        for word in status.split('|').map(|word| word.trim().trim_matches(['"', '\'']).to_lowercase()) {
            *words.entry(word).or_default() += weight;
        }
    }
    let is_word = |word: &String| word.starts_with(char::is_alphabetic) && word.chars().all(char::is_alphanumeric);
    let others = words.into_iter().filter(|(word, count)| *count >= seen::FEW && Status::from_name(word).is_none());
    let others: Vec<String> = others.map(|(word, _)| word).filter(is_word).collect();
    let mut text = String::new();
    let mut known: Vec<String> = Vec::new();
    for (phase, names) in STATUSES {
        let own: Vec<&str> = others.iter().map(String::as_str).filter(|word| names.contains(word)).collect();
        known.extend((!own.is_empty()).then(|| format!("{phase}: [{}]", own.join(", "))));
    }
    if !known.is_empty() {
        text += &format!("phases: {{{}}}\n", known.join(", "));
    }
    let is_unknown = |word: &&String| !STATUSES.iter().any(|(_, names)| names.contains(&word.as_str()));
    for word in others.iter().filter(is_unknown) {
        text += &format!("# Add the status `{word}` to a phase: `phases: {{active: [{word}]}}`\n");
    }
    let keys = template.lines().filter_map(|line| line.split_once(':')).map(|(key, _)| key);
    let keys: Vec<&str> = keys.filter(|key| key.starts_with(char::is_alphabetic) && !key.contains(' ')).collect();
    if !keys.is_empty() {
        text += &format!("# The keys of the template: `keys: {{required: [{}]}}`\n", keys.join(", "));
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
