//! What a repository knows of all its KEPs by the lines of each kep.yaml: feature gates and the release under development.

use super::Repository;
use crate::kep::brief::Brief;
use crate::kep::number;

impl Repository {
    /// Notes the feature gates of all KEPs, and finds the release under development by their latest milestones; each
    /// with the name of its directory.
    pub fn set_briefs<'a>(&mut self, briefs: impl Iterator<Item = (&'a str, Brief)>) {
        let mut milestones = Vec::new();
        for (directory, Brief { milestone, gates }) in briefs {
            milestones.extend(milestone);
            let number = number::of_directory(directory).unwrap_or(directory);
            for gate in gates {
                self.gates.entry(gate).or_default().insert(number.to_owned());
            }
        }
        self.set_release(milestones.into_iter());
    }

    /// The number of a KEP, other than `number`, that a feature gate belongs to: the first one that lists it.
    pub fn other_kep_of(&self, gate: &str, number: Option<&str>) -> Option<&str> {
        let keps = self.gates.get(gate)?;
        keps.iter().map(String::as_str).find(|kep| Some(*kep) != number)
    }
}
