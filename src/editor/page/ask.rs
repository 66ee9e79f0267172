//! What a question has in it, beside its word.

use crate::diagnostic::{Failure, brief};
use crate::stage::{Release, Stage};
use crate::yaml::date::Date;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A question without anything else in it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

pub fn read<T: DeserializeOwned>(fields: Value) -> Result<T, Failure> {
    serde_json::from_value(fields)
        .map_err(|error| Failure::new(format!("the request is wrong: {}", brief(&error.to_string()))))
}

/// A stage; none for an empty word.
pub fn stage(text: Option<&str>) -> Result<Option<Stage>, Failure> {
    named("stage", text, &Stage::ALL.map(Stage::name), Stage::from_word)
}

/// What a word means, which is one of `names`; nothing for an empty one.
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

/// A release; none for an empty word.
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
