//! The KEP of the last check.

use super::absent::Absent;
use super::place::Place;
use crate::diagnostic::{Failure, Severity, brief};
use crate::editor::view::View;
use crate::lint::Run;
use crate::lint::report::KepReport;
use crate::repository::facts::Facts;
use crate::stage::release::Told;
use crate::workspace::directory::KepDirectory;
use crate::workspace::discover::discover;
use crate::workspace::files::{Source, memory::Memory};
use crate::workspace::project::{Project, Terms};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

pub struct Held {
    pub project: Project,
    pub files: Memory,
    pub facts: Option<Arc<Facts>>,
    pub run: Run,
    pub level: Severity,
    pub place: Place,
    /// The paths of its files by their roles.
    pub paths: BTreeMap<String, String>,
    pub absent: Absent,
    /// What the page lacks, with why.
    pub lacks: Vec<Value>,
}

/// The project of the KEP at this place.
pub fn open(place: &Place, files: Memory, facts: Option<&Arc<Facts>>, terms: Terms) -> Project {
    if let Some(facts) = facts {
        return Project::among(terms, facts, files);
    }
    let source: Source = Arc::new(files.into());
    let preset = terms.options.selection.preset();
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

/// The KEP at this place among those of its project.
pub fn kep<'p>(place: &Place, project: &'p Project) -> Result<&'p KepDirectory, Failure> {
    project.keps.iter().find(|kep| kep.shown == place.directory).ok_or_else(|| {
        let failure = Failure::new(format!("no KEP can be in the directory `{}`", brief(&place.directory)));
        failure.help("name one such as `keps/sig-node/1-images`, or none")
    })
}

impl Held {
    pub fn ask<T>(&self, question: impl FnOnce(&View<'_>) -> Result<T, Failure>) -> Result<T, Failure> {
        let (project, directory) = (&self.project, kep(&self.place, &self.project)?);
        let templates = project.templates();
        question(&View::of(project, templates.for_keps_of(project.repositories.of(directory)), directory))
    }

    pub fn report(&self) -> Option<&KepReport> {
        self.run.reports.iter().find(|report| report.kep.as_deref() == Some(&self.place.directory))
    }
}
