//! The table of formats, which `--format` reads. A new one is a file beside this one and a row here.

#![warn(missing_docs)]

use super::look::Look;
#[cfg(feature = "pretty")]
use super::pretty::{self, Detail};
use super::{concise, github, github_review, gitlab, html, json, junit, markdown, sarif};
use crate::lint::Run;

/// A way to write the findings of a run.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Format {
    /// Its name.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// Who reads it.
    pub reader: Reader,
    text: fn(&Run, &Look) -> String,
}

impl Format {
    /// Renders a run.
    pub fn render(&self, run: &Run, look: &Look) -> String {
        (self.text)(run, look)
    }
}

/// Who reads a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reader {
    /// A person, at a terminal or in a log.
    Person,
    /// A forge such as GitHub, which shows it to people.
    Forge,
    /// A reader of lines: an editor, `grep`.
    Lines,
    /// A program that parses it.
    Program,
}

/// All formats.
pub const ALL: &[Format] = &[
    #[cfg(feature = "pretty")]
    Format {
        name: "pretty",
        summary: "each finding with the lines it is about; shorter where there are many",
        reader: Reader::Person,
        text: |run, look| apart(pretty::render(run, look, Detail::Grouped)),
    },
    #[cfg(feature = "pretty")]
    Format {
        name: "full",
        summary: "like pretty, with the lines of every finding",
        reader: Reader::Person,
        text: |run, look| apart(pretty::render(run, look, Detail::Full)),
    },
    CONCISE,
    Format {
        name: github::NAME,
        summary: "annotations for GitHub Actions, and the pretty report",
        reader: Reader::Forge,
        text: |run, look| apart(github::render(run, look)) + &of_reader(Reader::Person).render(run, look),
    },
    Format {
        name: "markdown",
        summary: "a comment for a pull request, worst KEP first",
        reader: Reader::Forge,
        text: markdown::render,
    },
    Format {
        name: "json",
        summary: "all findings as one JSON object",
        reader: Reader::Program,
        text: |run, _| json::render(run),
    },
    Format {
        name: github_review::NAME,
        summary: "a review of a pull request with suggestions, for one call of GitHub's API; needs --since",
        reader: Reader::Program,
        text: github_review::render,
    },
    Format {
        name: "sarif",
        summary: "SARIF 2.1.0, for GitHub code scanning and editors",
        reader: Reader::Program,
        text: sarif::render,
    },
    Format {
        name: "gitlab",
        summary: "a code quality report, for GitLab's merge requests",
        reader: Reader::Program,
        text: |run, _| gitlab::render(run),
    },
    Format {
        name: "junit",
        summary: "JUnit XML: a suite per KEP, and a case per category of rules",
        reader: Reader::Program,
        text: junit::render,
    },
    Format {
        name: "html",
        summary: "one page for a browser, with all findings, to filter and to print",
        reader: Reader::Program,
        text: html::render,
    },
];

const CONCISE: Format = Format {
    name: "concise",
    summary: "one line per finding, for editors and `grep`",
    reader: Reader::Lines,
    text: concise::render,
};

/// The format of this name.
pub fn of_name(name: &str) -> Option<&'static Format> {
    ALL.iter().find(|format| format.name == name)
}

/// The first format for this reader, or else the format of lines.
pub fn of_reader(reader: Reader) -> &'static Format {
    ALL.iter().find(|format| format.reader == reader).unwrap_or(&CONCISE)
}

/// The text with an empty line after it, if there is any, to separate it from what is printed next.
fn apart(text: String) -> String {
    if text.is_empty() { text } else { text + "\n" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use std::collections::BTreeSet;

    #[test]
    fn formats_have_names_of_their_own_and_draw_every_finding() {
        let names: BTreeSet<&str> = ALL.iter().map(|format| format.name).collect();
        assert_eq!(names.len(), ALL.len());
        for format in ALL {
            assert!(format.name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-'), "{}", format.name);
            assert!(!format.summary.contains('\n') && !format.summary.ends_with('.'), "{}", format.summary);
            let text = format.render(&sample::run(), &Look::default());
            assert!(text.contains(" is left") && text.contains("a title is missing"), "{text}");
            assert_eq!(of_name(format.name).map(|format| format.name), Some(format.name));
        }
        assert!(of_name("Json").is_none() && of_name("").is_none());
    }

    #[test]
    fn every_reader_has_a_format() {
        assert_eq!(of_reader(Reader::Lines).name, "concise");
        assert_eq!(of_reader(Reader::Program).name, "json");
        let pretty = if cfg!(feature = "pretty") { "pretty" } else { "concise" };
        assert_eq!(of_reader(Reader::Person).name, pretty);
        assert_eq!(of_reader(Reader::Forge).name, "github");
    }

    #[test]
    fn the_manual_names_every_format() {
        let manual = include_str!("../../docs/options.md");
        let row = manual.lines().find(|line| line.contains("`--format FORMAT[=FILE]`")).unwrap_or_default();
        for format in ALL {
            assert!(row.contains(&format!("`{}`", format.name)), "{row}");
        }
    }
}
