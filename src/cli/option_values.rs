//! Values of options that are more than a word or a path, and what may be written for them.

use crate::diagnostic::{FORMER_NAME, Severity};
use crate::report::is_hidden;
use crate::rules::preset::Preset;
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum TableFormat {
    Text,
    Markdown,
    Json,
}

/// The lowest severity that makes a run fail; with `None` it never fails.
#[derive(Clone, Copy, Debug)]
pub struct Threshold(pub Option<Severity>);

pub fn severities() -> impl TypedValueParser<Value = Severity> {
    PossibleValuesParser::new(named()).map(|name| Severity::from_option(&name).unwrap_or(Severity::Advice))
}

pub fn thresholds() -> impl TypedValueParser<Value = Threshold> {
    let names = named().chain([PossibleValue::new("never")]);
    PossibleValuesParser::new(names).map(|name| Threshold(Severity::from_option(&name)))
}

/// The names of severities, the highest first.
fn named() -> impl Iterator<Item = PossibleValue> {
    let value = |severity: Severity| match severity {
        Severity::Advice => PossibleValue::new(severity.name()).alias(FORMER_NAME),
        Severity::Warning | Severity::Error => PossibleValue::new(severity.name()),
    };
    Severity::ALL.into_iter().rev().map(value)
}

pub fn presets() -> impl TypedValueParser<Value = Preset> {
    PossibleValuesParser::new(Preset::ALL.map(Preset::name)).map(|name| Preset::from_name(&name).unwrap_or_default())
}

/// What a comment of Markdown and of YAML can have.
pub fn reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    if !text.contains(char::is_alphanumeric) {
        return Err("write why the findings do not matter".to_owned());
    }
    // The last one would end the part of kep.yaml that upstream reads.
    let ends_comment = ["-->", "--!>", "---"].iter().any(|end| text.contains(end));
    if ends_comment || text.contains(is_hidden) {
        return Err("write one line without `-->`, `--!>` and `---`".to_owned());
    }
    Ok(text.to_owned())
}

pub fn threads(text: &str) -> Result<u16, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| format!("write a number from 1 to {}", u16::MAX))
}

pub fn count(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "write a number, or 0 for all".to_owned())
}
