//! How the KEPs of a project are checked.

#![warn(missing_docs)]

use crate::lint::Options;
use crate::template::Template;

/// How the KEPs of a project are checked.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The options.
    pub options: Options,
    /// Defines which sections are required.
    pub template: Template,
    /// Those of the second and further kinds of documents.
    pub more_templates: Vec<Template>,
    /// Whether the template of a repository comes before it for the KEPs there.
    pub prefers_own: bool,
}

impl Default for Terms {
    /// Those of a run without options.
    fn default() -> Self {
        Self {
            options: Options::default(),
            template: Template::built_in(),
            more_templates: Vec::new(),
            prefers_own: true,
        }
    }
}

impl Terms {
    /// Whether a KEP is checked in the same way as with `other`. What is known of an earlier version is never the same.
    pub fn agrees_with(&self, other: &Self) -> bool {
        let has_baseline = self.options.baseline.is_some() || other.options.baseline.is_some();
        !has_baseline && self.compared() == other.compared()
    }

    fn compared(&self) -> impl PartialEq {
        let Self { options, template, more_templates, prefers_own } = self;
        let Options { stage, release, today, selection, config, baseline: _, ignores, scope, errors_only } = options;
        let own = (stage, release, today, selection, config, ignores, scope, errors_only);
        let sources: Vec<_> = std::iter::once(template).chain(more_templates).map(|it| &it.document.source).collect();
        (own, sources, prefers_own)
    }
}
