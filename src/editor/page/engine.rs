//! The state of the engine, and `about` and `facts`: what it knows without a KEP, and what it is told of the repository.

#![warn(missing_docs)]

use super::absent::Absent;
use super::place::Place;
use crate::bounds;
use crate::diagnostic::{Failure, Severity, counted};
use crate::editor::view::View;
use crate::lint::report::KepReport;
use crate::lint::{Options, Run};
use crate::repository::Repository;
use crate::repository::facts::{Facts, Written};
use crate::source::SourceFile;
use crate::stage::Release;
use crate::stage::release::Told;
use crate::template::Template;
use crate::workspace::discover::discover;
use crate::workspace::files::{Source, memory::Memory};
use crate::workspace::project::{Project, Terms};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// What is known between questions.
pub struct Engine {
    /// The KEP of the last check; `None` if that was refused.
    pub(super) held: Option<Held>,
    /// The repository, if somebody gave its facts.
    pub(super) known: Option<Known>,
    template: Arc<Template>,
}

/// The facts of a repository, and how its KEPs are checked.
pub(super) struct Known {
    pub facts: Arc<Facts>,
    pub terms: Terms,
}

/// The KEP of the last check.
pub(super) struct Held {
    pub project: Project,
    pub files: Memory,
    pub run: Run,
    pub level: Severity,
    pub place: Place,
    /// The paths of its files by their roles.
    pub paths: BTreeMap<String, String>,
    pub absent: Absent,
    /// What the page lacks, with why.
    pub lacks: Vec<Value>,
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

    pub(super) fn open(&self, place: &Place, files: Memory, terms: Terms) -> Project {
        if let Some(known) = &self.known {
            return Project::among(terms, &known.facts, files);
        }
        let source: Source = Arc::new(files.into());
        let preset = terms.options.selection.preset;
        let found = discover(&[PathBuf::from(&place.directory)], preset, &|_| Arc::clone(&source));
        let mut project = Project::open(terms, found);
        // One KEP tells neither what else there is, nor which release is under development.
        project.repositories.leave_out_own_findings();
        for (_, repository) in project.repositories.trees() {
            (repository.paths, repository.numbers) = (None, None);
            repository.told = Told::default();
        }
        project
    }

    pub(super) fn about(&self) -> Value {
        let now = Release::CURRENT;
        let releases = (now.minor - 3..now.minor + 3).rev().map(|minor| Release { minor, ..now }.to_string());
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "releases": releases.collect::<Vec<_>>(),
            "groups": self.repository().groups,
            "bounds": { "fileBytes": bounds::FILE_BYTES },
        })
    }

    /// Knows the facts in a text, which anybody may have written, or only what is built in. The KEP has to be checked again.
    pub(super) fn know(&mut self, text: Option<String>) -> Answer {
        let known = |written: String| {
            let facts = Facts::parse(&SourceFile::decode("facts.json", written.into_bytes()))?;
            let terms = Terms::known(&facts)?;
            Ok(Known { facts: Arc::new(facts), terms })
        };
        self.known = text.map(known).transpose()?;
        self.held = None;
        Ok(json!({ "words": self.words() }))
    }

    /// "654 KEPs, 450 PRR files, release v1.37 under development"
    fn words(&self) -> String {
        let Some(Known { facts, .. }) = &self.known else {
            let built_in = "only the groups, approvers, feature gates and the release that are built in are known";
            return format!("{built_in}, and no other KEP");
        };
        let Written { keps, reviews, .. } = &facts.written;
        let reviews: usize = reviews.values().map(|inside| inside.len()).sum();
        let (keps, reviews) = (counted(keps.len(), "KEP", "KEPs"), counted(reviews, "PRR file", "PRR files"));
        let release = self.release();
        let later = if release > Release::CURRENT { ", which is newer than this kep-lint" } else { "" };
        format!("{keps}, {reviews}, release {release} under development{later}")
    }
}

impl Held {
    pub fn ask<T>(&self, question: impl FnOnce(&View<'_>) -> Result<T, Failure>) -> Result<T, Failure> {
        let (project, directory) = (&self.project, self.place.kep(&self.project)?);
        let templates = project.templates();
        question(&View::of(project, templates.for_keps_of(project.repositories.of(directory)), directory))
    }

    pub fn report(&self) -> Option<&KepReport> {
        self.run.reports.iter().find(|report| report.kep.as_deref() == Some(&self.place.directory))
    }
}
