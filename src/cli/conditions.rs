//! What decides how strict a run of `check` is, as it becomes known.

use super::args::CheckArguments;
use crate::diagnostic::counted;
use crate::lint::conditions::{Conditions, EditedFile, RenamedHeading};
use crate::report::relaxed::{Counts, Said, of_check};
use crate::workspace::config_file::ConfigFile;

#[derive(Default)]
pub struct Decisions {
    said: Said,
    /// Whether a summary line says how many findings ignores silence.
    has_summary: bool,
    pub config: Option<ConfigFile>,
    /// The version that the configuration is from, if not the one that is checked.
    pub configuration: Option<String>,
    pub is_configured: bool,
    pub counts: Counts,
    pub edited: Vec<EditedFile>,
    pub renamed: Vec<RenamedHeading>,
}

impl Decisions {
    pub fn of(arguments: &CheckArguments) -> Self {
        let CheckArguments { preset, release, template, output, diff, .. } = arguments;
        let said = Said {
            preset: *preset,
            has_fail_on: output.fail_on.is_some(),
            has_level: output.level.is_some() || arguments.names_rule(),
            has_release: release.is_some(),
            has_template: template.is_some(),
        };
        Self { said, has_summary: !output.quiet && !*diff, ..Self::default() }
    }

    pub fn conditions(&self) -> Conditions {
        let of_config = self.config.as_ref().map(|file| of_check(&file.path, &file.config, self.said, self.counts));
        let relaxed = of_config.unwrap_or_default();
        let edited = self.edited.clone();
        let matters = self.is_configured || edited.iter().any(|file| file.counts_later);
        let configuration = self.configuration.clone().filter(|_| matters);
        Conditions { configuration, relaxed, edited, renamed: self.renamed.clone() }
    }

    /// The same in sentences, and what of the configuration no longer has an effect.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = self.conditions().lines();
        lines.extend(self.config.iter().flat_map(ConfigFile::gone));
        if !self.has_summary && self.counts.ignored > 0 {
            lines.push(format!("{} ignored", counted(self.counts.ignored, "finding", "findings")));
        }
        lines
    }
}
