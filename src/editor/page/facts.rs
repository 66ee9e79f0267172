//! `about` and `facts`: what the engine knows without a KEP, and what it is told of the repository.

use super::engine::{Answer, Engine, Known};
use crate::bounds;
use crate::diagnostic::{Failure, counted};
use crate::repository::facts::{Facts, Written};
use crate::source::SourceFile;
use crate::stage::Release;
use crate::workspace::project::Terms;
use serde_json::{Value, json};
use std::sync::Arc;

pub fn about(engine: &Engine) -> Value {
    let now = Release::CURRENT;
    let releases = (now.minor - 3..now.minor + 3).rev().map(|minor| Release { minor, ..now }.to_string());
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "releases": releases.collect::<Vec<_>>(),
        "groups": engine.repository().groups,
        "bounds": { "fileBytes": bounds::FILE_BYTES },
    })
}

/// Knows the facts in a text, which anybody may have written, or only what is built in. The KEP has to be checked again.
pub fn facts(engine: &mut Engine, text: Option<String>) -> Answer {
    engine.known = text.map(known).transpose()?;
    engine.held = None;
    Ok(json!({ "words": words(engine) }))
}

fn known(text: String) -> Result<Known, Failure> {
    let facts = Facts::parse(&SourceFile::decode("facts.json", text.into_bytes()))?;
    let terms = Terms::known(&facts)?;
    Ok(Known { facts: Arc::new(facts), terms })
}

/// "654 KEPs, 450 PRR files, release v1.37 under development"
fn words(engine: &Engine) -> String {
    let Some(Known { facts, .. }) = &engine.known else {
        return "only the groups, approvers, feature gates and the release that are built in are known, and no other KEP"
            .to_owned();
    };
    let Written { keps, reviews, .. } = facts.written();
    let reviews: usize = reviews.values().map(|inside| inside.len()).sum();
    let (keps, reviews) = (counted(keps.len(), "KEP", "KEPs"), counted(reviews, "PRR file", "PRR files"));
    let release = engine.release();
    let later = if release > Release::CURRENT { ", which is newer than this kep-lint" } else { "" };
    format!("{keps}, {reviews}, release {release} under development{later}")
}
