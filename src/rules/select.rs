//! Which rules run, and at which level: `--preset`, `--select` and `--ignore`.

use super::ALL;
use super::levels::Levels;
use super::preset::Preset;
use super::rule::{Category, Level, Rule};
use crate::diagnostic::{Diagnostic, Failure, Severity, brief};
use crate::requirement::Target;
use crate::stage::Phase;
use crate::suggest;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    pub preset: Preset,
    select: Vec<Selector>,
    ignore: Vec<Selector>,
    levels: Levels,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Selector {
    Rule(&'static str),
    Category(Category),
}

impl Selector {
    fn covers(self, rule: &Rule) -> bool {
        match self {
            Self::Rule(name) => name == rule.name,
            Self::Category(category) => category == rule.category,
        }
    }
}

impl Selection {
    /// Reads names of rules and categories. If `select` is empty, all rules are selected.
    pub fn new(select: &[String], ignore: &[String]) -> Result<Self, Failure> {
        Ok(Self { select: selectors(select)?, ignore: selectors(ignore)?, ..Self::default() })
    }

    #[must_use]
    pub fn with_levels(&self, levels: Levels) -> Self {
        Self { levels, ..self.clone() }
    }

    #[must_use]
    pub fn with(self, preset: Preset) -> Self {
        Self { preset, ..self }
    }

    /// Whether neither rules to run nor rules to leave out are named.
    pub fn is_default(&self) -> bool {
        self.select.is_empty() && self.ignore.is_empty()
    }

    pub fn rules(&self) -> impl Iterator<Item = &'static Rule> {
        ALL.iter().filter(|rule| Phase::ALL.iter().any(|phase| self.level(rule, *phase) != Level::Off))
    }

    /// The severity of `rule` for a KEP with this target; `None` if it is off.
    pub fn severity(&self, rule: &Rule, target: &Target) -> Option<Severity> {
        level_for(target, |phase| self.level(rule, phase)).severity()
    }

    /// The severity that `rule` would have for a KEP with this target without the configuration.
    pub fn default_severity(&self, rule: &Rule, target: &Target) -> Option<Severity> {
        let none = Levels::default();
        level_for(target, |phase| self.level_with(rule, phase, &none)).severity()
    }

    /// Whether the configuration has a level for a rule.
    pub fn has_levels(&self) -> bool {
        self.levels.iter().next().is_some()
    }

    /// Whether the configuration has a level for `rule` in a phase of this target.
    pub fn names_level(&self, rule: &Rule, target: &Target) -> bool {
        let given = |phase: Phase| [Level::Advice, Level::Error].map(|usual| self.levels.at(rule, phase, usual));
        target.phases().into_iter().map(given).any(|[one, other]| one == other)
    }

    pub fn silences(&self, rule: &Rule, target: &Target) -> bool {
        self.severity(rule, target).is_none() && self.default_severity(rule, target).is_some()
    }

    /// The level of `rule` in `phase`. A rule that is off in every phase runs as a suggestion when it is
    /// selected by name. Upstream's scripts know no phases.
    pub fn level(&self, rule: &Rule, phase: Phase) -> Level {
        self.level_with(rule, phase, &self.levels)
    }

    fn level_with(&self, rule: &Rule, phase: Phase, levels: &Levels) -> Level {
        let covers = |selector: &Selector| selector.covers(rule);
        if self.ignore.iter().any(covers) || !(self.select.is_empty() || self.select.iter().any(covers)) {
            return Level::Off;
        }
        let is_named =
            self.select.iter().any(|selector| matches!(selector, Selector::Rule(name) if *name == rule.name));
        let by_preset = |at: Phase| match self.preset {
            Preset::Upstream if rule.upstream.is_empty() => Level::Off,
            Preset::Upstream => Level::Error,
            Preset::Strict if rule.is_off_by_default() => levels.at(rule, at, Level::Advice),
            Preset::Recommended | Preset::Strict => levels.at(rule, at, rule.severity.at(at)),
        };
        let is_off = || Phase::ALL.into_iter().all(|other| by_preset(other) == Level::Off);
        let has_phase = || rule.is_off_by_default() || rule.severity.at(phase) != Level::Off;
        let is_turned_on = is_named && has_phase() && self.preset != Preset::Upstream && is_off();
        if is_turned_on { Level::Advice } else { by_preset(phase) }
    }
}

/// The highest level in the phases of a target. A KEP that is only proposed has those of an active one, each
/// one lower.
fn level_for(target: &Target, level: impl Fn(Phase) -> Level) -> Level {
    let own = target.phases().map(&level).into_iter().max().unwrap_or(Level::Off);
    if target.is_proposed { own.max(level(Phase::Active).lower()) } else { own }
}

impl Rule {
    /// Whether it is off in every phase unless it is selected by name.
    pub fn is_off_by_default(&self) -> bool {
        Phase::ALL.into_iter().all(|phase| self.severity.at(phase) == Level::Off)
    }

    pub fn can_be_error(&self) -> bool {
        Phase::ALL.into_iter().any(|phase| self.severity.at(phase) == Level::Error)
    }
}

/// The rules that these levels make less severe in some phase, and whether they are off in all.
pub fn relaxed(levels: &Levels) -> impl Iterator<Item = (&'static str, bool)> {
    let is_off = |rule: &Rule| {
        let default = |phase: Phase| rule.severity.at(phase);
        let phases: Vec<Phase> = Phase::ALL.into_iter().filter(|phase| default(*phase) != Level::Off).collect();
        let level = |phase: Phase| levels.at(rule, phase, default(phase));
        let is_relaxed = phases.iter().any(|phase| level(*phase) < default(*phase));
        if is_relaxed { Some(phases.iter().all(|phase| level(*phase) == Level::Off)) } else { None }
    };
    levels.iter().filter_map(move |(name, _)| Some((name, is_off(rule_named(name)?)?)))
}

/// The rules with these names and in these categories, in the table's order; all rules if there are no names.
pub fn rules(names: &[String]) -> Result<Vec<&'static Rule>, Failure> {
    let selectors = selectors(names)?;
    let is_selected = |rule: &&Rule| selectors.is_empty() || selectors.iter().any(|selector| selector.covers(rule));
    Ok(ALL.iter().filter(is_selected).collect())
}

pub fn rule(name: &str) -> Result<&'static Rule, Failure> {
    rule_named(name).ok_or_else(|| unknown(name, ALL.iter().map(|rule| rule.name)))
}

pub fn rule_named(name: &str) -> Option<&'static Rule> {
    let name = suggest::current(name);
    ALL.iter().find(|rule| rule.name == name)
}

/// How many of the required sections are not filled in, or hidden, by what was found in a KEP.
pub fn open_sections<'a>(findings: impl IntoIterator<Item = &'a Diagnostic>) -> usize {
    let is_gap = |finding: &&Diagnostic| {
        finding.rule == "swallowed-heading" || rule_named(finding.rule).is_some_and(|rule| rule.is_gap)
    };
    findings.into_iter().filter(is_gap).map(|finding| finding.covers.len().max(1)).sum()
}

fn selectors(names: &[String]) -> Result<Vec<Selector>, Failure> {
    let selector = |name: &String| {
        let category = Category::ALL.into_iter().find(|category| category.name() == name);
        let known = category.map(Selector::Category).or_else(|| Some(Selector::Rule(rule_named(name)?.name)));
        let all = ALL.iter().map(|rule| rule.name).chain(Category::ALL.map(Category::name));
        known.ok_or_else(|| unknown(name, all))
    };
    names.iter().map(selector).collect()
}

fn unknown(name: &str, names: impl Iterator<Item = &'static str>) -> Failure {
    if let Some(gone) = suggest::gone(name) {
        return Failure::new(gone);
    }
    let help = match suggest::nearest(name, names) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "see `kep-lint rules` for all names".to_owned(),
    };
    if name.trim().is_empty() {
        return Failure::new("the name of a rule or category is empty").help(help);
    }
    Failure::new(format!("unknown rule or category `{}`", brief(name))).help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(preset: Preset, name: &str, phase: Phase) -> Level {
        Selection::default().with(preset).level(rule(name).expect("a rule"), phase)
    }

    #[test]
    fn strict_wakes_only_rules_that_are_off_everywhere() {
        assert_eq!(level(Preset::Recommended, "stale-signoff", Phase::Active), Level::Off);
        assert_eq!(level(Preset::Strict, "stale-signoff", Phase::Closed), Level::Advice);
        assert_eq!(level(Preset::Strict, "missing-section", Phase::Closed), Level::Off);
        assert_eq!(level(Preset::Strict, "missing-section", Phase::Active), Level::Error);
    }

    #[test]
    fn upstream_knows_no_phases() {
        for phase in Phase::ALL {
            assert_eq!(level(Preset::Upstream, "missing-prr", phase), Level::Error);
            assert_eq!(level(Preset::Upstream, "missing-section", phase), Level::Off);
        }
    }

    #[test]
    fn rules_are_named_alone_and_by_category() {
        let named = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            rules(&names).map(|rules| rules.into_iter().map(|rule| rule.name).collect::<Vec<_>>())
        };
        assert_eq!(named(&[]).map(|names| names.len()), Ok(ALL.len()));
        assert_eq!(named(&["stale-toc", "bad-title", "stale-toc"]), Ok(vec!["bad-title", "stale-toc"]));
        let approval = ALL.iter().filter(|rule| rule.category == Category::Approval).count();
        assert_eq!(named(&["approval", "missing-prr"]).map(|names| names.len()), Ok(approval));
        // A rule that is off in every phase is listed all the same.
        assert!(named(&["sections"]).is_ok_and(|names| names.contains(&"stale-signoff")));
        assert_eq!(named(&["texts"]).map_err(|unknown| unknown.help), Err(Some("did you mean `text`?".to_owned())));
    }
}
