//! Several KEPs on a screen: the numbers of those that are ready, what is open of each other, and totals.

use super::one::{paint, sign};
use super::words;
use crate::diagnostic::counted;
use crate::ready::answer::State;
use crate::ready::board::{Board, SigTotal};
use crate::ready::checklist::{Checklist, Entry, Pull, Readiness, Strictness};
use crate::ready::item::Kind;
use crate::ready::waiting::Cause;
use crate::report::look::Look;
use crate::report::printable;
use crate::report::width::{columns, cut};
use crate::report::wrap::wrapped;

/// The names of the columns. The last one is as wide as the screen leaves it.
const COLUMNS: [&str; 6] = ["KEP", "SIG", "stage", "verdict", "evidence", "to act"];

const GAP: &str = "  ";

const INDENT: &str = "    ";

/// Renders the table: what is ready in a few lines of numbers, then the others, each with what is open.
pub fn render(board: &Board, look: &Look) -> String {
    let judged = words::judged(board).map(|judged| format!(", {judged}")).unwrap_or_default();
    let head = format!("Readiness for {}{judged}", words::release(board));
    let line = |text: &str| wrapped(&printable(text), look.columns(), "", "  ") + "\n";
    let mut text = line(&head);
    const NEXT: usize = 2;
    let days: Vec<String> = words::days(board).into_iter().take(NEXT).collect();
    let days = days.join(", ");
    if !days.is_empty() {
        text += &line(&days);
    }
    text.push('\n');
    let is_query = board.person.is_some() || board.is_to_close;
    let is_done = |checklist: &&Checklist| !is_query && checklist.readiness(board.strictness) == Readiness::Ready;
    let (done, open): (Vec<&Checklist>, Vec<&Checklist>) = board.checklists.iter().partition(is_done);
    if !done.is_empty() {
        text += &(numbers(board, &done, look) + "\n");
    }
    if !open.is_empty() {
        text += &table(board, &open, look);
        text.push('\n');
    }
    text += &totals(board, look);
    if !board.checklists.is_empty() {
        board.by_hand().for_each(|item| text += &line(&format!("check by hand: {item}")));
    }
    text
}

/// The KEPs of which nothing is open.
fn numbers(board: &Board, done: &[&Checklist], look: &Look) -> String {
    let is_proposed = done.iter().all(|checklist| checklist.is_proposed);
    let words = if is_proposed { "would be ready once merged" } else { "ready" };
    let number = |checklist: &&Checklist| {
        let release = (checklist.release != board.release).then(|| format!(" ({})", checklist.release));
        format!("{}{}", number_of(checklist), release.unwrap_or_default())
    };
    let mut in_order: Vec<&Checklist> = done.to_vec();
    in_order.sort_by_key(|checklist| number_of(checklist).parse::<u64>().ok());
    let numbers: Vec<String> = in_order.iter().map(number).collect();
    let line = wrapped(&printable(&format!("{words}: {}", numbers.join(", "))), look.columns(), "", "  ");
    let painted = paint(State::Met, look).apply(words);
    format!("{painted}{}\n", line.strip_prefix(words).unwrap_or(&line))
}

fn number_of(checklist: &Checklist) -> String {
    checklist.about.number.clone().or_else(|| checklist.kep.clone()).unwrap_or_default()
}

/// A line for each KEP, and what is open below.
fn table(board: &Board, checklists: &[&Checklist], look: &Look) -> String {
    let rows: Vec<[String; 6]> = checklists.iter().map(|checklist| row(board, checklist, look)).collect();
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
    let rows = rows
        .iter()
        .zip(checklists)
        .map(|(row, checklist)| line(row, Some(checklist.state(board.strictness))) + &open(board, checklist, look));
    std::iter::once(line(&head, None)).chain(rows).collect()
}

fn row(board: &Board, checklist: &Checklist, look: &Look) -> [String; 6] {
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
    let act = match &board.person {
        Some(person) => {
            let own = person.causes(checklist).into_iter().map(|cause| cause.words().to_owned());
            let pulls = person.pulls(checklist).into_iter().map(|(pull, ..)| format!("#{}", pull.number));
            own.chain(pulls).collect::<Vec<_>>().join(", ")
        }
        None => match words::actors(checklist) {
            nobody if nobody.is_empty() && words::open_sections(board, checklist).is_some() => {
                format!("{} of {} open", checklist.open_sections, checklist.about.required)
            }
            actors => actors,
        },
    };
    [number_of(checklist), sig, stage, verdict, met(Kind::Evidence), act].map(|cell| printable(&cell))
}

/// A pull request that waits for a person, and what is missing in it: `#5: PRR for beta in v1.37; missing: stage`.
fn waiting_pull(board: &Board, pull: &Pull, proposed: &Checklist, causes: &[Cause]) -> String {
    let causes: Vec<&str> = causes.iter().map(|cause| cause.words()).collect();
    let target = words::target(proposed, &proposed.release.to_string());
    let missing = words::missing_in_pull(board, proposed);
    let missing = if missing.is_empty() { missing } else { format!("; missing: {missing}") };
    format!("#{}: {} for {target}{missing}{}", pull.number, causes.join(", "), words::questions(proposed))
}

/// What is open, below the line of a KEP: its title for a person, the answers that are not met, and what the board says.
fn open(board: &Board, checklist: &Checklist, look: &Look) -> String {
    let mut parts: Vec<String> = Vec::new();
    if board.person.is_some() || board.is_to_close {
        parts.extend(checklist.about.title.clone());
        let pulls = board.person.as_ref().map(|person| person.pulls(checklist)).unwrap_or_default();
        parts.extend(pulls.into_iter().map(|(pull, proposed, causes)| waiting_pull(board, pull, proposed, &causes)));
    } else {
        parts.extend(words::tracked(checklist));
        let is_open = |entry: &&Entry| match entry.answer.state {
            State::Met | State::Info => false,
            State::Look => entry.item.kind == Kind::Verdict,
            State::NotMet => {
                entry.item.kind == Kind::Verdict
                    || entry.item.name == "board"
                    || board.strictness == Strictness::Evidence
            }
        };
        let answers = checklist.entries.iter().filter(is_open);
        let of_nothing = checklist.kep.is_none();
        let titled = |entry: &Entry| format!("{}: {}", entry.item.title, entry.answer.words);
        parts.extend(answers.map(|entry| if of_nothing { entry.answer.words.clone() } else { titled(entry) }));
        // Where nobody has to act, the line of the KEP says it.
        if !words::actors(checklist).is_empty() {
            parts.extend(words::open_sections(board, checklist));
        }
    }
    let part = |text: String| wrapped(&printable(&text), look.columns(), INDENT, &format!("{INDENT}  ")) + "\n";
    parts.into_iter().map(part).collect()
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
        None if board.is_to_close => {
            let are = if keps == 1 { "KEP is" } else { "KEPs are" };
            format!("{keps} {are} stable in {}, but not `implemented`", board.release)
        }
        None if keps > 0 && board.checklists.iter().all(|checklist| checklist.is_proposed) => {
            format!("{} of {} would be ready once merged", board.ready_count(), counted(keps, "KEP", "KEPs"))
        }
        None => format!("{} of {} ready", board.ready_count(), counted(keps, "KEP is", "KEPs are")),
    };
    text += &wrapped(&printable(&format!("{summary}{}", words::left_out(board))), look.columns(), "", "  ");
    text.push('\n');
    if keps > 1 && board.person.is_none() && !board.is_to_close {
        text += &wrapped(&printable(&format!("by stage: {}", words::by_stage(board))), look.columns(), "", "  ");
        text.push('\n');
    }
    let sigs = board.by_sig();
    if sigs.len() > 1 && board.person.is_none() && !board.is_to_close {
        let total =
            |total: &SigTotal| format!("{} {}/{}", total.sig.as_deref().unwrap_or("unknown"), total.ready, total.keps);
        let sigs: Vec<String> = sigs.iter().map(total).collect();
        text += &wrapped(&printable(&format!("ready by SIG: {}", sigs.join(", "))), look.columns(), "", "  ");
        text.push('\n');
    }
    text
}
