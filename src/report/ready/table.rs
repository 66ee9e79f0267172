//! The table of several KEPs on a screen: a line for each, and totals by SIG.

use super::one::{paint, sign};
use super::words;
use crate::diagnostic::counted;
use crate::ready::answer::State;
use crate::ready::board::{Board, SigTotal};
use crate::ready::checklist::Checklist;
use crate::ready::item::Kind;
use crate::ready::waiting::Cause;
use crate::report::look::Look;
use crate::report::printable;
use crate::report::width::{columns, cut};
use crate::report::wrap::wrapped;

/// The names of the columns. The last one is as wide as the screen leaves it.
const COLUMNS: [&str; 6] = ["KEP", "SIG", "stage", "verdict", "evidence", "open"];

/// What is between two columns.
const GAP: &str = "  ";

/// Renders the table.
pub fn render(board: &Board, look: &Look) -> String {
    let judged = words::judged(board).map(|judged| format!(", {judged}")).unwrap_or_default();
    let head = format!("Readiness for {}{judged}", words::release(board));
    let mut text = wrapped(&printable(&head), look.columns(), "", "  ");
    text += "\n\n";
    if !board.checklists.is_empty() {
        text += &table(board, look);
        text.push('\n');
    }
    text += &totals(board, look);
    if !board.checklists.is_empty() {
        for item in board.by_hand() {
            text += &(wrapped(&format!("check by hand: {item}"), look.columns(), "", "  ") + "\n");
        }
    }
    text
}

/// A line for each KEP: what does not fit is left out.
fn table(board: &Board, look: &Look) -> String {
    let judged: Vec<([String; 6], State)> =
        board.checklists.iter().flat_map(|checklist| rows_of(board, checklist, look)).collect();
    let (rows, states): (Vec<[String; 6]>, Vec<State>) = judged.into_iter().unzip();
    let head = COLUMNS.map(str::to_owned);
    let width_of = |column: usize| {
        let cells = rows.iter().chain([&head]).filter_map(|row| row.get(column));
        cells.map(|cell| columns(cell)).max().unwrap_or_default()
    };
    let last = COLUMNS.len() - 1;
    let widths: Vec<usize> = (0..last).map(width_of).collect();
    let start: usize = widths.iter().map(|width| width + GAP.len()).sum();
    let line = |row: &[String; 6], state: Option<State>| {
        let cells = row.iter().zip(&widths).zip(COLUMNS).map(|((cell, width), column)| {
            let padding = " ".repeat(width.saturating_sub(columns(cell)));
            let cell = match state {
                Some(state) if column == "verdict" => paint(state, look).apply(cell),
                _ => cell.clone(),
            };
            format!("{cell}{padding}{GAP}")
        });
        let open = row.last().map(|open| cut(open, look.columns().saturating_sub(start), look.ellipsis()));
        let line = cells.collect::<String>() + &open.unwrap_or_default();
        line.trim_end().to_owned() + "\n"
    };
    let rows = rows.iter().zip(states).map(|(row, state)| line(row, Some(state)));
    std::iter::once(line(&head, None)).chain(rows).collect()
}

/// The line of a KEP; for a person, a line for the KEP if that waits for them, and for each open pull request that does.
fn rows_of(board: &Board, checklist: &Checklist, look: &Look) -> Vec<([String; 6], State)> {
    let line = |judged: &Checklist, open: &str| (row(board, judged, open, look), judged.state(board.strictness));
    let Some(person) = &board.person else { return vec![line(checklist, &open(checklist))] };
    let title = checklist.about.title.as_ref().map(|title| format!(": {title}")).unwrap_or_default();
    let words = |causes: Vec<Cause>| causes.into_iter().map(Cause::words).collect::<Vec<_>>().join(", ");
    let own = person.causes(checklist);
    let own = (!own.is_empty()).then(|| line(checklist, &format!("{}{title}", words(own))));
    let pulls = person.pulls(checklist).into_iter().map(|(pull, proposed, causes)| {
        let missing = words::missing_in_pull(board, proposed);
        let missing = if missing.is_empty() { missing } else { format!(", missing: {missing}") };
        let questions = words::questions(proposed);
        line(proposed, &format!("{} in #{}{missing}{questions}", words(causes), pull.number))
    });
    own.into_iter().chain(pulls).collect()
}

fn row(board: &Board, checklist: &Checklist, open: &str, look: &Look) -> [String; 6] {
    let number = checklist.about.number.clone().or_else(|| checklist.kep.clone()).unwrap_or_default();
    let sig = checklist.sig.clone().unwrap_or_default();
    let stage = match checklist.stage {
        _ if checklist.release != board.release => words::target(checklist, &checklist.release.to_string()),
        stage => stage.map_or(String::new(), |stage| stage.to_string()),
    };
    let state = if checklist.is_ready(board.strictness) { State::Met } else { State::NotMet };
    // What is only told is not asked.
    let met = |kind| match checklist.of_kind(kind).count() - checklist.count(kind, State::Info) {
        0 => String::new(),
        all => format!("{}/{all}", checklist.count(kind, State::Met)),
    };
    let verdict = format!("{} {}", sign(state, look), met(Kind::Verdict));
    let cells = [number, sig, stage, verdict, met(Kind::Evidence), open.to_owned()];
    cells.map(|cell| printable(&cell))
}

/// The names of the verdict items that are not met, and in parentheses of the evidence that is against the KEP.
fn open(checklist: &Checklist) -> String {
    if checklist.kep.is_none() {
        return checklist.answer("tree").map(|answer| answer.words.clone()).unwrap_or_default();
    }
    let open = |kind| checklist.of_kind(kind).filter(|entry| entry.answer.state != State::Met);
    let names: Vec<&str> = open(Kind::Verdict).map(|entry| entry.item.name).collect();
    let against = open(Kind::Evidence).filter(|entry| entry.answer.state == State::NotMet);
    let against: Vec<&str> = against.map(|entry| entry.item.name).collect();
    let (names, against) = (names.join(", "), against.join(", "));
    match (names.as_str(), against.as_str()) {
        (_, "") => names,
        ("", _) => format!("({against})"),
        _ => format!("{names} ({against})"),
    }
}

fn totals(board: &Board, look: &Look) -> String {
    let keps = board.checklists.len();
    let mut text = String::new();
    let summary = match &board.person {
        Some(person) => {
            let name = person.handle.name();
            let unknown = if person.is_known { "" } else { ", who is no approver of any of these KEPs" };
            let waiting = if keps == 1 { "1 KEP waits".to_owned() } else { format!("{keps} KEPs wait") };
            format!("{waiting} for @{name}{unknown}")
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
        let total =
            |total: &SigTotal| format!("{} {}/{}", total.sig.as_deref().unwrap_or("unknown"), total.ready, total.keps);
        let sigs: Vec<String> = sigs.iter().map(total).collect();
        text += &wrapped(&printable(&format!("ready by SIG: {}", sigs.join(", "))), look.columns(), "", "  ");
        text.push('\n');
    }
    text
}
