//! The table of keys of a configuration file. Reading a file, its JSON schema, `kep-lint config init` and
//! the table in README.md go through it.

use super::layout;
use super::reading::Reading;
use super::schema;
use super::values::{CONDITIONS, Groups, NEVER, Override, SECTIONS, thresholds};
use crate::diagnostic::{Failure, Severity};
use crate::kep::filter::Filter;
use crate::kep::layout::Layout;
use crate::rules::preset::Preset;
use crate::stage::{Release, Stage};
use crate::yaml::tree::{Entry, Node};
use serde_json::{Value, json};

pub struct Key {
    pub name: &'static str,
    pub takes: &'static str,
    pub about: &'static str,
    pub example: &'static str,
    pub schema: fn() -> Value,
    pub(super) read: for<'a> fn(&mut Reading<'a>, &'a Entry),
}

/// The keys that say nothing without `documents`.
const OF_DOCUMENTS: [&str; 10] =
    ["name", "metadata", "title", "targets", "releases", "stages", "phases", "without-status", "keys", "steps"];

/// The keys whose values are added to what is known, and do not replace it.
const ADDING: [&str; 3] = ["exclude", "groups", "approvers"];

impl Key {
    pub fn adds(&self) -> bool {
        ADDING.contains(&self.name)
    }

    pub fn needs_documents(&self) -> bool {
        OF_DOCUMENTS.contains(&self.name)
    }
}

pub const ALL: &[Key] = &[
    Key {
        name: "preset",
        takes: "`recommended`, `strict` or `upstream`",
        about: "the levels that rules have unless they are set below",
        example: "preset: recommended",
        schema: || json!({ "enum": Preset::ALL.map(Preset::name) }),
        read: |reading, entry| {
            let value = reading.choice(&entry.value, Preset::ALL.map(Preset::name), Preset::from_name);
            reading.config.preset = value.map(|value| reading.setting(entry, value));
        },
    },
    Key {
        name: "template",
        takes: "path",
        about: "the annotated template, instead of the repository's own or the built-in one",
        example: "template: keps/NNNN-kep-template/README.md",
        schema: schema::text,
        read: |reading, entry| {
            let path = reading.text_setting(entry);
            reading.config.templates.extend(path);
        },
    },
    Key {
        name: "sections",
        takes: "`required` or `suggested`; with `documents` also `level`, `optional`, `directive` and `since`",
        about: "headings without a directive that only the repository's own template has",
        example: "sections: required",
        schema: schema::sections,
        read: |reading, entry| {
            if entry.value.as_mapping().is_some() {
                return layout::sections(reading, entry);
            }
            let value = reading.named(&entry.value, &SECTIONS);
            reading.config.sections = value.map(|value| reading.setting(entry, value));
        },
    },
    Key {
        name: "release",
        takes: "release",
        about: "the release under development, instead of that of the day and the KEPs of the default branch",
        example: "release: v1.37",
        schema: || json!({ "type": ["string", "number"], "pattern": "^v?[0-9]+\\.[0-9]+" }),
        read: |reading, entry| {
            let Some(text) = reading.text(&entry.value) else { return };
            match Release::parse(text).filter(|release| !release.is_unknown()) {
                Some(release) => reading.config.release = Some(reading.setting(entry, release)),
                None => reading.problem(entry.value.span, "this is not a release", "write it as v1.37"),
            }
        },
    },
    Key {
        name: "exclude",
        takes: "list of patterns",
        about: "KEPs that are not checked, by the paths of their directories, or of documents that are proposals",
        example: "exclude: [keps/sig-example/**]",
        schema: schema::texts,
        read: |reading, entry| {
            let globs = reading.globs(&entry.value);
            reading.config.exclude = Some(reading.setting(entry, globs));
        },
    },
    Key {
        name: "fail-on",
        takes: "severity or `never`",
        about: "the lowest severity that makes the exit status 1",
        example: "fail-on: error",
        schema: || json!({ "enum": thresholds().collect::<Vec<_>>() }),
        read: |reading, entry| {
            let names = thresholds();
            let parse = |text: &str| if text == NEVER { Some(None) } else { Severity::from_option(text).map(Some) };
            let value = reading.choice(&entry.value, names, parse);
            reading.config.fail_on = value.map(|value| reading.setting(entry, value));
        },
    },
    Key {
        name: "level",
        takes: "severity",
        about: "the lowest severity that is shown",
        example: "level: warning",
        schema: || json!({ "enum": Severity::ALL.map(Severity::name) }),
        read: |reading, entry| {
            let value = reading.choice(&entry.value, Severity::ALL.map(Severity::name), Severity::from_option);
            reading.config.level = value.map(|value| reading.setting(entry, value));
        },
    },
    Key {
        name: "rules",
        takes: "rules with levels",
        about: "the level of a rule: in every phase in which it is not off, or phase by phase",
        example: "rules: {bare-answer: off, unlinked-tests: {active: warning, stale: suggestion}}",
        schema: schema::levels,
        read: |reading, entry| reading.config.levels = reading.levels(&entry.value),
    },
    Key {
        name: "overrides",
        takes: "list of conditions and `rules`",
        about: "levels of rules for some KEPs, by `paths`, `sig`, `status`, `kep-stage`, `milestone`, `author` or `approver`; the \
                last one that matches wins",
        example: "overrides: [{paths: [keps/sig-node/**], rules: {bare-answer: suggestion}}]",
        schema: schema::overrides,
        read: overrides,
    },
    Key {
        name: "groups",
        takes: "list of names, or `none`",
        about: "SIGs and working groups; with `none`, KEPs belong to no group and need no PRR",
        example: "groups: [sig-example]",
        schema: schema::texts,
        read: |reading, entry| {
            let names = reading.texts(&entry.value);
            let none = names.iter().find(|(name, _)| name.eq_ignore_ascii_case("none"));
            if let Some((_, item)) = none
                && names.len() > 1
            {
                reading.problem(item.span, "`none` cannot be used with names", "remove it, or the names");
            }
            let more = || Groups::More(names.iter().map(|(name, _)| (*name).to_owned()).collect());
            let groups = if none.is_some() { Groups::None } else { more() };
            reading.config.groups = Some(reading.setting(entry, groups));
        },
    },
    Key {
        name: "approvers",
        takes: "list of handles",
        about: "PRR approvers, beside those in `OWNERS_ALIASES`",
        example: "approvers: [\"@alice\"]",
        schema: schema::texts,
        read: |reading, entry| {
            let names = reading.texts(&entry.value);
            let names = names.into_iter().map(|(name, _)| name.trim_start_matches('@').to_owned()).collect();
            reading.config.approvers = Some(reading.setting(entry, names));
        },
    },
    Key {
        name: "feature-gates",
        takes: "path",
        about: "a list of feature gates that `kep-lint gates import` wrote, instead of the built-in one",
        example: "feature-gates: hack/feature-gates.yaml",
        schema: schema::text,
        read: |reading, entry| reading.config.gates = reading.text_setting(entry),
    },
    Key {
        name: "documents",
        takes: "pattern, or list of `documents` with their `template`",
        about: "where the proposals are that are no KEPs, by `{group}`, `{name}`, `{number}`, `{date}`, `*` and `**`",
        example: "documents: proposals/{number}-{name}/README.md",
        schema: layout::documents_schema,
        read: layout::documents,
    },
    Key {
        name: "name",
        takes: "word",
        about: "with `documents`, the word for a proposal",
        example: "name: proposal",
        schema: schema::text,
        read: layout::name,
    },
    Key {
        name: "metadata",
        takes: "name of a file, `front-matter` or `none`",
        about: "with `documents`, where a proposal says what it is",
        example: "metadata: metadata.yaml",
        schema: || json!({ "type": "string", "pattern": "^(front-matter|none|[^/]+\\.yaml)$" }),
        read: layout::metadata,
    },
    Key {
        name: "title",
        takes: "form, or `in: front-matter` with a `form`",
        about: "with `documents`, how titles begin",
        example: "title: \"Proposal {number}: {title}\"",
        schema: layout::title_schema,
        read: layout::title,
    },
    Key {
        name: "targets",
        takes: "forms of lines",
        about: "with `documents`, the lines of the text that name the release of a stage",
        example: "targets: \"Targets {stage} for: {release}\"",
        schema: schema::texts,
        read: layout::targets,
    },
    Key {
        name: "releases",
        takes: "`own` or `kubernetes`",
        about: "with `documents`, whose releases their milestones are",
        example: "releases: own",
        schema: || schema::one_of(&layout::RELEASES),
        read: layout::releases,
    },
    Key {
        name: "stages",
        takes: "stages with words",
        about: "with `documents`, other words for stages",
        example: "stages: {stable: GA}",
        schema: || schema::lists(Stage::ALL.map(Stage::name)),
        read: layout::stages,
    },
    Key {
        name: "phases",
        takes: "phases with words",
        about: "with `documents`, other words for statuses, by what they mean",
        example: "phases: {active: [accepted], closed: [declined]}",
        schema: || schema::lists(layout::PHASES.map(|(name, _)| name)),
        read: layout::phases,
    },
    Key {
        name: "without-status",
        takes: "`active` or `provisional`",
        about: "with `documents`, what a proposal without a status is",
        example: "without-status: active",
        schema: || schema::one_of(&layout::WITHOUT_STATUS),
        read: layout::without_status,
    },
    Key {
        name: "keys",
        takes: "`required` and `optional` with keys, and `names` of keys of KEPs",
        about: "with `documents`, the keys of the metadata; without it, those of the template's front matter",
        example: "keys: {required: [title, status], optional: [authors]}",
        schema: layout::keys_schema,
        read: layout::keys,
    },
    Key {
        name: "steps",
        takes: "`status` and `stage` with pairs of words",
        about: "with `documents`, the steps that a change may take, each from one word to the next; without it, all",
        example: "steps: {status: [[provisional, implementable], [implementable, implemented]]}",
        schema: layout::steps_schema,
        read: layout::steps,
    },
];

fn overrides<'a>(reading: &mut Reading<'a>, entry: &'a Entry) {
    let Some(items) = entry.value.as_sequence() else {
        return reading.problem(entry.value.span, "this must be a list", "begin each item with `- paths:`");
    };
    for item in items {
        let part = override_of(reading, item);
        reading.config.overrides.push(part);
    }
}

fn override_of<'a>(reading: &mut Reading<'a>, item: &'a Node) -> Override {
    let mut part = Override::default();
    let layout = Layout::new(reading.own.clone());
    for entry in reading.entries(item) {
        match entry.key.as_str() {
            Some("rules") => part.levels = reading.levels(&entry.value),
            Some("paths") => part.paths = reading.globs(&entry.value),
            Some("sig") => {
                part.filter.sigs = reading.parsed(&entry.value, Filter::parse_sig);
                part.sigs = Some(entry.value.span);
            }
            Some("status") => {
                part.filter.statuses = reading.parsed(&entry.value, |text| Filter::parse_status(text, &layout));
            }
            Some("kep-stage") => {
                part.filter.stages = reading.parsed(&entry.value, |text| Filter::parse_stage(text, &layout));
            }
            Some("milestone") => part.filter.milestones = reading.parsed(&entry.value, Release::read),
            Some("author") => part.filter.authors = reading.parsed(&entry.value, Filter::parse_handle),
            Some("approver") => part.filter.approvers = reading.parsed(&entry.value, Filter::parse_handle),
            _ => reading.unknown("key", &entry.key, CONDITIONS.into_iter().chain(["rules"])),
        }
    }
    if let Err(Failure { message, .. }) = part.filter.check(&layout) {
        reading.problem(item.span, &message.replace("--", ""), "use another condition");
    }
    if part.paths.patterns.is_empty() && part.filter.is_empty() {
        reading.problem(item.span, "this has no condition", "say for which KEPs it is: `paths: [keps/sig-node]`");
    }
    part
}

/// The configuration file that `kep-lint config init` writes: every key with its comment, all of them out of use; for a
/// repository whose KEPs belong to no groups, it says so.
pub fn initial(has_groups: bool) -> String {
    let mut text = "# The configuration of kep-lint. Remove the `#` before a key to use it.\n\
                    # `kep-lint config show` prints what applies, and `kep-lint config schema` is for editors.\n"
        .to_owned();
    for key in ALL {
        text += &format!("\n{}", comment(key));
        let is_used = key.name == "groups" && !has_groups;
        text += &if is_used { "groups: none\n".to_owned() } else { format!("# {}\n", key.example) };
    }
    text
}

fn comment(key: &Key) -> String {
    let effect = if key.adds() { " (added to what is known)" } else { "" };
    format!("# {}: {}{effect}\n", key.takes, key.about)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::parse;
    use crate::config::values::Groups;
    use crate::source::SourceFile;

    #[test]
    fn the_file_changes_nothing_but_groups() {
        let parsed = |text: &str| parse(&SourceFile::decode("x", text.as_bytes().to_vec())).expect("it is valid");
        let config = parsed(&initial(true));
        assert!(config.groups.is_none() && config.exclude.is_none() && config.levels.iter().next().is_none());
        assert!(config.templates.is_empty() && config.overrides.is_empty() && config.fail_on.is_none());
        let groups = parsed(&initial(false)).groups;
        assert_eq!(groups.map(|groups| groups.value), Some(Groups::None));
    }

    #[test]
    fn without_the_marks_every_key_is_used() {
        let text = initial(true);
        let lines = text.lines().skip(2).filter(|line| !line.contains(": ") || !is_comment(line));
        let used: String = lines.map(|line| format!("{}\n", line.strip_prefix("# ").unwrap_or(line))).collect();
        let config = parse(&SourceFile::decode("x", used.clone().into_bytes())).expect(&used);
        assert!(
            config.preset.is_some()
                && !config.templates.is_empty()
                && config.release.is_some()
                && config.level.is_some()
                && config.fail_on.is_some()
        );
        assert!(
            config.exclude.is_some() && config.groups.is_some() && config.approvers.is_some() && config.gates.is_some()
        );
        assert_eq!((config.levels.iter().count(), config.overrides.len()), (2, 1));
    }

    fn is_comment(line: &str) -> bool {
        ALL.iter().any(|key| comment(key).trim_end() == line)
    }
}
