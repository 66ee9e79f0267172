//! The JSON schemas of the values in a configuration file.

use super::values::{CONDITIONS, SECTIONS};
use crate::rules::ALL;
use crate::rules::rule::Level;
use crate::stage::Phase;
use serde_json::{Map, Value, json};

pub fn text() -> Value {
    json!({ "type": "string", "minLength": 1 })
}

pub fn texts() -> Value {
    json!({ "anyOf": [text(), { "type": "array", "items": text() }] })
}

/// Keys with these schemas, and no others.
pub fn object(properties: &Value) -> Value {
    json!({ "type": "object", "additionalProperties": false, "properties": properties })
}

pub fn one_of<T>(names: &[(&str, T)]) -> Value {
    json!({ "enum": names.iter().map(|(name, _)| *name).collect::<Vec<_>>() })
}

/// Keys with these names, each with words.
pub fn lists(names: impl IntoIterator<Item = &'static str>) -> Value {
    let property = |name: &str| (name.to_owned(), texts());
    let properties: Map<String, Value> = names.into_iter().map(property).collect();
    object(&json!(properties))
}

pub fn sections() -> Value {
    let level = one_of(&SECTIONS);
    let since = json!({ "type": ["string", "integer"] });
    let parts = json!({ "level": level, "optional": texts(), "directive": text(), "since": since });
    json!({ "anyOf": [level, object(&parts)] })
}

pub fn levels() -> Value {
    let level = || json!({ "enum": Level::ALL.map(Level::name) });
    let phases: Map<String, Value> = Phase::ALL.iter().map(|phase| (phase.name().to_owned(), level())).collect();
    let by_phase = object(&json!(phases));
    let levels = |summary: &str| json!({ "description": summary, "anyOf": [level(), by_phase] });
    let rules: Map<String, Value> = ALL.iter().map(|rule| (rule.name.to_owned(), levels(rule.summary))).collect();
    object(&json!(rules))
}

pub fn overrides() -> Value {
    let condition = |name: &str| (name.to_owned(), texts());
    let mut properties: Map<String, Value> = CONDITIONS.into_iter().map(condition).collect();
    properties.insert("rules".to_owned(), levels());
    let item = json!({
        "type": "object",
        "additionalProperties": false,
        "anyOf": CONDITIONS.map(|name| json!({ "required": [name] })),
        "properties": properties,
    });
    json!({ "type": "array", "items": item })
}
