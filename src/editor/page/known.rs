//! What is known of the repository of a KEP.

use crate::diagnostic::{Failure, counted};
use crate::repository::facts::{Facts, KnownKep, Written};
use crate::source::SourceFile;
use crate::stage::Release;
use crate::workspace::terms::Terms;
use std::collections::BTreeMap;
use std::sync::Arc;

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
