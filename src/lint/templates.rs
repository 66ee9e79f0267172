//! The templates that the KEPs of a run are checked against: a repository may have its own.

use super::origin::TemplateOrigin;
use crate::diagnostic::Failure;
use crate::repository::Repository;
use crate::source::SourceFile;
use crate::template::Template;
use std::sync::{Arc, Mutex, PoisonError};

/// The templates of repositories that were parsed, for checks that follow each other.
#[derive(Default)]
pub struct Parsed(Mutex<Vec<Arc<Template>>>);

impl Parsed {
    fn of(&self, file: &Arc<SourceFile>) -> Arc<Template> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(template) = known.iter().find(|template| template.document.source == *file) {
            return Arc::clone(template);
        }
        let template = Arc::new(Template::of_repository(Arc::clone(file)));
        // Of one that is being written, only the last text is needed.
        known.retain(|other| other.document.source.path != file.path);
        known.push(Arc::clone(&template));
        template
    }
}

pub struct Templates<'a> {
    shared: &'a Template,
    /// Those of the second and further kinds of documents, of which the shared one is that of the first.
    more: &'a [Arc<Template>],
    origin: TemplateOrigin,
    of_repositories: Vec<(&'a Repository, Arc<Template>)>,
    /// Why templates of repositories cannot be used.
    pub failures: Vec<Failure>,
}

impl<'a> Templates<'a> {
    /// Only the template that a user names.
    pub fn given(template: &'a Template) -> Self {
        let origin = TemplateOrigin::Given(template.document.source.path.clone());
        Self { shared: template, more: &[], origin, of_repositories: Vec::new(), failures: Vec::new() }
    }

    /// The `shared` template, and those of the `repositories` whose own templates come before it.
    pub fn of(shared: &'a Template, repositories: &[&'a Repository], parsed: &Parsed) -> Self {
        let mut templates = Self { origin: TemplateOrigin::of(shared), ..Self::given(shared) };
        for &repository in repositories {
            let Some(file) = &repository.template else {
                if !repository.layout.is_of_keps() && shared.is_built_in() {
                    // The headings of KEPs are not those of other proposals.
                    templates.of_repositories.push((repository, Arc::new(Template::none())));
                }
                continue;
            };
            let template = parsed.of(file);
            match template.misshapen() {
                Some(failure) => templates.failures.push(failure),
                None => {
                    templates.failures.extend(template.useless());
                    templates.of_repositories.push((repository, template));
                }
            }
        }
        templates
    }

    pub fn without_own(self) -> Self {
        Self { of_repositories: Vec::new(), failures: Vec::new(), ..self }
    }

    pub fn for_keps_of(&self, repository: &Repository) -> &Template {
        let template = self.of_repositories.iter().find(|(owner, _)| std::ptr::eq(*owner, repository));
        template.map_or(self.shared, |(_, template)| template)
    }

    /// The same, with the templates of more kinds of documents.
    pub fn with_more(self, more: &'a [Arc<Template>]) -> Self {
        Self { more, ..self }
    }

    /// The template for the document of a repository at this path from its root on.
    pub fn for_document(&self, path: Option<&str>, repository: &Repository) -> &Template {
        let kind = path.filter(|_| !self.more.is_empty()).and_then(|path| repository.layout.documents()?.kind(path));
        let own = kind.and_then(|kind| self.more.get(kind.checked_sub(1)?)).map(Arc::as_ref);
        own.unwrap_or_else(|| self.for_keps_of(repository))
    }

    /// Where the template for the KEPs of `first` comes from, or else the shared one.
    pub fn origin(&self, first: Option<&Repository>) -> TemplateOrigin {
        let template = first.map_or(self.shared, |first| self.for_keps_of(first));
        if std::ptr::eq(template, self.shared) {
            self.origin.clone()
        } else {
            TemplateOrigin::Repository(template.document.source.path.clone())
        }
    }

    /// The given template, or those of the repositories, which their authors may have to correct: the built-in one is right.
    pub fn of_others(&self) -> impl Iterator<Item = &Template> {
        let is_shared_used = self.of_repositories.is_empty() && !self.shared.is_built_in();
        let shared = is_shared_used.then_some(self.shared);
        shared
            .into_iter()
            .chain(self.more.iter().map(Arc::as_ref))
            .chain(self.of_repositories.iter().map(|(_, template)| template.as_ref()))
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::{Options, run_template};
    use crate::template::Template;

    #[test]
    fn the_built_in_template_is_right() {
        let run = run_template(&Template::built_in(), &Options::default());
        assert!(run.reports.iter().all(|report| report.diagnostics.is_empty() && report.ignored == 0));
    }
}
