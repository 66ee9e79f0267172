//! `facts`: what is known of the repository, beside the KEP.

use super::ask::read;
use super::engine::{Answer, Engine, Question};
use super::known::Known;
use serde::Deserialize;
use serde_json::{Value, json};

pub const FACTS: Question = Question { name: "facts", answer };

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfFacts {
    text: Option<String>,
}

fn answer(engine: &mut Engine, fields: Value) -> Answer {
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
