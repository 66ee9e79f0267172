//! What `kep-lint explain` says of a rule and of a category, as Markdown.

use super::rules::summaries;
use crate::rules::ALL;
use crate::rules::rule::{Category, Rule};
use crate::stage::Phase;
use crate::suggest;

/// The properties of a rule and its documentation.
pub fn of_rule(rule: &Rule) -> String {
    let level = |phase: Phase| format!("{} {}", phase.name(), rule.severity.at(phase).name());
    let levels = Phase::ALL.map(level).join(", ");
    let (name, category, fix, docs) = (rule.name, rule.category.name(), rule.fix_name(), rule.docs);
    let scripts: Vec<&str> = rule.upstream.iter().map(|script| script.path()).collect();
    let upstream = match scripts.as_slice() {
        [] => String::new(),
        scripts => format!("- Also rejected by kubernetes/enhancements: {}\n", suggest::list(scripts, "and")),
    };
    format!("# {name}\n\n- Category: {category}\n- Severity: {levels}\n- Fix: {fix}\n{upstream}\n{docs}\n")
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
