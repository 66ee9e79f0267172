//! Stages, statuses, releases and phases: the values in `kep.yaml`, and the phase of a KEP that follows from them.

pub mod release;

use crate::suggest;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The target stage of a feature: `stage` in `kep.yaml`, in the order in which a KEP goes through them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    Alpha,
    Beta,
    Stable,
    Deprecated,
    Disabled,
    Removed,
}

impl Stage {
    /// In the order in which a KEP goes through them.
    pub const ALL: [Self; 6] = [Self::Alpha, Self::Beta, Self::Stable, Self::Deprecated, Self::Disabled, Self::Removed];

    /// Whether the feature is on by default or about to be: tests and results exist.
    pub fn is_beta_or_stable(self) -> bool {
        matches!(self, Self::Beta | Self::Stable)
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Alpha => "alpha",
            Self::Beta => "beta",
            Self::Stable => "stable",
            Self::Deprecated => "deprecated",
            Self::Disabled => "disabled",
            Self::Removed => "removed",
        }
    }

    /// What it says of a feature, for people who write a KEP.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Alpha => "off by default, and may be removed",
            Self::Beta => "tested and supported; most features are on by default from here",
            Self::Stable => "generally available (GA): on, and it stays",
            Self::Deprecated => "discouraged, but still available",
            Self::Disabled => "off by default, to be removed",
            Self::Removed => "no longer available",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stage| stage.name() == name)
    }

    /// Another name for [`Stage::Stable`], which Kubernetes uses everywhere except in `kep.yaml`.
    const GA: &str = "ga";

    /// The words that options and directives accept as a stage: the names, and `ga`.
    pub fn words() -> impl Iterator<Item = &'static str> {
        Self::ALL.into_iter().map(Self::name).chain([Self::GA])
    }

    pub fn from_word(word: &str) -> Option<Self> {
        let is_ga = word.eq_ignore_ascii_case(Self::GA);
        let named = Self::ALL.into_iter().find(|stage| word.eq_ignore_ascii_case(stage.name()));
        if is_ga { Some(Self::Stable) } else { named }
    }

    /// The stage that a misspelt one most likely means.
    pub fn meant(text: &str) -> Option<Self> {
        let word = text.trim().to_lowercase();
        if word == "general availability" {
            return Some(Self::Stable);
        }
        Self::from_word(&word).or_else(|| suggest::nearest(&word, Self::ALL.map(Self::name)).and_then(Self::from_name))
    }

    pub fn is_removal(self) -> bool {
        matches!(self, Self::Deprecated | Self::Disabled | Self::Removed)
    }

    /// Whether a KEP at stage `own` can go on to it.
    pub fn comes_after(self, own: Self) -> bool {
        self > own && self.is_removal() == own.is_removal()
    }

    /// Whether a KEP at the stage `own` has reached this one. A feature can be removed without ever having been stable.
    pub fn is_reached_at(self, own: Self) -> bool {
        self <= own && self.is_removal() == own.is_removal()
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// The status of a KEP: `status` in `kep.yaml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    Provisional,
    Implementable,
    Implemented,
    Deferred,
    Rejected,
    Withdrawn,
    Replaced,
}

impl Status {
    pub const ALL: [Self; 7] = [
        Self::Provisional,
        Self::Implementable,
        Self::Implemented,
        Self::Deferred,
        Self::Rejected,
        Self::Withdrawn,
        Self::Replaced,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Provisional => "provisional",
            Self::Implementable => "implementable",
            Self::Implemented => "implemented",
            Self::Deferred => "deferred",
            Self::Rejected => "rejected",
            Self::Withdrawn => "withdrawn",
            Self::Replaced => "replaced",
        }
    }

    /// What it says of a KEP, for people who write one.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Provisional => "proposed: the SIG agrees that it is worth the work, and details are open",
            Self::Implementable => "approved: it can be implemented",
            Self::Implemented => "done: the feature is stable, and the KEP is closed",
            Self::Deferred => "postponed: nobody works on it now",
            Self::Rejected => "not accepted",
            Self::Withdrawn => "withdrawn by its authors",
            Self::Replaced => "continued by another KEP, which `superseded-by` names",
        }
    }

    /// Whether upstream's check of production readiness reviews covers KEPs with this status.
    pub fn is_reviewed(self) -> bool {
        matches!(self, Self::Implementable | Self::Implemented)
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }

    /// The status that a misspelt one most likely means, also with words after it: "implemented (alpha)".
    pub fn meant(text: &str) -> Option<Self> {
        let word = text.trim().to_lowercase();
        if word.starts_with("not ") {
            return None;
        }
        let first = word.split_whitespace().next().and_then(Self::from_name);
        let nearest = || match word.as_str() {
            "superseded" => Some(Self::Replaced),
            _ => suggest::nearest(&word, Self::ALL.map(Self::name)).and_then(Self::from_name),
        };
        first.or_else(nearest)
    }
}

/// A Kubernetes release, `v1.37`. Patch releases do not matter for KEPs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Release {
    pub major: u32,
    pub minor: u32,
}

impl Release {
    /// The release under development when this version of kep-lint was built.
    pub const CURRENT: Self = Self { major: 1, minor: 37 };

    /// The milestone of an active KEP is at most this many releases older than the current one.
    const FRESH: u32 = 3;

    /// Parses a milestone as leniently as upstream's semver parser: surrounding spaces, one leading `v`, a patch
    /// version and a pre-release do not matter.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = text.strip_prefix('v').unwrap_or(text);
        let (major, rest) = text.split_once('.')?;
        let minor = rest.split(['.', '-', '+']).next().unwrap_or(rest);
        let number =
            |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten();
        Some(Self { major: number(major)?, minor: number(minor)? })
    }

    /// Reads a release that somebody types, or says how to write it: `v38` is most likely v1.38.
    pub fn read(text: &str) -> Result<Self, String> {
        let word = text.trim().to_lowercase();
        let short = || Some(Self { minor: word.strip_prefix('v').unwrap_or(&word).parse().ok()?, ..Self::CURRENT });
        Self::parse(text).ok_or_else(|| match Self::parse(&word).or_else(short) {
            Some(meant) => format!("write {meant}"),
            None => format!("write it as {}", Self::CURRENT),
        })
    }

    /// Whether it is `0.0`, which a bulk change wrote into old KEPs to mean "unknown".
    pub fn is_unknown(self) -> bool {
        (self.major, self.minor) == (0, 0)
    }

    /// The release that comes so many releases after it.
    pub fn plus(self, releases: u32) -> Self {
        Self { minor: self.minor.saturating_add(releases), ..self }
    }

    /// Whether it is a release before `current`, the release under development.
    pub fn is_out(self, current: Self) -> bool {
        !self.is_unknown() && self < current
    }

    /// Whether an implementable KEP with this milestone is active while `current` is under development.
    pub fn is_fresh(self, current: Self) -> bool {
        self.major > current.major || (self.major == current.major && self.minor + Self::FRESH >= current.minor)
    }
}

impl fmt::Display for Release {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "v{}.{}", self.major, self.minor)
    }
}

impl Default for Release {
    fn default() -> Self {
        Self::CURRENT
    }
}

impl TryFrom<String> for Release {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Self::parse(&name).ok_or_else(|| format!("`{name}` is not a release"))
    }
}

impl From<Release> for String {
    fn from(release: Release) -> Self {
        release.to_string()
    }
}

/// The phase of a KEP, which decides the severity of each rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Not approved yet, or the status is missing or invalid.
    #[default]
    Provisional,
    Active,
    Stale,
    Implemented,
    Closed,
}

impl Phase {
    /// In the order of the rule table.
    pub const ALL: [Self; 5] = [Self::Provisional, Self::Active, Self::Stale, Self::Implemented, Self::Closed];

    /// The phase of a KEP with this status and milestone while `current` is under development.
    pub fn of(status: Option<Status>, milestone: Option<Release>, current: Release) -> Self {
        match status {
            None | Some(Status::Provisional) => Self::Provisional,
            Some(Status::Implemented) => Self::Implemented,
            Some(Status::Deferred | Status::Rejected | Status::Withdrawn | Status::Replaced) => Self::Closed,
            Some(Status::Implementable) => {
                match milestone.filter(|milestone| !milestone.is_unknown() && milestone.is_fresh(current)) {
                    Some(_) => Self::Active,
                    None => Self::Stale,
                }
            }
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|phase| phase.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Provisional => "provisional",
            Self::Active => "active",
            Self::Stale => "stale",
            Self::Implemented => "implemented",
            Self::Closed => "closed",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_milestone_is_parsed_as_upstream_does() {
        let release = |minor| Some(Release { major: 1, minor });
        assert_eq!(Release::parse("v1.21"), release(21));
        assert_eq!(Release::parse(" 1.20.3 "), release(20));
        assert_eq!(Release::parse("v1.21-alpha"), release(21));
        assert_eq!(Release::parse("1.210"), release(210));
        assert_eq!(Release::parse("0.0"), Some(Release { major: 0, minor: 0 }));
        for text in ["", "TBD", "V1.21", "vv1.2", "1", "1.x", "1.", ".2", "1.99999999999999"] {
            assert_eq!(Release::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_release_that_is_not_one_is_shown_as_one() {
        assert_eq!(Release::read("v1.38"), Ok(Release { major: 1, minor: 38 }));
        for text in ["v38", "38", " V38", "V1.38"] {
            assert_eq!(Release::read(text), Err("write v1.38".to_owned()), "{text}");
        }
        assert_eq!(Release::read("soon"), Err(format!("write it as {}", Release::CURRENT)));
    }

    #[test]
    fn a_misspelt_value_is_taken_as_meant() {
        let status = |text| Status::meant(text).map(Status::name);
        assert_eq!(status("imlpemented"), Some("implemented"));
        assert_eq!(status("Implemented (alpha)"), Some("implemented"));
        assert_eq!(status("superseded"), Some("replaced"));
        assert_eq!(status("unknown"), None);
        assert_eq!(status("not implemented"), None);
        assert_eq!(Stage::meant("GA"), Some(Stage::Stable));
        assert_eq!(Stage::meant("aplha"), Some(Stage::Alpha));
        assert_eq!(Stage::meant("soon"), None);
    }

    #[test]
    fn an_implementable_kep_is_active_for_three_releases() {
        let phase = |milestone: &str| {
            Phase::of(Some(Status::Implementable), Release::parse(milestone), Release { major: 1, minor: 37 })
        };
        assert_eq!(phase("v1.38"), Phase::Active);
        assert_eq!(phase("v1.34"), Phase::Active);
        assert_eq!(phase("v1.33"), Phase::Stale);
        assert_eq!(phase("0.0"), Phase::Stale);
        assert_eq!(phase("soon"), Phase::Stale);
        assert_eq!(Phase::of(None, None, Release::CURRENT), Phase::Provisional);
    }
}
