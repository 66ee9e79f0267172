//! The directories with files that upstream's scripts look at. Apart from `directory`, because these scripts
//! do not ask what belongs to a KEP: they also check templates, and documents of no KEP.

use super::directory::{self, KepFiles, PROD_READINESS, is_below, is_named};
use super::layout::Layout;
use super::layout::TREE;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visited {
    pub directory: PathBuf,
    /// Its own files. If upstream does not ask whether it is a KEP, its README is a document like others.
    pub files: KepFiles,
    /// Whether it is a KEP; else it holds a template, or only documents.
    pub is_kep: bool,
}

/// What upstream's scripts look at in `directories`, whose paths have no links.
pub fn visited(directories: BTreeMap<PathBuf, KepFiles>) -> Vec<Visited> {
    let keps: BTreeSet<PathBuf> =
        directory::keps(directories.clone(), &Layout::default()).into_iter().map(|(directory, _)| directory).collect();
    let mut visited = Vec::new();
    let mut walk = MetadataWalk::default();
    for (directory, files) in directories {
        let is_kep = keps.contains(&directory);
        if !is_kep && !is_below(&directory, TREE) {
            continue;
        }
        let is_asked = files.metadata.is_some() || !is_named(&directory, TREE);
        let is_skipped = walk.skips(&directory, files.metadata.is_some());
        visited.push(if is_asked && !is_skipped && !is_below(&directory, PROD_READINESS) {
            Visited { directory, files, is_kep }
        } else {
            let documents = files.readme.into_iter().chain(files.documents).collect();
            Visited { directory, files: KepFiles { documents, ..KepFiles::default() }, is_kep: false }
        });
    }
    visited
}

/// Which directories the check of kep.yaml files does not get to: `filepath.Walk` visits what is in a
/// directory in the order of the names, and upstream leaves a directory after its kep.yaml. One in `keps`
/// itself would hide all KEPs, so it does not count here.
#[derive(Default)]
struct MetadataWalk {
    /// The directories with a kep.yaml that the walk is in, the innermost last, and whether they are skipped.
    around: Vec<(PathBuf, bool)>,
}

impl MetadataWalk {
    fn skips(&mut self, directory: &Path, has_metadata: bool) -> bool {
        while self.around.pop_if(|(around, _)| !directory.starts_with(around)).is_some() {}
        let is_skipped = self.around.last().is_some_and(|(around, is_skipped)| {
            let way = directory.strip_prefix(around).unwrap_or(Path::new(""));
            *is_skipped || way.iter().next() > Some(OsStr::new("kep.yaml"))
        });
        if has_metadata && !is_named(directory, TREE) {
            self.around.push((directory.to_owned(), is_skipped));
        }
        is_skipped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The directories of these files: `K` for a KEP, `m` if a kep.yaml and `r` if a README of a KEP is
    /// looked for, and how many other documents there are.
    fn of(paths: &[&str]) -> Vec<String> {
        let mut directories: BTreeMap<PathBuf, KepFiles> = BTreeMap::new();
        for path in paths.iter().map(Path::new) {
            let parent = path.parent().expect("a file is in a directory");
            directories.entry(parent.to_owned()).or_default().add(path.to_owned(), &Layout::default());
        }
        let shown = |Visited { directory, files, is_kep }: Visited| {
            let letters = [(is_kep, "K"), (files.metadata.is_some(), "m"), (files.readme.is_some(), "r")];
            let letters: String = letters.into_iter().filter(|(is, _)| *is).map(|(_, letter)| letter).collect();
            format!("{} {letters}{}", directory.display(), files.documents.len())
        };
        visited(directories).into_iter().map(shown).collect()
    }

    #[test]
    fn templates_and_documents_of_no_kep_are_visited() {
        assert_eq!(
            of(&[
                "README.md",
                "keps/README.md",
                "keps/NNNN-kep-template/README.md",
                "keps/NNNN-kep-template/kep.yaml",
                "keps/prod-readiness/README.md",
                "keps/sig-a/guide.md",
                "keps/sig-a/1-x/README.md",
                "keps/sig-a/1-x/kep.yaml",
            ]),
            ["keps 1", "keps/NNNN-kep-template mr0", "keps/prod-readiness 1", "keps/sig-a 1", "keps/sig-a/1-x Kmr0"]
        );
    }

    #[test]
    fn what_comes_after_a_kep_yaml_is_skipped() {
        let inner = ["alpha/README.md", "sub/README.md", "sub/kep.yaml", "kep.yaml"].map(|it| format!("keps/1-x/{it}"));
        assert_eq!(of(&inner.each_ref().map(String::as_str)), ["keps/1-x Km0", "keps/1-x/alpha r0", "keps/1-x/sub 1"]);
        assert_eq!(of(&["keps/kep.yaml", "keps/sig-a/kep.yaml"]), ["keps Km0", "keps/sig-a Km0"]);
    }
}
