//! What a repository knows of all its KEPs by the lines of each kep.yaml: feature gates and the release under development.

use super::Repository;
use crate::kep::brief::Brief;
use crate::kep::number;
use crate::stage::Release;
use crate::stage::development::{Development, ToldBy};
use crate::stage::milestones::Milestones;

impl Repository {
    /// Notes the feature gates of all KEPs, and finds the release under development by their milestones.
    pub fn set_briefs<'a>(&mut self, briefs: impl Iterator<Item = (&'a str, Brief)>) {
        let mut milestones = Vec::new();
        for (directory, Brief { milestone, gates, is_open }) in briefs {
            milestones.extend(milestone);
            let number = number::of_directory(directory).unwrap_or(directory);
            for gate in gates {
                self.gates.entry(gate).or_default().insert(number.to_owned(), is_open);
            }
        }
        self.milestones = milestones.into_iter().collect();
        self.find_release(None);
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

    /// Finds the release under development again: for staged changes with the milestones of the tree before them, `base`,
    /// and after [`Repository::has_groups`] was changed.
    pub fn find_release(&mut self, base: Option<&Milestones>) {
        let milestones = &self.milestones;
        let release = if self.has_groups {
            milestones.release_of_kubernetes(base.unwrap_or(milestones))
        } else {
            milestones.release()
        };
        self.development = release.map(|release| Development { release, told_by: ToldBy::Tree });
    }

    /// Takes the release under development from a commit whose author is not that of a change: the one of its day,
    /// `on_day`, or the newest that its KEPs name, whichever is later. Other releases than those of Kubernetes have no
    /// days that are known.
    pub fn take_release(&mut self, on_day: Release, milestones: &Milestones, told_by: ToldBy) {
        if self.has_groups {
            let newest = milestones.release_of_kubernetes(milestones);
            self.development =
                Some(Development { release: newest.map_or(on_day, |newest| newest.max(on_day)), told_by });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_tells_the_release_by_its_day_or_its_keps() {
        let release = |minor| Release { major: 1, minor };
        let told = |groups: bool, on_day: u32, named: u32| {
            let mut repository = Repository { has_groups: groups, ..Repository::default() };
            repository.milestones = [release(36)].into_iter().collect();
            repository.find_release(None);
            repository.take_release(release(on_day), &[release(named)].into_iter().collect(), ToldBy::Base);
            repository.development.map(|development| (development.release.minor, development.told_by))
        };
        assert_eq!(told(true, 38, 37), Some((38, ToldBy::Base)));
        assert_eq!(told(true, 37, 38), Some((38, ToldBy::Base)));
        assert_eq!(told(true, 35, 99), Some((35, ToldBy::Base)), "one KEP is far ahead");
        assert_eq!(told(false, 38, 37), Some((36, ToldBy::Tree)));
    }
}
