//! KEPs to try things on, each with a name that stays the same whatever is added: those of the fixtures, of the sample,
//! and of a folder.

use super::library::kep;
use super::{case, files_below, project};
use kep_lint::kep::texts::Texts;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The texts of a KEP, as bytes.
#[derive(Clone, Default)]
pub struct Source {
    /// Where it is from.
    pub name: String,
    /// Its directory.
    pub directory: String,
    /// README.md.
    pub readme: Vec<u8>,
    /// kep.yaml; empty where there is none.
    pub metadata: Vec<u8>,
    /// A template of its own, where it has one.
    pub template: Option<Vec<u8>>,
}

impl Source {
    /// What is linted.
    pub fn texts(&self) -> Texts {
        let files = [("README.md", &self.readme), ("kep.yaml", &self.metadata)];
        // A README is there, if only an empty one.
        let files = files.into_iter().filter(|(name, bytes)| *name == "README.md" || !bytes.is_empty());
        kep(&self.directory, files)
    }
}

/// The KEPs of the fixtures: every case of a rule, and the whole trees.
pub fn of_fixtures() -> Vec<Source> {
    let mut sources = Vec::new();
    for file in case::rule_files() {
        for case in &file.cases {
            let mut keps: BTreeMap<&str, Source> = BTreeMap::new();
            for (path, bytes) in &case.files {
                let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
                let source = keps.entry(directory).or_default();
                match name {
                    "README.md" => source.readme = bytes.clone(),
                    "kep.yaml" => source.metadata = bytes.clone(),
                    _ => continue,
                }
                source.name = format!("{}/{}/{directory}", file.title, case.name);
                source.directory = if directory.is_empty() { case::DIRECTORY } else { directory }.to_owned();
                source.template = case.files.get("template").cloned();
            }
            sources.extend(keps.into_values().filter(|source| !source.readme.is_empty()));
        }
    }
    for folder in ["clean", "demo", "reports"] {
        sources.extend(below(&project().join("fixtures").join(folder)));
    }
    sources
}

/// The vendored sample of real KEPs.
pub fn of_sample() -> Vec<Source> {
    below(&project().join("fixtures/sample/keps"))
}

/// The KEPs below `root`.
pub fn below(root: &Path) -> Vec<Source> {
    let readmes = files_below(root, &|path| path.file_name().is_some_and(|name| name == "README.md"));
    let read = |path: &Path| fs::read(path).unwrap_or_default();
    let source = |readme: &Path| {
        let name = readme.parent().and_then(|folder| folder.strip_prefix(root).ok()).unwrap_or(readme);
        let name = name.to_string_lossy().replace('\\', "/");
        let directory = format!("keps/{}", name.trim_start_matches("keps/"));
        let metadata = read(&readme.with_file_name("kep.yaml"));
        Source { name, directory, readme: read(readme), metadata, template: None }
    };
    readmes.iter().map(|readme| source(readme)).collect()
}
