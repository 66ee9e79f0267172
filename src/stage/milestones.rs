//! The release under development of a repository, as the latest milestones of its KEPs tell it.

use super::Release;
use std::collections::BTreeMap;

/// How many releases after the newest one that is known a few KEPs can be planned for: a later one is most
/// likely a slip.
pub const MOST_AHEAD: u32 = 2;

/// How many KEPs must name a later release of Kubernetes: more than one change adds.
const LEAST_KEPS: usize = 12;

/// How many KEPs name each release as their latest milestone. Unknown milestones are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Milestones {
    counts: BTreeMap<Release, usize>,
}

impl FromIterator<Release> for Milestones {
    fn from_iter<M: IntoIterator<Item = Release>>(milestones: M) -> Self {
        let mut counts: BTreeMap<Release, usize> = BTreeMap::new();
        let known = milestones.into_iter().filter(|milestone| !milestone.is_unknown());
        known.for_each(|milestone| *counts.entry(milestone).or_default() += 1);
        Self { counts }
    }
}

impl Milestones {
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The release under development of a repository with releases of its own: the newest one that at least
    /// two documents name, or else the newest one.
    pub fn release_elsewhere(&self) -> Option<Release> {
        const LEAST_DOCUMENTS: usize = 2;
        let common = self.newest(|_, count| count >= LEAST_DOCUMENTS);
        common.or_else(|| self.counts.keys().next_back().copied())
    }

    /// The release under development of Kubernetes: the newest one that at least 2 % of the milestones name.
    /// A milestone of a few KEPs that is far ahead of the releases that the program knows does not count,
    /// because it would make the other KEPs stale: one more than [`MOST_AHEAD`] releases after
    /// [`Release::CURRENT`] must be that of at least [`LEAST_KEPS`] KEPs.
    pub fn release_of_kubernetes(&self) -> Option<Release> {
        const SHARE: usize = 50;
        let last = Release::CURRENT.plus(MOST_AHEAD);
        let all: usize = self.counts.values().sum();
        self.newest(|release, count| count * SHARE >= all && (release <= last || count >= LEAST_KEPS))
    }

    /// The newest release that counts with so many KEPs.
    fn newest(&self, counts: impl Fn(Release, usize) -> bool) -> Option<Release> {
        let newest_first = self.counts.iter().rev().map(|(release, count)| (*release, *count));
        newest_first.filter(|(release, count)| counts(*release, *count)).map(|(release, _)| release).next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn milestones(counts: &[(&str, usize)]) -> Milestones {
        let all = counts.iter().flat_map(|(text, count)| std::iter::repeat_n(Release::parse(text), *count));
        all.flatten().collect()
    }

    fn shown(release: Option<Release>) -> Option<String> {
        release.map(|release| release.to_string())
    }

    #[test]
    fn the_newest_milestone_of_two_in_a_hundred_is_the_release() {
        let newest = |old: usize, new: usize| {
            shown(milestones(&[("v1.36", old), ("v1.38", new), ("0.0", 50), ("x", 50)]).release_of_kubernetes())
        };
        assert_eq!(newest(0, 0), None);
        assert_eq!(newest(1, 0).as_deref(), Some("v1.36"));
        assert_eq!(newest(600, 11).as_deref(), Some("v1.36"));
        assert_eq!(newest(600, 13).as_deref(), Some("v1.38"));
        assert_eq!(newest(6, 1).as_deref(), Some("v1.38"));
    }

    #[test]
    fn elsewhere_two_documents_make_a_release() {
        let newest = |counts: &[(&str, usize)]| shown(milestones(counts).release_elsewhere());
        assert_eq!(newest(&[]), None);
        assert_eq!(newest(&[("v0.20", 90), ("v0.21", 2), ("v0.99", 1)]).as_deref(), Some("v0.21"));
        assert_eq!(newest(&[("v0.20", 1), ("v0.21", 1)]).as_deref(), Some("v0.21"), "each has one of its own");
    }

    #[test]
    fn a_release_of_kubernetes_that_is_far_ahead_needs_many_keps() {
        let ahead = |releases: u32| Release::CURRENT.plus(releases).to_string();
        let (near, far) = (ahead(MOST_AHEAD), ahead(MOST_AHEAD + 1));
        let release =
            |new: &str, count: usize| shown(milestones(&[("v1.37", 6), (new, count)]).release_of_kubernetes());
        assert_eq!(release(&near, 1), Some(near.clone()));
        assert_eq!(release(&far, LEAST_KEPS - 1).as_deref(), Some("v1.37"));
        assert_eq!(release(&far, LEAST_KEPS), Some(far.clone()), "an old program goes on with the releases");
        for decoy in ["v1.60", "v1.999999", "v2.0", "v4294967295.4294967295"] {
            assert_eq!(release(decoy, 1).as_deref(), Some("v1.37"), "{decoy}");
        }
        assert_eq!(milestones(&[(&far, 1)]).release_of_kubernetes(), None);
    }
}
