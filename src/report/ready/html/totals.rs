//! How many KEPs are ready, of all and by SIG and stage.

use super::subject::Subject;
use crate::ready::actor::Actor;
use crate::ready::answer::State;
use crate::ready::board::Board;
use crate::ready::checklist::{Readiness, Strictness};
use crate::ready::item::Kind;
use crate::report::html::overview::{place_in, word};
use crate::report::html::subject::NONE;
use crate::report::html::template::rendered;
use crate::report::html::text::escaped;
use crate::stage::Stage;
use minijinja::{Value, context};
use std::collections::BTreeMap;

pub fn of(board: &Board, subjects: &[Subject<'_>]) -> String {
    let is = |readiness: Readiness| subjects.iter().filter(|subject| subject.readiness == readiness).count();
    // What is open comes first.
    let order = [
        Readiness::NotReady,
        Readiness::Exception,
        Readiness::Absent,
        Readiness::Look,
        Readiness::SectionsOpen,
        Readiness::Ready,
    ];
    let states = order.map(|readiness| {
        let class = match readiness {
            Readiness::Ready => "met",
            Readiness::SectionsOpen | Readiness::Look => "look",
            Readiness::NotReady | Readiness::Exception | Readiness::Absent => "not-met",
        };
        total(class, "state", readiness.name(), readiness.words(), is(readiness))
    });
    let waiting = |actor: Actor| subjects.iter().filter(|subject| subject.actors.contains(&actor)).count();
    let actors =
        Actor::ALL.map(|actor| total("", "actor", actor.name(), &format!("{} to act", actor.words()), waiting(actor)));
    let totals = states.concat() + &actors.concat();
    let mut by_stage: Vec<(&str, Row)> = grouped(subjects, |subject| subject.stage).into_iter().collect();
    by_stage.sort_by_key(|(name, _)| place_in(&Stage::ALL.map(Stage::name), name));
    let mut by_sig: Vec<(&str, Row)> = grouped(subjects, |subject| subject.sig).into_iter().collect();
    by_sig.sort_by_key(|(name, _)| *name == NONE);
    let tables =
        vec![table("By SIG", "sig", "SIG", by_sig), table("By stage", "stage", "Stage", by_stage), by_approver(board)];
    let tables = rendered("tables.html", context! { tables });
    format!("<dl class=\"totals\">\n{totals}</dl>\n{}{tables}", open(board, subjects))
}

/// The KEPs that are not ready, with the titles of what is open; the first of many.
fn open(board: &Board, subjects: &[Subject<'_>]) -> String {
    const FIRST: usize = 10;
    let open: Vec<&Subject<'_>> = subjects.iter().filter(|subject| !subject.is_ready).collect();
    let titles = |subject: &Subject<'_>| {
        let verdict = subject.checklist.of_kind(Kind::Verdict).filter(|entry| entry.answer.state != State::Met);
        let evidence = subject.checklist.of_kind(Kind::Evidence).filter(|entry| entry.answer.state == State::NotMet);
        let decides = if board.strictness == Strictness::Evidence { Some(evidence) } else { None };
        let titles: Vec<&str> = verdict.chain(decides.into_iter().flatten()).map(|entry| entry.item.title).collect();
        titles.join(", ")
    };
    let item = |subject: &&Subject<'_>| {
        let (id, number) = (&subject.id, escaped(&subject.number));
        format!("<li><a href=\"#{id}\">{number}</a> {}</li>\n", escaped(&titles(subject)))
    };
    let items: String = open.iter().take(FIRST).map(item).collect();
    let more = open.len().saturating_sub(FIRST);
    let more = if more > 0 { format!("<li>and {more} more</li>\n") } else { String::new() };
    if items.is_empty() { items } else { format!("<ul class=\"open\">\n{items}{more}</ul>\n") }
}

/// A number, which leads to the KEPs that it counts; nothing for none.
fn total(class: &str, key: &str, value: &str, words: &str, count: usize) -> String {
    if count == 0 {
        return String::new();
    }
    let words = escaped(words);
    format!("<div class=\"{class}\"><dt data-key=\"{key}\" data-value=\"{value}\">{words}</dt><dd>{count}</dd></div>\n")
}

/// How many KEPs each PRR approver has. The filter is about KEPs that wait for a person, so that these are only numbers.
fn by_approver(board: &Board) -> Value {
    let loads = board.loads();
    let rows = loads.iter().map(|load| context! { words => &load.name, numbers => vec![load.keps, load.asked] });
    context! {
        caption => "By PRR approver",
        columns => vec!["Approver", "KEPs", "only asked"],
        rows => rows.collect::<Value>(),
    }
}

#[derive(Default)]
struct Row {
    keps: usize,
    ready: usize,
    /// Those with open sections among the ready ones; those to look at, with an exception, and not in the tree among the others.
    among: [usize; AMONG.len()],
}

/// What is told apart among all KEPs of a row.
const AMONG: [Readiness; 4] = [Readiness::SectionsOpen, Readiness::Look, Readiness::Exception, Readiness::Absent];

fn grouped<'a>(subjects: &'a [Subject<'a>], key: fn(&'a Subject<'a>) -> &'a str) -> BTreeMap<&'a str, Row> {
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    for subject in subjects {
        let row = rows.entry(key(subject)).or_default();
        row.keps += 1;
        row.ready += usize::from(subject.is_ready);
        row.among.iter_mut().zip(AMONG).for_each(|(count, one)| *count += usize::from(subject.readiness == one));
    }
    rows
}

fn table(caption: &str, key: &str, column: &'static str, rows: Vec<(&str, Row)>) -> Value {
    let row = |(value, Row { keps, ready, among: [sections, look, exceptions, absent] })| {
        let numbers = vec![keps, ready, keps - ready, sections, look, exceptions, absent];
        context! { value, words => word(value), numbers }
    };
    let columns =
        vec![column, "KEPs", "ready", "not ready", "open sections", "to look at", "exceptions", "not in the tree"];
    context! { caption, key, columns, rows => rows.into_iter().map(row).collect::<Value>() }
}
