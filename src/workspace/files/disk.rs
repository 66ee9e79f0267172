//! The files on disk, as far as they are within an edge.

use super::opened::{Kind, Opened, or_here};
use super::{Source, Tree, laid_out};
use crate::bounds;
use crate::diagnostic::Failure;
use crate::kep::layout::Layout;
use crate::workspace::edge::{Edge, Unresolved};
use crate::workspace::failure::{self, dangling, leads_out, too_large};
use crate::workspace::paths::{RealPath, joined};
use crate::workspace::walk::Walk;
use std::ffi::OsString;
use std::fs::{File, FileType};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// The files of the repository around a path of the command line.
pub fn around(path: &Path) -> Source {
    Arc::new(Tree::around(path))
}

/// The same for a repository whose proposals lie like this.
pub fn with_layout(layout: &Layout) -> impl Fn(&Path) -> Source {
    let layout = layout.clone();
    move |path| laid_out(around(path), &layout)
}

pub(super) fn kind(path: &Path) -> Option<Kind> {
    if path.is_dir() { Some(Kind::Directory) } else { path.symlink_metadata().ok().map(|_| Kind::Other) }
}

pub(super) fn names(directory: &Path) -> Vec<OsString> {
    let entries = directory.read_dir().into_iter().flatten().flatten();
    entries.take(bounds::WALK_ENTRIES).map(|entry| entry.file_name()).collect()
}

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
    Listing { edge, most, walk: &mut walk }.add(Path::new(""));
    walk
}

struct Listing<'a> {
    edge: &'a Edge,
    most: usize,
    walk: &'a mut Walk,
}

impl Listing<'_> {
    /// Adds what is in the directory at `way`, and below.
    fn add(&mut self, way: &Path) {
        let directory = joined(&self.walk.given, way);
        let entries = match entries(&directory) {
            Ok(entries) => entries,
            Err(error) => {
                let failure = failure::io("read", &directory, &error);
                self.walk.failures.push(failure.help("make it readable, or name the directories beside it"));
                return;
            }
        };
        for (name, kind) in entries {
            if self.walk.paths.len() == self.most && !self.walk.is_cut {
                self.walk.is_cut = true;
                let reason = format!("it has more than {} files and directories", self.most);
                let failure = Failure::of("look through all of", &self.walk.given, &reason);
                let failure = failure.help("name the directories to check, or move other files elsewhere");
                self.walk.failures.insert(0, failure);
            }
            if self.walk.is_cut {
                return;
            }
            let way = joined(way, Path::new(&name));
            if kind.is_symlink() {
                self.add_link(&way);
            }
            self.walk.paths.push(way.clone());
            if kind.is_dir() {
                self.add(&way);
            }
        }
    }

    /// Notes a link to a directory. A dangling link, or one to a file, is reported where it is read.
    fn add_link(&mut self, way: &Path) {
        let link = joined(&self.walk.given, way);
        let holds = |place: &RealPath| self.edge.holds(place);
        match self.edge.resolve(&link) {
            Ok(target) if target.is_dir() => self.walk.add_link(way, Some(&target), holds),
            Err(Unresolved::Outside(_)) if link.is_dir() => self.walk.add_link(way, None, holds),
            _ => {}
        }
    }
}

/// What is in a directory by name, without what belongs to git.
fn entries(directory: &Path) -> io::Result<Vec<(OsString, FileType)>> {
    let entries =
        or_here(directory).read_dir()?.map(|entry| entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?))));
    let mut entries = entries.collect::<io::Result<Vec<_>>>()?;
    entries.retain(|(name, kind)| name != ".git" || !kind.is_dir());
    entries.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(entries)
}

pub(super) fn place(path: &Path, edge: &Edge) -> Result<RealPath, Failure> {
    edge.resolve(path).map_err(|unresolved| match unresolved {
        Unresolved::Outside(root) => leads_out(path, &root),
        Unresolved::Broken(_) if path.is_symlink() => dangling(path),
        Unresolved::Broken(error) => failure::io("read", path, &error),
    })
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
    Opened::of(path, place, bytes, most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::PathBuf;

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
