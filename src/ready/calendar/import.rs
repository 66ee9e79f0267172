//! The days of a release as the Release Team publishes them: the table below `## Timeline` in
//! `releases/release-1.NN/README.md` of kubernetes/sig-release. The list above that table is for people, and has other days
//! where it was not kept up.
use super::schedule::{Moment, Schedule};
use crate::stage::Release;
use crate::yaml::date::MONTHS;

/// The file with the days of `release` in a clone of kubernetes/sig-release.
pub fn file_of(release: Release) -> String {
    format!("releases/release-{}.{}/README.md", release.major, release.minor)
}

/// What a row begins with that is about something before the day.
const BEFORE: [&str; 3] = ["call for", "brace", "reminder"];

/// Reads the days of `release`; those that the text does not have are not known.
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

    const RELEASE: Release = Release { major: 1, minor: 40 };

    fn written(text: &str) -> [Option<String>; 5] {
        let Schedule { deadline, enhancements_freeze, code_freeze, docs_freeze, release } = read(text, RELEASE);
        [deadline, enhancements_freeze, code_freeze, docs_freeze, release]
            .map(|moment| moment.map(|moment| moment.written().to_owned()))
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
