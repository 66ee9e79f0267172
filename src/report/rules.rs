//! Tables of rules.

use super::table::Table;
use crate::kep::layout::Layout;
use crate::rules::rule::Rule;
use crate::rules::run::is_for;
use crate::stage::Phase;
use serde_json::Value;

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
