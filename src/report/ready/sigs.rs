//! A message for each SIG: which of its KEPs are how far, what is open, and who has to act. It is for a channel or a mailing
//! list; it quotes text of KEPs, which must neither notify anybody nor be more than text.

use super::words;
use crate::diagnostic::counted;
use crate::ready::answer::State;
use crate::ready::board::Board;
use crate::ready::checklist::{Checklist, Entry};
use crate::ready::item::Kind;
use crate::ready::status::Readiness;
use crate::report::markdown::text::inline;
use std::collections::BTreeSet;

/// Renders the messages, with a line between two of them.
pub fn render(board: &Board) -> String {
    let sigs: BTreeSet<Option<&str>> = board.checklists.iter().map(|checklist| checklist.sig.as_deref()).collect();
    let messages: Vec<String> = sigs.into_iter().map(|sig| message(board, sig)).collect();
    messages.join("\n---\n\n")
}

fn message(board: &Board, sig: Option<&str>) -> String {
    let keps: Vec<&Checklist> = board.checklists.iter().filter(|checklist| checklist.sig.as_deref() == sig).collect();
    let name = sig.unwrap_or("KEPs without a SIG");
    let mut text = format!("### {}, {}\n\n", inline(name), board.release);
    let days = words::days(board, 2);
    if !days.is_empty() {
        let last = words::last_day(board).map(|day| format!("{}. ", words::capitalized(&day))).unwrap_or_default();
        text += &format!("{last}Next: {}.\n\n", days.join(", "));
    }
    let count = |readiness| keps.iter().filter(|kep| kep.readiness == readiness).count();
    let counts = words::numbers(Readiness::ALL.map(|readiness| (count(readiness), readiness.words())));
    text += &format!("{}: {counts}.\n\n", counted(keps.len(), "KEP", "KEPs"));
    let (done, open): (Vec<&Checklist>, Vec<&Checklist>) =
        keps.iter().partition(|kep| kep.readiness == Readiness::Ready);
    open.into_iter().for_each(|kep| text += &line(kep));
    if !done.is_empty() {
        let numbers: Vec<String> = done.into_iter().map(linked).collect();
        let is_proposed = keps.iter().all(|kep| kep.is_proposed);
        let words = if is_proposed { "would be ready once merged" } else { "ready" };
        text += &format!("- {words}: {}\n", numbers.join(", "));
    }
    let leads: BTreeSet<&str> = keps.iter().flat_map(|kep| &kep.leads).map(String::as_str).collect();
    if !leads.is_empty() {
        let leads: Vec<String> = leads.into_iter().map(inline).collect();
        text += &format!("\nLeads of {}: {}.\n", inline(name), leads.join(", "));
    }
    text
}

/// A KEP that is not ready: `- [KEP-1](…) Title (alpha): PRR: no approver for alpha. To act: author`.
fn line(kep: &Checklist) -> String {
    let title = kep.title.as_deref().map(|title| format!(" {}", inline(title))).unwrap_or_default();
    let stage = kep.stage.map(|stage| format!(" ({stage})")).unwrap_or_default();
    let is_open = |entry: &&Entry| match entry.item.kind {
        Kind::Verdict => entry.answer.state != State::Met,
        Kind::Evidence => entry.item.name == "board" && entry.answer.state == State::NotMet,
    };
    let open = kep.entries.iter().filter(is_open);
    let open = open.map(|entry| match kep.kep {
        Some(_) => format!("{}: {}", inline(entry.item.title), inline(&entry.answer.words)),
        None => inline(&entry.answer.words),
    });
    let open: Vec<String> = open.chain(words::remarks(kep).into_iter().map(inline)).collect();
    let actors = words::actors(kep);
    let actors = if actors.is_empty() { actors } else { format!(". To act: {actors}") };
    format!("- {}{title}{stage}: {}{actors}\n", linked(kep), open.join("; "))
}

/// The number, with a link to its issue.
fn linked(kep: &Checklist) -> String {
    let number = inline(&words::number(kep));
    kep.issue.as_ref().map_or_else(|| number.clone(), |issue| format!("[{number}]({issue})"))
}
