//! The state of the engine.

#![warn(missing_docs)]

use super::held::Held;
use crate::diagnostic::Failure;
use crate::lint::Options;
use crate::repository::Repository;
use crate::repository::facts::Facts;
use crate::stage::Release;
use crate::template::Template;
use crate::workspace::project::Terms;
use serde_json::Value;
use std::sync::Arc;

/// What is known between questions.
pub struct Engine {
    /// The KEP of the last check; `None` if that was refused.
    pub(super) held: Option<Held>,
    /// The repository, if somebody gave its facts.
    pub(super) known: Option<Known>,
    /// The built-in template.
    pub(super) template: Template,
}

/// The facts of a repository, and how its KEPs are checked.
pub(super) struct Known {
    pub facts: Arc<Facts>,
    pub terms: Terms,
}

/// The answer to a question, or why there is none.
pub type Answer = Result<Value, Failure>;

impl Default for Engine {
    fn default() -> Self {
        Self { held: None, known: None, template: Template::built_in() }
    }
}

impl Engine {
    /// The KEP of the last check.
    pub(super) fn held(&self) -> Result<&Held, Failure> {
        self.held
            .as_ref()
            .ok_or_else(|| Failure::new("no KEP is checked").help("ask `check` first, which must not be refused"))
    }

    /// What is known of the repository.
    pub(super) fn repository(&self) -> Repository {
        self.known.as_ref().map_or_else(Repository::default, |known| known.facts.repository())
    }

    /// The release under development.
    pub(super) fn release(&self) -> Release {
        Options::default().release_meant(Some(&self.repository())).release
    }

    /// How a KEP is checked without settings.
    pub(super) fn terms(&self) -> Terms {
        self.known.as_ref().map_or_else(|| self.own_terms(), |known| known.terms.clone())
    }

    /// The same without the configuration of the repository.
    pub(super) fn own_terms(&self) -> Terms {
        Terms { template: self.template.clone(), ..Terms::default() }
    }
}
