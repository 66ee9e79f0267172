//! The table: a row for each KEP, a column for each item, verdict items first.

use super::mark;
use super::subject::Subject;
use crate::ready::answer::State;
use crate::ready::board::Board;
use crate::ready::item::{Item, Kind};
use crate::report::html::overview::word;
use crate::report::html::text::escaped;
use crate::report::ready::words;

/// The table, in a box of its own, in which it scrolls.
pub fn table(board: &Board, subjects: &[Subject<'_>]) -> String {
    if subjects.is_empty() {
        return "<p>There is no KEP to show.</p>\n".to_owned();
    }
    let items: Vec<&Item> = board.items().collect();
    let rows: String = subjects.iter().map(|subject| row(board, subject, &items)).collect();
    format!(
        "<div id=\"grid\" class=\"grid\" role=\"region\" aria-label=\"KEPs and items\" tabindex=\"0\">\n<table>\n{}<tbody>\n\
        {rows}</tbody>\n</table>\n</div>\n",
        head(&items)
    )
}

/// Two rows: the kinds of items, and the items.
fn head(items: &[&Item]) -> String {
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
        "<thead>\n<tr><th scope=\"col\" rowspan=\"2\" class=\"name\">KEP</th><th scope=\"col\" rowspan=\"2\">state</th>\
        <th scope=\"col\" rowspan=\"2\">stage</th><th scope=\"col\" rowspan=\"2\">SIG</th>{}</tr>\n<tr>{}</tr>\n</thead>\n",
        Kind::ALL.map(kind).concat(),
        items.iter().map(item).collect::<String>(),
    )
}

/// The class of the first column of a kind.
fn edge(item: &Item, items: &[&Item]) -> &'static str {
    let first = items.iter().find(|other| other.kind == item.kind);
    if first.is_some_and(|first| first.name == item.name) { " edge" } else { "" }
}

fn row(board: &Board, subject: &Subject<'_>, items: &[&Item]) -> String {
    let Subject { checklist, id, number, sig, stage, is_ready, approvers, reviewers } = subject;
    let title = checklist.about.title.as_deref().map(escaped).unwrap_or_default();
    let cells: String = items.iter().map(|item| cell(subject, item, edge(item, items))).collect();
    let (state, words) = words::readiness(*is_ready);
    let met = checklist.count(Kind::Verdict, State::Met);
    let all = checklist.of_kind(Kind::Verdict).count();
    let counts = if subject.is_in_tree() { format!("{met}/{all}") } else { "not in this tree".to_owned() };
    let open = words::open_sections(board, checklist).map(|open| format!(" title=\"{open}\"")).unwrap_or_default();
    format!(
        "<tr data-kep=\"{id}\" data-sig=\"{}\" data-stage=\"{stage}\" data-ready=\"{}\" data-approver=\"{}\" data-prr=\"{}\">\n\
        <th scope=\"row\" class=\"name\"><a href=\"#{id}\">{}</a> <span class=\"title\">{title}</span></th>\
        <td class=\"{}\"{open}><span aria-hidden=\"true\">{}</span> {words} <span class=\"met-count\">{counts}</span></td>\
        <td>{}</td><td>{}</td>{cells}</tr>\n",
        escaped(sig),
        if *is_ready { "yes" } else { "no" },
        escaped(&approvers.join("|")),
        escaped(&reviewers.join("|")),
        escaped(number),
        checklist.state(board.strictness).name(),
        mark::sign(state),
        word(stage),
        escaped(word(sig)),
    )
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
