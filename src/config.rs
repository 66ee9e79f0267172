//! The configuration file: what a repository sets for all runs over its KEPs. A run reads one such file, and
//! the command line comes before it.

pub(crate) mod globs;
pub mod key;
mod layout;
mod reading;
mod schema;
pub mod values;

use self::reading::Reading;
use self::values::Config;
use crate::bounds;
use crate::source::SourceFile;
use crate::span::{FileId, Span, first_line, slice};
use crate::yaml::tree::{Entry, Problem};
use crate::yaml::{self, plain};
use serde_json::{Map, json};

/// The names that the file can have. A directory has at most one of them.
pub const NAMES: [&str; 4] = [".kep-lint.yaml", "kep-lint.yaml", ".kep-lint.yml", "kep-lint.yml"];

/// Reads a configuration file. With problems, nothing of it is to be used.
pub fn parse(file: &SourceFile) -> Result<Config, Vec<Problem>> {
    let mut reading = Reading::new(file);
    if let Some(at) = file.invalid_utf8 {
        reading.problem(Span::new(FileId(0), at..at), "the file is not UTF-8", "save it as UTF-8");
        return reading.finish();
    }
    let tree = plain::tree(&file.text, bounds::CONFIG_BYTES).map_err(|plain::Problem { offset, message, help }| {
        let line = file.lines().line_range(file.lines().line_of(offset), &file.text).end;
        let rest = file.text.get(offset..line).unwrap_or_default().trim_end();
        vec![Problem { span: Span::new(FileId(0), offset..offset + rest.len()), message, help }]
    })?;
    let second = yaml::first_document(&file.text).len();
    let is_used = |line: &&str| !line.trim().is_empty() && !line.starts_with(['#', '-', '.']);
    if slice(&file.text, second..).lines().any(|line| is_used(&line)) {
        let span = Span::new(FileId(0), second..second + first_line(slice(&file.text, second..)).len());
        reading.problem(span, "only the first YAML document is read", "remove the line `---` and what is after it");
    }
    let root = tree.root.as_ref().filter(|root| !root.is_null());
    let mut entries: Vec<&Entry> = root.map(|root| reading.entries(root)).unwrap_or_default().iter().collect();
    // The last are about what other keys say, and most about what `documents` says.
    entries.sort_by_key(|entry| match entry.key.as_str() {
        Some("template") => 0,
        Some("documents") => 1,
        Some("steps" | "overrides" | "exclude") => 3,
        _ => 2,
    });
    for entry in entries {
        let name = entry.key.as_str().unwrap_or_default();
        reading.is_of_layout = false;
        match key::ALL.iter().find(|key| key.name == name) {
            Some(_) if entry.value.is_null() => {}
            Some(key) => {
                if key.needs_documents() {
                    reading.needs_documents(entry);
                }
                (key.read)(&mut reading, entry);
            }
            None => reading.unknown("key", &entry.key, key::ALL.iter().map(|key| key.name)),
        }
    }
    layout::finish(&mut reading);
    reading.finish()
}

pub fn json_schema() -> String {
    let property = |key: &key::Key| {
        let mut schema = (key.schema)();
        if let Some(schema) = schema.as_object_mut() {
            schema.insert("description".to_owned(), json!(key.about));
        }
        (key.name.to_owned(), json!({ "description": key.about, "anyOf": [schema, { "type": "null" }] }))
    };
    let needs_documents = key::ALL.iter().filter(|key| key.needs_documents());
    let dependent: Map<_, _> = needs_documents.map(|key| (key.name.to_owned(), json!(["documents"]))).collect();
    let mut schema = json!({
        "dependentRequired": dependent,
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Configuration of kep-lint",
        "type": ["object", "null"],
        "additionalProperties": false,
        "properties": key::ALL.iter().map(property).collect::<Map<_, _>>(),
    });
    schema.sort_all_objects();
    format!("{schema:#}\n")
}
