//! The KEP of the last check.

use super::absent::Absent;
use super::place::{self, Place};
use super::text::Units;
use crate::diagnostic::{Edit, Failure, Severity, brief};
use crate::editor::view::View;
use crate::kep::texts::Texts;
use crate::lint::Run;
use crate::lint::report::KepReport;
use crate::repository::facts::Facts;
use crate::source::SourceFile;
use crate::span::FileId;
use crate::stage::release::Told;
use crate::workspace::directory::KepDirectory;
use crate::workspace::discover::discover;
use crate::workspace::files::Source;
use crate::workspace::files::memory::Memory;
use crate::workspace::kep_files::read_kep;
use crate::workspace::project::Project;
use crate::workspace::terms::Terms;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

pub struct Held {
    pub project: Project,
    pub opening: Opening,
    pub run: Run,
    pub level: Severity,
    pub place: Place,
    /// Its files by their paths, with their roles.
    pub files: BTreeMap<String, (String, Arc<SourceFile>)>,
    pub absent: Absent,
    /// What the page lacks, with why.
    pub lacks: Vec<Value>,
}

/// All files that a KEP is checked with.
pub struct Opening {
    pub memory: Memory,
    pub facts: Option<Arc<Facts>>,
    pub directory: String,
}

impl Opening {
    /// Whether the same is known of the repository.
    pub fn has_facts_of(&self, other: &Self) -> bool {
        match (&self.facts, &other.facts) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        }
    }

    /// The KEP, to be checked on these terms.
    pub fn open(&self, terms: Terms) -> Project {
        if let Some(facts) = &self.facts {
            return Project::among(terms, facts, self.memory.clone());
        }
        let source: Source = Arc::new(self.memory.clone().into());
        let preset = terms.options.selection.preset();
        let found = discover(&[PathBuf::from(&self.directory)], preset, &|_| Arc::clone(&source));
        let mut project = Project::open(terms, found);
        // One KEP tells neither what else there is, nor which release is under development.
        project.repositories.leave_out_own_findings();
        for (_, repository) in project.repositories.trees() {
            (repository.paths, repository.numbers) = (None, None);
            repository.told = Told::default();
        }
        project
    }
}

impl Held {
    /// The same KEP, to be checked on other terms.
    pub fn opened(&self, terms: Terms) -> Project {
        self.opening.open(terms)
    }

    /// Where it is among the KEPs of its project.
    fn directory(&self) -> Option<&KepDirectory> {
        self.project.keps.iter().find(|kep| kep.shown == self.place.directory)
    }

    pub fn texts(&self) -> Option<Texts> {
        Some(read_kep(self.directory()?).texts)
    }

    pub fn ask<T>(&self, question: impl FnOnce(&View<'_>) -> Result<T, Failure>) -> Result<T, Failure> {
        let directory = self.directory().ok_or_else(|| Failure::new("there is no KEP in the files"))?;
        let project = &self.project;
        let templates = project.templates();
        question(&View::of(project, templates.for_keps_of(project.repositories.of(directory)), directory))
    }

    /// The path of the file with this role.
    pub fn path(&self, role: &str) -> Result<&str, Failure> {
        let known = self.files.iter().find(|(_, (known, _))| known == role);
        known
            .map(|(path, _)| path.as_str())
            .ok_or_else(|| Failure::new(format!("the KEP has no file `{}`", brief(role))))
    }

    /// A file of the KEP, and the byte after so many units of it.
    pub fn offset(&self, view: &View<'_>, role: &str, unit: usize) -> Result<(FileId, usize), Failure> {
        let path = self.path(role)?;
        let file =
            view.file(path).ok_or_else(|| Failure::new(format!("`{}` is not read with the KEP", brief(role))))?;
        let offset = Units::of(&view.kep().texts.file(file).text).byte(unit);
        let outside = || Failure::new(format!("{unit} is no place between two characters of `{}`", brief(role)));
        Ok((file, offset.ok_or_else(outside)?))
    }

    /// The role of the file at a path: the path itself, if the page did not give it.
    pub fn role<'p>(&'p self, path: &'p str) -> &'p str {
        self.files.get(path).map_or(path, |(role, _)| role)
    }

    pub fn report(&self) -> Option<&KepReport> {
        self.run.reports.iter().find(|report| report.kep.as_deref() == Some(&self.place.directory))
    }

    pub fn edits(&self, view: &View<'_>, edits: &[Edit]) -> Vec<Value> {
        let texts = &view.kep().texts;
        let mut units: BTreeMap<FileId, Units<'_>> = BTreeMap::new();
        let shown = |edit: &Edit| {
            let file = texts.file(edit.span.file);
            let units = units.entry(edit.span.file).or_insert_with(|| Units::of(&file.text));
            let (from, to) = units.range(&edit.span.range());
            json!({ "role": self.role(&file.path), "from": from, "to": to, "text": edit.text })
        };
        edits.iter().map(shown).collect()
    }
}

/// The roles of the files with a pane, with their paths.
pub fn roles(place: &Place) -> [(&'static str, String); 3] {
    let inside = |name: &str| format!("{}/{name}", place.directory);
    [(place::README, inside("README.md")), (place::METADATA, inside("kep.yaml")), (place::REVIEW, place.review.clone())]
}
