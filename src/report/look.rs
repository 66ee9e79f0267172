//! The properties of the screen that a report is rendered for, and how much to show.

use super::paint;
use crate::diagnostic::Severity;

/// Made by [`Look::default`]; then set the fields that differ.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Look {
    /// Columns; fewer than 40 count as 40.
    pub width: usize,
    /// Whether to use color.
    pub color: bool,
    /// Whether excerpts have frames, of characters other than ASCII.
    pub frames: bool,
    /// How many findings to show, errors first; 0 shows all.
    pub max_findings: usize,
    /// The lowest severity to show.
    pub level: Severity,
    /// The URL of the working directory, with a `/` at its end, for a screen that can follow links.
    pub links: Option<String>,
    /// The URL of the pages that `kep-lint rules --format site=DIR` makes, if they are published.
    pub docs_base: Option<String>,
}

impl Default for Look {
    /// All findings, without color, for a screen of 100 columns.
    fn default() -> Self {
        Self {
            width: 100,
            color: false,
            frames: true,
            max_findings: 0,
            level: Severity::Advice,
            links: None,
            docs_base: None,
        }
    }
}

impl Look {
    /// The columns that text is fitted to.
    pub fn columns(&self) -> usize {
        self.width.max(40)
    }

    /// The URL of the file at `path`, which is relative to the working directory or absolute; `None` without links.
    pub fn url_of(&self, path: &str) -> Option<String> {
        let base = self.links.as_deref()?;
        let url = paint::file_url(path.strip_prefix("./").unwrap_or(path));
        Some(if path.starts_with('/') { url } else { format!("{base}{}", url.trim_start_matches("file://")) })
    }

    /// The URL of the page about a rule; `None` if these pages are not published.
    pub fn rule_url(&self, name: &str) -> Option<String> {
        let base = self.docs_base.as_deref()?;
        Some(format!("{}/rules/{name}.html", base.trim_end_matches('/')))
    }

    /// The sign for what is left out.
    pub fn ellipsis(&self) -> &'static str {
        if self.frames { "…" } else { "..." }
    }

    /// The dash between a name and what is said of it.
    pub fn dash(&self) -> &'static str {
        if self.frames { "—" } else { "-" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_has_a_page_where_pages_are() {
        for base in ["https://x.org/docs", "https://x.org/docs/"] {
            let look = Look { docs_base: Some(base.to_owned()), ..Look::default() };
            assert_eq!(look.rule_url("bad-title").as_deref(), Some("https://x.org/docs/rules/bad-title.html"));
        }
        assert_eq!(Look::default().rule_url("bad-title"), None);
    }
}
