//! `about` and `facts`: what the engine knows without a KEP, and what it is told of the repository.

use super::ask::{Nothing, read};
use super::engine::{Answer, Engine};
use super::known::Known;
use crate::bounds;
use crate::rules::ALL;
use crate::rules::rule::Rule;
use crate::stage::Release;
use serde::Deserialize;
use serde_json::{Value, json};

pub fn about(engine: &mut Engine, fields: Value) -> Answer {
    let Nothing {} = read(fields)?;
    let rule = |rule: &Rule| json!({ "name": rule.name, "summary": rule.summary });
    Ok(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "release": Release::CURRENT.to_string(),
        "rules": ALL.iter().map(rule).collect::<Vec<_>>(),
        "groups": engine.repository().groups,
        "bounds": { "fileBytes": bounds::FILE_BYTES },
    }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfFacts {
    text: Option<String>,
}

pub fn facts(engine: &mut Engine, fields: Value) -> Answer {
    let OfFacts { text } = read(fields)?;
    let Some(text) = text else {
        engine.known = None;
        let words =
            "only the groups, approvers, feature gates and the release that are built in are known, and no other KEP";
        return Ok(json!({ "source": "built-in", "words": words }));
    };
    let known = Known::of(text)?;
    let words = known.words();
    engine.known = Some(known);
    Ok(json!({ "source": "file", "words": words }))
}
