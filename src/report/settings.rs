//! The settings of a run: what `kep-lint config show` prints.

use super::table::Table;
use crate::config::values::{Config, Groups, NEVER, SECTIONS, Setting};
use crate::diagnostic::Severity;
use crate::lint::Run;
use crate::repository::Repository;
use crate::rules::levels::{GivenLevel, Levels, RuleLevel};
use crate::rules::preset::Preset;
use crate::rules::rule::Level;
use crate::stage::{Phase, Release};
use serde_json::{Value, json};

/// The values of a run with the configuration `file`, and where each is from.
pub fn table(file: Option<&str>, config: &Config, run: &Run, repository: Option<&Repository>) -> Table {
    let mut rows = Rows { path: file.unwrap_or_default(), rows: Vec::new() };
    let preset = (Preset::default().name(), "default");
    rows.add("preset", config.preset.as_ref(), |preset| preset.name().to_owned(), preset);
    let none = ("none", "default");
    let own_template = repository.and_then(|repository| repository.template.as_ref());
    let without = if config.layout.is_of_keps() { ("built-in", "default") } else { none };
    let template = own_template.map_or(without, |own| (own.path.as_str(), "repository"));
    rows.add("template", config.templates.first(), String::clone, template);
    let sections = |most: &Severity| {
        let name = SECTIONS.iter().find(|(_, named)| named == most);
        name.map(|(name, _)| (*name).to_owned()).unwrap_or_default()
    };
    if !config.layout_keys.iter().any(|(key, _)| key == "sections") {
        rows.add("sections", config.sections.as_ref(), sections, ("suggested", "default"));
    }
    rows.add("documents", config.documents.as_ref(), String::clone, ("keps/**/README.md", "default"));
    for (key, setting) in &config.layout_keys {
        rows.add(key, Some(setting), String::clone, none);
    }
    let release = run.meant.release.to_string();
    let told = if run.knows_release() { (release.as_str(), run.meant.reason.words()) } else { none };
    rows.add("release", config.release.as_ref(), Release::to_string, told);
    let threshold = |severity: &Option<Severity>| severity.map_or(NEVER, Severity::name).to_owned();
    rows.add("fail-on", config.fail_on.as_ref(), threshold, (Severity::Error.name(), "default"));
    let default_level = format!("warning; for up to three {} suggestion", config.layout.names());
    rows.add("level", config.level.as_ref(), |level| level.name().to_owned(), (&default_level, "default"));
    rows.add("exclude", config.exclude.as_ref(), |globs| globs.patterns.join(", "), none);
    let kubernetes = "those of Kubernetes";
    let groups = |groups: &Groups| match groups {
        Groups::More(names) => format!("{kubernetes}, {}", names.join(", ")),
        Groups::None => "none".to_owned(),
    };
    let has_groups = repository.is_none_or(|repository| repository.has_groups);
    let default = |value| if has_groups { (value, "default") } else { none };
    rows.add("groups", config.groups.as_ref(), groups, default(kubernetes));
    let aliases = "those of OWNERS_ALIASES";
    let approvers = |names: &Vec<String>| format!("{aliases}, {}", names.join(", "));
    rows.add("approvers", config.approvers.as_ref(), approvers, default(aliases));
    rows.add("feature-gates", config.gates.as_ref(), String::clone, default("built-in"));
    rows.levels("", &config.levels);
    for part in &config.overrides {
        rows.levels(&format!(" in {}", part.paths.patterns.join(", ")), &part.levels);
    }
    Table { columns: vec!["key", "from", "value"], rows: rows.rows }
}

struct Rows<'a> {
    path: &'a str,
    rows: Vec<Vec<Value>>,
}

impl Rows<'_> {
    /// Adds a key with its value in the file, or else with what applies without it and where that is from.
    fn add<T>(&mut self, key: &str, given: Option<&Setting<T>>, words: impl Fn(&T) -> String, default: (&str, &str)) {
        let (value, from) = match given {
            Some(setting) => (words(&setting.value), format!("{}:{}", self.path, setting.line)),
            None => (default.0.to_owned(), default.1.to_owned()),
        };
        self.rows.push(vec![json!(key), json!(from), json!(value)]);
    }

    fn levels(&mut self, place: &str, levels: &Levels) {
        for (rule, GivenLevel { level, line }) in levels.iter() {
            let words = match level {
                RuleLevel::Everywhere(level) => level.name().to_owned(),
                RuleLevel::ByPhase(phases) => {
                    let phase = |(phase, at): (&Phase, &Level)| format!("{} {}", phase.name(), at.name());
                    phases.iter().map(phase).collect::<Vec<_>>().join(", ")
                }
            };
            let from = format!("{}:{line}", self.path);
            self.rows.push(vec![json!(rule), json!(from), json!(format!("{words}{place}"))]);
        }
    }
}
