//! The words that a question may have in it. An empty one is as if it were not there.

use crate::diagnostic::{Failure, brief};
use crate::stage::{Release, Stage};
use crate::yaml::date::Date;

pub fn stage(text: Option<&str>) -> Result<Option<Stage>, Failure> {
    named("stage", text, &Stage::ALL.map(Stage::name), Stage::from_word)
}

/// What a word means, which is one of `names`.
pub fn named<T>(
    what: &str,
    text: Option<&str>,
    names: &[&str],
    of: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, Failure> {
    let unknown = |word: &str| {
        Failure::new(format!("unknown {what} `{}`", brief(word))).help(format!("use {}", names.join(", ")))
    };
    given(text).map(|word| of(word).ok_or_else(|| unknown(word))).transpose()
}

pub fn release(text: Option<&str>) -> Result<Option<Release>, Failure> {
    let wrong = |word: &str, help: String| Failure::new(format!("`{}` is not a release", brief(word))).help(help);
    given(text).map(|word| Release::read(word).map_err(|help| wrong(word, help))).transpose()
}

pub fn day(text: &str) -> Result<Date, Failure> {
    let wrong = || Failure::new(format!("`today` is no date: `{}`", brief(text))).help("write it as 2026-01-31");
    Date::parse(text).ok_or_else(wrong)
}

pub fn given(word: Option<&str>) -> Option<&str> {
    word.map(str::trim).filter(|word| !word.is_empty())
}
