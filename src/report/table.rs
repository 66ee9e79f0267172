//! A table as text, Markdown and JSON.

use super::json::encoding;
use super::markdown::text::{code, inline};
use super::printable;
use super::width::columns;
use super::wrap::wrapped;
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::Range;

pub struct Table {
    /// The names of the columns, which are also the keys of the JSON objects.
    pub columns: Vec<&'static str>,
    pub rows: Vec<Vec<Value>>,
}

impl Table {
    pub fn text(&self) -> String {
        aligned(&self.cells(), 0..0).iter().map(|line| line.trim_end().to_owned() + "\n").collect()
    }

    /// The same with the last column wrapped so that lines fit a screen of `width` columns.
    pub fn fitted(&self, width: usize) -> String {
        const LEAST: usize = 20;
        let mut rows = self.cells();
        let lasts: Vec<String> = rows.iter_mut().filter_map(Vec::pop).collect();
        let mut text = String::new();
        for (front, last) in aligned(&rows, 0..0).iter().zip(lasts) {
            let indent = " ".repeat(last.len() - last.trim_start().len());
            let first_indent = format!("{front}{GAP}{indent}");
            let other_indent = " ".repeat(columns(&first_indent));
            let width = width.max(other_indent.len() + LEAST);
            text += &wrapped(last.trim(), width, &first_indent, &other_indent);
            text.push('\n');
        }
        text
    }

    /// [`Self::fitted`] as a code block of Markdown.
    pub fn code(&self, width: usize) -> String {
        const INDENT: &str = "    ";
        let fitted = self.fitted(width.saturating_sub(INDENT.len()));
        fitted.lines().map(|line| format!("{INDENT}{line}\n")).collect()
    }

    /// All cells as words, the names of the columns first.
    fn cells(&self) -> Vec<Vec<String>> {
        let heading = self.columns.iter().map(|&column| column.to_owned()).collect();
        let rows = self.rows.iter().map(|row| row.iter().map(words).collect());
        std::iter::once(heading).chain(rows).collect()
    }

    pub fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut table = line(self.columns.iter().map(|&column| column.to_owned()).collect());
        table += &line(vec!["---".to_owned(); self.columns.len()]);
        self.rows.iter().for_each(|row| table += &line(row.iter().map(markdown_cell).collect()));
        table
    }

    pub fn json(&self) -> String {
        let rows = self.rows.iter().map(|row| self.columns.iter().copied().zip(row).collect::<BTreeMap<_, _>>());
        encoding::indented(&rows.collect::<Vec<_>>())
    }
}

pub const GAP: &str = "  ";

/// Rows as lines, with cells as wide as the widest one of their column. Those of the columns `numbers` end below each other.
pub fn aligned(rows: &[Vec<String>], numbers: Range<usize>) -> Vec<String> {
    let mut lines = vec![String::new(); rows.len()];
    for column in 0..rows.first().map_or(0, Vec::len) {
        let cells: Vec<&str> = rows.iter().filter_map(|row| row.get(column)).map(String::as_str).collect();
        let widest = cells.iter().map(|cell| columns(cell)).max().unwrap_or_default();
        for (line, cell) in lines.iter_mut().zip(cells) {
            let padding = " ".repeat(widest - columns(cell));
            let gap = if column > 0 { GAP } else { "" };
            *line += &if numbers.contains(&column) {
                format!("{gap}{padding}{cell}")
            } else {
                format!("{gap}{cell}{padding}")
            };
        }
    }
    lines
}

/// A cell as it is, or as code if a word of it could act.
fn markdown_cell(cell: &Value) -> String {
    let words = words(cell);
    let shown = if inline(&words) == words { words } else { code(&words) };
    shown.replace('|', "\\|")
}

fn words(cell: &Value) -> String {
    match cell {
        Value::Null => String::new(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => printable(text),
        Value::Array(items) => items.iter().map(words).collect::<Vec<_>>().join("; "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn wide_letters_keep_the_columns_straight() {
        let rows = vec![vec![json!("漢字"), json!("x")], vec![json!("ab"), json!("y")]];
        assert_eq!(Table { columns: vec!["a", "b"], rows }.text(), "a     b\n漢字  x\nab    y\n");
    }

    #[test]
    fn the_last_column_is_wrapped() {
        let rows = vec![
            vec![json!("one"), json!("words for a whole screen")],
            vec![json!("two"), json!("  indented words go on")],
            vec![json!("none"), Value::Null],
        ];
        let table = Table { columns: vec!["a", "b"], rows };
        let fitted = "a     b\none   words for a whole\n      screen\ntwo     indented words go on\nnone\n";
        assert_eq!(table.fitted(24), fitted);
        assert!(table.fitted(0).lines().all(|line| line.len() <= 28), "{}", table.fitted(0));
        assert_eq!(table.fitted(1000), table.text());
        assert!(table.code(24).starts_with("    a     b\n    one   words for a whole\n"), "{}", table.code(24));
    }

    #[test]
    fn the_three_forms_say_the_same() {
        let rows = vec![vec![json!("a|b"), json!(true)], vec![json!("longer"), Value::Null]];
        let table = Table { columns: vec!["name", "required"], rows };
        assert_eq!(table.text(), "name    required\na|b     yes\nlonger\n");
        assert_eq!(table.markdown(), "| name | required |\n| --- | --- |\n| `a\\|b` | yes |\n| longer |  |\n");
        let parsed: Value = serde_json::from_str(&table.json()).expect("JSON");
        assert_eq!(parsed[1], json!({"name": "longer", "required": null}));
    }
}
