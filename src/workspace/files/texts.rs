//! Texts of an editor in the place of those that files have.

use super::opened::Kind;
use crate::workspace::paths::RealPath;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The texts of files by where these are. An editor changes them while KEPs are open.
#[derive(Debug, Default)]
pub struct Texts {
    /// Those of each file by the paths that lead to it; the last one counts.
    texts: BTreeMap<PathBuf, Vec<(PathBuf, Vec<u8>)>>,
}

impl Texts {
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    pub fn at(&self, place: &Path) -> Option<&[u8]> {
        self.texts.get(place)?.last().map(|(_, bytes)| bytes.as_slice())
    }

    pub fn places(&self) -> impl Iterator<Item = &Path> {
        self.texts.keys().map(PathBuf::as_path)
    }

    /// What these files make of the place that `find` tells: one of them, or a directory, which may be missing on disk.
    pub fn kind(&self, find: impl FnOnce() -> RealPath) -> Option<Kind> {
        if self.is_empty() {
            return None;
        }
        let place = find();
        if self.texts.contains_key(&*place) {
            return Some(Kind::Other);
        }
        self.places().find(|own| own.starts_with(&place)).map(|_| Kind::Directory)
    }

    /// The names of files and directories in the directory that `find` tells.
    pub fn names(&self, find: impl FnOnce() -> RealPath) -> Vec<OsString> {
        if self.is_empty() {
            return Vec::new();
        }
        let directory = find();
        let name = |place: &Path| place.strip_prefix(&directory).ok()?.iter().next().map(ToOwned::to_owned);
        self.places().filter_map(name).collect()
    }

    /// The file at `place`, which `path` leads to, has this text.
    pub fn set(&mut self, place: RealPath, path: &Path, bytes: Vec<u8>) {
        self.texts.entry(place.into()).or_default().push((path.to_owned(), bytes));
    }

    pub fn forget(&mut self, path: &Path) -> Option<Vec<u8>> {
        let mut own = self.texts.values_mut().flat_map(|all| all.extract_if(.., |(name, _)| name == path));
        let text = own.next().map(|(_, text)| text);
        drop(own);
        self.texts.retain(|_, all| !all.is_empty());
        text
    }

    /// Whether the text at `path` is that of a file elsewhere than at `place`.
    pub fn has_moved(&self, path: &Path, place: &RealPath) -> bool {
        let has_it = |all: &[(PathBuf, Vec<u8>)]| all.iter().any(|(name, _)| name == path);
        self.texts.iter().any(|(known, all)| *known != **place && has_it(all))
    }
}
