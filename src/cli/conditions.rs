//! Which keys of a configuration file make a run less strict than the defaults, as far as the command line does not say
//! otherwise.

use super::args::CheckArguments;
use crate::bounds;
use crate::config::values::{Config, Groups, Override};
use crate::diagnostic::{Severity, brief, counted};
use crate::lint::Run;
use crate::lint::accepted::Accepted;
use crate::lint::conditions::{Conditions, EditedFile, Relaxation};
use crate::report::{accepted_count, ignored_count, lowered_count, silenced_count};
use crate::rules::levels::Levels;
use crate::rules::preset::Preset;
use crate::rules::select::relaxed;
use crate::workspace::config_file::ConfigFile;
use crate::workspace::paths::shown;
use std::path::Path;

/// What decides how strict a run of `check` is, as it becomes known.
pub struct Decisions<'a> {
    /// As the user gave them.
    arguments: &'a CheckArguments,
    config: Option<ConfigFile>,
    /// The baseline file, and how many entries it has.
    baseline: Option<(String, usize)>,
    /// The version that the configuration is from, if not the one that is checked.
    configuration: Option<String>,
    /// What the configuration and ignores did so far.
    pub counts: Counts,
    /// The files that decide what is asked and that the change edits.
    pub edited: Vec<EditedFile>,
}

impl<'a> Decisions<'a> {
    /// Nothing but the arguments is known.
    pub fn of(arguments: &'a CheckArguments) -> Self {
        let counts = Counts::default();
        Self { arguments, config: None, baseline: None, configuration: None, counts, edited: Vec::new() }
    }

    /// Takes the configuration, and the name of the version that it is from, if not the one that is checked.
    pub fn plan(&mut self, config: Option<&ConfigFile>, version: Option<String>) {
        (self.config, self.configuration) = (config.cloned(), version);
    }

    /// Takes the baseline file of the run.
    pub fn accept(&mut self, file: Option<&Accepted>) {
        self.baseline = file.map(|file| (file.path.clone(), file.len()));
    }

    /// Takes the baseline file that the run wrote, and how many entries it has.
    pub fn wrote(&mut self, file: Option<(&Path, usize)>) {
        self.baseline = file.map(|(path, entries)| (shown(path), entries)).or(self.baseline.take());
    }

    /// Takes from a run how many findings the configuration and ignores changed.
    pub fn count(&mut self, run: &Run) {
        self.counts.lowered = lowered_count(run);
        self.counts.silenced = silenced_count(run);
        self.counts.ignored = ignored_count(run);
        self.counts.accepted = accepted_count(run);
    }

    /// What is known so far.
    pub fn conditions(&self) -> Conditions {
        let of_config = self.config.as_ref().map(|file| of_check(file, self.arguments, self.counts));
        let baseline = self.baseline.as_ref().map(|(file, entries)| {
            let hidden = counted(self.counts.accepted, "finding", "findings");
            let effect = format!("{hidden} hidden of {}", counted(*entries, "entry", "entries"));
            Relaxation::new(file, "baseline", effect)
        });
        let relaxed = of_config.unwrap_or_default().into_iter().chain(baseline).collect();
        Conditions { configuration: self.configuration.clone(), relaxed, edited: self.edited.clone() }
    }

    /// The same in sentences. Without a summary line, it is said here how many findings ignores silence.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = self.conditions().lines();
        if (self.arguments.output.quiet || self.arguments.diff) && self.counts.ignored > 0 {
            lines.push(format!("{} ignored", counted(self.counts.ignored, "finding", "findings")));
        }
        lines
    }
}

/// How many KEPs and findings a configuration and ignores change in a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// KEPs that it excludes.
    pub excluded: usize,
    /// Findings of which it lowers the severity.
    pub lowered: usize,
    /// Findings of rules that it turns off.
    pub silenced: usize,
    /// Findings that comments in KEPs silence.
    pub ignored: usize,
    /// Findings that a baseline file has.
    pub accepted: usize,
}

impl Counts {
    /// ` (2 findings lowered, 1 silenced)`
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

/// What `file` makes less strict in a run with these arguments, which are as the user gave them.
fn of_check(file: &ConfigFile, arguments: &CheckArguments, counts: Counts) -> Vec<Relaxation> {
    let Config { preset, fail_on, level, levels, overrides, .. } = &file.config;
    let configured = preset.as_ref().map(|setting| setting.value);
    let has_upstream = arguments.preset.or(configured) == Some(Preset::Upstream);
    let mut relaxed = Relaxed { path: &file.path, relaxations: Vec::new() };
    if arguments.preset.is_none() && has_upstream {
        relaxed.add("preset", Preset::Upstream.name());
    }
    if arguments.output.fail_on.is_none() && fail_on.as_ref().is_some_and(|setting| setting.value.is_none()) {
        relaxed.add("fail-on", "never");
    }
    if let Some(level) = level.as_ref().map(|setting| setting.value)
        && level > Severity::Advice
        && arguments.output.level.is_none()
        && !arguments.names_rule()
    {
        relaxed.add("level", format!("{} is the lowest that is shown", level.name()));
    }
    if counts.excluded > 0 {
        relaxed.add("exclude", counted(counts.excluded, "KEP", "KEPs"));
    }
    // The levels of rules, groups and approvers are nothing to upstream's scripts.
    if !has_upstream {
        relaxed.add_levels(levels, overrides, counts);
    }
    relaxed.add_repository(file, arguments.release.is_some(), arguments.template.is_some(), has_upstream);
    relaxed.relaxations
}

/// What `file` makes less strict where only what it says of the repository counts.
pub fn of_ready(file: &ConfigFile, has_release: bool, has_template: bool) -> Vec<Relaxation> {
    let mut relaxed = Relaxed { path: &file.path, relaxations: Vec::new() };
    relaxed.add_repository(file, has_release, has_template, false);
    relaxed.relaxations
}

/// What was found in a file so far.
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
        let mut seen: Vec<(&'static str, bool)> = overrides.iter().flat_map(|part| relaxed(&part.levels)).collect();
        seen.sort_unstable();
        seen.dedup();
        let of_overrides = words(seen.into_iter());
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

    fn add_repository(&mut self, file: &ConfigFile, has_release: bool, has_template: bool, has_upstream: bool) {
        let Config { release, template, groups, approvers, gates, .. } = &file.config;
        if !has_release && let Some(release) = release {
            self.add("release", release.value.to_string());
        }
        if !has_template && let Some(template) = template {
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

/// Rules with what is done to them; `None` if there are none.
fn words(rules: impl Iterator<Item = (&'static str, bool)>) -> Option<String> {
    let (off, lowered): (Vec<_>, Vec<_>) = rules.partition(|(_, is_off)| *is_off);
    let part = |changed: Vec<(&'static str, bool)>, what: &str| {
        let names: Vec<String> = changed.into_iter().map(|(name, _)| name.to_owned()).collect();
        if names.is_empty() { None } else { Some(listed(&names, what)) }
    };
    let parts: Vec<String> = [part(lowered, "lowered"), part(off, "off")].into_iter().flatten().collect();
    if parts.is_empty() { None } else { Some(parts.join(", ")) }
}

/// `a, b and 3 more off`
fn listed(names: &[String], what: &str) -> String {
    let (first, rest) = names.split_at(names.len().min(bounds::RELAXED_NAMES));
    let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
    let first: Vec<String> = first.iter().map(|name| brief(name).replace('`', "'")).collect();
    format!("{}{more} {what}", first.join(", "))
}
