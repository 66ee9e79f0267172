//! The ids of a page, each of which is there once.

use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Default)]
pub struct Ids {
    used: BTreeSet<String>,
    /// The last number that was added to an id to tell it from the others.
    numbers: BTreeMap<String, usize>,
}

impl Ids {
    pub fn with(reserved: &[&str]) -> Self {
        Self { used: reserved.iter().map(|id| (*id).to_owned()).collect(), numbers: BTreeMap::new() }
    }

    /// An id made from `name`, which nothing else has.
    pub fn unique(&mut self, name: &str) -> String {
        let wanted = super::text::id(name);
        let wanted = if wanted.is_empty() { "-".to_owned() } else { wanted };
        let mut id = wanted.clone();
        while !self.used.insert(id.clone()) {
            let number = self.numbers.entry(wanted.clone()).or_insert(1);
            *number += 1;
            id = format!("{wanted}-{number}");
        }
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_id_is_there_twice() {
        let mut ids = Ids::with(&["keps"]);
        let made = ["a", "a", "a-2", "a", "keps", "", "é", "ü"].map(|name| ids.unique(name));
        assert_eq!(made, ["a", "a-2", "a-2-2", "a-3", "keps-2", "-", "--2", "--3"]);
    }
}
