//! The files that a command writes or shows, of which some may be new.

use crate::cli::edge::Edge;
use crate::cli::options::When;
use crate::cli::path::shown;
use crate::cli::write::created;
use crate::cli::{Outcome, color, diff, output, print, write};
use crate::diagnostic::{Failure, named};
use crate::report::counted;
use std::io::{IsTerminal, stdout};
use std::path::PathBuf;

/// A file that changes.
pub struct Change {
    /// Its path, as reports show it.
    pub given: PathBuf,
    /// Where it is, without links, and its text; `None` if it is new.
    pub before: Option<(PathBuf, String)>,
    /// Its new text.
    pub after: String,
}

/// Prints the diff of all files.
pub fn show(changes: &[Change], when: When) -> Result<Outcome, Failure> {
    let look = diff::Look { color: color::is_wanted(when), terminal: stdout().is_terminal() };
    let render = |change: &Change| match &change.before {
        Some((_, before)) => diff::render(&shown(&change.given), before, &change.after, look),
        None => diff::render_new(&shown(&change.given), &change.after, look),
    };
    let diffs: Vec<diff::Rendered> = changes.iter().map(render).collect();
    print(&diffs.iter().map(|diff| diff.text.as_str()).collect::<String>())?;
    let altered: usize = diffs.iter().map(|diff| diff.altered).sum();
    if altered > 0 {
        let lines = counted(altered, "line", "lines");
        output::note(&format!("{lines} of the diff could control a terminal or a log and show `?` instead"));
    }
    output::note(&format!("would write {}", counted(changes.len(), "file", "files")));
    Ok(if changes.is_empty() { Outcome::Clean } else { Outcome::Findings })
}

/// Writes all files, after it is known that each of them can be.
pub fn write_all(changes: &[Change], edge: &Edge) -> Result<(), Failure> {
    for Change { given, before, after } in changes {
        match before {
            Some((place, before)) => {
                write::check(given, place, edge, before, after)?;
            }
            None if given.symlink_metadata().is_ok() => return Err(created::exists(given)),
            None => {}
        }
    }
    let mut written: Vec<String> = Vec::new();
    for Change { given, before, after } in changes {
        let result = match before {
            Some((place, before)) => write::replace(given, place, edge, before, after),
            None => created::create(&[(given.clone(), after.clone())], edge),
        };
        if let Err(failure) = result {
            return Err(match written.as_slice() {
                [] => failure,
                written => Failure {
                    message: format!("{}; written already: {}", failure.message, written.join(", ")),
                    ..failure
                },
            });
        }
        written.push(named(given));
    }
    Ok(())
}
