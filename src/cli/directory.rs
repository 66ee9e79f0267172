//! The directory of a KEP.

use super::path::shown;
use super::source::Source;
use crate::kep::directory::{KepFiles, TREE, is_named};
use std::path::{Path, PathBuf};

/// A KEP's directory.
#[derive(Clone, Debug)]
pub struct KepDirectory {
    /// As given on the command line plus the rest.
    pub given: PathBuf,
    /// The same as reports show it.
    pub shown: String,
    /// Its own name.
    pub name: String,
    /// Its files.
    pub files: KepFiles,
    /// The directory without symlinks, by which it is known.
    pub real: PathBuf,
    /// Whether it was found by looking through a directory around it.
    pub is_searched: bool,
    /// Where its files are read.
    pub source: Source,
}

impl KepDirectory {
    /// The directory `keps` around it, and the way from there.
    pub fn tree(&self) -> Option<(&Path, &Path)> {
        let keps = self.real.ancestors().find(|directory| is_named(directory, TREE))?;
        Some((keps, self.real.strip_prefix(keps).ok()?))
    }

    /// Its path from `keps` on.
    pub fn tree_path(&self) -> Option<String> {
        let (_, way) = self.tree()?;
        Some(shown(&Path::new(TREE).join(way)).trim_end_matches('/').to_owned())
    }
}
