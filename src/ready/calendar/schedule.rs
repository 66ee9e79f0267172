//! The days of a release: until when its freezes are open, and when it comes out; and how they are read from a clone of
//! kubernetes/sig-release.

use crate::diagnostic::Failure;
use crate::stage::Release;
use crate::yaml::date::{Date, MONTHS, SECONDS_PER_DAY};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A time, in seconds since 1970-01-01 in UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(pub u64);

impl fmt::Display for Time {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (minutes, day) = (self.0 / 60 % (24 * 60), self.day());
        match day {
            Some(day) => write!(formatter, "{day} {:02}:{:02} UTC", minutes / 60, minutes % 60),
            None => write!(formatter, "a day after the year 9999"),
        }
    }
}

impl From<Date> for Time {
    fn from(day: Date) -> Self {
        Self(day.days_after_epoch() * SECONDS_PER_DAY)
    }
}

impl Time {
    /// The same as [`Time::day`], for a date that is written.
    pub fn date(self) -> Result<Date, Failure> {
        self.day().ok_or_else(|| Failure::new("the date is after the year 9999"))
    }

    /// The day in UTC; `None` after the year 9999.
    pub fn day(self) -> Option<Date> {
        Date::after_epoch(self.0 / SECONDS_PER_DAY)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all(deserialize = "kebab-case"))]
pub struct Schedule {
    /// Until when a KEP must be open for review: the deadline before the enhancements freeze.
    pub deadline: Option<Moment>,
    /// Until when a KEP must be merged.
    pub enhancements_freeze: Option<Moment>,
    pub code_freeze: Option<Moment>,
    pub docs_freeze: Option<Moment>,
    /// When it comes out, or came out.
    #[serde(skip_serializing)]
    pub release: Option<Moment>,
}

impl Schedule {
    /// The days in their order, each with what it is called; `deadline` is the name of the first one.
    pub fn named<'a>(&'a self, deadline: &'a str) -> [(&'a str, Option<&'a Moment>); 5] {
        [
            (deadline, self.deadline.as_ref()),
            ("enhancements freeze", self.enhancements_freeze.as_ref()),
            ("code freeze", self.code_freeze.as_ref()),
            ("docs freeze", self.docs_freeze.as_ref()),
            ("release", self.release.as_ref()),
        ]
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Moment {
    pub written: String,
    pub day: Date,
    /// When it is over: so many minutes after the day has begun in UTC.
    minutes: u64,
}

impl TryFrom<String> for Moment {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text).ok_or_else(|| format!("`{text}` is not a day"))
    }
}

impl From<Moment> for String {
    fn from(moment: Moment) -> Self {
        moment.written
    }
}

impl Moment {
    /// Reads `2026-06-09`, `2026-06-09 AoE` or `2024-02-09 02:00 UTC`.
    pub fn parse(text: &str) -> Option<Self> {
        const DAY: u64 = 24 * 60;
        let (date, rest) = text.split_once(' ').unwrap_or((text, ""));
        let minutes = match rest {
            "" => DAY,
            "AoE" => DAY + DAY / 2,
            _ => {
                let (hours, minutes) = rest.strip_suffix(" UTC")?.split_once(':')?;
                let number = |digits: &str, below: u64| {
                    let number = (digits.len() == 2).then(|| digits.parse::<u64>().ok())?;
                    number.filter(|number| *number < below)
                };
                number(hours, 24)? * 60 + number(minutes, 60)?
            }
        };
        Some(Self { written: text.to_owned(), day: Date::parse(date)?, minutes })
    }

    /// The last day on which something can still be done: what ends in the night ends with the day before.
    pub fn last_day(&self) -> Date {
        const NOON: u64 = 12 * 60;
        if self.minutes >= NOON {
            return self.day;
        }
        Date::after_epoch(self.day.days_after_epoch().saturating_sub(1)).unwrap_or(self.day)
    }

    pub fn end(&self) -> Time {
        Time(self.day.days_after_epoch() * SECONDS_PER_DAY + self.minutes * 60)
    }

    /// How many full days are left; `None` if it is over.
    pub fn days_left(&self, now: Time) -> Option<u64> {
        let left = self.end().0.checked_sub(now.0).filter(|left| *left > 0)?;
        Some(left / SECONDS_PER_DAY)
    }
}

/// The file with the days of `release` in a clone of kubernetes/sig-release.
pub fn file_of(release: Release) -> String {
    format!("releases/release-{}.{}/README.md", release.major, release.minor)
}

/// What a row begins with that is about something before the day.
const BEFORE: [&str; 3] = ["call for", "brace", "reminder"];

/// Reads the days of `release` as the Release Team publishes them, in the table below `## Timeline`; those that it does not have
/// are not known. The list above that table is for people, and has other days where it was not kept up.
pub fn read(text: &str, release: Release) -> Schedule {
    let rows: Vec<(String, &str)> = text.lines().filter_map(row).collect();
    let day = |names: &[&str]| {
        let is_meant = |what: &str| {
            names.iter().any(|name| what.contains(name)) && !BEFORE.iter().any(|before| what.starts_with(before))
        };
        rows.iter().filter(|(what, _)| is_meant(what)).find_map(|(_, when)| moment(when))
    };
    let released = format!("{}.{}.0 released", release.major, release.minor);
    Schedule {
        deadline: day(&["production readiness freeze", "prr freeze", "kep readiness deadline"]),
        enhancements_freeze: day(&["enhancements freeze"]),
        code_freeze: day(&["code freeze"]),
        docs_freeze: day(&["docs freeze"]),
        release: day(&[&released]),
    }
}

fn row(line: &str) -> Option<(String, &str)> {
    let mut cells = line.trim().strip_prefix('|')?.split('|');
    let (what, _, when) = (cells.next()?, cells.next()?, cells.next()?);
    let plain: String = what.chars().filter(|letter| !matches!(letter, '*' | '[' | ']')).collect();
    Some((plain.trim().to_lowercase(), when.trim()))
}

/// `Wednesday 4th February 2026 (AoE) / …`, `[02:00 UTC Friday 14th February 2025 / …](…)` or `Thursday 6th February 2025`.
fn moment(when: &str) -> Option<Moment> {
    let when = when.trim_start_matches(['[', '*']).split([']', '/']).next()?.to_lowercase();
    let words = || when.split(|letter: char| letter.is_whitespace() || matches!(letter, ',' | '(' | ')' | '*'));
    let month = words().find_map(|word| MONTHS.iter().position(|month| *month == word))? + 1;
    let mut days = words().filter_map(day);
    let day = days.next()?;
    // Several days are no end of anything.
    if days.next().is_some() {
        return None;
    }
    let year = words().find(|word| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit()))?;
    let date = format!("{year}-{month:02}-{day:02}");
    match words().find(|word| word.contains(':')) {
        Some(hour) => words().any(|word| word == "utc").then(|| Moment::parse(&format!("{date} {hour} UTC")))?,
        None if words().any(|word| word == "aoe") => Moment::parse(&format!("{date} AoE")),
        None => Moment::parse(&date),
    }
}

/// A day of a month: `4th`, `22`.
fn day(word: &str) -> Option<u8> {
    let digits = word.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let suffix = word.strip_prefix(digits)?;
    let is_day = digits.len() <= 2 && matches!(suffix, "" | "st" | "nd" | "rd" | "th");
    digits.parse().ok().filter(|_: &u8| is_day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(text: &str) -> Moment {
        Moment::parse(text).unwrap_or_else(|| panic!("{text} is a day"))
    }

    #[test]
    fn a_day_ends_where_it_lasts_longest_or_at_its_hour() {
        let noon = moment("2026-06-10 12:00 UTC").end();
        assert_eq!(moment("2026-06-09 AoE").end(), noon);
        assert_eq!(moment("2026-06-09").end(), moment("2026-06-10 00:00 UTC").end());
        assert_eq!(moment("1970-01-02 00:01 UTC").end(), Time(86_460));
        assert_eq!(
            (Time(86_519).to_string(), noon.to_string()),
            ("1970-01-02 00:01 UTC".into(), "2026-06-10 12:00 UTC".into())
        );
        for wrong in
            ["", "2026-06-31", "2026-06-09 aoe", "2026-06-09 24:00 UTC", "2026-06-09 2:00 UTC", "2026-06-09 02:00"]
        {
            assert_eq!(Moment::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn full_days_are_left() {
        let freeze = moment("2026-06-09 AoE");
        let left = |now: &str| freeze.days_left(moment(now).end());
        assert_eq!(left("2026-06-08 12:00 UTC"), Some(2));
        assert_eq!(left("2026-06-09 12:00 UTC"), Some(1));
        assert_eq!(left("2026-06-10 11:59 UTC"), Some(0));
        assert_eq!((left("2026-06-10 12:00 UTC"), left("2026-07-01")), (None, None));
    }

    #[test]
    fn the_night_belongs_to_the_day_before() {
        let last = |text: &str| moment(text).last_day().to_string();
        assert_eq!(last("2024-03-01 02:00 UTC"), "2024-02-29");
        assert_eq!(last("2025-06-20 21:00 UTC"), "2025-06-20");
        assert_eq!((last("2026-06-09 AoE"), last("2024-02-01")), ("2026-06-09".to_owned(), "2024-02-01".to_owned()));
    }

    const RELEASE: Release = Release { major: 1, minor: 40 };

    fn written(text: &str) -> [Option<String>; 5] {
        let Schedule { deadline, enhancements_freeze, code_freeze, docs_freeze, release } = read(text, RELEASE);
        [deadline, enhancements_freeze, code_freeze, docs_freeze, release]
            .map(|moment| moment.map(|moment| moment.written))
    }

    #[test]
    fn the_table_of_a_release_is_read() {
        let text = "- **Monday 1st March 2027 (AoE)**: Week 4 — [Production Readiness Freeze]\n\n\
            | **What** | **Who** | **When** |\n|---|---|---|\n\
            | Call for PRR and Enhancement Freeze [Exceptions] | Lead | Thursday 25th February 2027 | week 3 |\n\
            | **Begin [Production Readiness Freeze]** | Lead | Tuesday 2nd March 2027 (AoE) / Wednesday 3rd March 2027, 12:00 UTC | week 4 |\n\
            | **Begin [Enhancements Freeze]** | Lead | [02:00 UTC Friday 12th March 2027 / 18:00 PST Thursday 11th March 2027](https://example.com/s/1) | |\n\
            | Brace Yourself, Code Freeze is Coming | Comms | Monday 5th April 2027 | |\n\
            | **Begin [Code Freeze] and [Test Freeze]** | Branch Manager | Tuesday 13th April 2027 (AoE) | |\n\
            | **Docs Freeze** | Docs Lead | Tuesday 27th April 2027 | |\n\
            | v1.40.0-rc.0 released | Branch Manager | Tuesday 27th April 2027 | |\n\
            | **v1.40.0 released** | Branch Manager | Wednesday 12th May 2027 | |\n";
        let days = ["2027-03-02 AoE", "2027-03-12 02:00 UTC", "2027-04-13 AoE", "2027-04-27", "2027-05-12"];
        assert_eq!(written(text), days.map(|day| Some(day.to_owned())));
        let renamed = text.replace("Production Readiness Freeze", "KEP Readiness Deadline");
        assert_eq!(written(&renamed), written(text));
        assert_eq!(written(&text.replace('\n', "\r\n")), written(text));
    }

    #[test]
    fn what_is_no_day_is_not_known() {
        let row = |when: &str| written(&format!("| Docs Freeze | Lead | {when} |"))[3].clone();
        assert_eq!(row("**Tuesday 27 April 2027**"), Some("2027-04-27".to_owned()));
        for when in [
            "",
            "TBD",
            "Tuesday 27th April",
            "31st April 2027",
            "Monday 23rd - Thursday 26th March 2026",
            "19:00 PDT Tuesday 27th April 2027",
            "99th April 2027",
        ] {
            assert_eq!(row(when), None, "{when}");
        }
        assert_eq!(written("| Docs Freeze |\nDocs Freeze | | 1st May 2027 |\n"), [const { None }; 5]);
    }
}
