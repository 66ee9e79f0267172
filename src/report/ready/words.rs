//! The words of a board that several formats share.

use crate::kep::directory::PROD_READINESS;
use crate::ready::answer::Place;
use crate::ready::board::Board;
use crate::ready::calendar::day_of;
use crate::ready::checklist::Checklist;

/// `KEP-1234`, or how the KEP was asked for.
pub fn number(checklist: &Checklist) -> String {
    match checklist.about.number.as_deref() {
        Some(number) if number.bytes().all(|byte| byte.is_ascii_digit()) => format!("KEP-{number}"),
        Some(name) => name.to_owned(),
        None => checklist.kep.clone().unwrap_or_default(),
    }
}

/// What it is asked for: `beta in v1.38`.
pub fn target(checklist: &Checklist) -> String {
    let stage = checklist.stage.map_or("no stage", |stage| stage.name());
    format!("{stage} in {}", checklist.release)
}

/// The release with its day: `v1.37 (2026-08-26)`.
pub fn release(board: &Board) -> String {
    let day = day_of(board.release).map(|day| format!(" ({day})")).unwrap_or_default();
    format!("{}{day}", board.release)
}

/// What was judged: `judged on main at 64765b4b0, with uncommitted changes`; `None` without git.
pub fn judged(board: &Board) -> Option<String> {
    let snapshot = board.snapshot.as_ref()?;
    Some(format!("judged on {} at {}{}", snapshot.name, snapshot.short(), snapshot.changes_words()))
}

/// A place seen from the KEP's directory: `kep.yaml:12`; a PRR file from that of all, and other files by their path.
pub fn place(checklist: &Checklist, place: &Place) -> String {
    let directory = checklist.kep.as_deref().unwrap_or_default();
    let inside = place.path.strip_prefix(directory).and_then(|rest| rest.strip_prefix('/'));
    let is_directory = place.path == directory;
    let review =
        place.path.rsplit_once(PROD_READINESS).map(|(_, rest)| format!("{PROD_READINESS}{rest}:{}", place.line));
    match inside {
        _ if is_directory => String::new(),
        Some(file) => format!("{file}:{}", place.line),
        None => review.unwrap_or_else(|| format!("{}:{}", place.path, place.line)),
    }
}

/// The lines to write, file by file: those for the same file together, each once.
pub fn lines(checklist: &Checklist) -> Vec<(&str, Vec<&str>)> {
    let mut files: Vec<(&str, Vec<&str>)> = Vec::new();
    for lines in checklist.entries.iter().filter_map(|entry| entry.answer.lines.as_ref()) {
        match files.iter_mut().find(|(path, _)| *path == lines.path) {
            Some((_, texts)) if texts.contains(&lines.text.as_str()) => {}
            Some((_, texts)) => texts.push(&lines.text),
            None => files.push((&lines.path, vec![&lines.text])),
        }
    }
    files
}
