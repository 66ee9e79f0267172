//! The table: a row for each KEP, a column for each item, verdict items first.

use super::mark;
use super::subject::Subject;
use crate::ready::answer::State;
use crate::ready::board::Board;
use crate::ready::checklist::{Checklist, Readiness};
use crate::ready::item::{Item, Kind};
use crate::report::html::overview::word;
use crate::report::html::text::escaped;
use crate::report::ready::words;

/// The columns before those of the items, apart from the KEP itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    State,
    Deadline,
    Act,
    Board,
    Stage,
    Sig,
}

impl Column {
    /// Those that say something on this board.
    fn of(board: &Board) -> Vec<Self> {
        let all = [Self::State, Self::Deadline, Self::Act, Self::Board, Self::Stage, Self::Sig];
        let is_there = |column: &Self| match column {
            Self::Deadline => board.family.deadline.is_some(),
            Self::Board => board.checklists.iter().any(|checklist| words::tracked(checklist).is_some()),
            _ => true,
        };
        all.into_iter().filter(is_there).collect()
    }

    fn head(self, board: &Board) -> String {
        let words = match (self, &board.family.deadline) {
            (Self::State, _) if board.family.is_of_kubernetes() => "enhancements freeze",
            (Self::State, _) => "state",
            (Self::Deadline, deadline) => deadline.as_ref().map_or("", |deadline| deadline.name.as_str()),
            (Self::Act, _) => "to act",
            (Self::Board, _) => "board",
            (Self::Stage, _) => "stage",
            (Self::Sig, _) => "SIG",
        };
        format!("<th scope=\"col\" rowspan=\"2\">{}</th>", escaped(words))
    }

    fn cell(self, board: &Board, subject: &Subject<'_>) -> String {
        let checklist = subject.checklist;
        let tracked = || words::tracked(checklist).map(|words| words.trim_start_matches("board: ").to_owned());
        match self {
            Self::State => state(board, subject),
            Self::Deadline => deadline(checklist),
            Self::Act => format!("<td>{}</td>", words::actors(checklist)),
            Self::Board => format!("<td class=\"text\">{}</td>", escaped(&tracked().unwrap_or_default())),
            Self::Stage => format!("<td>{}</td>", word(subject.stage)),
            Self::Sig => format!("<td>{}</td>", escaped(word(subject.sig))),
        }
    }
}

/// The table, in a box of its own, in which it scrolls.
pub fn table(board: &Board, subjects: &[Subject<'_>]) -> String {
    if subjects.is_empty() {
        return "<p>There is no KEP to show.</p>\n".to_owned();
    }
    let items: Vec<&Item> = board.items().collect();
    let columns = Column::of(board);
    let rows: String = subjects.iter().map(|subject| row(board, subject, &columns, &items)).collect();
    format!(
        "<div id=\"grid\" class=\"grid\" role=\"region\" aria-label=\"Table of KEPs and items\" tabindex=\"0\">\n<table>\n{}<tbody>\n\
        {rows}</tbody>\n</table>\n</div>\n",
        head(board, &columns, &items)
    )
}

/// Two rows: the kinds of items, and the items.
fn head(board: &Board, columns: &[Column], items: &[&Item]) -> String {
    let kind = |kind: Kind| {
        let count = items.iter().filter(|item| item.kind == kind).count();
        let words = match kind {
            Kind::Verdict => "verdict: decides",
            Kind::Evidence => "evidence: people judge",
        };
        let cell = format!("<th scope=\"colgroup\" colspan=\"{count}\" class=\"edge\">{words}</th>");
        if count > 0 { cell } else { String::new() }
    };
    let item = |item: &&Item| {
        let edge = edge(item, items);
        format!("<th scope=\"col\" class=\"item{edge}\"><span>{}</span></th>", escaped(item.title))
    };
    format!(
        "<thead>\n<tr><th scope=\"col\" rowspan=\"2\" class=\"name\">KEP</th>{}{}</tr>\n<tr>{}</tr>\n</thead>\n",
        columns.iter().map(|column| column.head(board)).collect::<String>(),
        Kind::ALL.map(kind).concat(),
        items.iter().map(item).collect::<String>(),
    )
}

/// The class of the first column of a kind.
fn edge(item: &Item, items: &[&Item]) -> &'static str {
    let first = items.iter().find(|other| other.kind == item.kind);
    if first.is_some_and(|first| first.name == item.name) { " edge" } else { "" }
}

fn row(board: &Board, subject: &Subject<'_>, columns: &[Column], items: &[&Item]) -> String {
    let Subject { checklist, id, number, sig, stage, is_ready, approvers, reviewers, .. } = subject;
    let title = checklist.about.title.as_deref().map(escaped).unwrap_or_default();
    let actors: Vec<&str> = subject.actors.iter().map(|actor| actor.name()).collect();
    let data = [
        ("sig", (*sig).to_owned()),
        ("stage", (*stage).to_owned()),
        ("status", subject.own_status().to_owned()),
        ("ready", if *is_ready { "yes" } else { "no" }.to_owned()),
        ("state", subject.states()),
        ("actor", actors.join("|")),
        ("board", subject.status.clone()),
        ("contact", subject.contacts.join("|")),
        ("approver", approvers.join("|")),
        ("prr", reviewers.join("|")),
    ];
    let data = data.map(|(name, value)| format!(" data-{name}=\"{}\"", escaped(&value))).concat();
    let facts: String = columns.iter().map(|column| column.cell(board, subject)).collect();
    let cells: String = items.iter().map(|item| cell(subject, item, edge(item, items))).collect();
    format!(
        "<tr data-kep=\"{id}\"{data}>\n<th scope=\"row\" class=\"name\"><a href=\"#{id}\">{}</a> <span \
        class=\"title\">{title}</span></th>{facts}{cells}</tr>\n",
        escaped(number),
    )
}

/// Whether it is ready for the enhancements freeze, and how many items are met.
fn state(board: &Board, subject: &Subject<'_>) -> String {
    let checklist = subject.checklist;
    let (state, mut words) = words::readiness(subject.is_ready);
    if subject.readiness == Readiness::Exception {
        words = subject.readiness.words();
    }
    let met = checklist.count(Kind::Verdict, State::Met);
    let all = checklist.of_kind(Kind::Verdict).count();
    let counts = if subject.is_in_tree() { format!("{met}/{all}") } else { "not in this tree".to_owned() };
    let open = words::open_sections(board, checklist).map(|open| format!(" title=\"{open}\"")).unwrap_or_default();
    format!(
        "<td class=\"{}\"{open}><span aria-hidden=\"true\">{}</span> {words} <span class=\"met-count\">{counts}</span></td>",
        checklist.state(board.strictness).name(),
        mark::sign(state),
    )
}

/// Whether it is in time for the deadline before the freeze.
fn deadline(checklist: &Checklist) -> String {
    let Some(in_time) = checklist.in_time() else { return format!("<td>{}</td>", mark::none("not known")) };
    let (state, words) = words::readiness(in_time.missing.is_empty());
    let open = if in_time.has_open_questions { ", open questions" } else { "" };
    let sign = mark::sign(state);
    format!("<td class=\"{}\"><span aria-hidden=\"true\">{sign}</span> {words}{open}</td>", state.name())
}

fn cell(subject: &Subject<'_>, item: &Item, edge: &str) -> String {
    let (class, mark, words) = match subject.checklist.answer(item.name) {
        Some(answer) => (answer.state.name(), mark::alone(answer.state), answer.words.as_str()),
        None if subject.is_in_tree() => ("none", mark::none("not asked"), "not asked"),
        None => ("none", mark::none("not known"), "not known"),
    };
    // The words appear below a mouse; all others find them in the details.
    let title = escaped(&format!("{}: {words}", item.title));
    format!("<td class=\"item {class}{edge}\" data-item=\"{}\" title=\"{title}\">{mark}</td>", item.name)
}
