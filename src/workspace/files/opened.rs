//! What is at a path, and what is read there: from a file, or from an editor that has another text for it.

use crate::diagnostic::Failure;
use crate::source::SourceFile;
use crate::workspace::failure::too_large;
use crate::workspace::paths::{RealPath, shown};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Directory,
    /// A file, or anything else, such as a dangling link.
    Other,
}

/// A file that was read. Clones share the text.
#[derive(Clone, Debug)]
pub struct Opened {
    pub file: Arc<SourceFile>,
    pub place: RealPath,
}

impl Opened {
    /// The file that `path` names. Fails if it has more than `most` bytes.
    pub fn of(path: &Path, place: RealPath, bytes: Vec<u8>, most: u64) -> Result<Self, Failure> {
        match bytes.len() as u64 {
            size if size > most => Err(too_large(path, size, most)),
            _ => Ok(Self { file: Arc::new(SourceFile::decode(shown(path), bytes)), place }),
        }
    }
}

/// The directory; the empty path, which is the parent of a bare file name, is the current one.
pub fn or_here(directory: &Path) -> &Path {
    if directory.as_os_str().is_empty() { Path::new(".") } else { directory }
}

/// The texts of files in the order in which they were set. An editor changes them while KEPs are open.
#[derive(Debug, Default)]
pub struct Texts(pub Vec<Text>);

#[derive(Debug)]
pub struct Text {
    /// A file may be open by several paths: the last text counts.
    pub path: PathBuf,
    pub place: RealPath,
    pub bytes: Vec<u8>,
}

impl Texts {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn at(&self, place: &RealPath) -> Option<&[u8]> {
        self.0.iter().rfind(|text| text.place == *place).map(|text| text.bytes.as_slice())
    }

    pub fn places(&self) -> impl Iterator<Item = &RealPath> {
        self.0.iter().map(|text| &text.place)
    }

    /// What these files make of a place: one of them, or a directory, which may be missing on disk.
    pub fn kind(&self, place: &RealPath) -> Option<Kind> {
        if self.at(place).is_some() {
            return Some(Kind::Other);
        }
        self.places().find(|own| own.starts_with(place)).map(|_| Kind::Directory)
    }

    pub fn names(&self, directory: &RealPath) -> Vec<OsString> {
        let name = |place: &RealPath| place.strip_prefix(directory).ok()?.iter().next().map(ToOwned::to_owned);
        self.places().filter_map(name).collect()
    }
}
