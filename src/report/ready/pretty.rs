//! The board for people: the checklist of one KEP, or a table of several, in groups by how far they are. What
//! matters is last, where a terminal stops; in a log, it is first.

use super::screen::{cells, hanging, line, name, paint, painted_line, rows, shown};
use super::view::sign;
use super::{prr, questions, words};
use crate::diagnostic::{capitalized, counted};
use crate::ready::answer::{self, Detail, Readiness, State};
use crate::ready::board::Board;
use crate::ready::calendar::is_before_freeze;
use crate::ready::checklist::{Checklist, Entry, Pull, counts};
use crate::ready::comparison::Comparison;
use crate::ready::items::Kind;
use crate::report::look::{Look, Order};
use crate::report::paint::Paint;
use crate::report::printable;
use crate::report::width::columns;
use crate::report::wrap::wrapped;
use crate::span::grouped;
use crate::stage::{Stage, Status};
use std::cmp::Reverse;

pub fn render(board: &Board, look: &Look) -> String {
    /// Of more KEPs, the answers are too long to be read one after another.
    const FEW: usize = 3;
    let since = board.comparison.as_ref().map(|comparison| since(comparison, look)).unwrap_or_default();
    let rest = match board.checklists.as_slice() {
        few if prr::is_wanted(board) && few.len() <= FEW => questions::render(board, look),
        _ if prr::is_wanted(board) => questions::table(board, look),
        [only] if !board.is_query() => one(board, only, look),
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
    let days = words::last_day(board).into_iter().chain(words::days(board, NEXT)).collect::<Vec<_>>().join(", ");
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
        let would_be = keps.iter().all(|kep| kep.is_proposed && kep.is_ready);
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
        let stages = board.by_stage().into_iter().map(|(stage, keps)| {
            let counts = counts(&keps).map(|(count, readiness)| (count, readiness.words()));
            format!("{} {}", stage.map_or("without a stage", Stage::name), answer::numbers(counts))
        });
        totals.push(format!("by stage: {}", stages.collect::<Vec<_>>().join("; ")));
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

/// Before the text of an item: the sign, the word for its state, and blanks.
const ITEM: &str = "             ";

/// The checklist of one KEP: what is open, what is met, the lines to write, and what to do next.
fn one(board: &Board, checklist: &Checklist, look: &Look) -> String {
    let mut text = head(board, checklist, look) + &items(checklist, Kind::Verdict, look);
    if checklist.of_kind(Kind::Evidence).next().is_some() {
        let decides = if board.is_strict { " (decides too: --strict)" } else { "" };
        let heading = format!("Evidence, for people to judge{decides}:");
        text += &format!("\n{}\n", wrapped(&heading, look.columns(), "", ""));
        text += &items(checklist, Kind::Evidence, look);
    }
    let to_write = lines_to_write(checklist, look);
    text += &to_write;
    for (index, pull) in checklist.pulls.iter().flatten().enumerate() {
        if index == 0 {
            text += "\nOpen pull requests:\n";
        }
        let (about, state) = (words::about_pull(pull), words::state_of_pull(pull));
        text += &line(&format!("#{}{about}: {state}", pull.number), look);
    }
    if checklist.kep.is_some() {
        if to_write.is_empty() {
            text.push('\n');
        }
        board.by_hand.iter().for_each(|check| text += &line(&format!("Check by hand: {check}"), look));
        text += &next(board, checklist).map(|next| line(&next, look)).unwrap_or_default();
    }
    text.truncate(text.trim_end().len());
    let data = words::data(board).map(|data| line(&data, look)).unwrap_or_default();
    text + "\n" + &data
}

fn head(board: &Board, checklist: &Checklist, look: &Look) -> String {
    let more = words::judged(board).into_iter().chain(checklist.issue.clone());
    let mut text = name(checklist, paint(checklist.state(), look), more, look);
    let target = words::target(checklist, &words::release_of(checklist, board));
    let once_merged = if checklist.is_ready && checklist.is_proposed { " once merged" } else { "" };
    let rest = format!(" for {target}{once_merged}: {}", words::counts(board, checklist));
    text += &painted_line(words::readiness(checklist), checklist.state(), &rest, look);
    if let Some(in_time) = &checklist.deadline {
        let (by, missing) = (words::by(in_time), words::missing(checklist));
        let deadline = format!(" for the {}{by}{missing}", words::deadline(board, in_time, checklist));
        let open = if in_time.open_questions { State::Look } else { State::Met };
        text += &painted_line(in_time.status.words(), in_time.status.state.max(open), &deadline, look);
    }
    text += &words::tracked(checklist).map(|words| line(&format!("board: {words}"), look)).unwrap_or_default();
    text + "\n"
}

/// What is open or only told, item by item, and then the titles of what is met.
fn items(checklist: &Checklist, kind: Kind, look: &Look) -> String {
    let mut text = String::new();
    for state in [State::NotMet, State::Look, State::Info] {
        let entries = checklist.of_kind(kind).filter(|entry| entry.answer.state == state);
        entries.for_each(|entry| text += &open_item(checklist, entry, look));
    }
    let met: Vec<String> = checklist.of_kind(kind).filter_map(|entry| met_words(checklist, entry)).collect();
    if !met.is_empty() {
        text += &item(State::Met, &met.join(", "), look);
    }
    text
}

fn item(state: State, text: &str, look: &Look) -> String {
    hanging(&format!("{} {}", sign(state, look), state.words()), Some(state), text, ITEM, look)
}

fn open_item(checklist: &Checklist, entry: &Entry, look: &Look) -> String {
    let answer = &entry.answer;
    // Evidence is about a section that its title names.
    let place = answer.place.as_ref().filter(|_| entry.item.kind == Kind::Verdict);
    let place = place.and_then(|place| words::place(checklist, place)).map(|place| format!(" ({place})"));
    let title = words::titled(entry) + &place.unwrap_or_default();
    let text = item(answer.state, &title, look);
    let width = look.columns().saturating_sub(ITEM.len());
    // One line tells where to look; the other formats have all of them.
    let details = match answer.details.as_slice() {
        details if entry.item.name == "sections" => chapters(details, width),
        details if entry.item.name == "template" => {
            let words: Vec<String> = details.iter().map(|detail| detail.words.clone()).collect();
            fitting(&words, width, &|shown| format!("and {} more", words.len() - shown))
        }
        [only] if entry.item.kind == Kind::Verdict => only.help.clone().unwrap_or_default(),
        _ => return text,
    };
    let Some(details) = details.lines().next().filter(|details| !details.is_empty()) else { return text };
    let details = shown(&printable(details), width, look);
    let dim = Paint::Dim.only_if(look.color);
    // Chapters are a few words, which often have room on the last line.
    let chapters = format!(" ({details})");
    let plain = hanging("", None, &title, ITEM, look);
    let taken = plain.lines().next_back().map(columns).unwrap_or_default();
    if entry.item.name == "sections" && taken + columns(&chapters) <= look.columns() {
        return format!("{}{}\n", text.trim_end_matches('\n'), dim.apply(&chapters));
    }
    format!("{text}{ITEM}{}\n", dim.apply(&details))
}

/// Where to read on, and what is to be done until when.
fn next(board: &Board, checklist: &Checklist) -> Option<String> {
    let is_implemented = checklist.status.as_deref() == Some(Status::Implemented.name());
    let name = checklist.number.as_deref().filter(|_| checklist.issue.is_some()).or(checklist.given.as_deref());
    // A check judges a KEP as kep.yaml has it.
    let is_met = |item: &&str| checklist.answer(item).is_some_and(|answer| answer.state == State::Met);
    let is_planned = ["status", "stage", "latest-milestone"].iter().all(is_met);
    let stage = checklist.stage.filter(|_| !is_planned || is_implemented);
    let stage = stage.map(|stage| format!(" --stage {stage}")).unwrap_or_default();
    let list = name.filter(|_| checklist.open_sections > 0);
    let list = list.map(|kep| format!("`kep-lint {kep}{stage}` lists the open sections"));
    let is_changed = board.snapshot.as_ref().is_some_and(|snapshot| snapshot.is_changed);
    let is_late = !is_before_freeze(board.schedule.as_ref(), board.now);
    let first = if !words::lines(checklist).is_empty() {
        "write these lines, open a pull request, "
    } else if checklist.outcome.state == State::NotMet || words::late(checklist).is_some() {
        "correct what is not met, open a pull request, "
    } else if is_changed {
        "commit the changes, open a pull request, "
    } else {
        ""
    };
    let issue = checklist.issue.as_ref().filter(|_| checklist.release == board.release && !is_implemented);
    let step = issue.filter(|_| !is_late || !checklist.is_ready).map(|issue| {
        if is_late {
            "ask the Release Team for an exception".to_owned()
        } else {
            format!("ask a lead of the SIG for the label `lead-opted-in` on {issue}")
        }
    });
    let next = step.zip(words::days(board, 1).pop());
    let next = next.map(|(what, day)| format!("next: {first}{what}; {day}"));
    let parts: Vec<String> = list.into_iter().chain(next).collect();
    (!parts.is_empty()).then(|| capitalized(&parts.join("; ")))
}

fn lines_to_write(checklist: &Checklist, look: &Look) -> String {
    let mut written = String::new();
    for (file, texts) in words::lines(checklist) {
        let heading = printable(&format!("{} must have:", file.given));
        written += &format!("\n{}\n", wrapped(&heading, look.columns(), "", ""));
        for text in texts {
            let lines: Vec<&str> = text.lines().collect();
            // Of a long text, such as a whole section, only the beginning tells what it is.
            let shown = if lines.len() > words::TEXT_LINES { 1 } else { lines.len() };
            for line in lines.iter().take(shown) {
                written += &format!("{}\n", format!("    {}", printable(line)).trim_end());
            }
            if lines.len() > shown {
                let more = counted(lines.len() - shown, "more line", "more lines");
                written += &format!("    {} {more}; `--format markdown` has all\n", look.ellipsis());
            }
        }
    }
    written
}

/// The title of an item that is met, with what there is if that is short.
fn met_words(checklist: &Checklist, entry: &Entry) -> Option<String> {
    const SHORT: usize = 30;
    let (title, words) = (entry.item.title, &entry.answer.words);
    let is_telling = matches!(entry.item.name, "status" | "latest-milestone" | "stage" | "stage-milestone" | "prr");
    // Whom a pull request asks has approved nothing, which must not be left out.
    let only_asks = entry.item.name == "prr" && checklist.only_asks();
    let is_shown = is_telling && (words.chars().count() <= SHORT || only_asks);
    let words = if is_shown { format!("{title} ({words})") } else { title.to_owned() };
    (entry.answer.state == State::Met).then_some(words)
}

/// How many sections there are in each chapter, the most first: "PRR 20, Design Details 3".
fn chapters(details: &[Detail], width: usize) -> String {
    let chapter_of = |detail: &Detail| match detail.chapter.as_deref().unwrap_or("other") {
        long if long.starts_with("Production Readiness Review") => "PRR".to_owned(),
        chapter => chapter.to_owned(),
    };
    let chapters = grouped(details.iter().map(|detail| (chapter_of(detail), detail.count)));
    let counts = chapters.into_iter().map(|(chapter, counts)| (chapter, counts.iter().sum()));
    let mut counts: Vec<(String, usize)> = counts.collect();
    counts.sort_by_key(|(_, count)| Reverse(*count));
    // Without a README, there is no chapter to look at.
    if details.iter().all(|detail| detail.chapter.is_none()) {
        return String::new();
    }
    let words: Vec<String> = counts.iter().map(|(chapter, count)| format!("{chapter} {count}")).collect();
    fitting(&words, width, &|shown| {
        format!("other chapters {}", counts.iter().skip(shown).map(|(_, count)| count).sum::<usize>())
    })
}

/// A list of as many of the items as fit on a line, at least one; `rest` tells of the others after so many.
fn fitting(items: &[String], width: usize, rest: &dyn Fn(usize) -> String) -> String {
    let items: Vec<String> = items.iter().map(|item| printable(item)).collect();
    let list = |shown: usize| {
        let rest = (shown < items.len()).then(|| rest(shown));
        items.iter().take(shown).cloned().chain(rest).collect::<Vec<_>>().join(", ")
    };
    let fits = |shown: &usize| columns(&list(*shown)) <= width;
    list((1..=items.len()).rev().find(fits).unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_items_as_fit_are_listed() {
        let items = ["one", "two", "three"].map(str::to_owned);
        let list = |count: usize, width: usize| {
            fitting(&items[..count], width, &|shown| format!("and {} more", count - shown))
        };
        assert_eq!(list(3, 15), "one, two, three");
        assert_eq!(list(3, 14), "one, and 2 more");
        assert_eq!(list(3, 1), "one, and 2 more");
        assert_eq!((list(1, 1), list(0, 1)), ("one".to_owned(), String::new()));
    }

    #[test]
    fn all_sections_are_counted_by_chapter() {
        let detail = |chapter: &str, count: usize| Detail {
            words: String::new(),
            help: None,
            place: None,
            count,
            chapter: Some(chapter.to_owned()),
        };
        let details =
            [detail("Design Details", 5), detail("Monitoring", 2), detail("Design Details", 3), detail("Q", 7)];
        assert_eq!(chapters(&details, 80), "Design Details 8, Q 7, Monitoring 2");
        assert_eq!(chapters(&details, 34), "Design Details 8, other chapters 9");
        assert_eq!(chapters(&details[..2], 34), "Design Details 5, Monitoring 2");
        assert_eq!(chapters(&[Detail { chapter: None, ..detail("", 1) }], 80), "");
    }
}
