//! A feature gate: in which releases it was at which stage.

use crate::bounds;
use crate::span::slice;
use crate::stage::{Release, Stage};
use std::fmt;

/// What the line of a gate begins with.
pub(super) const BEGIN: &str = "- {name: ";

/// The keys of fields with a release, in the order of files.
const KEYS: [&str; 7] = ["alpha", "beta", "ga", "deprecated", "enabled", "locked", "removed"];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gate {
    pub name: String,
    pub alpha: Option<Since>,
    pub beta: Option<Since>,
    /// Since when it is GA, which kep.yaml calls stable.
    pub ga: Option<Since>,
    pub deprecated: Option<Since>,
    pub enabled: Option<Since>,
    pub locked: Option<Since>,
    /// The first release that does not have it any longer.
    pub removed: Option<Since>,
    /// The numbers of the KEPs that the comment in the code names, without leading zeros.
    pub keps: Vec<String>,
    /// The list of the code that has it, such as `apiserver`; none is `pkg/features`.
    pub list: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Since {
    pub release: Release,
    /// Whether it may have been an earlier one, of which there is no list.
    pub is_or_earlier: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    NotYet,
    At(Stage),
    Gone,
    /// It guards old behavior, so that its stage is not that of a feature.
    Guard,
}

impl Gate {
    /// Reads a line that [`fmt::Display`] writes; `None` for any other.
    pub(super) fn of_line(line: &str) -> Option<Self> {
        let mut rest = line.strip_prefix(BEGIN)?.strip_suffix('}')?;
        let name = slice(rest, ..rest.find(',').unwrap_or(rest.len()));
        rest = slice(rest, name.len()..);
        let mut gate = Self::default();
        gate.set("name", name)?;
        while let Some((key, value)) = rest.strip_prefix(", ").and_then(|rest| rest.split_once(':')) {
            let value = value.strip_prefix(' ')?;
            let end =
                if value.starts_with('[') { value.find(']')? + 1 } else { value.find(',').unwrap_or(value.len()) };
            gate.set(key, slice(value, ..end).trim_matches(['"', '[', ']']))?;
            rest = slice(value, end..);
        }
        let has_stage = [gate.alpha, gate.beta, gate.ga, gate.deprecated].iter().any(Option::is_some);
        (rest.is_empty() && has_stage).then_some(gate)
    }

    /// Sets the field of this key; `None` if there is no such key, or the value is none for it.
    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        match key {
            "name" if is_name(value) => value.clone_into(&mut self.name),
            "keps" => self.keps = value.split(", ").map(number).collect::<Option<_>>()?,
            "in" if is_list(value) => self.list = Some(value.to_owned()),
            _ => *self.field(key)? = Some(Since::parse(value)?),
        }
        Some(())
    }

    /// The field of this key, if it has a release.
    pub(super) fn field(&mut self, key: &str) -> Option<&mut Option<Since>> {
        Some(match key {
            "alpha" => &mut self.alpha,
            "beta" => &mut self.beta,
            "ga" => &mut self.ga,
            "deprecated" => &mut self.deprecated,
            "enabled" => &mut self.enabled,
            "locked" => &mut self.locked,
            "removed" => &mut self.removed,
            _ => return None,
        })
    }

    /// Its stages with their releases, in the order in which it goes through them. Only those of a feature: a gate that was
    /// GA in v1.0 guards old behavior.
    fn stages(&self) -> impl DoubleEndedIterator<Item = (Stage, Since)> {
        let ga = if self.is_guard() { None } else { self.ga };
        let stages = [
            (Stage::Alpha, self.alpha),
            (Stage::Beta, self.beta),
            (Stage::Stable, ga),
            (Stage::Deprecated, self.deprecated),
        ];
        stages.into_iter().filter_map(|(stage, since)| Some((stage, since?)))
    }

    /// Whether it guards old behavior, and was not for a new feature.
    pub fn is_guard(&self) -> bool {
        self.ga.is_some_and(|ga| (ga.release.major, ga.release.minor) == (1, 0))
    }

    /// Whether it stays at its stage, because it guards options that change theirs.
    pub fn is_umbrella(&self) -> bool {
        let name = self.name.as_str();
        name.ends_with("AlphaOptions")
            || name.ends_with("BetaOptions")
            || (name.contains("Policy") && name.ends_with("Options"))
    }

    pub fn presence(&self, release: Release) -> Presence {
        if self.is_guard() {
            return Presence::Guard;
        }
        if self.removed.is_some_and(|removed| removed.release <= release) {
            return Presence::Gone;
        }
        let begun = self.stages().rev().find(|(_, since)| since.release <= release);
        let earliest = self.stages().next();
        match begun.or(earliest.filter(|(_, since)| since.is_or_earlier)) {
            Some((stage, _)) => Presence::At(stage),
            None => Presence::NotYet,
        }
    }

    /// Since when it is at a stage, or at a later one of the same kind; `None` if it is not yet in `release`.
    pub fn reached(&self, stage: Stage, release: Release) -> Option<Since> {
        let mut stages = self.stages().filter(|(at, _)| stage.is_reached_at(*at));
        stages.find(|(_, since)| since.release <= release).map(|(_, since)| since)
    }

    pub fn is_enabled(&self, release: Release) -> bool {
        self.enabled.is_some_and(|since| since.release <= release) && self.deprecated.is_none()
    }

    /// Its stages, in words: "alpha v1.34, beta v1.35".
    pub fn stages_in_words(&self) -> String {
        let words: Vec<String> = self.stages().map(|(stage, since)| format!("{stage} {since}")).collect();
        if words.is_empty() { "guards old behavior".to_owned() } else { words.join(", ") }
    }

    /// All that a list says of it but the KEPs, in words: "alpha v1.34, beta v1.35, on by default since v1.35".
    pub fn history(&self) -> String {
        let last = self.stages().next_back().map(|(stage, since)| format!("{stage} {since}"));
        if let Some(removed) = self.removed {
            let last = last.unwrap_or_else(|| self.stages_in_words());
            return format!("{last}, removed in {removed}");
        }
        let since = |word: &str, field: Option<Since>| {
            let field = if self.is_guard() { None } else { field };
            field.map(|since| format!(", {word} since {since}")).unwrap_or_default()
        };
        let locked = since("locked", self.locked);
        format!("{}{}{locked}", self.stages_in_words(), since("on by default", self.enabled))
    }

    /// "KEP-3721", or several of them; empty if the code names none.
    pub fn keps_in_words(&self) -> String {
        self.keps.iter().map(|kep| format!("KEP-{kep}")).collect::<Vec<_>>().join(", ")
    }
}

pub fn is_name(text: &str) -> bool {
    text.len() <= bounds::NAME_CHARACTERS
        && text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn number(text: &str) -> Option<String> {
    let is_number = (1..=6).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    Some(text.trim_start_matches('0').to_owned()).filter(|digits| is_number && !digits.is_empty())
}

/// Whether it may be the name of a list of the code.
fn is_list(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'/');
    !text.is_empty() && text.len() <= bounds::NAME_CHARACTERS && text.bytes().all(is_part)
}

impl fmt::Display for Gate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{BEGIN}{}", self.name)?;
        let mut gate = self.clone();
        for key in KEYS {
            let Some(Some(Since { release: Release { major, minor }, is_or_earlier })) = gate.field(key) else {
                continue;
            };
            let sign = if *is_or_earlier { "<=" } else { "" };
            write!(formatter, ", {key}: \"{sign}{major}.{minor}\"")?;
        }
        if !self.keps.is_empty() {
            write!(formatter, ", keps: [{}]", self.keps.join(", "))?;
        }
        if let Some(list) = &self.list {
            write!(formatter, ", in: {list}")?;
        }
        write!(formatter, "}}")
    }
}

impl Since {
    pub fn exactly(release: Release) -> Self {
        Self { release, is_or_earlier: false }
    }

    /// Reads `1.37`, or `<=1.16` for that one or an earlier one.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let release = text.strip_prefix("<=");
        Some(Self { release: Release::parse(release.unwrap_or(text))?, is_or_earlier: release.is_some() })
    }
}

impl fmt::Display for Since {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let more = if self.is_or_earlier { " or before" } else { "" };
        write!(formatter, "{}{more}", self.release)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(fields: &str) -> Gate {
        Gate::of_line(&format!("- {{name: A{fields}}}")).unwrap_or_else(|| panic!("{fields} is read"))
    }

    #[test]
    fn a_line_is_read_and_written_as_it_was() {
        for line in [
            r#"- {name: A, beta: "1.33"}"#,
            r#"- {name: A, alpha: "<=1.16", beta: "1.33", removed: "1.35"}"#,
            r#"- {name: A, ga: "1.0", deprecated: "1.31", enabled: "1.0", locked: "1.32", keps: [1, 22], in: client-go}"#,
        ] {
            assert_eq!(Gate::of_line(line).map(|gate| gate.to_string()).as_deref(), Some(line));
        }
        for line in [
            "",
            "- {name: A}",
            "- {name: A",
            r#"- {name: A, b: "1.2"}"#,
            "- {name: A, alpha: soon}",
            "- {name: A, keps: x}",
        ] {
            assert_eq!(Gate::of_line(line), None, "{line}");
        }
    }

    #[test]
    fn a_gate_is_at_one_stage_in_a_release() {
        let presence = |gate: &Gate, minor| gate.presence(Release { major: 1, minor });
        let feature = gate(r#", alpha: "1.20", beta: "1.22", ga: "1.24", removed: "1.26""#);
        let expected = [
            (19, Presence::NotYet),
            (20, Presence::At(Stage::Alpha)),
            (23, Presence::At(Stage::Beta)),
            (25, Presence::At(Stage::Stable)),
            (26, Presence::Gone),
        ];
        for (minor, at) in expected {
            assert_eq!(presence(&feature, minor), at, "v1.{minor}");
        }
        assert_eq!(presence(&gate(r#", beta: "<=1.16""#), 12), Presence::At(Stage::Beta));
        assert_eq!(presence(&gate(r#", ga: "1.0", deprecated: "1.31""#), 37), Presence::Guard);
    }

    #[test]
    fn umbrella_gates_are_known_by_their_names() {
        let is_umbrella = |name: &str| Gate { name: name.to_owned(), ..Gate::default() }.is_umbrella();
        assert!(
            ["CPUManagerPolicyOptions", "TopologyManagerPolicyBetaOptions", "AAlphaOptions"].map(is_umbrella)
                == [true; 3]
        );
        assert!(!is_umbrella("ServiceNodePortOptions") && !is_umbrella("PolicyOption"));
    }

    #[test]
    fn the_history_says_what_a_reader_asks() {
        let feature = gate(r#", alpha: "1.34", beta: "1.35", enabled: "1.35""#);
        assert_eq!(feature.history(), "alpha v1.34, beta v1.35, on by default since v1.35");
        assert_eq!(gate(r#", alpha: "1.28", ga: "1.33", removed: "1.37""#).history(), "stable v1.33, removed in v1.37");
        assert_eq!(gate(r#", beta: "<=1.16""#).history(), "beta v1.16 or before");
        let guard = gate(r#", ga: "1.0", deprecated: "1.31", enabled: "1.0", locked: "1.34""#);
        assert_eq!(guard.history(), "deprecated v1.31");
        assert_eq!(gate(r#", ga: "1.0", enabled: "1.0""#).history(), "guards old behavior");
    }
}
