//! The table of several KEPs on a screen: a line for each, and totals by SIG.

use super::one::{paint, sign};
use super::words;
use crate::ready::board::{Board, SigTotal};
use crate::ready::calendar::Family;
use crate::ready::checklist::Checklist;
use crate::ready::item::{Kind, State};
use crate::report::look::Look;
use crate::report::table::Table;
use crate::report::wrap::wrapped;
use crate::report::{counted, printable};
use serde_json::Value;

/// Renders the table.
pub fn render(board: &Board, look: &Look) -> String {
    let judged = words::judged(board).map(|judged| format!(", {judged}")).unwrap_or_default();
    let head = format!("Readiness for {}{judged}", words::release(board));
    let mut text = wrapped(&printable(&head), look.columns(), "", "  ");
    text += "\n\n";
    if !board.checklists.is_empty() {
        let rows = board.checklists.iter().map(|checklist| row(board, checklist, look)).collect();
        let table = Table { columns: vec!["KEP", "SIG", "stage", "ready", "open"], rows };
        text += &painted(&table.fitted(look.columns()), board, look);
        text.push('\n');
    }
    text += &totals(board, look);
    for by_hand in Family::of(board.release).by_hand.iter().filter(|_| !board.checklists.is_empty()) {
        text += &wrapped(&format!("check by hand: {by_hand}"), look.columns(), "", "  ");
        text.push('\n');
    }
    text
}

fn row(board: &Board, checklist: &Checklist, look: &Look) -> Vec<Value> {
    let number = checklist.about.number.clone().or_else(|| checklist.kep.clone()).unwrap_or_default();
    let sig = checklist.sig.clone().unwrap_or_default();
    let stage = checklist.stage.map_or(String::new(), |stage| stage.to_string());
    let is_ready = checklist.is_ready(board.strictness);
    let ready = format!("{} {}", sign(if is_ready { State::Met } else { State::NotMet }, look), ready_words(is_ready));
    [number, sig, stage, ready, open(board, checklist)].into_iter().map(Value::from).collect()
}

fn ready_words(is_ready: bool) -> &'static str {
    if is_ready { "yes" } else { "no" }
}

/// What is open: the verdict items with the answers, and how much evidence is against it. For a person, also why the KEP
/// waits for them.
fn open(board: &Board, checklist: &Checklist) -> String {
    let verdict = checklist.of_kind(Kind::Verdict).filter(|entry| entry.answer.state != State::Met);
    let mut open: Vec<String> = match &board.person {
        Some(person) => person.causes(checklist).into_iter().map(|cause| cause.words().to_owned()).collect(),
        None => verdict.map(|entry| format!("{}: {}", entry.item.title, entry.answer.words)).collect(),
    };
    if let Some(title) = checklist.about.title.as_ref().filter(|_| board.person.is_some()) {
        open.push(title.clone());
    }
    let evidence: Vec<&str> = checklist
        .of_kind(Kind::Evidence)
        .filter(|entry| entry.answer.state == State::NotMet)
        .map(|entry| entry.item.title)
        .collect();
    if !evidence.is_empty() && board.person.is_none() {
        open.push(format!("({})", evidence.join(", ")));
    }
    open.join("; ")
}

/// Colors the signs of a table.
fn painted(table: &str, board: &Board, look: &Look) -> String {
    if !look.color || board.checklists.is_empty() {
        return table.to_owned();
    }
    let cells = [true, false].map(|is_ready| {
        let state = if is_ready { State::Met } else { State::NotMet };
        let cell = format!(" {} {} ", sign(state, look), ready_words(is_ready));
        (cell.clone(), cell.replace(cell.trim(), &paint(state, look).apply(cell.trim())))
    });
    let line = |line: &str| {
        let found = cells.iter().find(|(cell, _)| line.contains(cell.as_str()));
        found.map_or_else(|| line.to_owned(), |(cell, painted)| line.replacen(cell.as_str(), painted, 1))
    };
    table.lines().map(|text| line(text) + "\n").collect()
}

fn totals(board: &Board, look: &Look) -> String {
    let keps = board.checklists.len();
    let mut text = String::new();
    let summary = match &board.person {
        Some(person) => {
            let name = person.handle.name();
            let unknown = if person.is_known { "" } else { ", who is no approver of any of these KEPs" };
            let keps = if keps == 1 { "1 KEP waits".to_owned() } else { format!("{keps} KEPs wait") };
            format!("{keps} for @{name}{unknown}")
        }
        None => format!("{} of {} ready", board.ready_count(), counted(keps, "KEP is", "KEPs are")),
    };
    let left_out = match board.left_out {
        0 => String::new(),
        count => format!("; left out {} with another latest-milestone", counted(count, "KEP", "KEPs")),
    };
    text += &wrapped(&printable(&format!("{summary}{left_out}")), look.columns(), "", "  ");
    text.push('\n');
    let sigs = board.by_sig();
    if sigs.len() > 1 && board.person.is_none() {
        let total = |SigTotal { sig, keps, ready }: &SigTotal| {
            format!("{} {ready}/{keps}", sig.as_deref().unwrap_or("unknown"))
        };
        let sigs: Vec<String> = sigs.iter().map(total).collect();
        text += &wrapped(&printable(&format!("ready by SIG: {}", sigs.join(", "))), look.columns(), "", "  ");
        text.push('\n');
    }
    text
}
