//! Lists all that is in a directory on disk, and nothing outside of the repository.

use super::listing::{self, Listed};
use crate::bounds;
use crate::diagnostic::Failure;
use crate::workspace::edge::{Edge, Unresolved};
use crate::workspace::failure::{self, leads_out};
use crate::workspace::paths::{RealPath, joined};
use crate::workspace::walk::Walk;
use std::io;
use std::path::Path;

/// Lists `root`, as far as it is within `edge`.
pub fn over(root: &Path, edge: &Edge) -> Walk {
    let mut walk = Walk::new(root, RealPath::default());
    match edge.resolve(root) {
        Ok(real) => walk.root = real,
        Err(Unresolved::Outside(repository)) => {
            walk.failures.push(leads_out(root, &repository).help("name the directory that it leads to"));
            return walk;
        }
        Err(Unresolved::Broken(error)) => {
            walk.failures.push(failure::io("read", root, &error));
            return walk;
        }
    }
    let holds = |around: &RealPath| edge.holds(around);
    let is_git = |way: &Path| way.file_name().is_some_and(|name| name == ".git");
    let mut listed = listing::below(root, &is_git, bounds::WALK_ENTRIES);
    let failure = cut(root, &mut listed);
    walk.is_cut = failure.is_some();
    walk.failures.extend(failure);
    walk.paths.reserve(listed.len());
    for entry in listed {
        match entry {
            Listed::Directory(way) | Listed::File(way) => walk.paths.push(way),
            Listed::Link(way) => {
                let link = root.join(&way);
                match edge.resolve(&link) {
                    Ok(target) if target.is_dir() => walk.add_link(&way, Some(&target), holds),
                    Err(Unresolved::Outside(_)) if link.is_dir() => walk.add_link(&way, None, holds),
                    // A dangling link, or one to a file, is reported where it is read.
                    _ => {}
                }
                walk.paths.push(way);
            }
            Listed::Unreadable(way, error) => walk.failures.push(unreadable(&joined(root, &way), &error)),
        }
    }
    walk
}

/// Leaves out what is too much, and says so.
fn cut(root: &Path, listed: &mut Vec<Listed>) -> Option<Failure> {
    if listed.len() <= bounds::WALK_ENTRIES {
        return None;
    }
    listed.truncate(bounds::WALK_ENTRIES);
    let reason = format!("it has more than {} files and directories", bounds::WALK_ENTRIES);
    let failure = Failure::of("look through all of", root, &reason);
    Some(failure.help("name the directories to check, or move other files elsewhere"))
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    failure::io("read", path, error).help("make it readable, or name the directories beside it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn so_many_files_and_directories_are_listed() {
        let mut listed: Vec<Listed> = (0..bounds::WALK_ENTRIES).map(|_| Listed::File(PathBuf::new())).collect();
        assert_eq!(cut(Path::new("keps"), &mut listed), None);
        listed.push(Listed::File(PathBuf::new()));
        let failure = cut(Path::new("keps"), &mut listed).expect("it is one more");
        assert_eq!(failure.message, "cannot look through all of `keps`: it has more than 250000 files and directories");
        assert_eq!(listed.len(), bounds::WALK_ENTRIES);
    }
}
