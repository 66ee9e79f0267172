//! How many KEPs each PRR approver has.

use super::approver::Role;
use super::checklist::Checklist;
use crate::kep::filter::Handle;
use std::cmp::Reverse;
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    pub name: String,
    /// How many KEPs name them for the stage that is asked about.
    pub keps: usize,
    /// In how many of these they are only asked.
    pub asked: usize,
}

/// The load of each approver, the highest first.
pub fn loads(checklists: &[Checklist]) -> Vec<Load> {
    let mut loads: BTreeMap<Handle, Load> = BTreeMap::new();
    for approver in checklists.iter().filter_map(|checklist| checklist.approver.as_ref()) {
        let Some(handle) = Handle::of(&approver.name) else { continue };
        let load = loads.entry(handle).or_insert_with(|| Load { name: approver.name.clone(), keps: 0, asked: 0 });
        load.keps += 1;
        load.asked += usize::from(approver.role == Role::Asked);
    }
    let mut loads: Vec<Load> = loads.into_values().collect();
    loads.sort_by_key(|load| Reverse(load.keps));
    loads
}
