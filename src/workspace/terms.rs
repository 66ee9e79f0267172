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
