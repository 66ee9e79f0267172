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
    /// Whether the template of a repository comes before it for the KEPs there.
    pub prefers_own: bool,
}

impl Default for Terms {
    /// Those of a run without options.
    fn default() -> Self {
        Self { options: Options::default(), template: Template::built_in(), prefers_own: true }
    }
}

impl Terms {
    /// Whether a KEP is checked in the same way as with `other`. What is known of an earlier version is never the same.
    pub fn agrees_with(&self, other: &Self) -> bool {
        let Options { stage, release, today, selection, config, baseline, ignores, scope } = &self.options;
        let has_same_options = (stage, release, today, ignores, scope)
            == (
                &other.options.stage,
                &other.options.release,
                &other.options.today,
                &other.options.ignores,
                &other.options.scope,
            )
            && (selection, config) == (&other.options.selection, &other.options.config);
        has_same_options
            && baseline.is_none()
            && other.options.baseline.is_none()
            && self.prefers_own == other.prefers_own
            && self.template.document.source == other.template.document.source
    }
}
