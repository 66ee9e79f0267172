//! The files that a command would write, as a diff.

use crate::cli::options::When;
use crate::cli::outcome::Outcome;
use crate::cli::print::print;
use crate::cli::write::together::Change;
use crate::cli::{color, diff, output};
use crate::diagnostic::{Failure, counted};
use crate::workspace::paths::shown;
use std::io::{IsTerminal, stdout};

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
