//! KEPs whose files are in memory, checked as in their repository, of which only the facts are there.
//!
//! ```
//! use kep_lint::report::facts::render;
//! use kep_lint::repository::facts::{Facts, Written};
//! use kep_lint::source::SourceFile;
//! use kep_lint::workspace::files::memory::Memory;
//! use kep_lint::workspace::project::{Project, Terms};
//! use std::sync::Arc;
//!
//! // What `kep-lint facts` wrote.
//! let file = SourceFile::decode("facts.json", render(&Written::new()).into_bytes());
//! let facts = Arc::new(Facts::parse(&file).expect("kep-lint wrote it"));
//! let mut files = Memory::default();
//! files.insert("keps/sig-node/1-images/README.md", b"# KEP-1: Images\n".to_vec());
//! let run = Project::among(Terms::known(&facts).expect("it has no configuration"), &facts, files).check();
//! assert!(run.reports[0].diagnostics.iter().any(|finding| finding.rule == "missing-kep-yaml"));
//! ```

use super::config_file;
use super::directory::KepDirectory;
use super::discover::{Discovery, discover};
use super::files::{Source, memory::Memory};
use super::kep_files;
use super::project::{Project, Terms};
use super::trees::{Repositories, ReviewPath};
use crate::bounds;
use crate::config;
use crate::diagnostic::Failure;
use crate::kep::directory::{PROD_READINESS, has_groups};
use crate::kep::layout::TREE;
use crate::lint::Options;
use crate::lint::ignoring::IgnoreComments;
use crate::repository::ReviewFile;
use crate::repository::facts::{Configuration, Facts, Own, Text};
use crate::rules::preset::Preset;
use crate::rules::select::Selection;
use crate::rules::{rule, run};
use crate::template::Template;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The rules that have fewer findings among facts than in the whole tree: those in links to headings of
/// other KEPs' documents, whose texts are not there.
pub fn rules_without_texts() -> impl Iterator<Item = &'static str> {
    run::checks().filter(|(_, check)| matches!(check, rule::Check::Link(_))).map(|(rule, _)| rule.name)
}

impl Terms {
    /// How the KEPs of a repository are checked by its own configuration. Fails if that cannot be read.
    pub fn known(facts: &Facts) -> Result<Self, Failure> {
        let Some(Configuration { file, template, gates, .. }) = &facts.written.configuration else {
            return Ok(Self::default());
        };
        let mut config = config::parse(&file.file()).map_err(|problems| {
            let first = problems.into_iter().next().map(|problem| config_file::failure(&file.file(), problem));
            first.unwrap_or_else(|| Failure::new("it cannot be read"))
        })?;
        if let Some(list) = gates {
            within(list, bounds::LIST_BYTES)?;
            config.code = Some(Arc::new(config_file::list_of(&list.file())?));
        }
        let preset = config.preset.as_ref().map(|setting| setting.value).unwrap_or_default();
        let ignores = if preset == Preset::Upstream { IgnoreComments::Disregarded } else { IgnoreComments::Honored };
        let options = Options { config, selection: Selection::default().with(preset), ignores, ..Options::default() };
        let Some(text) = template else { return Ok(Self { options, ..Self::default() }) };
        within(text, bounds::FILE_BYTES)?;
        let own = Template::parse(text.file());
        match own.misshapen().or_else(|| own.useless()) {
            Some(failure) => Err(failure),
            None => Ok(Self { options, template: Arc::new(own), prefers_own: false, ..Self::default() }),
        }
    }
}

/// Fails if a text is longer than the file that it is from may be.
fn within(text: &Text, most: u64) -> Result<(), Failure> {
    let length = text.text.len() as u64;
    if length > most { Err(super::failure::too_large(Path::new(&text.path), length, most)) } else { Ok(()) }
}

impl Project {
    /// The KEPs in `files`, by their paths from the root of the repository on, among all that is known of it
    /// besides. A KEP that the facts have in the same directory is the one in `files`, with its PRR file if
    /// there is one. What else belongs to the repository, such as `OWNERS_ALIASES`, is not read from
    /// `files`. All KEPs are checked, also those that the configuration excludes.
    pub fn among(terms: Terms, facts: &Arc<Facts>, files: Memory) -> Self {
        let source: Source = Arc::new(files.into());
        let preset = terms.options.selection.preset;
        let Discovery { mut keps, skipped, strangers, failures, .. } =
            discover(&[PathBuf::from(TREE)], preset, &|_| Arc::clone(&source));
        let tree = facts.written.configuration.as_ref().map(|configuration| configuration.tree.as_str());
        for kep in &mut keps {
            // Somebody named it: it is checked for every stage that is asked for.
            kep.is_searched = false;
            kep.from_config = tree.and_then(|tree| path_from(tree, kep));
        }
        let repository = facts.repository_with(own(&keps, &source));
        let mut repositories = Repositories::among(source, repository, Arc::clone(facts));
        repositories.adopt(&terms.options);
        let mut project = Self::of(keps, repositories, terms);
        (project.skipped, project.strangers, project.failures) = (skipped, strangers, failures);
        project
    }
}

/// The path of a KEP seen from the configuration file, which sees `keps` at `tree`.
fn path_from(tree: &str, kep: &KepDirectory) -> Option<String> {
    let way = kep.tree()?.1.to_str()?.replace('\\', "/");
    let parts = [tree, &way].into_iter().filter(|part| !part.is_empty());
    Some(parts.collect::<Vec<_>>().join("/"))
}

/// What the files say of the repository.
fn own(keps: &[KepDirectory], source: &Source) -> Own {
    let in_tree: Vec<&KepDirectory> = keps.iter().filter(|kep| !kep.is_loose && kep.tree().is_some()).collect();
    let mut own = Own { has_groups: has_groups(source.names(Path::new(TREE)).iter()), ..Own::default() };
    for kep in &in_tree {
        let Some(directory) = kep.tree_path() else { continue };
        own.keps.insert(directory, kep_files::brief(kep).unwrap_or_default());
        own.numbers.extend(kep_files::numbers(kep));
    }
    own.paths.insert(TREE.to_owned());
    let reviews = Path::new(PROD_READINESS);
    for way in source.list(Path::new(TREE)).paths {
        own.paths.insert(format!("{TREE}/{}", super::paths::shown(&way)));
        let Some(ReviewPath { sig, name, path }) =
            way.strip_prefix(reviews).ok().and_then(|way| ReviewPath::of(&Path::new(TREE).join(reviews), way))
        else {
            continue;
        };
        if let Ok(opened) = source.read(&path, bounds::LIST_BYTES) {
            own.reviews.push(ReviewFile { sig, name, file: opened.file });
        }
    }
    own
}
