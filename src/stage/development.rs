//! The release under development of a repository, and what tells it.

use super::Release;

/// How many releases after the newest one that is known a few KEPs can be planned for: a later one is most likely a slip.
pub const MOST_AHEAD: u32 = 2;

/// The release under development of a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Development {
    pub release: Release,
    pub told_by: ToldBy,
}

/// What tells the release under development of a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToldBy {
    Tree,
    /// The commit that a change is compared with: its day, and the newest milestone of its KEPs.
    Base,
    /// The same of the commit that the default branch is at.
    DefaultBranch,
}

/// The milestone of a KEP that was moved on already, while the releases of the others are not: `own` where it is later
/// than `current`, the release under development, and can be planned for.
pub fn planned(own: Option<Release>, current: Release, is_kubernetes: bool) -> Option<Release> {
    let newest = if is_kubernetes { current.max(Release::CURRENT) } else { current };
    own.filter(|own| *own > current && *own <= newest.plus(MOST_AHEAD))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_milestone_is_planned_for_unless_it_is_far_ahead() {
        let release = |minor| Release { major: 1, minor };
        let planned = |own, current| planned(Some(release(own)), release(current), true).map(|own| own.minor);
        assert_eq!([36, 37, 38, 39, 40, 83].map(|own| planned(own, 37)), [None, None, Some(38), Some(39), None, None]);
        assert_eq!([38, 39, 40].map(|own| planned(own, 30)), [Some(38), Some(39), None], "the program knows v1.37");
        assert_eq!([42, 43].map(|own| planned(own, 40)), [Some(42), None], "the tree is newer than the program");
        assert_eq!(super::planned(Release::parse("v2.0"), release(37), true), None);
        let own = |own| super::planned(Release::parse(own), Release { major: 0, minor: 20 }, false);
        assert_eq!((own("v0.22"), own("v0.23")), (Release::parse("v0.22"), None), "other releases have other numbers");
    }
}
