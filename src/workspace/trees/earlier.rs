//! What an earlier run over the same trees knows for a later one.

use super::Repositories;
use crate::stage::release::Teller;
use crate::workspace::walked::Walked;
use std::sync::Arc;

impl Repositories {
    /// What was looked through to know the trees of a few KEPs.
    pub fn around(&self) -> impl Iterator<Item = &Arc<Walked>> {
        self.known.values().filter_map(|tree| tree.around.as_ref())
    }

    /// Takes the releases that git told for an earlier run. Returns whether it told those of all trees.
    pub fn take_releases(&mut self, earlier: &Self) -> bool {
        let mut are_known = true;
        for (root, tree) in &mut self.known {
            let told = earlier.known.get(root).map(|earlier| &earlier.repository.told);
            match told.filter(|told| told.by != Teller::Tree) {
                Some(told) => tree.repository.told.clone_from(told),
                None => are_known = false,
            }
        }
        are_known
    }
}
