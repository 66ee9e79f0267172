//! The board for people: the checklist of one KEP, or a table of several, in groups by how far they are. What
//! matters is last, where a terminal stops; in a log, it is first.

use super::screen::{cells, hanging, line, painted_line, rows};
use super::{one, prr, questions, words};
use crate::ready::answer::{self, Readiness, State};
use crate::ready::board::Board;
use crate::ready::checklist::{Checklist, Pull};
use crate::ready::comparison::Comparison;
use crate::report::look::{Look, Order};
use crate::report::paint::Paint;
use crate::report::printable;
use crate::report::wrap::wrapped;

pub fn render(board: &Board, look: &Look) -> String {
    /// Of more KEPs, the answers are too long to be read one after another.
    const FEW: usize = 3;
    let since = board.comparison.as_ref().map(|comparison| since(comparison, look)).unwrap_or_default();
    let rest = match board.checklists.as_slice() {
        few if prr::is_wanted(board) && few.len() <= FEW => questions::render(board, look),
        _ if prr::is_wanted(board) => questions::table(board, look),
        [only] if !board.is_query() => one::render(board, only, look),
        _ => several(board, look),
    };
    since + &rest
}

/// What changed since an earlier board, with an empty line after it: a line of numbers, and a paragraph for each KEP that is
/// not as before: `fell back     KEP-4 Snapshot hints (sig-storage): status not met (was met)`.
fn since(comparison: &Comparison, look: &Look) -> String {
    /// Before the name of a KEP: the longest kind of change, and blanks.
    const INDENT: &str = "              ";
    let mut text = line(&format!("Since {}: {}", comparison.since.words(), comparison.counts()), look);
    for kep in &comparison.keps {
        let details = format!("{}: {}", words::of_kep(kep), kep.details);
        text += &hanging(kep.change.words(), kep.change.state(), &details, INDENT, look);
    }
    text + "\n"
}

/// The names of the columns. The last one is as wide as the screen leaves it.
const COLUMNS: [&str; 5] = ["KEP", "SIG", "stage", "open", "to act"];

const INDENT: &str = "    ";

/// The groups, what matters last.
const GROUPS: [(Readiness, &str, State); 6] = [
    (Readiness::Ready, "ready", State::Met),
    (Readiness::SectionsOpen, "ready, sections open", State::Look),
    (Readiness::Look, "look", State::Look),
    (Readiness::Exception, "exception", State::NotMet),
    (Readiness::Absent, "not in the tree", State::NotMet),
    (Readiness::NotReady, "not ready", State::NotMet),
];

fn several(board: &Board, look: &Look) -> String {
    const NEXT: usize = 2;
    let judged = words::judged(board).map(|judged| format!(", {judged}")).unwrap_or_default();
    let mut text = line(&format!("Readiness for {}{judged}", words::release(board)), look);
    let days: Vec<String> = words::last_day(board).into_iter().chain(words::days(board, NEXT)).collect();
    let days = days.join(", ");
    if !days.is_empty() {
        text += &line(&days, look);
    }
    text.push('\n');
    if !board.checklists.is_empty() {
        let all: Vec<&Checklist> = board.checklists.iter().collect();
        let rule = if look.frames { "─" } else { "-" }.repeat(look.columns()) + "\n";
        text += &if board.is_query() { table(board, &all, look) } else { groups(board, look).join(&rule) };
        text.push('\n');
    }
    totals(board).iter().for_each(|total| text += &line(total, look));
    if !board.checklists.is_empty() {
        board.by_hand.iter().for_each(|item| text += &line(&format!("check by hand: {item}"), look));
    }
    words::data(board).iter().for_each(|data| text += &line(data, look));
    text
}

/// The groups that have KEPs, each with a heading and a number.
fn groups(board: &Board, look: &Look) -> Vec<String> {
    let mut groups = Vec::new();
    for (readiness, name, state) in GROUPS {
        let mut keps: Vec<&Checklist> =
            board.checklists.iter().filter(|checklist| checklist.readiness == readiness).collect();
        if keps.is_empty() {
            continue;
        }
        let would_be = keps.iter().all(|checklist| checklist.is_proposed) && keps.iter().all(|kep| kep.is_ready);
        let once_merged = if would_be { ", once merged" } else { "" };
        let head = painted_line(name, state, &format!(" {}{once_merged}", keps.len()), look);
        if readiness == Readiness::SectionsOpen {
            keps.sort_by_key(|checklist| checklist.open_sections);
            if look.order == Order::WorstFirst {
                keps.reverse();
            }
        }
        let is_ready = readiness == Readiness::Ready;
        groups.push(head + &if is_ready { line(&numbers(board, keps), look) } else { table(board, &keps, look) });
    }
    if look.order == Order::WorstFirst {
        groups.reverse();
    }
    groups
}

/// The KEPs of which nothing is open, in the order of their numbers.
fn numbers(board: &Board, mut keps: Vec<&Checklist>) -> String {
    keps.sort_by_key(|checklist| checklist.number.as_ref().and_then(|number| number.parse::<u64>().ok()));
    let number = |checklist: &&Checklist| {
        let other = checklist.release != board.release;
        let [number, ..] = cells(board, checklist);
        if other { format!("{number} ({})", checklist.release) } else { number }
    };
    keps.iter().map(number).collect::<Vec<_>>().join(", ")
}

/// A line for each KEP, and what is open below.
fn table(board: &Board, checklists: &[&Checklist], look: &Look) -> String {
    let mut lines = rows(COLUMNS, checklists.iter().map(|checklist| row(board, checklist)).collect(), look).into_iter();
    let head = lines.next().unwrap_or_default();
    let mut text = format!("{}\n", Paint::Dim.only_if(look.color).apply(head.trim_end()));
    for (line, checklist) in lines.zip(checklists) {
        text += &line;
        for part in open(board, checklist) {
            text += &(wrapped(&printable(&part), look.columns(), INDENT, &format!("{INDENT}  ")) + "\n");
        }
    }
    text
}

fn row(board: &Board, checklist: &Checklist) -> [String; 5] {
    let [number, sig, stage] = cells(board, checklist);
    let (items, sections) = (checklist.outcome.open.len(), format!("of {} sections", checklist.required));
    let items = (items, if items == 1 { "item" } else { "items" });
    let open = answer::numbers([items, (checklist.open_sections, &sections)]);
    let act = match &board.person {
        Some(person) => {
            let own = person.causes(checklist).into_iter().map(str::to_owned);
            let pulls = person.pulls(checklist).into_iter().map(|(pull, ..)| format!("#{}", pull.number));
            own.chain(pulls).collect::<Vec<_>>().join(", ")
        }
        None => words::actors(checklist),
    };
    [number, sig, stage, open, act].map(|cell| printable(&cell))
}

/// A pull request that waits for a person, and what is missing in it: `#5: PRR for beta in v1.37; missing: stage`.
fn waiting_pull(pull: &Pull, proposed: &Checklist, causes: &[&str]) -> String {
    let target = words::target(proposed, &proposed.release.to_string());
    let missing = words::missing_in_pull(proposed);
    let missing = if missing.is_empty() { missing } else { format!("; missing: {missing}") };
    format!("#{}: {} for {target}{missing}{}", pull.number, causes.join(", "), words::questions(proposed))
}

/// What is open, below the line of a KEP: its title for a person, the answers that are not met, and what the board says.
fn open(board: &Board, checklist: &Checklist) -> Vec<String> {
    if board.is_query() {
        let pulls = board.person.as_ref().map(|person| person.pulls(checklist)).unwrap_or_default();
        let pulls = pulls.into_iter().map(|(pull, proposed, causes)| waiting_pull(pull, proposed, &causes));
        return checklist.title.clone().into_iter().chain(pulls).collect();
    }
    let tracked = words::tracked(checklist).map(|words| format!("board: {words}"));
    tracked.into_iter().chain(words::late(checklist)).chain(words::open(checklist)).collect()
}

fn totals(board: &Board) -> Vec<String> {
    let mut totals = vec![words::summary(board)];
    if board.is_query() {
        return totals;
    }
    if board.checklists.len() > 1 {
        totals.push(format!("by stage: {}", words::by_stage(board)));
    }
    totals.extend(words::in_time(&board.checklists.iter().collect::<Vec<_>>()));
    let sigs = board.grouped(|checklist| checklist.sig.clone());
    if sigs.len() > 1 {
        let ready = |keps: &[&Checklist]| keps.iter().filter(|kep| kep.is_ready).count();
        let name = |sig: &Option<String>| sig.clone().unwrap_or_else(|| "unknown".to_owned());
        let sigs = sigs.iter().map(|(sig, keps)| format!("{} {}/{}", name(sig), ready(keps), keps.len()));
        totals.push(format!("ready by SIG: {}", sigs.collect::<Vec<_>>().join(", ")));
    }
    totals
}
