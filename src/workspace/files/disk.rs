//! The files on disk within an edge.

mod listing;
mod walk;

use super::{Files, Kind, Opened, Source, or_here};
use crate::bounds;
use crate::diagnostic::Failure;
use crate::source::SourceFile;
use crate::workspace::edge::{self, Edge, Unresolved};
use crate::workspace::failure::{self, leads_out, too_large};
use crate::workspace::paths::{RealPath, shown};
use crate::workspace::walk::Walk;
use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The files of the repository around a path of the command line.
pub fn around(path: &Path) -> Source {
    Arc::new(Edge::around(path))
}

impl Files for Edge {
    fn kind(&self, path: &Path) -> Option<Kind> {
        kind(or_here(path))
    }

    fn list(&self, root: &Path) -> Walk {
        walk::over(root, self)
    }

    fn names(&self, directory: &Path) -> Vec<OsString> {
        let mut names: Vec<OsString> = names(or_here(directory)).collect();
        names.sort();
        names
    }

    fn real(&self, path: &Path) -> RealPath {
        edge::followed(or_here(path))
    }

    fn real_in(&self, real: &RealPath, path: &Path) -> RealPath {
        let place = path.file_name().map(|name| real.below(Path::new(name)));
        let is_plain = |file: &RealPath| file.symlink_metadata().is_ok_and(|metadata| !metadata.is_symlink());
        place.filter(is_plain).unwrap_or_else(|| self.real(path))
    }

    fn link(&self, path: &Path) -> Option<PathBuf> {
        path.read_link().ok()
    }

    fn holds(&self, real: &RealPath) -> bool {
        Self::holds(self, real)
    }

    fn read(&self, path: &Path, most: u64) -> Result<Opened, Failure> {
        read(path, self, most)
    }

    fn read_in(&self, real: &RealPath, path: &Path, most: u64) -> Result<Opened, Failure> {
        // A few thousand links that are not looked for make a run over a whole tree faster.
        if Self::holds(self, real)
            && let Some(place) = path.file_name().map(|name| real.join(name))
            && let Some(metadata) = place.symlink_metadata().ok().filter(Metadata::is_file)
        {
            return read_regular(path, RealPath::assume(place), &metadata, most);
        }
        read(path, self, most)
    }

    fn tree_around(&self) -> Option<PathBuf> {
        edge::tree_around(&self.real(Path::new(".")))
    }

    fn is_clone_in(&self, tree: &RealPath, directory: &RealPath) -> bool {
        edge::is_clone_in(tree, directory)
    }

    fn root_around(&self, real: &RealPath) -> RealPath {
        Edge::around(real).root().clone()
    }

    fn edge(&self) -> Option<&Edge> {
        Some(self)
    }
}

pub(super) fn kind(path: &Path) -> Option<Kind> {
    if path.is_dir() { Some(Kind::Directory) } else { path.symlink_metadata().ok().map(|_| Kind::Other) }
}

/// The names of all that is in `directory` on disk, in no order.
pub(super) fn names(directory: &Path) -> impl Iterator<Item = OsString> {
    let entries = directory.read_dir().into_iter().flatten().flatten();
    entries.take(bounds::WALK_ENTRIES).map(|entry| entry.file_name())
}

pub(super) fn read(path: &Path, edge: &Edge, most: u64) -> Result<Opened, Failure> {
    let place = edge.resolve(path).map_err(|unresolved| match unresolved {
        Unresolved::Outside(root) => leads_out(path, &root),
        Unresolved::Broken(_) if path.is_symlink() => {
            Failure::of("read", path, "dangling symlink").help("fix the link, or put the file in its place")
        }
        Unresolved::Broken(error) => failure::io("read", path, &error),
    })?;
    let metadata = fs::metadata(&place).map_err(|error| failure::io("read", path, &error))?;
    if !metadata.is_file() {
        let what = if metadata.is_dir() { "it is a directory" } else { "not a regular file" };
        return Err(Failure::of("read", path, what).help("put a file in its place"));
    }
    read_regular(path, place, &metadata, most)
}

/// Reads the regular file that is at `place`.
fn read_regular(path: &Path, place: RealPath, metadata: &Metadata, most: u64) -> Result<Opened, Failure> {
    let failed = |error: &std::io::Error| failure::io("read", path, error);
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
