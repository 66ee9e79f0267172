//! The time of a run.

use crate::diagnostic::Failure;
use crate::ready::calendar::schedule::Time;
use std::env;
use std::time::{SystemTime, UNIX_EPOCH};

/// The time; for builds and tests that are to be repeated, that of `SOURCE_DATE_EPOCH`.
pub fn time() -> Result<Time, Failure> {
    const VARIABLE: &str = "SOURCE_DATE_EPOCH";
    match env::var_os(VARIABLE).filter(|value| !value.is_empty()) {
        Some(value) => value.to_str().and_then(|value| value.trim().parse().ok()).map(Time).ok_or_else(|| {
            let failure = Failure::new(format!("`{VARIABLE}` is not a number of seconds"));
            failure.help("set it to the seconds since 1970-01-01, or unset it")
        }),
        None => Ok(Time(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))),
    }
}
