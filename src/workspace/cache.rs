//! What earlier runs found in KEPs, for a program that checks the same KEPs again and again.
//!
//! A report is used again only if all that it was made from is equal: the texts of the KEP, byte for byte; the PRR files
//! with its number; and, for all reports at once, the terms and everything else that is known of the trees. What is made from all reports together, such as the findings in links
//! between KEPs, is made anew in each run.

#![warn(missing_docs)]

use super::directory::KepDirectory;
use super::paths::RealPath;
use super::terms::Terms;
use super::trees::Repositories;
use crate::kep::texts::Texts;
use crate::lint::Env;
use crate::lint::report::KepReport;
use crate::repository::{Repository, ReviewFile};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The reports of earlier runs. It grows with the KEPs of the last runs over the same trees, and forgets all when anything
/// else changes.
#[derive(Debug, Default)]
pub struct Cache {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// What all reports depend on.
    common: Option<Common>,
    /// By the KEP's directory.
    entries: HashMap<PathBuf, Entry>,
    counts: Counts,
}

/// How many KEPs were checked, and of how many the report of an earlier run was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Those that were checked.
    pub checked: usize,
    /// Those that were as they had been.
    pub reused: usize,
}

/// What the reports of all KEPs depend on.
#[derive(Debug)]
struct Common {
    terms: Terms,
    trees: Vec<(Option<RealPath>, Repository)>,
}

/// The report of a KEP, and what it depends on besides.
#[derive(Debug)]
struct Entry {
    texts: Texts,
    /// The number of the PRR files that were looked for, and what was found.
    number: Option<String>,
    reviews: Vec<ReviewFile>,
    report: KepReport,
}

impl Cache {
    /// How many KEPs were checked so far, and how many did not need it.
    pub fn counts(&self) -> Counts {
        self.state().counts
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets all if something differs from the last run that all reports depend on.
    pub(super) fn compare(&self, terms: &Terms, repositories: &Repositories) {
        let mut state = self.state();
        if state.common.as_ref().is_some_and(|common| common.holds_for(terms, repositories)) {
            return;
        }
        state.entries.clear();
        let trees = repositories.facts().map(|(root, facts)| (root.cloned(), facts.clone())).collect();
        state.common = Some(Common { terms: terms.clone(), trees });
    }

    /// The findings in a KEP with these `texts`.
    pub(super) fn check(
        &self,
        env: &Env<'_>,
        texts: Texts,
        repositories: &Repositories,
        kep: &KepDirectory,
    ) -> KepReport {
        let repository = repositories.of(kep);
        // To compare texts takes a while, in which other threads look for their KEPs.
        let entry = self.state().entries.remove(&kep.given);
        match entry {
            Some(entry) if entry.holds_for(&texts, repository) => {
                let report = entry.report.clone();
                let mut state = self.state();
                state.counts.reused += 1;
                state.entries.insert(kep.given.clone(), entry);
                return report;
            }
            _ => {}
        }
        let report = env.lint_kep(&texts, repository);
        let mut state = self.state();
        state.counts.checked += 1;
        state.entries.insert(kep.given.clone(), Entry::new(texts, repository, report.clone()));
        report
    }
}

impl Common {
    fn holds_for(&self, terms: &Terms, repositories: &Repositories) -> bool {
        let is_same = |((root, known), (place, facts)): (&(Option<RealPath>, Repository), (Option<&RealPath>, _))| {
            root.as_ref() == place && known.agrees_with(facts)
        };
        self.terms.agrees_with(terms)
            && self.trees.len() == repositories.facts().count()
            && self.trees.iter().zip(repositories.facts()).all(is_same)
    }
}

impl Entry {
    fn new(texts: Texts, repository: &Repository, report: KepReport) -> Self {
        let number = texts.parse_metadata().and_then(|metadata| Some(metadata.number?.text));
        let reviews = number.as_deref().map(|number| repository.reviews_of(number).to_vec()).unwrap_or_default();
        Self { number, reviews, texts, report }
    }

    fn holds_for(&self, texts: &Texts, repository: &Repository) -> bool {
        let reviews = self.number.as_deref().map(|number| repository.reviews_of(number)).unwrap_or_default();
        self.texts == *texts && self.reviews == reviews
    }
}
