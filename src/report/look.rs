//! What a report is rendered for: the screen, how much to show, and what makes the run fail.

use super::uri::{self, Checkout};
use crate::diagnostic::Severity;

/// Where the book of this project is published: `contrib/release/home` fills in who has it.
const BOOK: &str = "https://<owner>.github.io/kep-lint";

/// The URL of the book, without a `/` at its end; `None` as long as it is not known.
pub fn book() -> Option<String> {
    published(BOOK).map(str::to_owned)
}

fn published(book: &str) -> Option<&str> {
    (!book.contains('<')).then_some(book)
}

/// Where the most severe findings are in a report for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    WorstFirst,
    /// Last, because that is where a terminal stops.
    WorstLast,
}

/// Made by [`Look::default`]; then set the fields that differ.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Look {
    /// Columns; fewer than 40 count as 40.
    pub width: usize,
    pub color: bool,
    /// Whether marks and rules are drawn with characters other than ASCII.
    pub frames: bool,
    pub order: Order,
    /// How many findings to show, errors first; 0 shows all.
    pub max_findings: usize,
    pub level: Severity,
    /// The lowest severity that makes the run fail; with `None` it never fails.
    pub fail_on: Option<Severity>,
    /// The URL of the working directory, with a `/` at its end, for a screen that can follow links.
    pub links: Option<String>,
    /// The URL of the root of the repository on the web, without a `/` at its end, for links to lines of its files.
    pub link_base: Option<String>,
    /// Where the working directory is in the repository; without it, paths are those from the root on.
    pub checkout: Option<Checkout>,
    /// The URL of the book, without a `/` at its end: rules are linked to their pages in it.
    pub docs_base: Option<String>,
}

impl Default for Look {
    /// All findings, without color, for a screen of 100 columns.
    fn default() -> Self {
        Self {
            width: 100,
            color: false,
            frames: true,
            order: Order::WorstLast,
            max_findings: 0,
            level: Severity::Advice,
            fail_on: Some(Severity::Error),
            links: None,
            link_base: None,
            checkout: None,
            docs_base: None,
        }
    }
}

impl Look {
    /// The same without what only a screen shows.
    pub fn plain(&self) -> Self {
        Self { color: false, frames: false, order: Order::WorstFirst, links: None, ..self.clone() }
    }

    pub fn columns(&self) -> usize {
        self.width.max(40)
    }

    /// The URL of the file at `path`, which is relative to the working directory or absolute; `None` without links.
    pub fn url_of(&self, path: &str) -> Option<String> {
        let base = self.links.as_deref()?;
        let path = path.strip_prefix("./").unwrap_or(path);
        Some(if path.starts_with('/') { uri::of_absolute(path) } else { format!("{base}{}", uri::encoded(path)) })
    }

    /// `path` from the root of the repository on; `None` for a file outside of it.
    pub fn repository_path(&self, path: &str) -> Option<String> {
        self.checkout.as_ref().map_or_else(|| uri::relative(path), |checkout| checkout.path_of(path))
    }

    /// The URL of a line of a file on the web; `None` without a base, and outside of the repository.
    pub fn line_url(&self, path: &str, line: usize) -> Option<String> {
        let (base, path) = self.link_base.as_ref().zip(self.repository_path(path))?;
        // A page that shows Markdown as text has no lines.
        let is_rendered = path.to_ascii_lowercase().ends_with(".md");
        let query = if is_rendered { "?plain=1" } else { "" };
        Some(format!("{base}/{}{query}#L{line}", uri::encoded(&path)))
    }

    /// The URL of the page about a rule; `None` without a book.
    pub fn rule_url(&self, name: &str) -> Option<String> {
        Some(format!("{}/rules/{name}.html", self.docs_base.as_deref()?))
    }

    /// Whether a text may be cut to the width of the screen: in a log, nothing shows the rest of it.
    pub fn may_cut(&self) -> bool {
        self.order == Order::WorstLast
    }

    pub fn ellipsis(&self) -> &'static str {
        if self.frames { "…" } else { "..." }
    }

    pub fn dash(&self) -> &'static str {
        if self.frames { "—" } else { "-" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_links_to_their_source() {
        let link_base = Some("https://example.com/o/r/blob/main".to_owned());
        let look = Look { link_base, ..Look::default() };
        let url = |path: &str| look.line_url(path, 12).unwrap_or_default();
        assert_eq!(url("keps/1-x/kep.yaml"), "https://example.com/o/r/blob/main/keps/1-x/kep.yaml#L12");
        assert_eq!(url("./keps/1-x/README.MD"), "https://example.com/o/r/blob/main/keps/1-x/README.MD?plain=1#L12");
        assert_eq!(
            url("keps/a b)](#?é.md"),
            "https://example.com/o/r/blob/main/keps/a%20b%29%5D%28%23%3F%C3%A9.md?plain=1#L12"
        );
        assert_eq!(look.line_url("../x.md", 1), None);
        assert_eq!(Look::default().line_url("x.md", 1), None);
    }

    #[test]
    fn a_book_without_an_owner_is_not_linked_to() {
        assert_eq!(published("https://<name>.example/kep-lint"), None);
        assert_eq!(published("https://acme.example/kep-lint"), Some("https://acme.example/kep-lint"));
        assert!(
            book().is_none_or(|url| url.starts_with("https://") && !url.contains(['<', '>']) && !url.ends_with('/'))
        );
    }

    #[test]
    fn a_rule_has_a_page_where_pages_are() {
        let look = Look { docs_base: Some("https://x.org/docs".to_owned()), ..Look::default() };
        assert_eq!(look.rule_url("bad-title").as_deref(), Some("https://x.org/docs/rules/bad-title.html"));
        assert_eq!(Look::default().rule_url("bad-title"), None);
    }
}
