//! Which release is meant, and why: the one place that says it, for all commands.

use super::Release;
use std::collections::BTreeMap;

/// The release that a run or a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meant {
    pub release: Release,
    pub reason: Reason,
    /// Whether it is one of Kubernetes, whose days are known.
    pub is_kubernetes: bool,
}

impl Meant {
    /// Whether it is more than the release that is built in, which is none of another project.
    pub fn is_known(self, is_of_keps: bool) -> bool {
        self.is_kubernetes || is_of_keps || self.reason != Reason::BuiltIn
    }
}

/// Why a release is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reason {
    #[default]
    BuiltIn,
    /// Somebody named it.
    Given,
    Config,
    /// The newest milestone that several KEPs name.
    Milestone(Teller),
    /// The day of the newest commit.
    Day(Teller, OnDay),
    /// The milestone of the KEP that is asked about.
    Kep,
    /// The milestone that a list has for the KEP.
    List,
    /// The enhancements freeze of the release under development, and today.
    Plan(OnDay),
}

/// Whose day and KEPs tell the release.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Teller {
    /// The tree that is judged.
    #[default]
    Tree,
    /// The commit that a change is compared with.
    Base,
    /// The commit that the default branch is at.
    DefaultBranch,
}

/// What the days of the releases say of one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnDay {
    /// The release under development: the first one that comes out after the day, or else the next one after
    /// all that are known.
    pub release: Release,
    /// The release before it, and the day on which that came out.
    pub before: Option<(Release, &'static str)>,
    /// When its enhancements freeze is: `2026-06-16 AoE`.
    pub freeze: Option<&'static str>,
    /// Whether that is over.
    pub is_frozen: bool,
    /// The last release whose day is known, if that is past.
    pub last_known: Option<Release>,
}

/// What tells the release of a tree of KEPs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    pub by: Teller,
    pub milestones: Milestones,
    /// What the days of the releases say of the day of the commit; `None` without git.
    pub on_day: Option<OnDay>,
}

#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    pub given: Option<Release>,
    pub configured: Option<Release>,
    pub told: Option<&'a Told>,
    /// Whether the releases are those of Kubernetes: others have no days that are known.
    pub is_kubernetes: bool,
    /// The latest milestone of the KEP, if the question is about one.
    pub own: Option<Release>,
    /// The first release in which that can reach the stage that the question is about.
    pub ahead: Option<Release>,
    /// What the days of the releases say of today, for what is planned now.
    pub today: Option<OnDay>,
}

/// The release that a question means. What can be planned for is counted from the release of the tree, so that
/// all commands have one limit.
pub fn meant(question: &Question<'_>) -> Meant {
    let Question { given, configured, told, is_kubernetes, own, ahead, today } = *question;
    let because = |release: Release, reason: Reason| Meant { release, reason, is_kubernetes };
    if let Some(release) = given {
        return because(release, Reason::Given);
    }
    let of_tree = match configured {
        Some(release) => because(release, Reason::Config),
        None => {
            told.and_then(|told| of_tree(told, is_kubernetes)).unwrap_or(because(Release::CURRENT, Reason::BuiltIn))
        }
    };
    let plan = match today {
        Some(day) if is_kubernetes && configured.is_none() && day.plan() >= of_tree.release => {
            because(day.plan(), Reason::Plan(day))
        }
        _ => of_tree,
    };
    let own = [own, ahead].into_iter().filter_map(|own| planned(own, of_tree.release, is_kubernetes)).max();
    match own {
        Some(own) if own > plan.release => because(own, Reason::Kep),
        _ => plan,
    }
}

/// The release of a tree: the later one of the day's and the newest milestone.
fn of_tree(told: &Told, is_kubernetes: bool) -> Option<Meant> {
    let Told { by, milestones, on_day } = told;
    let newest = if is_kubernetes { milestones.release_of_kubernetes() } else { milestones.release_elsewhere() };
    match on_day.filter(|_| is_kubernetes) {
        Some(day) if newest.is_none_or(|newest| newest < day.release) => {
            Some(Meant { release: day.release, reason: Reason::Day(*by, day), is_kubernetes })
        }
        _ => Some(Meant { release: newest?, reason: Reason::Milestone(*by), is_kubernetes }),
    }
}

impl Meant {
    /// The release that a question about one KEP means: its milestone where that is later and can be planned
    /// for. What somebody has named stays.
    pub fn for_kep(self, milestone: Option<Release>, reason: Reason) -> Self {
        match planned(milestone, self.release, self.is_kubernetes) {
            Some(release) if self.reason != Reason::Given => Self { release, reason, ..self },
            _ => self,
        }
    }

    /// Whether somebody chose it, so that no repository tells it.
    pub fn is_chosen(self) -> bool {
        matches!(self.reason, Reason::Given | Reason::Config)
    }

    /// What a plan is for, and why, as a sentence without a full stop; `None` if somebody named it.
    pub fn plan(self) -> Option<String> {
        match self.reason {
            Reason::Given => None,
            Reason::Plan(today) => Some(today.planned()),
            reason => Some(format!("planned for {} ({})", self.release, reason.words())),
        }
    }
}

impl Reason {
    /// The names in reports for programs.
    pub const NAMES: [&str; 9] =
        ["built-in", "given", "config", "repository", "base", "default-branch", "kep", "list", "calendar"];

    pub fn name(self) -> &'static str {
        match self {
            Self::BuiltIn => "built-in",
            Self::Given => "given",
            Self::Config => "config",
            Self::Milestone(Teller::Tree) | Self::Day(Teller::Tree, _) => "repository",
            Self::Milestone(Teller::Base) | Self::Day(Teller::Base, _) => "base",
            Self::Milestone(Teller::DefaultBranch) | Self::Day(Teller::DefaultBranch, _) => "default-branch",
            Self::Kep => "kep",
            Self::List => "list",
            Self::Plan(_) => "calendar",
        }
    }

    /// What the release is: "newest milestone of the default branch".
    pub fn words(self) -> &'static str {
        match self {
            Self::BuiltIn => "built-in release",
            Self::Given => "given release",
            Self::Config => "configured release",
            Self::Milestone(Teller::Tree) => "newest milestone in this tree",
            Self::Milestone(Teller::Base) => "newest milestone of the base",
            Self::Milestone(Teller::DefaultBranch) => "newest milestone of the default branch",
            Self::Day(Teller::Tree, _) => "release under development on the day of the commit",
            Self::Day(Teller::Base, _) => "release under development on the day of the base",
            Self::Day(Teller::DefaultBranch, _) => "release under development on the day of the default branch",
            Self::Kep => "milestones of the KEP",
            Self::List => "milestone in the list",
            Self::Plan(_) => "release that can be planned for today",
        }
    }
}

impl OnDay {
    /// The release that can still be planned for.
    fn plan(self) -> Release {
        self.release.plus(u32::from(self.is_frozen))
    }

    /// What can be planned for, and why.
    fn planned(self) -> String {
        let (plan, release) = (self.plan(), self.release);
        let exception = format!("; `--release {release}` if you have an exception");
        format!("planned for {plan}: {}{}", self.why(), if self.is_frozen { exception.as_str() } else { "" })
    }

    /// Why that can be planned for: "the enhancements freeze of v1.37 was on 2026-06-16 AoE".
    pub fn why(self) -> String {
        match self.freeze {
            Some(day) if self.is_frozen => format!("the enhancements freeze of {} was on {day}", self.release),
            Some(day) => format!("its enhancements freeze is on {day}"),
            None => format!("it is under development{}", self.since()),
        }
    }

    /// " since the release of v1.37 on 2026-08-26, no data after v1.37"
    pub fn since(self) -> String {
        let since = self.before.map(|(before, day)| format!(" since the release of {before} on {day}"));
        let end = self.last_known.map(|last| format!(", no data after {last}"));
        since.unwrap_or_default() + &end.unwrap_or_default()
    }
}

/// The milestone of a KEP that was moved on already, while the releases of the others are not: `own` where
/// it is later than `current`, the release under development, and can be planned for.
pub fn planned(own: Option<Release>, current: Release, is_kubernetes: bool) -> Option<Release> {
    own.filter(|own| *own > current && !is_far(*own, current, is_kubernetes))
}

/// Whether a release is so long after `current` that nothing is planned for it yet. The releases of other
/// projects have other numbers.
pub fn is_far(release: Release, current: Release, is_kubernetes: bool) -> bool {
    is_kubernetes && release > last_planned(current)
}

/// The last release of Kubernetes that something can be planned for while `current` is under development.
pub fn last_planned(current: Release) -> Release {
    current.max(Release::CURRENT).plus(MOST_AHEAD)
}

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

    fn release(minor: u32) -> Release {
        Release { major: 1, minor }
    }

    fn milestones(minors: &[u32]) -> Milestones {
        minors.iter().map(|minor| release(*minor)).collect()
    }

    const JULY: OnDay = OnDay {
        release: Release { major: 1, minor: 37 },
        before: Some((Release { major: 1, minor: 36 }, "2026-04-22")),
        freeze: Some("2026-06-16 AoE"),
        is_frozen: true,
        last_known: None,
    };

    const MAY: OnDay = OnDay { is_frozen: false, ..JULY };

    const SEPTEMBER: OnDay = OnDay {
        release: Release { major: 1, minor: 38 },
        before: Some((Release { major: 1, minor: 37 }, "2026-08-26")),
        freeze: None,
        is_frozen: false,
        last_known: Some(Release { major: 1, minor: 37 }),
    };

    fn told(on_day: Option<OnDay>, minors: &[u32]) -> Told {
        Told { by: Teller::DefaultBranch, milestones: milestones(minors), on_day }
    }

    fn about(told: &Told) -> Question<'_> {
        Question {
            given: None,
            configured: None,
            told: Some(told),
            is_kubernetes: true,
            own: None,
            ahead: None,
            today: None,
        }
    }

    fn words(meant: Meant) -> String {
        format!("{} ({})", meant.release, meant.reason.words())
    }

    #[test]
    fn what_somebody_named_comes_first() {
        let told = told(Some(SEPTEMBER), &[37]);
        let question = Question { own: Some(release(39)), today: Some(SEPTEMBER), ..about(&told) };
        let named = meant(&Question { given: Some(release(35)), configured: Some(release(36)), ..question });
        assert_eq!((words(named).as_str(), named.plan()), ("v1.35 (given release)", None));
        let configured = meant(&Question { configured: Some(release(36)), own: None, ..question });
        assert_eq!(words(configured), "v1.36 (configured release)");
        let of_kep = meant(&Question { configured: Some(release(36)), ..question });
        assert_eq!(words(of_kep), "v1.39 (milestones of the KEP)");
    }

    #[test]
    fn the_later_one_of_the_day_and_the_newest_milestone_counts() {
        const BY_DAY: &str = "release under development on the day of the default branch";
        let words = |on_day, minors: &[u32]| words(meant(&about(&told(on_day, minors))));
        assert_eq!(words(Some(JULY), &[36, 37]), "v1.37 (newest milestone of the default branch)");
        assert_eq!(words(Some(JULY), &[36]), format!("v1.37 ({BY_DAY})"));
        assert_eq!(words(Some(SEPTEMBER), &[37]), format!("v1.38 ({BY_DAY})"));
        assert_eq!(words(Some(JULY), &[]), format!("v1.37 ({BY_DAY})"));
        assert_eq!(words(Some(JULY), &[38]), "v1.38 (newest milestone of the default branch)");
        assert_eq!(words(Some(JULY), &[83]), format!("v1.37 ({BY_DAY})"), "one KEP is far ahead");
        assert_eq!(words(None, &[35]), "v1.35 (newest milestone of the default branch)");
        assert_eq!(words(None, &[]), "v1.37 (built-in release)");
        let elsewhere = told(Some(SEPTEMBER), &[36, 36]);
        assert_eq!(meant(&Question { is_kubernetes: false, ..about(&elsewhere) }).release, release(36));
    }

    #[test]
    fn a_kep_may_be_ahead_by_two_releases() {
        let told = told(Some(JULY), &[37]);
        let of = |own: u32| meant(&Question { own: Some(release(own)), ..about(&told) });
        assert_eq!([36, 37, 38, 39, 40, 83].map(|own| of(own).release.minor), [37, 37, 38, 39, 37, 37]);
        assert_eq!(of(38).reason, Reason::Kep);
        let ahead = |own: u32, ahead: u32| {
            let question = Question { own: Some(release(own)), ahead: Some(release(ahead)), ..about(&told) };
            meant(&question).release.minor
        };
        assert_eq!([ahead(36, 38), ahead(38, 39), ahead(38, 37), ahead(38, 83)], [38, 39, 38, 38]);
        assert_eq!(planned(Some(release(39)), release(30), true), Some(release(39)), "the program knows v1.37");
        assert_eq!(planned(Some(release(42)), release(40), true), Some(release(42)), "the tree is newer than that");
        assert_eq!(planned(Release::parse("v2.0"), release(37), true), None);
        let (own, current) = (Release::parse("v0.83"), Release { major: 0, minor: 20 });
        assert_eq!(planned(own, current, false), own, "other releases have other numbers");
    }

    #[test]
    fn what_is_planned_today_says_so() {
        let told = told(Some(JULY), &[37]);
        let of = |today, own: u32| meant(&Question { today: Some(today), own: Some(release(own)), ..about(&told) });
        let plan = |today, own: u32| of(today, own).plan().unwrap_or_default();
        assert_eq!(plan(MAY, 36), "planned for v1.37: its enhancements freeze is on 2026-06-16 AoE");
        assert_eq!(
            plan(JULY, 37),
            "planned for v1.38: the enhancements freeze of v1.37 was on 2026-06-16 AoE; `--release v1.37` if you have \
             an exception"
        );
        assert_eq!(
            plan(SEPTEMBER, 38),
            "planned for v1.38: it is under development since the release of v1.37 on 2026-08-26, no data after v1.37"
        );
        assert_eq!(plan(SEPTEMBER, 39), "planned for v1.39 (milestones of the KEP)");
        assert_eq!([37, 38, 39, 40].map(|own| of(JULY, own).release.minor), [38, 38, 39, 38], "counted from v1.37");
        let newer = Told { milestones: milestones(&[39]), ..told.clone() };
        let ahead = meant(&Question { today: Some(SEPTEMBER), ..about(&newer) });
        assert_eq!(ahead.plan().as_deref(), Some("planned for v1.39 (newest milestone of the default branch)"));
        let elsewhere = meant(&Question { today: Some(SEPTEMBER), is_kubernetes: false, ..about(&told) });
        assert_eq!(elsewhere.release, release(37));
    }

    fn counted(counts: &[(&str, usize)]) -> Milestones {
        let all = counts.iter().flat_map(|(text, count)| std::iter::repeat_n(Release::parse(text), *count));
        all.flatten().collect()
    }

    fn shown(release: Option<Release>) -> Option<String> {
        release.map(|release| release.to_string())
    }

    #[test]
    fn the_newest_milestone_of_two_in_a_hundred_is_the_release() {
        let newest = |old: usize, new: usize| {
            shown(counted(&[("v1.36", old), ("v1.38", new), ("0.0", 50), ("x", 50)]).release_of_kubernetes())
        };
        assert_eq!(newest(0, 0), None);
        assert_eq!(newest(1, 0).as_deref(), Some("v1.36"));
        assert_eq!(newest(600, 11).as_deref(), Some("v1.36"));
        assert_eq!(newest(600, 13).as_deref(), Some("v1.38"));
        assert_eq!(newest(6, 1).as_deref(), Some("v1.38"));
    }

    #[test]
    fn elsewhere_two_documents_make_a_release() {
        let newest = |counts: &[(&str, usize)]| shown(counted(counts).release_elsewhere());
        assert_eq!(newest(&[]), None);
        assert_eq!(newest(&[("v0.20", 90), ("v0.21", 2), ("v0.99", 1)]).as_deref(), Some("v0.21"));
        assert_eq!(newest(&[("v0.20", 1), ("v0.21", 1)]).as_deref(), Some("v0.21"), "each has one of its own");
    }

    #[test]
    fn a_release_of_kubernetes_that_is_far_ahead_needs_many_keps() {
        let ahead = |releases: u32| Release::CURRENT.plus(releases).to_string();
        let (near, far) = (ahead(MOST_AHEAD), ahead(MOST_AHEAD + 1));
        let release = |new: &str, count: usize| shown(counted(&[("v1.37", 6), (new, count)]).release_of_kubernetes());
        assert_eq!(release(&near, 1), Some(near.clone()));
        assert_eq!(release(&far, LEAST_KEPS - 1).as_deref(), Some("v1.37"));
        assert_eq!(release(&far, LEAST_KEPS), Some(far.clone()), "an old program goes on with the releases");
        for decoy in ["v1.60", "v1.999999", "v2.0", "v4294967295.4294967295"] {
            assert_eq!(release(decoy, 1).as_deref(), Some("v1.37"), "{decoy}");
        }
        assert_eq!(counted(&[(&far, 1)]).release_of_kubernetes(), None);
    }
}
