//! The table of formats: `--format`, its help and its errors read it. A new format is a file beside this one and a row
//! here.

use super::look::Look;
#[cfg(feature = "pretty")]
use super::pretty::{self, Detail};
use super::{concise, html, json};
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
    /// Renders a run.
    pub render: fn(&Run, &Look) -> String,
}

/// Who reads a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reader {
    /// A person, at a terminal or in a log.
    Person,
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
        summary: "each finding with the lines it is about; many empty sections by chapter (default)",
        reader: Reader::Person,
        render: |run, look| apart(pretty::render(run, look, Detail::Grouped)),
    },
    #[cfg(feature = "pretty")]
    Format {
        name: "full",
        summary: "like pretty, with the lines of every finding",
        reader: Reader::Person,
        render: |run, look| apart(pretty::render(run, look, Detail::Full)),
    },
    CONCISE,
    Format {
        name: "json",
        summary: "all findings as one JSON object",
        reader: Reader::Program,
        render: |run, _| json::render(run),
    },
    Format {
        name: "html",
        summary: "one page for a browser, with all findings, to filter and to print",
        reader: Reader::Program,
        render: html::render,
    },
];

const CONCISE: Format = Format {
    name: "concise",
    summary: "one line per finding, for editors and `grep`",
    reader: Reader::Lines,
    render: concise::render,
};

/// The format of this name.
pub fn of_name(name: &str) -> Option<&'static Format> {
    ALL.iter().find(|format| format.name == name)
}

/// The first format for this reader, or else the format of lines.
pub fn of_reader(reader: Reader) -> &'static Format {
    ALL.iter().find(|format| format.reader == reader).unwrap_or(&CONCISE)
}

/// `text` with an empty line after it, if it is not empty, to separate it from what is printed next.
#[cfg(feature = "pretty")]
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
            let text = (format.render)(&sample::run(), &Look::default());
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
    }

    #[test]
    fn the_manual_names_every_format() {
        let manual = include_str!("../../README.md");
        let row = manual.lines().find(|line| line.contains("`--format FORMAT[=FILE]`")).unwrap_or_default();
        for format in ALL {
            assert!(row.contains(&format!("`{}`", format.name)), "{row}");
        }
    }
}
