//! `about`: what the engine knows without a KEP.

use super::ask::{Nothing, read};
use super::engine::{Answer, Engine, Question};
use crate::bounds;
use crate::repository::Repository;
use crate::rules::ALL;
use crate::rules::rule::Rule;
use crate::stage::Release;
use serde_json::{Value, json};

pub const ABOUT: Question = Question { name: "about", answer };

fn answer(engine: &mut Engine, fields: Value) -> Answer {
    let Nothing {} = read(fields)?;
    let rule = |rule: &Rule| json!({ "name": rule.name, "summary": rule.summary });
    Ok(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "release": Release::CURRENT.to_string(),
        "rules": ALL.iter().map(rule).collect::<Vec<_>>(),
        "groups": engine.known.as_ref().map_or_else(Repository::default, |known| known.facts.repository()).groups,
        "bounds": { "fileBytes": bounds::FILE_BYTES },
    }))
}
