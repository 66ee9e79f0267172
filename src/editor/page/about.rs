//! `about`: what the engine knows without a KEP.

use super::ask::{Nothing, read};
use super::engine::{Answer, Engine, Question};
use crate::bounds;
use crate::lint::origin::TemplateOrigin;
use crate::report::look;
use crate::repository::Repository;
use crate::rules::ALL;
use crate::rules::rule::Rule;
use crate::stage::{Phase, Release};
use serde_json::{Map, Value, json};

pub const ABOUT: Question = Question { name: "about", answer };

fn answer(engine: &mut Engine, fields: Value) -> Answer {
    let Nothing {} = read(fields)?;
    let rule = |rule: &Rule| {
        let level = |phase: Phase| (phase.name().to_owned(), json!(rule.severity.at(phase).name()));
        let severities: Map<String, Value> = Phase::ALL.map(level).into_iter().collect();
        json!({
            "name": rule.name,
            "category": rule.category.name(),
            "summary": rule.summary,
            "severities": severities,
        })
    };
    Ok(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "release": Release::CURRENT.to_string(),
        "template": TemplateOrigin::of(&engine.template).name(),
        "rules": ALL.iter().map(rule).collect::<Vec<_>>(),
        "groups": engine.known.as_ref().map_or_else(Repository::default, |known| known.facts.repository()).groups,
        "bounds": { "fileBytes": bounds::FILE_BYTES },
        "docs": look::book(),
    }))
}
