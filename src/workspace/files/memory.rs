//! Files in memory: for editors, browsers and tests. Their paths are relative, and none of them is a link.

#![warn(missing_docs)]

use super::Tree;
use super::listed::{Entry, Listed};
use crate::source::SourceFile;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files of a repository by their paths from its root on, with `/`.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    files: BTreeMap<PathBuf, Arc<SourceFile>>,
}

impl Memory {
    /// Adds a file, or puts another text in its place.
    pub fn insert(&mut self, path: &str, bytes: Vec<u8>) {
        self.files.insert(PathBuf::from(path), Arc::new(SourceFile::decode(path, bytes)));
    }

    /// Removes a file, if it is there.
    pub fn remove(&mut self, path: &str) {
        self.files.remove(Path::new(path));
    }

    /// The file at this path.
    pub fn file(&self, path: &Path) -> Option<&Arc<SourceFile>> {
        self.files.get(path)
    }
}

impl From<Memory> for Tree {
    fn from(memory: Memory) -> Self {
        let entries = memory.files.into_iter().map(|(path, file)| (path, Entry::Text(file))).collect();
        Self::from(Listed { entries, ..Listed::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kep::layout::TREE;
    use crate::rules::preset::Preset;
    use crate::workspace::discover::discover;
    use crate::workspace::files::Source;
    use crate::workspace::kep_files::read_kep;
    use crate::workspace::paths::RealPath;
    use crate::workspace::trees::{Whole, whole};

    #[test]
    fn a_kep_that_is_named_in_two_ways_is_found_once() {
        let mut memory = Memory::default();
        memory.insert("keps/sig-node/1-a/README.md", b"# KEP-1: A\n".to_vec());
        let source: Source = Arc::new(memory.into());
        let paths = ["keps", "./keps", "./keps/sig-node/1-a/README.md"].map(PathBuf::from);
        let keps = discover(&paths, Preset::Recommended, &|_| Arc::clone(&source)).keps;
        let places: Vec<RealPath> = keps.into_iter().map(|kep| kep.real).collect();
        assert_eq!(places, [RealPath::assume("keps/sig-node/1-a")]);
    }

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
            ("keps/sig-node/10-b.md", "# B\n"),
        ] {
            memory.insert(path, text.into());
        }
        let source: Source = Arc::new(memory.into());
        let Whole { keps, repository, failures } = whole(Path::new(TREE), &source);
        assert_eq!(failures, []);
        let [kep] = keps.as_slice() else { panic!("one KEP") };
        let texts = read_kep(kep).texts;
        assert_eq!((texts.sig(), texts.documents.len(), texts.files.len()), (Some("sig-node"), 1, 3));
        assert_eq!(repository.aliases.prr_approvers.iter().map(String::as_str).collect::<Vec<_>>(), ["ann"]);
        assert_eq!(repository.reviews_of("0001").len(), 1);
        assert!(repository.lists_without_toc(Some("keps/README.md")) && !repository.lists_without_toc(None));
        assert!(repository.has_kep("sig-node", "1"));
        assert_eq!(repository.has_path("keps/sig-node/1-a/docs"), Some(true));
        assert_eq!(repository.has_path("keps/sig-node/2-b"), Some(false));
    }

    #[test]
    fn the_prr_files_of_a_tree_have_a_limit() {
        let told = |last: usize| {
            let mut memory = Memory::default();
            memory.insert("keps/sig-node/1-a/kep.yaml", Vec::new());
            for number in 1..=64 {
                let path = format!("keps/prod-readiness/sig-node/{number}.yaml");
                memory.insert(&path, vec![b'#'; if number == 64 { last } else { 1 << 20 }]);
            }
            memory.insert("keps/prod-readiness/sig-node/65.yaml", vec![b'#']);
            let source: Source = Arc::new(memory.into());
            let failures = whole(Path::new(TREE), &source).failures;
            failures.into_iter().map(|failure| failure.message).collect::<Vec<_>>()
        };
        assert_eq!(told((1 << 20) - 1), [""; 0]);
        let message = "cannot read all of `keps/prod-readiness`: the PRR files have more than 64 MiB";
        assert_eq!(told(1 << 20), [message]);
    }
}
