//! What a template requires: one row per heading.

use super::table::Table;
use crate::stage::Stage;
use crate::template::Template;
use serde_json::{Value, json};

/// The headings of `template` with what their directives say; with a stage, only those that are required at it.
pub fn table(template: &Template, stage: Option<Stage>) -> Table {
    let columns = vec!["required", "stage", "since", "severity", "section", "aka"];
    let headings = template.document.sections.iter().filter(|(id, _)| {
        let directive = template.directive(*id);
        let is_due = |stage: Stage| {
            directive.is_some_and(|directive| directive.required && directive.stage.is_none_or(|from| from <= stage))
        };
        stage.is_none_or(is_due)
    });
    let row = |(id, section): (_, &crate::markdown::section::Section)| {
        let heading = json!(format!("{} {}", "#".repeat(section.level.into()), section.title.text));
        match template.directive(id) {
            None => vec![Value::Null, Value::Null, Value::Null, Value::Null, heading, json!([])],
            Some(directive) => vec![
                json!(directive.required),
                json!(directive.stage.map(Stage::name)),
                json!(directive.since.map(|since| since.to_string())),
                json!(directive.severity.map(|severity| severity.name())),
                heading,
                json!(directive.aka),
            ],
        }
    };
    Table { columns, rows: headings.map(row).collect() }
}

/// The line after the table: how many headings there are, and how many of them have a directive.
pub fn closing_line(template: &Template) -> String {
    let headings = template.document.sections.len();
    let directives = template.document.sections.iter().filter(|(id, _)| template.directive(*id).is_some()).count();
    format!("{headings} headings, {directives} directives")
}
