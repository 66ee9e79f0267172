//! What the reports on a screen have in common: lines that fit, in the colors of states, and tables.
use super::words;
use crate::diagnostic::Severity;
use crate::ready::answer::State;
use crate::ready::board::Board;
use crate::ready::checklist::Checklist;
use crate::report::look::Look;
use crate::report::paint::Paint;
use crate::report::printable;
use crate::report::table::{GAP, aligned};
use crate::report::width::{columns, cut};
use crate::report::wrap::wrapped;

/// A paragraph of text that anybody may have written, and a line end.
pub fn line(text: &str, look: &Look) -> String {
    wrapped(&printable(text), look.columns(), "", "  ") + "\n"
}

/// A paragraph that begins with words in the color of a state.
pub fn painted_line(words: &str, state: State, rest: &str, look: &Look) -> String {
    let text = line(&format!("{words}{rest}"), look);
    format!("{}{}", paint(state, look).apply(words), text.strip_prefix(words).unwrap_or(&text))
}

/// Words in the color of a state, and text beside them, all lines of which have the same indent.
pub fn hanging(words: &str, state: Option<State>, text: &str, indent: &str, look: &Look) -> String {
    let text = wrapped(&printable(text), look.columns(), indent, indent);
    let painted = state.map_or_else(|| words.to_owned(), |state| paint(state, look).apply(words));
    let blanks = " ".repeat(indent.len().saturating_sub(words.chars().count()));
    format!("{painted}{blanks}{}\n", text.strip_prefix(indent).unwrap_or(&text))
}

/// Which KEP it is, `KEP-1 Prefetch images (sig-node)`, and where, with what else is known of it.
pub fn name(checklist: &Checklist, paint: Paint, more: impl IntoIterator<Item = String>, look: &Look) -> String {
    let Checklist { title, sig, given, .. } = checklist;
    let title = title.as_ref().map(|title| format!(" {title}")).unwrap_or_default();
    let sig = sig.as_ref().map(|sig| format!(" ({sig})")).unwrap_or_default();
    let name = printable(&format!("{}{title}{sig}", words::number(checklist)));
    let name = shown(&name, look.columns(), look);
    let about: Vec<String> = given.iter().cloned().chain(more).collect();
    let about = if about.is_empty() { String::new() } else { line(&about.join(", "), look) };
    format!("{}\n{about}", paint.apply(name.trim_end()))
}

/// What a row about a KEP begins with: its number, its SIG, and the stage, with the release if that is not the board's.
pub fn cells(board: &Board, checklist: &Checklist) -> [String; 3] {
    let number = checklist.number.clone().or_else(|| checklist.given.clone()).unwrap_or_default();
    let stage = match checklist.stage {
        _ if checklist.release != board.release => words::target(checklist, &checklist.release.to_string()),
        stage => stage.map_or(String::new(), |stage| stage.to_string()),
    };
    [number, checklist.sig.clone().unwrap_or_default(), stage]
}

/// Rows below their head, in columns that are as wide as their cells. What does not fit of the last one is left out.
pub fn rows<const COLUMNS: usize>(head: [&str; COLUMNS], rows: Vec<[String; COLUMNS]>, look: &Look) -> Vec<String> {
    let mut all: Vec<Vec<String>> =
        std::iter::once(head.map(str::to_owned)).chain(rows).map(|row| row.to_vec()).collect();
    let lasts: Vec<String> = all.iter_mut().filter_map(Vec::pop).collect();
    let lines = aligned(&all, 0..0).into_iter().zip(lasts).map(|(front, last)| {
        let front = front + GAP;
        let rest = shown(&last, look.columns().saturating_sub(columns(&front)), look);
        format!("{}\n", (front + &rest).trim_end())
    });
    lines.collect()
}

/// A text of so many columns; in a log, all of it.
pub fn shown(text: &str, width: usize, look: &Look) -> String {
    if look.may_cut() { cut(text, width, look.ellipsis()) } else { text.to_owned() }
}

pub fn paint(state: State, look: &Look) -> Paint {
    let paint = match state {
        State::Met => Paint::Added,
        State::Info => Paint::Of(Severity::Advice),
        State::Look => Paint::Of(Severity::Warning),
        State::NotMet => Paint::Of(Severity::Error),
    };
    paint.only_if(look.color)
}
