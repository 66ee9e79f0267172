//! The JSON schemas of kep.yaml and of PRR files (draft 7), with which editors complete and check them. A schema says less
//! than the rules: it sees one file, and values that YAML has read already.

use super::json::encoding::{self, with};
use crate::kep::schema::{Key, PROPOSAL, REVIEW, REVIEWED, Shape};
use crate::repository::{RETIRED_GROUPS, Repository};
use crate::stage::{Stage, Status};
use serde_json::{Map, Value, json};

/// A milestone that upstream's check reads. It refuses a number of 20 digits as too large.
const MILESTONE: &str = concat!(
    r"^ *v?0*[0-9]{1,19}(\.0*[0-9]{1,19}(\.0*[0-9]{1,19}",
    r"(-(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(\.(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?",
    r"(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?)?)? *$",
);

const DATE: &str = "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$";

/// Words that YAML 1.1 reads as true or false, and newer readers as text. Go's reader takes only these cases.
#[rustfmt::skip]
const FLAGS: [&str; 16] = [
    "yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF", "y", "Y", "n", "N",
];

pub fn proposal() -> String {
    // What is approved is read by upstream's check: other KEPs may have plans such as `TBD`.
    let names = Status::ALL.into_iter().filter(|status| status.is_reviewed()).map(Status::name);
    let is_reviewed =
        json!({ "required": ["status"], "properties": { "status": { "enum": names.collect::<Vec<_>>() } } });
    let required: Vec<&str> = REVIEWED.iter().map(|key| key.name).collect();
    let filled = json!({ "anyOf": [{ "type": "number" }, { "type": "string", "pattern": MILESTONE }] });
    let stage = json!({ "enum": Stage::ALL.map(Stage::name) });
    let somebody = json!({ "contains": { "not": { "enum": ["", "TBD", null] } } });
    let rest = json!({
        "required": required,
        "properties": { "approvers": somebody, "latest-milestone": filled, "stage": stage },
        "allOf": Stage::ALL.map(reached),
    });
    let schema = with(with(object(PROPOSAL), "if", is_reviewed), "then", rest);
    document("kep.yaml", "The metadata of a Kubernetes Enhancement Proposal.", schema)
}

/// What the milestones must be that a KEP at the stage `own` has reached: those of later stages may be `TBD`.
fn reached(own: Stage) -> Value {
    let text = json!({ "type": "string", "pattern": format!("{MILESTONE}|^$") });
    let release = json!({ "anyOf": [{ "type": ["number", "null"] }, text] });
    let stages = Stage::ALL.into_iter().filter(|stage| stage.is_reached_at(own));
    let milestones: Map<String, Value> = stages.map(|stage| (stage.name().to_owned(), release.clone())).collect();
    json!({
        "if": { "required": ["stage"], "properties": { "stage": { "const": own.name() } } },
        "then": { "properties": { "milestone": { "properties": milestones } } },
    })
}

pub fn review() -> String {
    document("PRR file", "Who approved the production readiness of a KEP, by stage.", object(REVIEW))
}

fn document(title: &str, description: &str, schema: Value) -> String {
    let schema = with(schema, "$schema", json!("http://json-schema.org/draft-07/schema#"));
    let mut schema = with(with(schema, "title", json!(title)), "description", json!(description));
    schema.sort_all_objects();
    encoding::indented(&schema)
}

/// The schema of a mapping with these keys and no others.
fn object(keys: &[Key]) -> Value {
    let required: Vec<&str> = keys.iter().filter(|key| key.is_required).map(|key| key.name).collect();
    let properties: Map<String, Value> = keys.iter().map(|key| (key.name.to_owned(), property(key))).collect();
    let schema = json!({ "type": "object", "additionalProperties": false, "properties": properties });
    if required.is_empty() { schema } else { with(schema, "required", json!(required)) }
}

/// The schema of the value of `key`, with what it means.
fn property(key: &Key) -> Value {
    let property = match key.shape {
        Shape::Text => text(key),
        Shape::Texts => list(text(key), key.is_required),
        Shape::Flag => json!({ "anyOf": [{ "type": ["boolean", "null"] }, { "enum": FLAGS }] }),
        Shape::Mapping(keys) => or_null(object(keys)),
        Shape::Mappings(keys) => list(or_null(object(keys)), key.is_required),
    };
    with(property, "description", json!(key.meaning))
}

/// A list, which may be null or empty if it is not required: upstream takes a list without items for no list only then.
fn list(items: Value, is_required: bool) -> Value {
    let types = if is_required { json!("array") } else { json!(["array", "null"]) };
    json!({ "type": types, "items": items })
}

fn or_null(schema: Value) -> Value {
    json!({ "anyOf": [schema, { "type": "null" }] })
}

/// A scalar, with the values that `key` may have: not those of the template.
fn text(key: &Key) -> Value {
    match key.name {
        "status" => json!({ "enum": Status::ALL.map(Status::name) }),
        "stage" => {
            let names = Stage::ALL.into_iter().map(|stage| json!(stage.name()));
            json!({ "enum": names.chain([json!(""), Value::Null]).collect::<Vec<_>>() })
        }
        "owning-sig" => groups(),
        // Groups that have ended are known, but not offered.
        "participating-sigs" => {
            let ended = RETIRED_GROUPS.lines().collect::<Vec<_>>().join("|");
            json!({ "anyOf": [groups(), { "type": ["string", "null"], "pattern": format!("^({ended})$") }] })
        }
        "creation-date" | "last-updated" => json!({ "type": ["string", "null"], "pattern": format!("{DATE}|^$") }),
        _ => any_text(key),
    }
}

fn any_text(key: &Key) -> Value {
    let mut schema = match (key.is_required, key.shape) {
        (true, Shape::Text) => json!({ "type": ["string", "number", "boolean"], "minLength": 1 }),
        _ => json!({ "type": ["string", "number", "boolean", "null"] }),
    };
    if !key.template.is_empty() {
        schema = with(schema, "not", json!({ "enum": key.template }));
    }
    if key.name == "approver" {
        schema = with(schema, "examples", json!(Repository::default().active_approvers()));
    }
    schema
}

fn groups() -> Value {
    json!({ "enum": Repository::default().groups })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kep::milestone;

    #[test]
    fn every_key_says_what_it_means() {
        fn check(keys: &[Key]) {
            for key in keys {
                assert!(key.meaning.ends_with('.'), "{}", key.name);
                if let Shape::Mapping(inner) | Shape::Mappings(inner) = key.shape {
                    check(inner);
                }
            }
        }
        check(PROPOSAL);
        check(REVIEW);
    }

    #[test]
    fn a_milestone_is_what_upstream_reads() {
        let schema = jsonschema::draft7::new(&json!({ "pattern": MILESTONE })).expect("it is a schema");
        let read = ["v1.37", " 1.021.3 ", "1", "1.21.0-alpha.1+b.2", "v0001.2", "1.2.3+01", "1.2.3--"];
        let refused =
            ["", "TBD", "V1.37", "v1.37-alpha", "1.2.3.4", "1.21.0-a..b", "1.2.3-01", "v1.99999999999999999999"];
        for text in read.into_iter().chain(refused) {
            let is_read = milestone::as_kepval_reads_it(text).is_some();
            assert_eq!(
                (schema.is_valid(&json!(text)), is_read),
                (read.contains(&text), read.contains(&text)),
                "{text}"
            );
        }
    }

    #[test]
    fn schemas_list_what_can_be_chosen() {
        let schema: Value = serde_json::from_str(&proposal()).expect("it is JSON");
        let values = |key: &str| schema["properties"][key]["enum"].as_array().expect("it is JSON").len();
        assert_eq!((values("status"), values("stage")), (Status::ALL.len(), Stage::ALL.len() + 2));
        assert!(values("owning-sig") > 30);
        let of_review: Value = serde_json::from_str(&review()).expect("it is JSON");
        assert_eq!(of_review["required"], json!(["kep-number"]));
    }
}
