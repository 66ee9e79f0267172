//! Reads what is needed of all KEPs of a tree, also if only a few are checked.

use super::directory::KepDirectory;
use super::pool::each;
use crate::kep::brief::Brief;

/// What is read of each kep.yaml of a tree. Files that cannot be read are reported where they are checked.
pub fn all<'a>(keps: &[&'a KepDirectory]) -> Vec<(&'a KepDirectory, Brief)> {
    let brief = |kep: &&'a KepDirectory| Some((*kep, of(kep)?));
    each(keps, brief).into_iter().flatten().collect()
}

pub fn of(kep: &KepDirectory) -> Option<Brief> {
    Some(Brief::of(&kep.metadata()?.ok()?.file.text))
}
