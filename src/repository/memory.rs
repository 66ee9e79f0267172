//! A repository whose files are all in memory: for editors, browsers and tests.

use super::mentions::{Mentions, metrics};
use super::misplaced::misplaced;
use super::{Repository, WITHOUT_TOC};
use crate::kep::brief::Brief;
use crate::kep::directory::{self, Found, KepFiles, PROD_READINESS, TEMPLATES, TREE};
use crate::kep::texts::{Role, Texts};
use crate::source::SourceFile;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

/// The file of a repository that names the PRR approvers.
const ALIASES: &str = "OWNERS_ALIASES";

/// The files of a repository by their paths from its root on, with `/`.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    files: BTreeMap<PathBuf, SourceFile>,
}

impl Memory {
    /// Adds a file, or puts another text in its place.
    pub fn insert(&mut self, path: &str, bytes: Vec<u8>) {
        self.files.insert(PathBuf::from(path), SourceFile::decode(path, bytes));
    }

    /// The file at this path.
    pub fn file(&self, path: &Path) -> Option<&SourceFile> {
        self.files.get(from_root(path))
    }

    /// The paths of all files below `directory`, from there on; `.` is the repository's root.
    pub fn below(&self, directory: &Path) -> impl Iterator<Item = &Path> {
        let directory = from_root(directory);
        self.files.keys().filter_map(move |path| path.strip_prefix(directory).ok())
    }

    /// The KEPs, by path.
    pub fn keps(&self) -> Vec<Texts> {
        let keps = self.found().into_iter().map(|Found { directory, files, .. }| {
            let mut texts = Texts::new(directory.to_string_lossy());
            let KepFiles { readme, metadata, owners, documents } = files;
            let files = [(Role::Readme, readme), (Role::Metadata, metadata), (Role::Owners, owners)];
            let documents = documents.into_iter().map(|path| (Role::Document, Some(path)));
            for (role, path) in files.into_iter().chain(documents) {
                if let Some(file) = path.and_then(|path| self.files.get(&path)) {
                    texts.add(role, file.clone());
                }
            }
            texts
        });
        keps.collect()
    }

    /// What is known of the repository besides.
    pub fn repository(&self) -> Repository {
        let mut repository = Repository { reviews: Some(BTreeMap::new()), ..Repository::default() };
        let reviews = Path::new(TREE).join(PROD_READINESS);
        for (path, file) in &self.files {
            if let Some((sig, name)) = path.strip_prefix(&reviews).ok().and_then(directory::review) {
                repository.add_review(sig, name, file.clone());
            }
        }
        let found = self.found();
        repository.set_keps(found.iter().filter_map(|kep| kep.directory.strip_prefix(TREE).ok()));
        let texts = found.iter().map(|kep| {
            let files = [&kep.files.readme, &kep.files.metadata].into_iter().flatten();
            let named = files.filter_map(|path| self.files.get(path)).flat_map(|file| metrics(&file.text)).collect();
            (kep.directory.to_string_lossy().into_owned(), named)
        });
        let texts: Vec<(String, HashSet<String>)> = texts.collect();
        repository.mentions = Some(Mentions::new(|| texts));
        let below = self.files.keys().filter(|path| path.starts_with(TREE));
        let paths =
            below.flat_map(|path| path.ancestors()).filter(|path| path.starts_with(TREE) && *path != Path::new(TREE));
        repository.paths = Some(paths.map(|path| path.to_string_lossy().into_owned()).collect());
        repository.is_whole = true;
        let own: BTreeSet<&Path> = found.iter().map(|kep| kep.directory.as_path()).collect();
        let belongs = |way: &Path| {
            way.file_name().is_some_and(directory::is_template) || own.contains(Path::new(TREE).join(way).as_path())
        };
        let files = self.files.keys().filter_map(|path| path.strip_prefix(TREE).ok());
        repository.misplaced = misplaced(files, belongs);
        let names = self.files.keys().filter_map(|path| path.strip_prefix(TREE).ok()?.iter().next());
        repository.has_groups = directory::has_groups(names);
        let templates = TEMPLATES.iter().map(|name| Path::new(TREE).join(name));
        repository.template = templates.filter_map(|path| self.files.get(&path).cloned()).next();
        let brief = |kep: &Found| {
            let file = self.files.get(kep.files.metadata.as_ref()?)?;
            let name = kep.directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Some((name, Brief::of(&file.text)))
        };
        let briefs: Vec<(String, Brief)> = found.iter().filter_map(brief).collect();
        repository.set_briefs(briefs.iter().map(|(name, brief)| (name.as_str(), brief.clone())));
        repository.set_aliases(self.files.get(Path::new(ALIASES)).cloned(), ALIASES);
        if let Some(list) = self.files.get(Path::new(WITHOUT_TOC)) {
            repository.read_without_toc(&list.text);
        }
        if let Some(groups) = self.files.get(Path::new("sigs.yaml")) {
            repository.read_groups(&groups.text);
        }
        repository
    }

    fn found(&self) -> Vec<Found> {
        let mut directories: BTreeMap<PathBuf, KepFiles> = BTreeMap::new();
        for path in self.files.keys() {
            if let Some(parent) = path.parent().filter(|_| path.file_name().is_some_and(directory::matters)) {
                directories.entry(parent.to_owned()).or_default().add(path.clone());
            }
        }
        directory::keps(directories, &Path::to_owned)
    }
}

/// `path` without `./` at its start.
fn from_root(path: &Path) -> &Path {
    path.strip_prefix(".").unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keps_reviews_and_aliases_are_found_by_their_paths() {
        let mut memory = Memory::default();
        for (path, text) in [
            ("OWNERS_ALIASES", "aliases:\n  prod-readiness-approvers: [ann]\n"),
            ("hack/.notableofcontents", "keps/README.md\n"),
            ("keps/prod-readiness/sig-node/1.yaml", "kep-number: 1\n"),
            ("keps/sig-node/1-a/README.md", "# KEP-1: A\n"),
            ("keps/sig-node/1-a/docs/more.md", "# More\n"),
            ("keps/sig-node/1-a/kep.yaml", "title: A\n"),
        ] {
            memory.insert(path, text.into());
        }
        let keps = memory.keps();
        let [kep] = keps.as_slice() else { panic!("one KEP") };
        assert_eq!((kep.sig(), kep.documents.len(), kep.files.len()), (Some("sig-node"), 1, 3));
        let repository = memory.repository();
        assert_eq!(repository.prr_approvers.iter().map(String::as_str).collect::<Vec<_>>(), ["ann"]);
        assert_eq!(repository.reviews_of("0001").len(), 1);
        assert!(repository.lists_without_toc(Some("keps/README.md")) && !repository.lists_without_toc(None));
        assert!(repository.has_kep("sig-node", "1"));
        assert_eq!(repository.has_path("keps/sig-node/1-a/docs"), Some(true));
        assert_eq!(repository.has_path("keps/sig-node/2-b"), Some(false));
    }
}
