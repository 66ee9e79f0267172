//! Options that several commands have, and how values are read that are more than a word or a path.

use crate::diagnostic::{FORMER_NAME, Severity};
use crate::report::is_hidden;
use crate::rules::preset::Preset;
use crate::stage::{Release, Stage};
use crate::workspace::config_file::Wanted;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub const CONFIGURATION: &str = "Configuration file";

/// Which configuration file applies.
#[derive(Clone, Debug, Args)]
pub struct ConfigArguments {
    /// Read this configuration file instead of the nearest `.kep-lint.yaml` or `kep-lint.yaml`
    #[arg(long, value_name = "FILE", help_heading = CONFIGURATION)]
    pub config: Option<PathBuf>,
    /// Read no configuration file
    #[arg(long, conflicts_with = "config", help_heading = CONFIGURATION)]
    pub isolated: bool,
}

impl ConfigArguments {
    pub fn wanted(&self) -> Wanted {
        match &self.config {
            _ if self.isolated => Wanted::None,
            Some(path) => Wanted::Named(path.clone()),
            None => Wanted::Nearest,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum When {
    Auto,
    Always,
    Never,
}

pub fn stages() -> impl TypedValueParser<Value = Stage> {
    PossibleValuesParser::new(Stage::words()).map(|word| Stage::from_word(&word).unwrap_or(Stage::Stable))
}

pub fn release(text: &str) -> Result<Release, String> {
    let release = Release::read(text)?;
    if release.is_unknown() { Err(format!("write it as {}", Release::CURRENT)) } else { Ok(release) }
}

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

/// A URL that paths are appended to: drops a `/` at its end. What it may hold needs no escape in a link of Markdown or HTML.
pub fn base_url(text: &str) -> Result<String, String> {
    let url = text.trim_end_matches('/');
    let rest = ["https://", "http://"].iter().find_map(|scheme| url.strip_prefix(scheme));
    if rest.is_none_or(|rest| rest.is_empty() || rest.starts_with('/')) {
        return Err("write a URL that begins with `https://` or `http://` and a host".to_owned());
    }
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "-._~:/@!$*+,;=%[]".contains(letter);
    match url.chars().find(|letter| !is_allowed(*letter)) {
        Some('?' | '#') => Err("write the URL without `?` and `#`: paths are appended to it".to_owned()),
        Some(_) => Err("write characters that a URL cannot have as `%20`".to_owned()),
        None => Ok(url.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_is_a_web_address_without_an_end() {
        let base = "https://github.com/kubernetes/enhancements/blob/master";
        assert_eq!(base_url(&format!("{base}//")).as_deref(), Ok(base));
        assert_eq!(base_url("http://localhost:8080/a%20b").as_deref(), Ok("http://localhost:8080/a%20b"));
        for bad in [
            "",
            "/",
            "https://",
            "https:///x",
            "github.com/x",
            "javascript:alert(1)",
            "file:///x",
            "https://x/y?z",
            "https://x/y#z",
            "https://x/a b",
            "https://x/a\nb",
            "https://x/\u{1b}",
            "https://x/)",
            "https://x/\"><script>",
            "https://x/é",
        ] {
            assert!(base_url(bad).is_err(), "{bad:?}");
        }
    }
}
