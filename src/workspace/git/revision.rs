//! The files of a commit, or of git's index, as a tree.

use super::objects::Content;
use crate::bounds;
use crate::diagnostic::{Failure, counted};
use crate::workspace::failure::too_large;
use crate::workspace::files::{
    Source,
    listed::{Entry, Listed},
};
use crate::workspace::git::{Git, at_tab};
use crate::workspace::paths::path_of;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

pub fn of_commit(git: &Git, commit: &str) -> Result<Source, Failure> {
    Ok(Arc::new(files(git, commit)?.into()))
}

/// The files of `target` once a pull request is merged whose last commit is `commit`, and which changes these paths. If
/// a KEP was moved meanwhile, they are those of `commit`.
pub fn of_merge(git: &Git, target: &str, commit: &str, changed: &[PathBuf]) -> Result<Source, Failure> {
    let (mut merged, mut own) = (files(git, target)?, files(git, commit)?);
    let mut metadata = changed.iter().filter_map(|path| Some(path.parent()?.join("kep.yaml")));
    let is_known = |path: &PathBuf| merged.entries.contains_key(path) || changed.contains(path);
    if metadata.any(|path| own.entries.contains_key(&path) && !is_known(&path)) {
        return Ok(Arc::new(own.into()));
    }
    for path in changed {
        merged.entries.remove(path);
        merged.links.remove(path);
        merged.entries.extend(own.entries.remove_entry(path));
        merged.links.extend(own.links.remove_entry(path));
    }
    Ok(Arc::new(merged.into()))
}

fn files(git: &Git, commit: &str) -> Result<Listed, Failure> {
    let question = ["ls-tree", "-r", "-z", "--full-tree", commit, "--"];
    // `<mode> <type> <object>\t<path>`
    tree(git, "list the files of the base", question, |[_, object]| Ok(object))
}

pub fn of_index(git: &Git) -> Result<Source, Failure> {
    // `<mode> <object> <stage>\t<path>`
    let tree = tree(git, "list what is staged", ["ls-files", "--stage", "-z"], |[object, stage]| match stage {
        "0" => Ok(object),
        _ => {
            let failure = Failure::new("cannot check what is staged: some files have merge conflicts");
            Err(failure.help("resolve them, and add the files with `git add`"))
        }
    })?;
    Ok(Arc::new(tree.into()))
}

/// The files that git lists, each with three words before its path: the mode, and two that have the `object`.
fn tree<'q>(
    git: &Git,
    operation: &str,
    question: impl IntoIterator<Item = &'q str>,
    object: impl for<'w> Fn([&'w str; 2]) -> Result<&'w str, Failure>,
) -> Result<Listed, Failure> {
    let items = git.items(operation, question)?;
    refuse_more(items.len())?;
    let mut entries = Vec::new();
    let mut links = HashMap::new();
    for item in &items {
        let Some((head, path)) = at_tab(item) else { continue };
        let head = String::from_utf8_lossy(head);
        let words: Vec<&str> = head.split(' ').collect();
        let [mode, second, third] = *words else { continue };
        let object = object([second, third])?;
        let path = path_of(path);
        let entry = match mode {
            "120000" => {
                match git.objects()?.read(object, bounds::PATH_BYTES) {
                    Ok(Content::File(target)) => drop(links.insert(path.clone(), path_of(&target))),
                    Ok(Content::TooLarge(size)) => return Err(too_large(&path, size, bounds::PATH_BYTES)),
                    // It is missing where it is followed.
                    _ => {}
                }
                Entry::Link
            }
            "160000" => Entry::Submodule,
            _ => Entry::Object(object.to_owned()),
        };
        entries.push((path, entry));
    }
    // Git lists them almost in the order of paths, which makes this fast.
    let entries: BTreeMap<PathBuf, Entry> = entries.into_iter().collect();
    Ok(Listed { root: git.root().clone(), entries, links, git: Some(git.clone()), ..Listed::default() })
}

fn refuse_more(files: usize) -> Result<(), Failure> {
    if files <= bounds::REVISION_FILES {
        return Ok(());
    }
    let most = counted(bounds::REVISION_FILES, "file", "files");
    Err(Failure::new(format!("cannot list the repository: it has more than {most}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_has_so_many_files() {
        assert_eq!(refuse_more(bounds::REVISION_FILES), Ok(()));
        let refused = refuse_more(bounds::REVISION_FILES + 1).expect_err("it is one more");
        assert_eq!(refused.message, "cannot list the repository: it has more than 1000000 files");
    }
}
