//! The table of all rules.

use super::table::Table;
use crate::rules::ALL;
use crate::stage::Phase;
use serde_json::Value;

/// What `kep-lint rules` prints, and README.md holds.
pub fn table() -> Table {
    let mut columns = vec!["rule", "category"];
    columns.extend(Phase::ALL.map(Phase::name));
    columns.extend(["fix", "finds"]);
    let row = |rule: &crate::rules::rule::Rule| {
        let mut row = vec![rule.name, rule.category.name()];
        row.extend(Phase::ALL.map(|phase| rule.severity.at(phase).name()));
        row.extend([rule.fix_name(), rule.summary]);
        row.into_iter().map(Value::from).collect()
    };
    Table { columns, rows: ALL.iter().map(row).collect() }
}
