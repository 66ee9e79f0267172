//! `facts`: what is known of the repository, beside the KEP.

use super::ask::read;
use super::{Answer, Engine, Question};
use crate::diagnostic::{Failure, counted};
use crate::repository::facts::{Facts, KnownKep, Written};
use crate::source::SourceFile;
use crate::stage::Release;
use crate::workspace::terms::Terms;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

pub const FACTS: Question = Question { name: "facts", answer };

/// The facts of a repository, and how its KEPs are checked.
pub struct Known {
    pub facts: Arc<Facts>,
    pub terms: Terms,
}

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

impl Known {
    fn of(text: String) -> Result<Self, Failure> {
        let facts = Facts::parse(&SourceFile::decode("facts.json", text.into_bytes()))?;
        let terms = Terms::known(&facts)?;
        Ok(Self { facts: Arc::new(facts), terms })
    }

    /// "654 KEPs, 450 PRR files, release v1.37 under development"
    fn words(&self) -> String {
        let Written { keps, reviews, .. } = self.facts.written();
        let keps: usize = keps.values().map(|inside: &std::collections::BTreeMap<String, KnownKep>| inside.len()).sum();
        let reviews: usize = reviews.values().map(|inside| inside.len()).sum();
        let release = self.terms.options.release_meant(Some(&self.facts.repository())).release;
        let (keps, reviews) = (counted(keps, "KEP", "KEPs"), counted(reviews, "PRR file", "PRR files"));
        format!("{keps}, {reviews}, release {release} under development{}", later(release))
    }
}

/// What is said if the built-in lists are older than the facts.
fn later(release: Release) -> &'static str {
    if release > Release::CURRENT { ", which is newer than this kep-lint" } else { "" }
}
