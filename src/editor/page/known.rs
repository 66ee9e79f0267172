//! `about` and `facts`: what the engine knows without a KEP, and what it is told of the repository.

use super::ask::{Nothing, read};
use super::engine::{Answer, Engine};
use crate::bounds;
use crate::diagnostic::{Failure, counted};
use crate::repository::facts::{Facts, KnownKep, Written};
use crate::rules::ALL;
use crate::rules::rule::Rule;
use crate::source::SourceFile;
use crate::stage::Release;
use crate::workspace::terms::Terms;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

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

/// The facts of a repository, and how its KEPs are checked.
pub struct Known {
    pub facts: Arc<Facts>,
    pub terms: Terms,
}

impl Known {
    /// Those of a file with this text, which anybody may have written.
    pub fn of(text: String) -> Result<Self, Failure> {
        let facts = Facts::parse(&SourceFile::decode("facts.json", text.into_bytes()))?;
        let terms = Terms::known(&facts)?;
        Ok(Self { facts: Arc::new(facts), terms })
    }

    /// "654 KEPs, 450 PRR files, release v1.37 under development"
    pub fn words(&self) -> String {
        let Written { keps, reviews, .. } = self.facts.written();
        let keps: usize = keps.values().map(|inside: &BTreeMap<String, KnownKep>| inside.len()).sum();
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
