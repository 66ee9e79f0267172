//! The files that a command writes, or would write.

use crate::cli::options::When;
use crate::cli::outcome::Outcome;
use crate::cli::print::print;
use crate::cli::write::together::Change;
use crate::cli::{diff, output};
use crate::diagnostic::{Failure, counted};
use crate::fix::Fixed;
use crate::source::SourceFile;
use crate::workspace::kep_files::Origin;
use crate::workspace::paths::shown;
use std::sync::Arc;

/// The files of a KEP that are changed by fixes, each with its place.
pub fn of(fixed: &Fixed, places: &[Origin]) -> Vec<Change> {
    let files = fixed.before.files.iter().zip(&fixed.after.files).zip(places);
    let changed = files.filter(|((before, after), _)| before.text != after.text);
    let change = |((before, after), place): ((&Arc<SourceFile>, &Arc<SourceFile>), &Origin)| Change {
        given: place.given.clone(),
        before: Some((place.real.clone(), before.text.clone())),
        after: after.text.clone(),
    };
    changed.map(change).collect()
}

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
