//! Open pull requests that change a KEP, as far as a list of them is known.

use super::checklist::Checklist;

/// An open pull request that changes a KEP.
#[derive(Clone)]
pub struct Pull {
    /// Its number.
    pub number: u64,
    /// Its title, as written by its author.
    pub title: String,
    /// Its address on the web.
    pub url: Option<String>,
    /// The login of its author, without @.
    pub author: Option<String>,
    /// Whether its author calls it a draft.
    pub is_draft: bool,
    /// When it was changed last: `2026-06-01T10:00:00Z`.
    pub updated: Option<String>,
    /// Which files of the KEP it changes: README.md, kep.yaml, the PRR file or others, by their names.
    pub files: Vec<String>,
    /// The KEP as it is there; `None` if its head was not fetched, or could not be judged.
    pub checklist: Option<Box<Checklist>>,
}

impl Pull {
    /// Whether it changes what the Release Team asks to be settled: the README or kep.yaml.
    pub fn changes_kep(&self) -> bool {
        self.files.iter().any(|name| matches!(name.as_str(), "README.md" | "kep.yaml"))
    }
}
