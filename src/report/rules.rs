//! What `kep-lint explain` and the book say of a rule or a category, as Markdown; and tables of rules.

use super::table::Table;
use crate::config::key;
use crate::diagnostic::Safety;
use crate::gates::Gates;
use crate::kep::layout::Layout;
use crate::markdown::prose::{Block, blocks};
use crate::rules::ALL;
use crate::rules::rule::{Category, Rule};
use crate::rules::run::is_for;
use crate::span::slice;
use crate::stage::Phase;
use crate::suggest;
use serde_json::Value;

/// What the rule finds, its properties, why it is there, its examples, and what changes what it reports.
pub fn of_rule(rule: &Rule, layout: &Layout) -> String {
    let (finds, reasons) = rule.docs.split_once("\n\n").unwrap_or((rule.docs, ""));
    let (name, reasons) = (rule.name, with_files(reasons));
    let (properties, options) = (listed(&properties(rule, layout)), listed(&options(rule)));
    format!("# {name}\n\n{finds}\n\n{properties}\n{reasons}\n## Options\n\n{options}")
}

fn listed(lines: &[String]) -> String {
    lines.iter().map(|line| format!("- {line}\n")).collect()
}

fn properties(rule: &Rule, layout: &Layout) -> Vec<String> {
    let level = |phase: Phase| format!("{} {}", phase.name(), self::level(rule, phase, layout));
    let fix = match rule.fix {
        Some(Safety::Safe) => "safe, by `--fix`",
        Some(Safety::Unsafe) => "unsafe, by `--fix --unsafe-fixes`; review the result",
        None => "none",
    };
    let mut lines = vec![
        format!("Category: {}", rule.category.name()),
        format!("Severity: {}", Phase::ALL.map(level).join(", ")),
        format!("Since: kep-lint {}", rule.since),
        format!("Fix: {fix}"),
    ];
    if !rule.upstream.is_empty() {
        lines.push(format!("Also rejected by kubernetes/enhancements: {}", scripts(rule)));
    }
    lines
}

fn scripts(rule: &Rule) -> String {
    suggest::list(rule.upstream.iter().map(|script| script.path()), "and")
}

/// What changes what the rule reports: its level, presets, the directives of the template, and keys of the configuration.
fn options(rule: &Rule) -> Vec<String> {
    let name = rule.name;
    let mut lines = Vec::new();
    if rule.is_off_by_default() {
        lines.push(format!("`--select {name}`, or `rules: {{{name}: warning}}` in `.kep-lint.yaml`, turns it on."));
        lines.push("`--preset strict` reports it as a suggestion.".to_owned());
    } else {
        lines.push(format!(
            "`rules: {{{name}: off}}` in `.kep-lint.yaml` turns it off, and `{name}: warning` sets its level."
        ));
    }
    lines.push(match rule.upstream {
        [] => "`--preset upstream` turns it off.".to_owned(),
        [..] => format!("`--preset upstream` reports only what fails {}, as an error in every phase.", scripts(rule)),
    });
    if rule.is_gap {
        let keys = "`required`, `strict`, `stage`, `since` and `severity`";
        lines.push(format!("The keys {keys} of a section's directive in the template say when it is required."));
    }
    if !rule.roles.is_empty() {
        let roles = rule.roles.iter().map(|role| format!("role: {}", role.name()));
        lines.push(format!("The sections that it looks at have {} in the template.", suggest::list(roles, "or")));
    }
    for key in key::ALL.iter().filter(|key| rule.settings.contains(&key.name)) {
        let is_of_gates = key.name == "feature-gates";
        let day = if is_of_gates { format!(" ({})", Gates::built_in().as_of()) } else { String::new() };
        lines.push(format!("`{}` in `.kep-lint.yaml`: {}{day}.", key.name, key.about));
    }
    lines
}

/// `docs` with file and stage of each example above it: a browser does not show what is behind a fence.
fn with_files(docs: &str) -> String {
    let mut text = String::new();
    for block in blocks(docs) {
        match block {
            Block::Heading(lines) | Block::Other(lines) => text += lines,
            Block::Text { front, text: lines } => text += &format!("{front}{lines}"),
            Block::Fenced { opening, info, code, closing } => {
                let (language, rest) = info.split_once(' ').unwrap_or((info, ""));
                let fence = slice(opening, ..opening.trim_end().len() - info.len());
                text += &format!("{}:\n\n{fence}{language}\n{code}{closing}", file_of(language, rest));
            }
        }
    }
    text + "\n"
}

/// The file of an example in this language, which says `rest` of it: its path, or what the KEP is checked for.
fn file_of(language: &str, rest: &str) -> String {
    match (language, rest) {
        ("yaml", "") => "`kep.yaml`".to_owned(),
        ("yaml", "base.yaml") => "`kep.yaml` before the change".to_owned(),
        (_, "") => "`README.md`".to_owned(),
        (_, "bytes") => "`README.md`, with bytes as escapes".to_owned(),
        (_, path) if path.starts_with("prod-readiness/") => format!("`keps/{path}`"),
        (_, path) if path.contains('/') => format!("`{path}`"),
        (_, stage) => format!("`README.md` for {stage}"),
    }
}

/// What a category is about, and its rules, for a screen of `width` columns.
pub fn of_category(category: Category, width: usize) -> String {
    let rules: Vec<&Rule> = ALL.iter().filter(|rule| rule.category == category).collect();
    let (name, about, count, rules) = (category.name(), category.about(), rules.len(), summaries(&rules).code(width));
    format!(
        "# {name}\n\n{about}\n\n`--select {name}` runs only these {count} rules, `--ignore {name}` all others.\n\n\
        ## Rules\n\n{rules}"
    )
}

/// Everything about `rules` in a line each: what README.md holds of all rules.
pub fn table(rules: &[&Rule], layout: &Layout) -> Table {
    let mut columns = vec!["rule", "category"];
    columns.extend(Phase::ALL.map(Phase::name));
    columns.extend(["fix", "finds"]);
    let row = |rule: &&Rule| {
        let mut row = vec![rule.name, rule.category.name()];
        row.extend(Phase::ALL.map(|phase| level(rule, phase, layout)));
        row.extend([rule.fix_name(), rule.summary]);
        row.into_iter().map(Value::from).collect()
    };
    Table { columns, rows: rules.iter().map(row).collect() }
}

/// The columns that matter for a KEP that is worked on.
pub fn brief_table(rules: &[&Rule], layout: &Layout) -> Table {
    let phase = Phase::Active;
    let row =
        |rule: &&Rule| [rule.name, level(rule, phase, layout), rule.fix_name(), rule.summary].map(Value::from).to_vec();
    Table { columns: vec!["rule", phase.name(), "fix", "finds"], rows: rules.iter().map(row).collect() }
}

/// The severity of what a rule finds in proposals of this layout.
pub fn level(rule: &Rule, phase: Phase, layout: &Layout) -> &'static str {
    if is_for(rule, layout) { rule.severity.at(phase).name() } else { "off" }
}

pub fn summaries(rules: &[&Rule]) -> Table {
    let rows = rules.iter().map(|rule| [rule.name, rule.summary].map(Value::from).to_vec()).collect();
    Table { columns: vec!["rule", "finds"], rows }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_has_its_file_above_it() {
        let docs = "## Bad\n\n```yaml prod-readiness/sig-node/1.yaml\na: 1\n```\n\n````markdown beta\n```go\n```\n````";
        let wanted = "## Bad\n\n`keps/prod-readiness/sig-node/1.yaml`:\n\n```yaml\na: 1\n```\n\n`README.md` for beta:\n\n\
            ````markdown\n```go\n```\n````\n";
        assert_eq!(with_files(docs), wanted);
        assert_eq!(file_of("yaml", "base.yaml"), "`kep.yaml` before the change");
    }

    #[test]
    fn options_are_those_of_the_rule() {
        let options_of = |name: &str| {
            let rule = ALL.iter().find(|rule| rule.name == name).expect("it is a rule");
            options(rule).concat()
        };
        let missing = options_of("missing-section");
        assert!(missing.contains("`missing-section: warning` sets") && missing.contains("`stage`"), "{missing}");
        assert!(
            missing.contains("`--preset upstream` turns it off") && !missing.contains("--preset strict"),
            "{missing}"
        );
        let off = options_of("unlisted-feature-gate");
        assert!(off.contains("`--preset strict`") && !off.contains("role:"), "{off}");
        let approver = options_of("prr-approver");
        assert!(approver.contains("`approvers` in") && approver.contains("hack/verify-kep-metadata.sh"), "{approver}");
        assert!(options_of("unlinked-tests").contains("`role: integration-tests` or `role: e2e-tests` in"));
    }
}
