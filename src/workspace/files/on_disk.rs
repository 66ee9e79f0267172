//! What is on disk, and within an edge.

use super::opened::{Kind, Opened, or_here};
use crate::bounds;
use crate::diagnostic::Failure;
use crate::source::SourceFile;
use crate::workspace::edge::{Edge, Unresolved};
use crate::workspace::failure::{self, leads_out, too_large};
use crate::workspace::paths::{RealPath, joined, shown};
use crate::workspace::walk::Walk;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use walkdir::WalkDir;

pub(super) fn kind(path: &Path) -> Option<Kind> {
    if path.is_dir() { Some(Kind::Directory) } else { path.symlink_metadata().ok().map(|_| Kind::Other) }
}

pub(super) fn names(directory: &Path) -> Vec<OsString> {
    let entries = directory.read_dir().into_iter().flatten().flatten();
    entries.take(bounds::WALK_ENTRIES).map(|entry| entry.file_name()).collect()
}

/// Lists `root`, as far as it is within `edge`.
pub(super) fn list(root: &Path, edge: &Edge) -> Walk {
    list_most(root, edge, bounds::WALK_ENTRIES)
}

fn list_most(root: &Path, edge: &Edge, most: usize) -> Walk {
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
    let entries = WalkDir::new(or_here(root)).min_depth(1).sort_by_file_name().into_iter();
    let entries = entries.filter_entry(|entry| entry.file_name() != ".git" || !entry.file_type().is_dir());
    let holds = |place: &RealPath| edge.holds(place);
    // The ways to the directory that is listed and to those around it, by depth.
    let mut around = vec![PathBuf::new()];
    for (count, entry) in entries.enumerate() {
        if count == most {
            walk.is_cut = true;
            let reason = format!("it has more than {most} files and directories");
            let failure = Failure::of("look through all of", root, &reason);
            walk.failures.insert(0, failure.help("name the directories to check, or move other files elsewhere"));
            break;
        }
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let place = error.path().unwrap_or(root).to_owned();
                let reason = error.to_string();
                let error = error.into_io_error().unwrap_or_else(|| io::Error::other(reason));
                let failure = failure::io("read", &place, &error);
                walk.failures.push(failure.help("make it readable, or name the directories beside it"));
                continue;
            }
        };
        around.truncate(entry.depth());
        let way = joined(around.last().map_or(Path::new(""), PathBuf::as_path), Path::new(entry.file_name()));
        if entry.file_type().is_dir() {
            around.push(way.clone());
        } else if entry.path_is_symlink() {
            match edge.resolve(entry.path()) {
                Ok(target) if target.is_dir() => walk.add_link(&way, Some(&target), holds),
                Err(Unresolved::Outside(_)) if entry.path().is_dir() => {
                    walk.add_link(&way, None, holds);
                }
                // A dangling link, or one to a file, is reported where it is read.
                _ => {}
            }
        }
        walk.paths.push(way);
    }
    walk
}

pub(super) fn read(path: &Path, edge: &Edge, most: u64) -> Result<Opened, Failure> {
    let place = edge.resolve(path).map_err(|unresolved| match unresolved {
        Unresolved::Outside(root) => leads_out(path, &root),
        Unresolved::Broken(_) if path.is_symlink() => {
            Failure::of("read", path, "dangling symlink").help("fix the link, or put the file in its place")
        }
        Unresolved::Broken(error) => failure::io("read", path, &error),
    })?;
    read_at(place, path, most)
}

/// Reads the file at `place`, of which no part is a link; reports call it `path`.
pub(super) fn read_at(place: RealPath, path: &Path, most: u64) -> Result<Opened, Failure> {
    let failed = |error: &io::Error| failure::io("read", path, error);
    let metadata = place.symlink_metadata().map_err(|error| failed(&error))?;
    if !metadata.is_file() {
        let what = if metadata.is_dir() { "it is a directory" } else { "not a regular file" };
        return Err(Failure::of("read", path, what).help("put a file in its place"));
    }
    if metadata.len() > most {
        return Err(too_large(path, metadata.len(), most));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default());
    let file = File::open(&place).map_err(|error| failed(&error))?;
    file.take(most + 1).read_to_end(&mut bytes).map_err(|error| failed(&error))?;
    // It may have grown, or be of a kind that has no length before it is read.
    if bytes.len() as u64 > most {
        return Err(too_large(path, most + 1, most));
    }
    Ok(Opened { file: Arc::new(SourceFile::decode(shown(path), bytes)), place })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn so_many_files_and_directories_are_listed() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().canonicalize().expect("it is there");
        for path in ["a/c/1", "a/b", "b/.git/1", "c"] {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("it has one")).expect("a directory");
            fs::write(path, "").expect("a file");
        }
        let all = ["a", "a/b", "a/c", "a/c/1", "b", "c"].map(PathBuf::from);
        for most in 0..=all.len() {
            let walk = list_most(&root, &Edge::around(&root), most);
            assert_eq!((walk.paths.as_slice(), walk.is_cut), (&all[..most], most < all.len()));
            let messages: Vec<String> = walk.failures.into_iter().map(|failure| failure.message).collect();
            let message = format!("has more than {most} files and directories");
            assert!(messages.iter().all(|told| told.ends_with(&message)) && messages.len() == usize::from(most < 6));
        }
    }
}
