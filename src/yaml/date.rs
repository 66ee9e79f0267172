//! Dates in kep.yaml, `yyyy-mm-dd`. Separate because months have different lengths, and because authors also write
//! dates in other forms that can be recognized.

use std::fmt;

pub const SECONDS_PER_DAY: u64 = 24 * 60 * 60;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    pub year: u16,
    pub month: u8,
    pub day: u8,
}

impl Date {
    pub fn parse(text: &str) -> Option<Self> {
        has_form(text).then(|| Self::guess(text)).flatten()
    }

    /// Reads forms with the order year, month, day: `2021-1-5`, `2021/01/05`, `2021-01-05T10:00:00Z`.
    pub fn guess(text: &str) -> Option<Self> {
        let day = text.split(['T', ' ']).next()?;
        let mut parts = day.split(['-', '/', '.']);
        let mut number = |digits: usize| -> Option<u16> {
            let part =
                parts.next().filter(|part| part.len() <= digits && part.bytes().all(|byte| byte.is_ascii_digit()));
            part?.parse().ok()
        };
        let date = Self { year: number(4)?, month: number(2)?.try_into().ok()?, day: number(2)?.try_into().ok()? };
        let exists = (1000..).contains(&date.year) && (1..=days(date.year, date.month)).contains(&date.day);
        (exists && parts.next().is_none()).then_some(date)
    }

    /// Reads `yyyy-dd-mm`, where month and day cannot be taken for each other.
    pub fn swapped(text: &str) -> Option<Self> {
        if !has_form(text) || Self::parse(text).is_some() {
            return None;
        }
        let (year, rest) = text.split_once('-')?;
        let (day, month) = rest.split_once('-')?;
        Self::parse(&format!("{year}-{month}-{day}"))
    }

    /// The date so many days after 1970-01-01; `None` after the year 9999.
    pub fn after_epoch(mut left: u64) -> Option<Self> {
        for year in 1970..=9999 {
            for month in 1..=12 {
                let days = days(year, month);
                if left < days.into() {
                    return Some(Self { year, month, day: u8::try_from(left).ok()? + 1 });
                }
                left -= u64::from(days);
            }
        }
        None
    }

    /// How many days it is after 1970-01-01; 0 for earlier ones.
    pub fn days_after_epoch(self) -> u64 {
        if self.year < 1970 {
            return 0;
        }
        let of_years = (1970..self.year).flat_map(|year| (1..=12).map(move |month| days(year, month)));
        let of_months = (1..self.month).map(|month| days(self.year, month));
        of_years.chain(of_months).map(u64::from).sum::<u64>() + u64::from(self.day) - 1
    }
}

pub fn has_form(text: &str) -> bool {
    let fits = |(byte, form): (u8, u8)| if form == b'-' { byte == form } else { byte.is_ascii_digit() };
    text.len() == FORM.len() && text.bytes().zip(FORM.bytes()).all(fits)
}

pub const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

pub const FORM: &str = "yyyy-mm-dd";

fn days(year: u16, month: u8) -> u8 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    }
}

impl fmt::Display for Date {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_valid_dates_in_one_form_are_read() {
        for text in ["2021-01-05", "2024-02-29", "2000-02-29", "2021-12-31"] {
            assert_eq!(Date::parse(text).map(|date| date.to_string()).as_deref(), Some(text));
        }
        for text in ["2021-02-29", "1900-02-29", "2021-13-01", "2021-00-10", "2021-04-31", "2021-1-5", "", "0999-01-01"]
        {
            assert_eq!(Date::parse(text), None, "{text}");
        }
        assert!(Date::parse("2021-01-05") < Date::parse("2021-02-01"));
    }

    #[test]
    fn days_are_counted_from_1970_on() {
        let date = |days| Date::after_epoch(days).map(|date| date.to_string()).unwrap_or_default();
        assert_eq!(
            [date(0), date(58), date(59), date(11_016), date(11_017)],
            ["1970-01-01", "1970-02-28", "1970-03-01", "2000-02-29", "2000-03-01"]
        );
        for days in [0, 58, 59, 11_016, 11_017, 20_779, 2_932_896] {
            assert_eq!(Date::after_epoch(days).map(Date::days_after_epoch), Some(days));
        }
        assert_eq!(Date::parse("1969-12-31").map(Date::days_after_epoch), Some(0));
        assert_eq!((date(20_779), date(2_932_896).as_str()), ("2026-11-22".to_owned(), "9999-12-31"));
        assert_eq!((Date::after_epoch(2_932_897), Date::after_epoch(u64::MAX)), (None, None));
    }

    #[test]
    fn other_forms_are_guessed_if_the_year_is_first() {
        for text in ["2021-1-5", "2021/01/05", "2021.1.05", "2021-01-05T10:00:00Z", "2021-01-05 10:00"] {
            assert_eq!(Date::guess(text).map(|date| date.to_string()).as_deref(), Some("2021-01-05"), "{text}");
        }
        for text in ["05-01-2021", "2021-01", "2021-01-05-06", "v1.34", "yyyy-mm-dd", "2021-é-1"] {
            assert_eq!(Date::guess(text), None, "{text}");
        }
    }
}
