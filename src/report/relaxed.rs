//! Which keys of a configuration file make a run less strict than the defaults, as far as the user does not say otherwise.

use super::ignored_count;
use crate::config::values::{Config, Groups, Override};
use crate::diagnostic::{Severity, brief, counted};
use crate::lint::Run;
use crate::lint::conditions::Relaxation;
use crate::rules::levels::Levels;
use crate::rules::preset::Preset;
use crate::rules::select::relaxed;
use crate::workspace::config_file::ConfigFile;
use std::collections::BTreeSet;

/// How many names are listed of each setting that makes a run less strict; the others are counted.
const RELAXED_NAMES: usize = 5;

/// How many KEPs and findings a configuration and ignores change in a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub excluded: usize,
    /// Findings of which it lowers the severity.
    pub lowered: usize,
    /// Findings of rules that it turns off.
    pub silenced: usize,
    pub ignored: usize,
}

impl Counts {
    pub fn of(run: &Run, excluded: usize) -> Self {
        let lowered = run.reports.iter().map(|report| report.lowered).sum();
        let silenced = run.reports.iter().map(|report| report.silenced).sum();
        Self { excluded, lowered, silenced, ignored: ignored_count(run) }
    }

    fn findings(self, intro: &str) -> String {
        let lowered = counted(self.lowered, "finding lowered", "findings lowered");
        match (self.lowered, self.silenced) {
            (0, 0) => String::new(),
            (_, 0) => format!(" ({intro}{lowered})"),
            (0, silenced) => format!(" ({intro}{})", counted(silenced, "finding silenced", "findings silenced")),
            (_, silenced) => format!(" ({intro}{lowered}, {silenced} silenced)"),
        }
    }
}

/// What the user says of a run, so that the configuration does not count for it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Said {
    pub preset: Option<Preset>,
    /// Whether there is a lowest severity that makes a run fail.
    pub has_fail_on: bool,
    /// Whether there is a lowest severity that is shown.
    pub has_level: bool,
    pub has_release: bool,
    pub has_template: bool,
}

/// What `config`, of the file at `path`, makes less strict in a run, as far as the user does not say otherwise.
pub fn of_check(path: &str, config: &Config, said: Said, counts: Counts) -> Vec<Relaxation> {
    let Config { preset, fail_on, level, levels, overrides, .. } = config;
    let configured = preset.as_ref().map(|setting| setting.value);
    let has_upstream = said.preset.or(configured) == Some(Preset::Upstream);
    let mut relaxed = Relaxed { path, relaxations: Vec::new() };
    if said.preset.is_none() && has_upstream {
        relaxed.add("preset", Preset::Upstream.name());
    }
    if !said.has_fail_on && fail_on.as_ref().is_some_and(|setting| setting.value.is_none()) {
        relaxed.add("fail-on", "never");
    }
    if let Some(level) = level.as_ref().map(|setting| setting.value)
        && level > Severity::Advice
        && !said.has_level
    {
        relaxed.add("level", format!("{} is the lowest that is shown", level.name()));
    }
    if counts.excluded > 0 {
        relaxed.add("exclude", counted(counts.excluded, config.layout.name(), &config.layout.names()));
    }
    // The levels of rules, groups and approvers are nothing to upstream's scripts.
    if !has_upstream {
        relaxed.add_levels(levels, overrides, counts);
    }
    relaxed.add_repository(config, said.has_release, said.has_template, has_upstream);
    relaxed.relaxations
}

/// What `file` makes less strict where only what it says of the repository counts.
pub fn of_ready(file: &ConfigFile, has_release: bool, has_template: bool) -> Vec<Relaxation> {
    let mut relaxed = Relaxed { path: &file.path, relaxations: Vec::new() };
    relaxed.add_repository(&file.config, has_release, has_template, false);
    relaxed.relaxations
}

struct Relaxed<'a> {
    path: &'a str,
    relaxations: Vec<Relaxation>,
}

impl Relaxed<'_> {
    fn add(&mut self, key: &'static str, effect: impl Into<String>) {
        self.relaxations.push(Relaxation::new(self.path, key, effect));
    }

    fn add_levels(&mut self, levels: &Levels, overrides: &[Override], counts: Counts) {
        let of_rules = words(relaxed(levels));
        let by_rule: BTreeSet<(&'static str, bool)> = overrides.iter().flat_map(|part| relaxed(&part.levels)).collect();
        let of_overrides = words(by_rule.into_iter());
        match (of_rules, of_overrides) {
            (None, None) => {}
            (Some(of_rules), None) => self.add("rules", of_rules + &counts.findings("")),
            (None, Some(of_overrides)) => self.add("overrides", of_overrides + &counts.findings("")),
            (Some(of_rules), Some(of_overrides)) => {
                self.add("rules", of_rules);
                self.add("overrides", of_overrides + &counts.findings("with `rules`: "));
            }
        }
    }

    fn add_repository(&mut self, config: &Config, has_release: bool, has_template: bool, has_upstream: bool) {
        let Config { release, templates, groups, approvers, gates, .. } = config;
        if !has_release && let Some(release) = release {
            self.add("release", release.value.to_string());
        }
        // Where proposals lie otherwise, there is no other template that could ask for more.
        if !has_template
            && config.layout.is_of_keps()
            && let Some(template) = templates.first()
        {
            self.add("template", brief(&template.value));
        }
        if has_upstream {
            return;
        }
        match groups.as_ref().map(|groups| &groups.value) {
            Some(Groups::None) => self.add("groups", "KEPs belong to none, and need no PRR"),
            Some(Groups::More(names)) if !names.is_empty() => self.add("groups", listed(names, "added")),
            Some(Groups::More(_)) | None => {}
        }
        let names = approvers.as_ref().map(|approvers| approvers.value.as_slice()).unwrap_or_default();
        if !names.is_empty() {
            self.add("approvers", listed(names, "added"));
        }
        if let Some(gates) = gates {
            self.add("feature-gates", brief(&gates.value));
        }
    }
}

fn words(rules: impl Iterator<Item = (&'static str, bool)>) -> Option<String> {
    let (off, lowered): (Vec<_>, Vec<_>) = rules.partition(|(_, is_off)| *is_off);
    let part = |changed: Vec<(&'static str, bool)>, what: &str| {
        let names: Vec<String> = changed.into_iter().map(|(name, _)| name.to_owned()).collect();
        if names.is_empty() { None } else { Some(listed(&names, what)) }
    };
    let parts: Vec<String> = [part(lowered, "lowered"), part(off, "off")].into_iter().flatten().collect();
    if parts.is_empty() { None } else { Some(parts.join(", ")) }
}

fn listed(names: &[String], what: &str) -> String {
    let (first, rest) = names.split_at(names.len().min(RELAXED_NAMES));
    let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
    let first: Vec<String> = first.iter().map(|name| brief(name).replace('`', "'")).collect();
    format!("{}{more} {what}", first.join(", "))
}
