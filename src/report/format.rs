//! The table of formats: `--format`, its help and its errors read it. A new format is a file beside this one and a row
//! here.

#![warn(missing_docs)]

use super::look::Look;
#[cfg(feature = "pretty")]
use super::pretty::{self, Detail};
use super::{concise, github, gitlab, html, json, junit, markdown, pieces, sarif};
use crate::lint::Run;
use std::io::{self, Write};

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
    /// What it is written in.
    pub carrier: Carrier,
    /// Writes a run, as it is made.
    pub write: fn(&Run, &Look, &mut dyn Write) -> io::Result<()>,
}

impl Format {
    /// Renders a run.
    pub fn render(&self, run: &Run, look: &Look) -> String {
        pieces::text(|out| (self.write)(run, look, out))
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

/// What a format is written in: it decides which texts of a KEP could act, and how each of them is kept from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Carrier {
    /// Lines for a terminal or a log.
    Lines,
    /// The same, with commands to the runner of GitHub Actions.
    Commands,
    /// GitHub's Markdown, with elements of HTML.
    Markdown,
    /// JSON.
    Json,
    /// XML.
    Xml,
    /// A page of HTML.
    Html,
}

/// All formats.
pub const ALL: &[Format] = &[
    #[cfg(feature = "pretty")]
    Format {
        name: "pretty",
        summary: "each finding with the lines it is about; shorter where there are many",
        reader: Reader::Person,
        carrier: Carrier::Lines,
        write: |run, look, out| apart(pretty::write(run, look, Detail::Grouped, out)?, out),
    },
    #[cfg(feature = "pretty")]
    Format {
        name: "full",
        summary: "like pretty, with the lines of every finding",
        reader: Reader::Person,
        carrier: Carrier::Lines,
        write: |run, look, out| apart(pretty::write(run, look, Detail::Full, out)?, out),
    },
    CONCISE,
    Format {
        name: "github",
        summary: "annotations for GitHub Actions, and the pretty report",
        reader: Reader::Forge,
        carrier: Carrier::Commands,
        write: |run, look, out| {
            let annotations = github::render(run, look);
            out.write_all(annotations.as_bytes())?;
            apart(!annotations.is_empty(), out)?;
            (of_reader(Reader::Person).write)(run, look, out)
        },
    },
    Format {
        name: "markdown",
        summary: "a comment for a pull request, worst KEP first",
        reader: Reader::Forge,
        carrier: Carrier::Markdown,
        write: |run, look, out| out.write_all(markdown::render(run, look).as_bytes()),
    },
    Format {
        name: "json",
        summary: "all findings as one JSON object",
        reader: Reader::Program,
        carrier: Carrier::Json,
        write: |run, _, out| json::write(run, out),
    },
    Format {
        name: "sarif",
        summary: "SARIF 2.1.0, for GitHub code scanning and editors",
        reader: Reader::Program,
        carrier: Carrier::Json,
        write: sarif::write,
    },
    Format {
        name: "gitlab",
        summary: "a code quality report, for GitLab's merge requests",
        reader: Reader::Program,
        carrier: Carrier::Json,
        write: |run, _, out| gitlab::write(run, out),
    },
    Format {
        name: "junit",
        summary: "JUnit XML: a suite per KEP, and a case per category of rules",
        reader: Reader::Program,
        carrier: Carrier::Xml,
        write: junit::write,
    },
    Format {
        name: "html",
        summary: "one page for a browser, with all findings, to filter and to print",
        reader: Reader::Program,
        carrier: Carrier::Html,
        write: |run, look, out| out.write_all(html::render(run, look).as_bytes()),
    },
];

const CONCISE: Format = Format {
    name: "concise",
    summary: "one line per finding, for editors and `grep`",
    reader: Reader::Lines,
    carrier: Carrier::Lines,
    write: concise::write,
};

/// The format of this name.
pub fn of_name(name: &str) -> Option<&'static Format> {
    ALL.iter().find(|format| format.name == name)
}

/// The first format for this reader, or else the format of lines.
pub fn of_reader(reader: Reader) -> &'static Format {
    ALL.iter().find(|format| format.reader == reader).unwrap_or(&CONCISE)
}

/// Adds an empty line after what was written, if anything was, to separate it from what is printed next.
fn apart(is_written: bool, out: &mut dyn Write) -> io::Result<()> {
    if is_written { out.write_all(b"\n") } else { Ok(()) }
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
