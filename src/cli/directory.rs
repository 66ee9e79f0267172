//! The directory of a KEP.

use super::edge::Edge;
use super::path::{is_named, shown};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of the directory that holds all KEPs.
pub const TREE: &str = "keps";

/// A KEP's directory.
#[derive(Clone, Debug)]
pub struct KepDirectory {
    /// As given on the command line plus the rest.
    pub given: PathBuf,
    /// The same as reports show it.
    pub shown: String,
    /// Its own name.
    pub name: String,
    /// Its README.md, else a file of that name in another case.
    pub readme: Option<PathBuf>,
    /// Its kep.yaml.
    pub metadata: Option<PathBuf>,
    /// Its OWNERS.
    pub owners: Option<PathBuf>,
    /// Its other Markdown files, in order.
    pub documents: Vec<PathBuf>,
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
