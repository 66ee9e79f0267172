//! The comment that the Release Team posts on the tracking issue of a KEP. It quotes text of the KEP, which must neither
//! notify anybody nor be more than text.

mod questions;

use super::{prr, words};
use crate::bounds;
use crate::ready::answer::{Answer, Detail, Place, State};
use crate::ready::board::Board;
use crate::ready::checklist::{Checklist, Entry, Pull};
use crate::ready::comparison::{ComparedKep, Comparison};
use crate::ready::item::Kind;
use crate::report::markdown::text::{block, code, inline};

/// Renders a comment for each KEP, with a line between two of them; before them what changed, if that is asked.
pub fn render(board: &Board) -> String {
    let since = board.comparison.iter().map(since);
    let texts: Vec<String> = if prr::is_wanted(board) {
        since.chain([questions::render(board)]).collect()
    } else {
        since.chain(board.checklists.iter().map(|checklist| comment(board, checklist))).collect()
    };
    texts.join("\n---\n\n")
}

fn since(comparison: &Comparison) -> String {
    let mut text = format!("## Since {}\n\n", inline(&comparison.since.words()));
    text += &format!("{}.\n", inline(&words::capitalized(&comparison.counts())));
    comparison.notes.iter().for_each(|note| text += &format!("\n{}.\n", inline(&words::capitalized(note))));
    if !comparison.keps.is_empty() {
        text.push('\n');
    }
    for ComparedKep { name, change, details, .. } in &comparison.keps {
        let (name, details) = (inline(&words::of_kep(name)), inline(details));
        text += &format!("- **{}**: {name}: {details}\n", change.words());
    }
    text
}

/// The comment for the issue of a KEP.
pub fn comment(board: &Board, checklist: &Checklist) -> String {
    let title = checklist.title.as_deref().map(|title| format!(": {}", inline(title))).unwrap_or_default();
    let mut text = format!(
        "### {}{title}, {}\n\n",
        inline(&words::number(checklist)),
        inline(&words::target(checklist, &checklist.release.to_string()))
    );
    let verdict = words::capitalized(&words::verdict(checklist));
    text += &format!("**{}**: {}", inline(&verdict), words::counts(board, checklist));
    text += &words::judged(board).map(|judged| format!(", {}", inline(&judged))).unwrap_or_default();
    text += ".\n\n";
    board.conditions.lines().iter().for_each(|line| text += &format!("{}.\n\n", inline(line)));
    if let Some(in_time) = &checklist.deadline {
        let words = inline(&words::capitalized(words::verdict_in_time(checklist, in_time)));
        let (by, missing) = (words::by(in_time), words::missing(in_time));
        text += &format!("**{words}**{}.\n\n", inline(&format!("{by}{missing}")));
    }
    if board.person.is_some() {
        let waits_for: Vec<String> = words::waits_for(checklist).iter().map(|words| inline(words)).collect();
        text += &format!("It waits for {}.\n\n", waits_for.join(", "));
    }
    checklist.of_kind(Kind::Verdict).for_each(|entry| text += &box_of(checklist, entry));
    text += &by_hand(board, checklist);
    text += &pulls(checklist);
    for (file, lines) in words::lines(checklist) {
        let path = &file.path;
        let language = if path.ends_with(".yaml") { "yaml" } else { "markdown" };
        text += &format!("\n{} must have:\n\n{}", code(path), block(&lines.join("\n"), language, ""));
    }
    let evidence: Vec<&Entry> = checklist.of_kind(Kind::Evidence).collect();
    if !evidence.is_empty() {
        text += "\nEvidence from the files, for reviewers to judge:\n\n";
        evidence.into_iter().for_each(|entry| text += &item(checklist, entry));
    }
    text
}

fn box_of(checklist: &Checklist, entry: &Entry) -> String {
    let is_met = entry.answer.state == State::Met;
    let state = if entry.answer.state == State::Look { " (look)" } else { "" };
    format!("- [{}]{state} {}{}", if is_met { 'x' } else { ' ' }, answer(checklist, entry), details(checklist, entry))
}

fn item(checklist: &Checklist, entry: &Entry) -> String {
    let state = entry.answer.state.words();
    format!("- {state}: {}{}", answer(checklist, entry), details(checklist, entry))
}

/// "status: it is provisional, not implementable (`kep.yaml:6`)" and a line end.
pub fn answer(checklist: &Checklist, entry: &Entry) -> String {
    let Answer { state, words, place, .. } = &entry.answer;
    let place = if *state == State::Met { String::new() } else { in_parentheses(checklist, place.as_ref()) };
    format!("{}: {}{place}\n", inline(entry.item.title), inline(words))
}

/// " (`kep.yaml:6`)"; nothing for the directory of the KEP.
fn in_parentheses(checklist: &Checklist, place: Option<&Place>) -> String {
    let place = place.map(|place| words::place(checklist, place)).unwrap_or_default();
    if place.is_empty() { place } else { format!(" ({})", code(&place)) }
}

/// What is open of an answer, with what to do: a list below its item.
pub fn details(checklist: &Checklist, entry: &Entry) -> String {
    if entry.answer.state == State::Met {
        return String::new();
    }
    let all = &entry.answer.details;
    let one = |detail: &Detail| {
        let Detail { words, help, .. } = detail;
        let help = help.as_deref().map(inline);
        let place = in_parentheses(checklist, detail.place.as_ref());
        match help {
            Some(help) if *words == entry.answer.words => format!("  - {help}\n"),
            Some(help) => format!("  - {}{place}: {help}\n", inline(words)),
            None => format!("  - {}{place}\n", inline(words)),
        }
    };
    let mut text: String = all.iter().take(bounds::LISTED_DETAILS).map(one).collect();
    if all.len() > bounds::LISTED_DETAILS {
        text += &format!("  - and {} more\n", all.len() - bounds::LISTED_DETAILS);
    }
    text
}

/// The open pull requests that change it, with links to them.
fn pulls(checklist: &Checklist) -> String {
    let pulls = checklist.pulls.iter().flatten();
    let item = |pull: &Pull| {
        let number = match pull.link() {
            Some(url) => format!("[#{}]({url})", pull.number),
            None => code(&format!("#{}", pull.number)),
        };
        let (about, state) = (inline(&words::about_pull(pull)), inline(&words::state_of_pull(pull)));
        format!("- {number}{about}: {state}\n")
    };
    let items: String = pulls.map(item).collect();
    if items.is_empty() { items } else { format!("\nOpen pull requests:\n\n{items}") }
}

fn by_hand(board: &Board, checklist: &Checklist) -> String {
    if checklist.kep.is_none() {
        return String::new();
    }
    board.by_hand.iter().map(|item| format!("- [ ] check by hand: {}\n", inline(item))).collect()
}
