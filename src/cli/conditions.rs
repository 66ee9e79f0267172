//! What decides how strict a run of `check` is, as it becomes known.

use super::args::CheckArguments;
use crate::diagnostic::counted;
use crate::lint::conditions::{Conditions, EditedFile, RenamedHeading};
use crate::report::relaxed::{Counts, Said, of_check};
use crate::workspace::config_file::ConfigFile;

pub struct Decisions<'a> {
    arguments: &'a CheckArguments,
    pub config: Option<ConfigFile>,
    /// The version that the configuration is from, if not the one that is checked.
    pub configuration: Option<String>,
    pub is_configured: bool,
    pub counts: Counts,
    /// The files that decide what is asked and that the change edits.
    pub edited: Vec<EditedFile>,
    /// The headings that templates have under another title.
    pub renamed: Vec<RenamedHeading>,
}

impl<'a> Decisions<'a> {
    pub fn of(arguments: &'a CheckArguments) -> Self {
        Self {
            arguments,
            config: None,
            configuration: None,
            is_configured: false,
            counts: Counts::default(),
            edited: Vec::new(),
            renamed: Vec::new(),
        }
    }

    pub fn conditions(&self) -> Conditions {
        let CheckArguments { preset, release, template, output, .. } = self.arguments;
        let said = Said {
            preset: *preset,
            has_fail_on: output.fail_on.is_some(),
            has_level: output.level.is_some() || self.arguments.names_rule(),
            has_release: release.is_some(),
            has_template: template.is_some(),
        };
        let of_config = self.config.as_ref().map(|file| of_check(&file.path, &file.config, said, self.counts));
        let relaxed = of_config.unwrap_or_default();
        let edited = self.edited.clone();
        let matters = self.is_configured || edited.iter().any(|file| file.counts_later);
        let configuration = self.configuration.clone().filter(|_| matters);
        Conditions { configuration, relaxed, edited, renamed: self.renamed.clone() }
    }

    /// The same in sentences, and what of the configuration no longer has an effect. Without a summary line, it is said here how many findings ignores silence.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = self.conditions().lines();
        lines.extend(self.config.iter().flat_map(ConfigFile::gone));
        if (self.arguments.output.quiet || self.arguments.diff) && self.counts.ignored > 0 {
            lines.push(format!("{} ignored", counted(self.counts.ignored, "finding", "findings")));
        }
        lines
    }
}
