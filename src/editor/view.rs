//! A KEP of a project as it is now, with all that the questions of editors need.

use crate::authoring::entry::Form;
use crate::kep::Kep;
use crate::kep::texts::Texts;
use crate::lint::prepared::Prepared;
use crate::lint::report::KepReport;
use crate::lint::{self, Options};
use crate::repository::Repository;
use crate::rules::context::{Ctx, Page};
use crate::source::SourceFile;
use crate::span::FileId;
use crate::template::Template;
use crate::workspace::directory::KepDirectory;
use crate::workspace::kep_files::read_kep;
use crate::workspace::project::Project;
use crate::workspace::trees::Repositories;
use std::sync::Arc;

/// A KEP, parsed and matched with its template.
pub struct View<'a> {
    prepared: Prepared<'a>,
    /// Its own files, without its PRR files.
    pub texts: Texts,
    pub directory: &'a KepDirectory,
    /// The template that it is checked by.
    pub template: &'a Template,
    pub repository: &'a Repository,
    pub options: &'a Options,
    repositories: &'a Repositories,
}

impl<'a> View<'a> {
    /// Reads and parses a KEP; `template` is the one that the project checks it by.
    pub fn of(project: &'a Project, template: &'a Template, directory: &'a KepDirectory) -> Self {
        let repository = project.repositories.of(directory);
        let options = &project.terms.options;
        let texts = read_kep(directory).texts;
        let mut kep = Kep::parse(texts.clone());
        repository.attach_reviews(&mut kep);
        Self {
            prepared: lint::prepare(kep, template, repository, options),
            texts,
            directory,
            template,
            repository,
            options,
            repositories: &project.repositories,
        }
    }

    pub fn ctx(&self) -> Ctx<'_> {
        self.prepared.ctx()
    }

    /// All findings in other texts of the KEP.
    pub fn lint(&self, texts: &Texts) -> KepReport {
        lint::lint_whole(texts, self.template, self.repository, self.options)
    }

    pub fn kep(&self) -> &Kep {
        &self.prepared.kep
    }

    /// The file of the KEP at this path, as reports show it.
    pub fn file(&self, path: &str) -> Option<FileId> {
        self.kep().texts.iter().find(|(_, file)| file.path == path).map(|(id, _)| id)
    }

    /// Which file of a KEP this one is, if it is kep.yaml or a PRR file.
    pub fn form(&self, file: FileId) -> Option<Form> {
        let kep = self.kep();
        let is_review = || kep.review.as_ref().is_some_and(|review| review.file == file);
        match &kep.metadata {
            Some(metadata) if metadata.file == file => Some(Form::Proposal),
            _ if is_review() || kep.stray_reviews.contains(&file) => Some(Form::Approval),
            _ => None,
        }
    }

    pub fn page(&self, file: FileId) -> Option<Page<'_>> {
        self.ctx().pages().find(|page| page.file == file)
    }

    /// The file at a path of the repository, from `keps` on, with its text in the editor if it is open there; `None` if it
    /// cannot be read.
    pub fn read(&self, path: &str) -> Option<Arc<SourceFile>> {
        self.repositories.document(path)
    }
}
