//! The templates that the KEPs of a run are checked against: a repository may have its own.

use super::origin::TemplateOrigin;
use crate::diagnostic::Failure;
use crate::repository::Repository;
use crate::template::Template;

/// The templates of a run.
pub struct Templates<'a> {
    shared: &'a Template,
    /// Those of repositories.
    own: Vec<(&'a Repository, Template)>,
    /// Why templates of repositories cannot be used.
    pub failures: Vec<Failure>,
}

impl<'a> Templates<'a> {
    /// The `shared` template, and those of the `repositories` whose own templates come before it.
    pub fn new(shared: &'a Template, repositories: &[&'a Repository]) -> Self {
        let mut templates = Self { shared, own: Vec::new(), failures: Vec::new() };
        for &repository in repositories {
            let Some(file) = repository.template.clone() else { continue };
            let template = Template::of_repository(file);
            match template.misshapen() {
                Some(failure) => templates.failures.push(failure),
                None => {
                    templates.failures.extend(template.useless());
                    templates.own.push((repository, template));
                }
            }
        }
        templates
    }

    /// The template for the KEPs of a repository.
    pub fn for_keps_of(&self, repository: &Repository) -> &Template {
        let own = self.own.iter().find(|(owner, _)| std::ptr::eq(*owner, repository));
        own.map_or(self.shared, |(_, template)| template)
    }

    /// Where the template for the KEPs of `first` comes from, or else the shared one, which is `shared`.
    pub fn origin(&self, first: Option<&Repository>, shared: TemplateOrigin) -> TemplateOrigin {
        let template = first.map_or(self.shared, |first| self.for_keps_of(first));
        if std::ptr::eq(template, self.shared) {
            shared
        } else {
            TemplateOrigin::Repository(template.document.source.path.clone())
        }
    }

    /// The given template, or those of the repositories.
    pub fn all(&self) -> impl Iterator<Item = &Template> {
        let shared = std::iter::once(self.shared).filter(|_| self.own.is_empty());
        shared.chain(self.own.iter().map(|(_, template)| template))
    }
}
