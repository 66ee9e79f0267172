//! The release under development of a repository, as the latest milestones of its KEPs tell it.

use super::Release;
use super::development::MOST_AHEAD;
use std::collections::BTreeMap;

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
    /// The release under development of a repository with releases of its own: the newest one that at least 2 % of the
    /// milestones name.
    pub fn release(&self) -> Option<Release> {
        self.newest(|_| true)
    }

    /// The same where the releases are those of Kubernetes. A milestone of a few KEPs that is far ahead of the releases
    /// that the program knows does not count, because it would make the other KEPs stale: one more than [`MOST_AHEAD`]
    /// releases after [`Release::CURRENT`] must be that of at least [`LEAST_KEPS`] KEPs in `base`. These are the
    /// milestones of the tree before a change, so that no change can decide by which release it is judged; without a
    /// change, `base` are these milestones themselves.
    pub fn release_of_kubernetes(&self, base: &Self) -> Option<Release> {
        let last = Self::last();
        let count = |release| base.counts.get(&release).copied().unwrap_or_default();
        self.newest(|release| release <= last || count(release) >= LEAST_KEPS)
    }

    /// Whether the release of [`Milestones::release_of_kubernetes`] depends on the base.
    pub fn need_base(&self) -> bool {
        self.release().is_some_and(|release| release > Self::last())
    }

    /// The last release that counts without a base.
    fn last() -> Release {
        Release::CURRENT.plus(MOST_AHEAD)
    }

    /// The newest release that counts and that at least 2 % of the milestones name.
    fn newest(&self, counts: impl Fn(Release) -> bool) -> Option<Release> {
        const SHARE: usize = 50;
        let all: usize = self.counts.values().sum();
        let mut common = self.counts.iter().rev().filter(|(_, count)| **count * SHARE >= all);
        common.find(|(release, _)| counts(**release)).map(|(release, _)| *release)
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
    fn the_newest_milestone_that_several_keps_name_is_the_release() {
        let newest = |old: usize, new: usize| {
            shown(milestones(&[("v1.37", old), ("v1.99", new), ("0.0", 50), ("x", 50)]).release())
        };
        assert_eq!(newest(0, 0), None);
        assert_eq!(newest(1, 0).as_deref(), Some("v1.37"));
        assert_eq!(newest(600, 11).as_deref(), Some("v1.37"));
        assert_eq!(newest(600, 13).as_deref(), Some("v1.99"));
        assert_eq!(newest(6, 1).as_deref(), Some("v1.99"));
    }

    #[test]
    fn a_release_of_kubernetes_that_is_far_ahead_needs_many_keps() {
        let ahead = |releases: u32| Release::CURRENT.plus(releases).to_string();
        let (near, far) = (ahead(MOST_AHEAD), ahead(MOST_AHEAD + 1));
        let release = |new: &str, count: usize| {
            let all = milestones(&[("v1.37", 6), (new, count)]);
            shown(all.release_of_kubernetes(&all))
        };
        assert_eq!(release(&near, 1), Some(near.clone()));
        assert_eq!(release(&far, LEAST_KEPS - 1).as_deref(), Some("v1.37"));
        assert_eq!(release(&far, LEAST_KEPS), Some(far.clone()), "an old program goes on with the releases");
        for decoy in ["v1.60", "v1.999999", "v2.0", "v4294967295.4294967295"] {
            assert_eq!(release(decoy, 1).as_deref(), Some("v1.37"), "{decoy}");
        }
        let only = milestones(&[(&far, 1)]);
        assert_eq!(only.release_of_kubernetes(&only), None);
    }

    #[test]
    fn the_keps_of_the_base_count() {
        let far = "v1.60";
        let (base, head) = (milestones(&[("v1.37", 6)]), milestones(&[("v1.37", 6), (far, 20)]));
        assert_eq!(shown(head.release_of_kubernetes(&base)).as_deref(), Some("v1.37"));
        assert_eq!(shown(head.release_of_kubernetes(&head)).as_deref(), Some(far));
        // What the change removes is no longer the release.
        assert_eq!(shown(base.release_of_kubernetes(&head)).as_deref(), Some("v1.37"));
    }
}
