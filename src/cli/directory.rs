//! The directory of a KEP.

use super::edge::Edge;
use super::path::shown;
use crate::kep::directory::{KepFiles, TREE, is_named};
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
    /// How far its links may lead.
    pub edge: Arc<Edge>,
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
