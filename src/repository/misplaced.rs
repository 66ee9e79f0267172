//! What is where no KEP is looked for: a kep.yaml of no KEP, and a directory `keps` inside `keps`.

use crate::kep::directory::is_below;
use crate::kep::layout::TREE;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misplaced {
    /// The file; of a directory, its first file.
    pub file: PathBuf,
    pub kind: MisplacedKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MisplacedKind {
    Metadata,
    Tree(PathBuf),
    /// The document of a proposal that is no KEP.
    Document,
}

/// What is misplaced among `paths`, which are in order, each from below `keps` on. `belongs` tells whether a
/// kep.yaml in this directory is that of a KEP or of a template.
pub fn misplaced<'p>(paths: impl IntoIterator<Item = &'p Path>, belongs: impl Fn(&Path) -> bool) -> Vec<Misplaced> {
    let mut misplaced = Vec::new();
    let mut trees: BTreeSet<PathBuf> = BTreeSet::new();
    let mut paths = paths.into_iter().peekable();
    while let Some(path) = paths.next() {
        let is_metadata = path.file_name().is_some_and(|name| name == "kep.yaml");
        if !is_metadata && !is_below(path, TREE) {
            continue;
        }
        // What is in a directory comes after it.
        let is_directory = paths.peek().is_some_and(|next| next.starts_with(path));
        if is_directory {
            continue;
        }
        if let Some(tree) = inner_tree(path).filter(|tree| trees.insert(tree.clone())) {
            misplaced.push(Misplaced { file: path.to_owned(), kind: MisplacedKind::Tree(tree) });
        }
        if is_metadata && !belongs(path.parent().unwrap_or(Path::new(""))) {
            misplaced.push(Misplaced { file: path.to_owned(), kind: MisplacedKind::Metadata });
        }
    }
    misplaced
}

fn inner_tree(file: &Path) -> Option<PathBuf> {
    let directory = file.parent()?;
    let depth = directory.iter().position(|name| name == TREE)?;
    Some(directory.iter().take(depth + 1).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(paths: &[&str]) -> Vec<String> {
        let all = misplaced(paths.iter().map(Path::new), |directory| directory.starts_with("sig-a"));
        let line = |Misplaced { file, kind }: Misplaced| match kind {
            MisplacedKind::Metadata => file.display().to_string(),
            MisplacedKind::Document => "a document".to_owned(),
            MisplacedKind::Tree(tree) => format!("{} in {}", file.display(), tree.display()),
        };
        all.into_iter().map(line).collect()
    }

    #[test]
    fn a_kep_yaml_of_no_kep_is_misplaced() {
        let paths = ["prod-readiness/sig-a/1-x/kep.yaml", "sig-a/1-x/kep.yaml", "sig-a/1-x/kep.yaml.orig"];
        assert_eq!(lines(&paths), ["prod-readiness/sig-a/1-x/kep.yaml"]);
        assert_eq!(lines(&["x/kep.yaml", "x/kep.yaml/note.md"]), [""; 0], "it is a directory");
    }

    #[test]
    fn each_directory_keps_is_found_once_by_its_first_file() {
        let paths = [
            "sig-a/keps",
            "sig-a/keps/sub",
            "sig-a/keps/sub/keps",
            "sig-a/keps/sub/keps/note.md",
            "sig-a/keps/z.md",
            "sig-b/keps",
            "sig-b/keps.md",
        ];
        assert_eq!(lines(&paths), ["sig-a/keps/sub/keps/note.md in sig-a/keps"]);
        assert_eq!(lines(&["keps/kep.yaml"]), ["keps/kep.yaml in keps", "keps/kep.yaml"]);
    }
}
