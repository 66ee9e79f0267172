//! The dashboard of a release as one page for a browser: a table of KEPs and items, and below it what is open for each KEP.
//! Its frame, its filters and what it does on paper are those of the report of findings.

mod entry;
mod filters;
mod grid;
mod kep;
mod mark;
mod questions;
mod since;
mod subject;
mod totals;

use self::kep::Shown;
use self::subject::Subject;
use super::words;
use crate::ready::board::Board;
use crate::ready::checklist::Strictness;
use crate::report::html::document::{self, Script};
use crate::report::html::failure;
use crate::report::html::id::Ids;
use crate::report::html::template::rendered;
use crate::report::html::text::escaped;
use crate::report::look::Look;
use minijinja::{Value, context};

const IDS: [&str; 10] = ["top", "since", "state", "table", "grid", "keps", "filters", "shown", "open", "close"];

pub fn render(board: &Board, look: &Look) -> String {
    let subjects = subject::all(board, &mut Ids::with(&IDS));
    let shown = if has_few(&subjects) { Shown::Open } else { Shown::Closed };
    let keps: String = subjects.iter().map(|subject| kep::details(board, subject, shown, look)).collect();
    let release = words::release(board);
    let body = format!(
        "<div class=\"dashboard\">\n<a class=\"skip\" href=\"#table\">Skip to the table</a>\n<header id=\"top\">\n\
        <h1>Readiness for {}</h1>\n{}{}</header>\n<main>\n{}{}<section aria-labelledby=\"state\">\n<h2 id=\"state\">State</h2>\n\
        {}</section>\n<section aria-labelledby=\"table\">\n<h2 id=\"table\">KEPs and items</h2>\n{}{}{}{}</section>\n\
        <section aria-labelledby=\"keps\">\n<h2 id=\"keps\">What is open</h2>\n{keps}</section>\n</main>\n{}</div>\n",
        escaped(&release),
        days(board),
        origin(board),
        rendered("failures.html", context! { failures => failure::all(&board.failures) }),
        since::section(board, &subjects),
        totals::of(board, &subjects),
        filters::form(board, &subjects),
        mark::legend(),
        grid::table(board, &subjects),
        by_hand(board),
        footer(),
    );
    let title = format!("KEPs for {release}: {} ready", board.ready_count());
    let content = context! { title, body => Value::from_safe_string(body) };
    document::page("layout.html", content, Script::Dashboard)
}

/// Whether so few KEPs are not ready that all of them are opened at first.
fn has_few(subjects: &[Subject<'_>]) -> bool {
    const FEW: usize = 3;
    subjects.iter().filter(|subject| !subject.is_ready).count() <= FEW
}

fn origin(board: &Board) -> String {
    let judged = words::judged(board).unwrap_or_else(|| "judged on the files on disk".to_owned());
    let mut sentences = vec![
        format!("{} is the {}.", board.release, board.release_origin.words()),
        format!("{}, on {}.", judged.replacen("judged", "Judged", 1), board.now),
    ];
    if board.strictness == Strictness::Evidence {
        sentences.push("Evidence decides as well.".to_owned());
    }
    if let Some(person) = &board.person {
        let unknown = if person.is_known { "" } else { ", who is no approver of any KEP that was judged" };
        sentences.push(format!("Only KEPs that wait for @{}{unknown}.", person.handle.name()));
    }
    if board.is_to_close {
        sentences.push(format!("Only KEPs that are stable in {}, but not `implemented`.", board.release));
    }
    if board.checklists.iter().any(|checklist| checklist.is_proposed) {
        sentences.push("What a pull request proposes counts only once it is merged.".to_owned());
    }
    let left_out = words::left_out(board);
    if let Some(left_out) = left_out.strip_prefix("; left out ") {
        sentences.push(format!("Left out: {left_out}."));
    }
    let sentences: Vec<_> = sentences.iter().map(|text| escaped(text)).collect();
    let conditions = rendered("conditions.html", context! { conditions => board.conditions.lines() });
    format!("<p>{}</p>\n{conditions}", sentences.join(" "))
}

/// The days that are still to come.
fn days(board: &Board) -> String {
    let days: String = words::days(board).iter().map(|day| format!("<li>{}</li>\n", escaped(day))).collect();
    if days.is_empty() { days } else { format!("<ul class=\"days\">\n{days}</ul>\n") }
}

/// What no file shows. It has no state, so that nobody takes it for passed.
fn by_hand(board: &Board) -> String {
    let items: String = board.by_hand().map(|item| format!("<li>{}</li>\n", escaped(item))).collect();
    if items.is_empty() {
        return String::new();
    }
    format!(
        "<div class=\"by-hand\">\n<p><strong>Check by hand</strong>, for each KEP. The files do not show it, and no state on \
        this page includes it:</p>\n<ul>\n{items}</ul>\n</div>\n"
    )
}

fn footer() -> String {
    format!("<footer><p>Made by kep-lint {}.</p></footer>\n", env!("CARGO_PKG_VERSION"))
}
