//! The releases as data, `templates/releases.yaml`: which items the Release Team asks for in which release, its words for
//! a KEP, and the days of the releases. Apart from the items, because the process changes more often than the code.

pub mod schedule;
use self::schedule::{Schedule, Time};
use crate::stage::Release;
use crate::stage::release::OnDay;
use crate::yaml::date::Date;
use crate::yaml::plain;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

const DATA: &str = include_str!("../../templates/releases.yaml");

static CALENDAR: LazyLock<Calendar> =
    LazyLock::new(|| Calendar::read(parts().0).expect("a test reads the built-in releases"));

/// The days of the releases: most runs need no other part of the data.
static RELEASES: LazyLock<BTreeMap<Release, Schedule>> =
    LazyLock::new(|| plain::read(parts().1).expect("a test reads the built-in releases"));

const SOURCES: &str = include_str!("../../templates/sources.yaml");

/// What the Release Team asks for, and the days of the releases, which come last.
fn parts() -> (&'static str, &'static str) {
    DATA.split_once("\nreleases:\n").unwrap_or_default()
}

#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Family {
    #[serde(default)]
    pub since: Release,
    /// The names of the items that are asked: those of the family before it, with what it adds, and without what it drops.
    #[serde(skip)]
    pub items: Vec<String>,
    #[serde(default)]
    adds: Vec<String>,
    #[serde(default)]
    drops: Vec<String>,
    /// What must be checked by hand, as long as nobody gives the data that the item of this name asks for.
    #[serde(default)]
    pub by_hand: BTreeMap<String, String>,
    pub met: String,
    pub not_met: String,
    /// What must be done before the enhancements freeze, if there is such a deadline.
    pub deadline: Option<Deadline>,
}

impl Default for &Family {
    fn default() -> Self {
        Family::of(Release::CURRENT)
    }
}

/// A deadline before the enhancements freeze, by which people also judge the PRR questionnaire.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Deadline {
    pub name: String,
    pub asks: Vec<String>,
    pub met: String,
    pub not_met: String,
}

impl Family {
    /// What is asked for `release`, one of Kubernetes or of another project.
    pub fn asked(release: Release, is_of_kubernetes: bool) -> &'static Self {
        if is_of_kubernetes { Self::of(release) } else { &CALENDAR.elsewhere }
    }

    pub fn is_of_kubernetes(&self) -> bool {
        *self != CALENDAR.elsewhere
    }

    /// The family of `release`; that of the first releases for one before them.
    pub fn of(release: Release) -> &'static Self {
        let families = &CALENDAR.families;
        let newest = families.iter().rev().find(|family| family.since <= release);
        newest.or(families.first()).expect("a test reads the built-in releases")
    }

    pub fn asks(&self, name: &str) -> bool {
        self.items.iter().any(|item| item == name)
    }
}

pub fn schedule_of(release: Release) -> Option<&'static Schedule> {
    RELEASES.get(&release)
}

/// The day on which `release` came out or is planned to, as `2026-08-26`; `None` if it is not known.
pub fn day_of(release: Release) -> Option<&'static str> {
    Some(&schedule_of(release)?.release.as_ref()?.written)
}

/// Whether a KEP can still be merged for a release with this `schedule`: its enhancements freeze is not over, or, as for a
/// release that nothing is known of, not planned yet.
pub fn is_before_freeze(schedule: Option<&Schedule>, now: Time) -> bool {
    let Some(schedule) = schedule else { return true };
    schedule.enhancements_freeze.as_ref().is_some_and(|freeze| freeze.end() > now)
}

/// Whether code as of `day` is that after the code freeze of `release`; the day of the freeze lasts into the next one
/// somewhere. It is not if that day is not known.
pub fn is_after_code_freeze(day: Date, release: Release) -> bool {
    let freeze = schedule_of(release).and_then(|schedule| schedule.code_freeze.as_ref());
    freeze.is_some_and(|freeze| day > freeze.last_day())
}

/// "release on 2026-08-26"; `None` if the day is not known.
pub fn release_day(release: Release) -> Option<String> {
    Some(format!("release on {}", day_of(release)?))
}

/// What the days of the releases say of the day of `now`. A release is under development until the day on which
/// it comes out, in UTC; a freeze ends at its hour.
pub fn on_day(now: Time) -> OnDay {
    let out = |schedule: &Schedule| schedule.release.as_ref().is_some_and(|moment| Time::from(moment.day) <= now);
    let before = RELEASES.iter().rev().find(|(_, schedule)| out(schedule));
    let next = RELEASES.iter().find(|(_, schedule)| !out(schedule));
    let last_known = if next.is_none() { before.map(|(release, _)| *release) } else { None };
    let after = last_known.map_or(Release::CURRENT, |last| last.plus(1));
    let freeze = next.and_then(|(_, schedule)| schedule.enhancements_freeze.as_ref());
    OnDay {
        release: next.map_or(after, |(release, _)| *release),
        before: before.and_then(|(release, _)| Some((*release, day_of(*release)?))),
        freeze: freeze.map(|freeze| freeze.written.as_str()),
        is_frozen: freeze.is_some_and(|freeze| freeze.end() <= now),
        last_known,
    }
}

/// How new the data is: "data of 2026-07-24: template, v1.37, gates". Every run may say it, so that nothing is parsed for it.
pub fn about_data() -> String {
    let day = data_day();
    let last = DATA.rsplit_once("\n  v").and_then(|(_, last)| last.split_once(':')).unwrap_or_default().0;
    format!("data of {day}: template, v{last}, gates")
}

pub fn data_day() -> &'static str {
    SOURCES.lines().find_map(|line| line.strip_prefix("day: ")).unwrap_or_default()
}

/// Whether upstream accepted `key` in kep.yaml at the freeze of `release`, although it is unknown today.
pub fn accepted_key(key: &str, release: Release) -> bool {
    CALENDAR.accepted_before.keys.get(key).is_some_and(|until| release < *until)
}

/// Whether upstream accepted other anchors in tables of contents at the freeze of `release`.
pub fn accepted_anchors(release: Release) -> bool {
    release < CALENDAR.accepted_before.anchors
}

/// The release whose template got the heading of this title, if that is before the one since which it is required.
pub fn came_before(title: &str) -> Option<Release> {
    CALENDAR.came_before.get(title).copied()
}

pub fn first_release() -> Release {
    CALENDAR.families.first().expect("a test reads the built-in releases").since
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Calendar {
    families: Vec<Family>,
    /// What is asked where releases are not those of Kubernetes: the items of the newest family, but for SIG Node's.
    elsewhere: Family,
    accepted_before: Accepted,
    #[serde(default)]
    came_before: BTreeMap<String, Release>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Accepted {
    /// The keys of kep.yaml that are unknown today, with the first release at whose freeze they were.
    keys: BTreeMap<String, Release>,
    /// The first release at whose freeze mdtoc wrote the anchors of today.
    anchors: Release,
}

impl Calendar {
    fn read(text: &str) -> Result<Self, String> {
        let mut calendar: Self = plain::read(text).map_err(|problem| problem.message)?;
        let mut items: Vec<String> = Vec::new();
        for family in &mut calendar.families {
            items.retain(|name| !family.drops.contains(name));
            items.extend(family.adds.iter().cloned());
            family.items.clone_from(&items);
        }
        items.retain(|name| !calendar.elsewhere.drops.contains(name));
        calendar.elsewhere.items = items;
        Ok(calendar)
    }
}

#[cfg(test)]
mod tests {
    use super::schedule::Moment;
    use super::*;
    use crate::template::Template;

    fn release(minor: u32) -> Release {
        Release { major: 1, minor }
    }

    #[test]
    fn the_built_in_releases_are_read() {
        let Calendar { families, came_before, .. } = Calendar::read(parts().0).expect("it is well-formed");
        assert!(families.len() > 3 && RELEASES.len() > 10);
        assert!(families.is_sorted_by_key(|family| family.since));
        let mut before: Vec<String> = Vec::new();
        for Family { since, items, adds, drops, deadline, .. } in families {
            assert!(drops.iter().all(|name| before.contains(name)), "{since} drops what is not asked for before");
            assert!(!adds.iter().any(|name| before.contains(name)), "{since} adds what is asked for before");
            let asks = deadline.map(|deadline| deadline.asks).unwrap_or_default();
            assert!(asks.iter().all(|name| items.contains(name)), "the deadline of {since} asks for what is not asked");
            before = items;
        }
        let template = Template::built_in();
        for title in came_before.keys() {
            assert!(template.iter().any(|(_, section)| section.title.text == *title), "{title}");
        }
        let moments = RELEASES.values().flat_map(|schedule| {
            let Schedule { deadline, enhancements_freeze, code_freeze, docs_freeze, release } = schedule;
            [deadline, enhancements_freeze, code_freeze, docs_freeze, release]
        });
        let ends: Vec<Time> = moments.flatten().map(Moment::end).collect();
        assert!(ends.is_sorted(), "the days of a release are in order, and before those of the next one: {ends:?}");
        assert!(RELEASES.values().all(|schedule| schedule.release.is_some()));
        assert!(RELEASES.contains_key(&Release::CURRENT));
    }

    #[test]
    fn checklists_differ_by_release() {
        let asks = |minor, name| Family::of(release(minor)).asks(name);
        assert_eq!([20, 21, 23, 24].map(|minor| asks(minor, "prr")), [false, true, true, true]);
        assert_eq!([20, 23, 24].map(|minor| asks(minor, "latest-milestone")), [false, false, true]);
        assert_eq!([36, 37, 38].map(|minor| asks(minor, "node-approver")), [false, false, true]);
        let keys = [25, 26].map(|minor| accepted_key("prr-approvers", release(minor)));
        assert_eq!((keys, accepted_key("title", release(25))), ([true, false], false));
        assert_eq!([29, 30].map(|minor| accepted_anchors(release(minor))), [true, false]);
        assert_eq!(Family::of(release(99)), Family::of(release(38)), "the newest counts for all later releases");
        assert_eq!(Family::of(release(3)), Family::of(release(15)), "the first one counts for all earlier ones");
        let deadline = |minor| Family::of(release(minor)).deadline.as_ref().map(|deadline| deadline.name.as_str());
        let names = [None, Some("PRR freeze"), Some("PRR freeze"), Some("KEP readiness deadline")];
        assert_eq!([34, 35, 37, 38].map(deadline), names);
        assert_eq!((day_of(release(37)), day_of(release(99))), (Some("2026-08-26"), None));
    }

    #[test]
    fn the_release_under_development_is_the_next_one_that_comes_out() {
        let on = |day: &str| on_day(Date::parse(day).expect("it is a date").into());
        let minor = |day: &str| on(day).release.minor;
        assert_eq!(["2026-04-21", "2026-04-22", "2026-08-25"].map(minor), [36, 37, 37]);
        let (last, schedule) = RELEASES.last_key_value().expect("some are known");
        let out = schedule.release.as_ref().expect("its day is known").day;
        let after = ["2026-08-26", "9999-01-01"].map(minor);
        assert_eq!(after, [38, last.minor + 1], "the next one after all that are known");
        assert_eq!(["2016-01-01", "2020-03-25"].map(minor), [18, 19], "the first days are those of v1.18 and v1.19");
        let before = ["2016-01-01", "2020-03-25"].map(|day| on(day).before);
        assert_eq!(before, [None, Some((release(18), "2020-03-25"))]);
        assert_eq!((on("2026-08-25").last_known, on_day(out.into()).last_known), (None, Some(*last)));
        let freeze = ["2026-06-16", "9999-01-01"].map(|day| on(day).freeze);
        assert_eq!(freeze, [Some("2026-06-16 AoE"), None]);
        let at = |time: &str| on_day(Moment::parse(time).expect("it is a time").end()).is_frozen;
        let times = ["2026-06-17 11:59 UTC", "2026-06-17 12:00 UTC", "2026-08-25 23:59 UTC", "2026-08-26 00:00 UTC"];
        assert_eq!(times.map(at), [false, true, true, false], "the day of the freeze ends at noon of the next one");
    }

    #[test]
    fn broken_data_is_refused() {
        let read = |families: &str| {
            let rest = "elsewhere: {met: a, not-met: b}\naccepted-before: {keys: {}, anchors: v1.30}\n";
            Calendar::read(&format!("families: {families}\n{rest}")).map(|_| ())
        };
        let family = |since: &str, rest: &str| format!("{{since: {since}, met: a, not-met: b{rest}}}");
        assert_eq!(read(&format!("[{}]", family("v1.20", ", adds: [x]"))), Ok(()));
        assert!(read(&format!("[{}]", family("soon", ""))).is_err());
        assert!(read(&format!("[{}]", family("v1.20", ", more: 1"))).is_err());
    }
}
