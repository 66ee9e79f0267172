//! Levels that a configuration gives to rules, in place of those of their ladders.

use super::rule::{Level, Rule};
use crate::stage::Phase;
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleLevel {
    /// In every phase in which the rule is not off; in all phases for a rule that is off in every one.
    Everywhere(Level),
    /// In these phases, also if the rule is off there.
    ByPhase(BTreeMap<Phase, Level>),
}

/// The level of a rule, and the line of the configuration that has it, from 1 on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenLevel {
    pub level: RuleLevel,
    pub line: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    rules: BTreeMap<&'static str, GivenLevel>,
}

impl Levels {
    pub fn set(&mut self, rule: &Rule, level: RuleLevel, line: usize) {
        self.rules.insert(rule.name, GivenLevel { level, line });
    }

    pub fn extend(&mut self, other: &Self) {
        self.rules.extend(other.rules.iter().map(|(rule, level)| (*rule, level.clone())));
    }

    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &GivenLevel)> {
        self.rules.iter().map(|(rule, level)| (*rule, level))
    }

    /// The level of `rule` in `phase`, where `default` is that without these levels.
    pub fn at(&self, rule: &Rule, phase: Phase, default: Level) -> Level {
        match self.rules.get(rule.name).map(|configured| &configured.level) {
            Some(RuleLevel::Everywhere(level)) if default != Level::Off || rule.is_off_by_default() => *level,
            Some(RuleLevel::ByPhase(phases)) => phases.get(&phase).copied().unwrap_or(default),
            Some(RuleLevel::Everywhere(_)) | None => default,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::select::rule;

    fn level(name: &str, level: RuleLevel, phase: Phase) -> &'static str {
        let rule = rule(name).expect("a rule");
        let mut levels = Levels::default();
        levels.set(rule, level, 1);
        levels.at(rule, phase, rule.severity.at(phase)).name()
    }

    #[test]
    fn a_level_replaces_all_but_off() {
        let warning = RuleLevel::Everywhere(Level::Warning);
        assert_eq!(level("missing-section", warning.clone(), Phase::Active), "warning");
        assert_eq!(level("missing-section", warning.clone(), Phase::Provisional), "warning");
        assert_eq!(level("missing-section", warning.clone(), Phase::Closed), "off");
        assert_eq!(level("stale-signoff", warning, Phase::Closed), "warning");
    }

    #[test]
    fn a_phase_can_be_woken() {
        let only_stale = RuleLevel::ByPhase(BTreeMap::from([(Phase::Stale, Level::Error)]));
        assert_eq!(level("missing-section", only_stale.clone(), Phase::Stale), "error");
        assert_eq!(level("missing-section", only_stale.clone(), Phase::Provisional), "suggestion");
        assert_eq!(level("missing-section", only_stale, Phase::Closed), "off");
    }
}
