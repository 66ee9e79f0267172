//! What makes a run less strict than the defaults, with the file that says so, and which files that decide
//! what is asked are edited by the change that is checked. A run says it in every case: a change could else
//! switch off its own check.

use super::origin::branch;
use crate::bounds;
use crate::diagnostic::{brief, public};
use crate::template::Template;
use serde::Serialize;

/// What decides how strict a run is, beside the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Conditions {
    /// The version that the configuration and the template are taken from, if not the one that is checked.
    pub configuration: Option<String>,
    /// What is less strict than the defaults.
    pub relaxed: Vec<Relaxation>,
    /// The files that decide what is asked and that the change edits.
    pub edited: Vec<EditedFile>,
    /// The headings of the repositories' templates that have another title in the built-in one.
    pub renamed: Vec<RenamedHeading>,
}

/// A heading of a repository's template that has another title in the built-in one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RenamedHeading {
    pub template: String,
    /// The title in the built-in template.
    pub old: String,
    /// The title in the template.
    pub new: String,
}

impl RenamedHeading {
    pub fn of(template: &Template) -> impl Iterator<Item = Self> {
        let title = |id| template.document.sections.get(id).title.text.clone();
        template.renamed.iter().map(move |(new, old)| Self {
            template: template.document.source.path.clone(),
            old: Template::lender().get(*old).title.text.clone(),
            new: title(*new),
        })
    }
}

/// A setting that makes a run less strict than the defaults.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Relaxation {
    /// The file with the setting, as reports show it.
    pub file: String,
    pub key: &'static str,
    /// What the key does, such as `never` or `2 KEPs`.
    pub effect: String,
}

impl Relaxation {
    pub fn new(file: &str, key: &'static str, effect: impl Into<String>) -> Self {
        Self { file: file.to_owned(), key, effect: effect.into() }
    }
}

/// A file that decides what is asked, and that the change edits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct EditedFile {
    /// Its path from the root of the repository on.
    pub path: String,
    /// What the change does, such as `adds alice`; `None` if nothing short can be said.
    pub effect: Option<String>,
    /// Whether this run takes it from another version, so that the change counts only later.
    pub counts_later: bool,
}

impl EditedFile {
    pub fn new(path: String, effect: Option<String>) -> Self {
        Self { path, effect, counts_later: false }
    }

    fn words(&self) -> String {
        let effect = self.effect.as_ref().map(|effect| format!(" ({effect})")).unwrap_or_default();
        format!("{}{effect}", quoted(&self.path))
    }
}

/// A path that cannot be taken for other words.
fn quoted(path: &str) -> String {
    format!("`{}`", brief(path).replace('`', "'"))
}

impl Conditions {
    /// All of it in sentences, one per line, without full stops; none if the defaults count.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let (later, now): (Vec<&EditedFile>, Vec<&EditedFile>) = self.edited.iter().partition(|file| file.counts_later);
        let paths = |files: &[&EditedFile]| {
            let mut words: Vec<String> = files.iter().take(bounds::LISTED_NAMES).map(|file| file.words()).collect();
            if files.len() > bounds::LISTED_NAMES {
                words.push(format!("and {} more files", files.len() - bounds::LISTED_NAMES));
            }
            words.join(", ")
        };
        if let Some(base) = &self.configuration {
            let later = match later.as_slice() {
                [] => String::new(),
                files => format!("; this change edits {}, which counts from the next one on", paths(files)),
            };
            let base = quoted(&branch(base));
            lines.push(format!("your configuration file does not count here: that of {base} does{later}"));
        }
        let mut files: Vec<&str> = self.relaxed.iter().map(|relaxation| relaxation.file.as_str()).collect();
        files.dedup();
        for file in files {
            let relaxed = self.relaxed.iter().filter(|relaxation| relaxation.file == file);
            let keys: Vec<String> = relaxed.map(|Relaxation { key, effect, .. }| format!("{key}: {effect}")).collect();
            let file = quoted(public(file));
            lines.push(format!("{file} makes this run less strict: {}", keys.join("; ")));
        }
        for RenamedHeading { template, old, new } in self.renamed.iter().take(bounds::LISTED_NAMES) {
            let (template, old, new) = (quoted(public(template)), quoted(old), quoted(new));
            lines.push(format!("{template} has the title {new} instead of {old}: KEPs may have either"));
        }
        if self.renamed.len() > bounds::LISTED_NAMES {
            lines.push(format!(
                "{} more headings of templates have new titles",
                self.renamed.len() - bounds::LISTED_NAMES
            ));
        }
        if !now.is_empty() {
            lines.push(format!("this change edits what decides how strict this run is: {}", paths(&now)));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_line() {
        assert_eq!(Conditions::default().lines(), [""; 0]);
        let edited = |path: &str, effect: Option<&str>, counts_later| EditedFile {
            counts_later,
            ..EditedFile::new(path.to_owned(), effect.map(str::to_owned))
        };
        let conditions = Conditions {
            configuration: Some("main".to_owned()),
            relaxed: vec![
                Relaxation::new(".kep-lint.yaml", "fail-on", "never"),
                Relaxation::new(".kep-lint.yaml", "exclude", "2 KEPs"),
            ],
            edited: vec![edited(".kep-lint.yaml", None, true), edited("OWNERS_ALIASES", Some("adds mallory"), false)],
            renamed: Vec::new(),
        };
        assert_eq!(
            conditions.lines(),
            [
                "your configuration file does not count here: that of `main` does; this change edits `.kep-lint.yaml`, which counts from the next one on",
                "`.kep-lint.yaml` makes this run less strict: fail-on: never; exclude: 2 KEPs",
                "this change edits what decides how strict this run is: `OWNERS_ALIASES` (adds mallory)",
            ]
        );
    }
}
