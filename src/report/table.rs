//! A table as text, Markdown and JSON.

use super::width::{columns, padded};
use serde_json::{Map, Value};

/// Rows of cells below named columns.
#[derive(Clone, Debug)]
pub struct Table {
    /// The names of the columns, which are also the keys of the JSON objects.
    pub columns: Vec<&'static str>,
    /// The rows; each has a cell for every column.
    pub rows: Vec<Vec<Value>>,
}

impl Table {
    /// Columns padded to their widest cell.
    pub fn text(&self) -> String {
        let rows: Vec<Vec<String>> = self.rows.iter().map(|row| row.iter().map(words).collect()).collect();
        let width = |(at, heading): (usize, &&str)| {
            let cells = rows.iter().filter_map(|row| row.get(at)).map(|cell| columns(cell));
            cells.chain([columns(heading)]).max().unwrap_or_default()
        };
        let widths: Vec<usize> = self.columns.iter().enumerate().map(width).collect();
        let heading = self.columns.iter().map(|&column| column.to_owned()).collect();
        std::iter::once(heading).chain(rows).map(|row: Vec<String>| line(&row, &widths)).collect()
    }

    /// A Markdown table.
    pub fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut table = line(self.columns.iter().map(|&column| column.to_owned()).collect());
        table += &line(vec!["---".to_owned(); self.columns.len()]);
        let cell = |cell: &Value| words(cell).replace('|', "\\|");
        self.rows.iter().for_each(|row| table += &line(row.iter().map(cell).collect()));
        table
    }

    /// An array of objects.
    pub fn json(&self) -> String {
        let object = |row: &Vec<Value>| {
            let entries = self.columns.iter().zip(row).map(|(&column, cell)| (column.to_owned(), cell.clone()));
            Value::Object(entries.collect::<Map<_, _>>())
        };
        let rows = Value::Array(self.rows.iter().map(object).collect());
        format!("{rows:#}\n")
    }
}

fn line(cells: &[String], widths: &[usize]) -> String {
    let padded = cells.iter().zip(widths).map(|(cell, &width)| padded(cell, width));
    padded.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
}

fn words(cell: &Value) -> String {
    match cell {
        Value::Null => String::new(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => text.clone(),
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
    fn the_three_forms_say_the_same() {
        let rows = vec![vec![json!("a|b"), json!(true)], vec![json!("longer"), Value::Null]];
        let table = Table { columns: vec!["name", "required"], rows };
        assert_eq!(table.text(), "name    required\na|b     yes\nlonger\n");
        assert_eq!(table.markdown(), "| name | required |\n| --- | --- |\n| a\\|b | yes |\n| longer |  |\n");
        let parsed: Value = serde_json::from_str(&table.json()).expect("JSON");
        assert_eq!(parsed[1], json!({"name": "longer", "required": null}));
    }
}
