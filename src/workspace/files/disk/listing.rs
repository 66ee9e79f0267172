//! All that is below a directory, without what links lead to. The directories in it are listed side by side, because most
//! of the time is spent waiting for the file system.

use rayon::prelude::*;
use std::fs::{self, FileType};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{io, iter};
use walkdir::{DirEntry, WalkDir};

/// Something in a directory, by its way from where the listing began.
#[derive(Debug)]
pub enum Listed {
    /// A directory; what is in it follows.
    Directory(PathBuf),
    Link(PathBuf),
    File(PathBuf),
    Unreadable(PathBuf, io::Error),
}

/// Lists all that is below `directory`, each directory before what is in it, by name. Directories that `is_left_out` are
/// not listed. Of more than `most` entries, only the first ones are listed, and one more.
pub fn below(directory: &Path, is_left_out: &(impl Fn(&Path) -> bool + Sync), most: usize) -> Vec<Listed> {
    let count = AtomicUsize::new(0);
    let top = match directly_in(directory, is_left_out, most) {
        Ok(top) => top,
        // Nothing is below a file.
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Vec::new(),
        Err(error) => return vec![Listed::Unreadable(PathBuf::new(), error)],
    };
    let has_room = || count.fetch_add(1, Ordering::Relaxed) < most;
    let branch = |first: Listed| {
        let inner: Vec<Listed> = match &first {
            Listed::Directory(way) => walk(directory, way, is_left_out).take_while(|_| has_room()).collect(),
            _ => Vec::new(),
        };
        (first, inner)
    };
    let branches: Vec<(Listed, Vec<Listed>)> = top.into_par_iter().take_any_while(|_| has_room()).map(branch).collect();
    if count.into_inner() > most {
        // Which entries are the first ones is only known if they are listed one after the other.
        return walk(directory, Path::new(""), is_left_out).take(most.saturating_add(1)).collect();
    }
    branches.into_iter().flat_map(|(first, inner)| [first].into_iter().chain(inner)).collect()
}

/// What is in a directory itself, by name.
fn directly_in(directory: &Path, is_left_out: &impl Fn(&Path) -> bool, most: usize) -> io::Result<Vec<Listed>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(directory)?.take(most.saturating_add(1)) {
        let entry = entry?;
        entries.push((entry.file_name(), entry.file_type()));
    }
    entries.sort_by(|(one, _), (other, _)| one.cmp(other));
    let listed = entries.into_iter().map(|(name, kind)| match (PathBuf::from(name), kind) {
        (way, Ok(kind)) => Listed::of(way, kind),
        (way, Err(error)) => Listed::Unreadable(way, error),
    });
    Ok(listed.filter(|listed| !matches!(listed, Listed::Directory(way) if is_left_out(way))).collect())
}

/// All that is below the directory at `way` from `root` on, one after the other.
fn walk<'a>(root: &'a Path, way: &Path, is_left_out: &'a impl Fn(&Path) -> bool) -> impl Iterator<Item = Listed> + 'a {
    // Those in one directory differ in their names alone, and bytes are compared faster than parts of paths.
    let by_name = |one: &DirEntry, other: &DirEntry| one.path().as_os_str().cmp(other.path().as_os_str());
    let mut entries = WalkDir::new(root.join(way)).min_depth(1).sort_by(by_name).into_iter();
    // The ways to the directory that is listed and to those around it, by depth.
    let start = way.to_owned();
    let mut ways = vec![start.clone()];
    iter::from_fn(move || {
        loop {
            let entry = match entries.next()? {
                Ok(entry) => entry,
                Err(error) => {
                    let place = error.path().and_then(|path| path.strip_prefix(root).ok()).unwrap_or(&start);
                    let (place, reason) = (place.to_owned(), error.to_string());
                    let error = error.into_io_error().unwrap_or_else(|| io::Error::other(reason));
                    return Some(Listed::Unreadable(place, error));
                }
            };
            ways.truncate(entry.depth());
            let own = ways.last().map(|around| around.join(entry.file_name())).unwrap_or_default();
            if entry.file_type().is_dir() {
                if is_left_out(&own) {
                    entries.skip_current_dir();
                    continue;
                }
                ways.push(own.clone());
            }
            return Some(Listed::of(own, entry.file_type()));
        }
    })
}

impl Listed {
    fn of(way: PathBuf, kind: FileType) -> Self {
        match kind {
            _ if kind.is_symlink() => Self::Link(way),
            _ if kind.is_dir() => Self::Directory(way),
            _ => Self::File(way),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_wanted_are_listed_in_order() {
        let root = tempfile::tempdir().expect("a directory");
        for path in ["a/c/1", "a/b", "b/left-out/1", "c"] {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("it has one")).expect("a directory");
            fs::write(path, "").expect("a file");
        }
        let names = |most| {
            let is_left_out = |path: &Path| path.ends_with("left-out");
            let name = |listed: Listed| match listed {
                Listed::Directory(way) => format!("{}/", way.display()),
                Listed::Link(way) | Listed::File(way) => way.display().to_string(),
                Listed::Unreadable(way, error) => panic!("{}: {error}", way.display()),
            };
            below(root.path(), &is_left_out, most).into_iter().map(name).collect::<Vec<_>>()
        };
        let all = ["a/", "a/b", "a/c/", "a/c/1", "b/", "c"];
        assert_eq!(names(usize::MAX), all);
        for most in 0..all.len() {
            assert_eq!(names(most), all[..=most], "{most}");
        }
        assert_eq!(names(all.len()), all);
    }
}
