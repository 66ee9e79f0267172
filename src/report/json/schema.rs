//! The parts of the JSON schema that the types of the report do not tell: words of which there is a list elsewhere.

use crate::diagnostic::{Safety, Severity};
use crate::lint::origin::{ReleaseOrigin, TemplateOrigin};
use crate::ready::actor::Actor;
use crate::ready::answer::State;
use crate::ready::checklist::Readiness;
use crate::ready::comparison::Gone;
use crate::ready::item::Kind;
use crate::stage::{Phase, Stage};
use schemars::{Schema, SchemaGenerator, json_schema};

pub fn severity(_: &mut SchemaGenerator) -> Schema {
    one_of(&Severity::ALL.map(Severity::name))
}

pub fn phase(_: &mut SchemaGenerator) -> Schema {
    one_of(&Phase::ALL.map(Phase::name))
}

pub fn optional_phase(_: &mut SchemaGenerator) -> Schema {
    one_of_or_null(&Phase::ALL.map(Phase::name))
}

pub fn optional_stage(_: &mut SchemaGenerator) -> Schema {
    one_of_or_null(&Stage::ALL.map(Stage::name))
}

pub fn safety(_: &mut SchemaGenerator) -> Schema {
    one_of(&[Safety::Safe, Safety::Unsafe].map(Safety::name))
}

/// The kinds of items of a checklist.
pub fn item_kinds(_: &mut SchemaGenerator) -> Schema {
    one_of(&Kind::ALL.map(Kind::name))
}

pub fn states(_: &mut SchemaGenerator) -> Schema {
    one_of(&State::ALL.map(State::name))
}

pub fn readiness(_: &mut SchemaGenerator) -> Schema {
    one_of(&Readiness::ALL.map(Readiness::name))
}

pub fn actors(_: &mut SchemaGenerator) -> Schema {
    let mut list = Schema::default();
    list.insert("type".to_owned(), "array".into());
    list.insert("items".to_owned(), one_of(&Actor::ALL.map(Actor::name)).into());
    list
}

/// What is new or gone since an earlier board, and null.
pub fn optional_absences(_: &mut SchemaGenerator) -> Schema {
    one_of_or_null(&Gone::ALL.map(Gone::name))
}

pub fn release_sources(_: &mut SchemaGenerator) -> Schema {
    one_of(&ReleaseOrigin::ALL.map(ReleaseOrigin::name))
}

pub fn template_sources(_: &mut SchemaGenerator) -> Schema {
    one_of(&TemplateOrigin::NAMES)
}

/// A text for some of the stages.
pub fn milestones(_: &mut SchemaGenerator) -> Schema {
    let stages = Stage::ALL.map(Stage::name);
    json_schema!({
        "type": "object",
        "propertyNames": { "enum": stages },
        "additionalProperties": { "type": "string" },
    })
}

fn one_of(words: &[&str]) -> Schema {
    json_schema!({ "type": "string", "enum": words })
}

fn one_of_or_null(words: &[&str]) -> Schema {
    let choices: Vec<Option<&str>> = words.iter().copied().map(Some).chain([None]).collect();
    json_schema!({ "type": ["string", "null"], "enum": choices })
}
