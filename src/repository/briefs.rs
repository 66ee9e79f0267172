//! What a repository knows of all its KEPs by the lines of each kep.yaml: feature gates and milestones.

use super::Repository;
use crate::kep::brief::Brief;
use crate::kep::number;
use std::collections::{BTreeMap, BTreeSet};

impl Repository {
    /// Notes the feature gates and the latest milestones of all KEPs, each with the name of its directory.
    pub fn set_briefs<'a>(&mut self, briefs: impl Iterator<Item = (&'a str, Brief)>) {
        let mut milestones = Vec::new();
        for (directory, Brief { milestone, gates, is_open }) in briefs {
            milestones.extend(milestone);
            let number = number::of_directory(directory).unwrap_or(directory);
            for gate in gates {
                self.gates.entry(gate).or_default().insert(number.to_owned(), is_open);
            }
        }
        self.told.milestones = milestones.into_iter().collect();
    }

    /// Whether releases are not those of Kubernetes, and KEPs are planned for none: no KEP, or few.
    pub fn has_no_milestones(&self) -> bool {
        let is_unused = self.told.milestones.is_empty() || self.vocabulary.lacks("latest-milestone");
        !self.has_groups && self.numbers.is_some() && is_unused
    }

    /// The numbers of PRR files that are not those of any KEP.
    pub fn orphans(&self) -> BTreeSet<String> {
        let numbers = self.reviews.iter().flat_map(BTreeMap::keys);
        numbers.filter(|number| self.has_number(number) == Some(false)).cloned().collect()
    }

    /// The number of a KEP, other than `number`, that a feature gate belongs to: the first one that lists it.
    pub fn other_kep_of(&self, gate: &str, number: Option<&str>) -> Option<&str> {
        let keps = self.gates.get(gate)?;
        keps.keys().map(String::as_str).find(|kep| Some(*kep) != number)
    }

    /// Whether a KEP that is not finished, other than `number`, lists a feature gate.
    pub fn is_of_open_kep(&self, gate: &str, number: Option<&str>) -> bool {
        let keps = self.gates.get(gate).into_iter().flatten();
        keps.into_iter().any(|(kep, is_open)| *is_open && Some(kep.as_str()) != number)
    }
}
