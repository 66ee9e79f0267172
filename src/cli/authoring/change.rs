//! The files that a command would write, as a diff.

use crate::cli::options::When;
use crate::cli::outcome::Outcome;
use crate::cli::print::print;
use crate::cli::write::together::Change;
use crate::cli::{diff, output};
use crate::diagnostic::{Failure, counted};
use crate::workspace::paths::shown;

pub fn show(changes: &[Change], when: When) -> Result<Outcome, Failure> {
    let (mut text, mut altered) = (String::new(), 0);
    for Change { given, before, after } in changes {
        let before = before.as_ref().map(|(_, before)| before.as_str());
        let diff = diff::render(&shown(given), before, after, diff::Look::of(when));
        text += &diff.text;
        altered += diff.altered;
    }
    print(&text)?;
    if altered > 0 {
        let lines = counted(altered, "line", "lines");
        output::note(&format!("{lines} of the diff could control a terminal or a log and show `?` instead"));
    }
    output::note(&format!("would write {}", counted(changes.len(), "file", "files")));
    Ok(if changes.is_empty() { Outcome::Clean } else { Outcome::Findings })
}
