//! How many KEPs are ready, of all and by SIG and stage.

use super::subject::Subject;
use crate::ready::actor::Actor;
use crate::ready::board::Board;
use crate::ready::checklist::Readiness;
use crate::report::html::overview;
use crate::report::html::subject::NONE;
use crate::report::html::text::escaped;
use crate::stage::Stage;
use std::collections::BTreeMap;

/// The numbers, and the tables.
pub fn of(board: &Board, subjects: &[Subject<'_>]) -> String {
    let is = |readiness: Readiness| subjects.iter().filter(|subject| subject.readiness == readiness).count();
    let family = board.family;
    let states = Readiness::ALL.map(|readiness| {
        let (class, words) = match readiness {
            Readiness::Ready => ("met", format!("ready: {}", family.met)),
            Readiness::Look => ("look", readiness.words().to_owned()),
            Readiness::NotReady => ("not-met", format!("not ready: {}", family.not_met)),
            Readiness::Exception | Readiness::Absent => ("not-met", readiness.words().to_owned()),
        };
        total(class, "state", readiness.name(), &words, is(readiness))
    });
    let waiting = |actor: Actor| subjects.iter().filter(|subject| subject.actors.contains(&actor)).count();
    let actors =
        Actor::ALL.map(|actor| total("", "actor", actor.name(), &format!("{} to act", actor.words()), waiting(actor)));
    let totals = states.concat() + &actors.concat();
    let mut by_stage: Vec<(&str, Row)> = grouped(subjects, |subject| subject.stage).into_iter().collect();
    by_stage.sort_by_key(|(name, _)| Stage::ALL.iter().position(|stage| stage.name() == *name).unwrap_or(usize::MAX));
    let mut by_sig: Vec<(&str, Row)> = grouped(subjects, |subject| subject.sig).into_iter().collect();
    by_sig.sort_by_key(|(name, _)| *name == NONE);
    format!(
        "<dl class=\"totals\">\n{totals}</dl>\n{}{}",
        table("By SIG", "sig", "SIG", by_sig),
        table("By stage", "stage", "Stage", by_stage)
    )
}

/// A number, which leads to the KEPs that it counts; nothing for none.
fn total(class: &str, key: &str, value: &str, words: &str, count: usize) -> String {
    if count == 0 {
        return String::new();
    }
    let words = escaped(words);
    format!("<div class=\"{class}\"><dt data-key=\"{key}\" data-value=\"{value}\">{words}</dt><dd>{count}</dd></div>\n")
}

/// A row of a table.
#[derive(Default)]
struct Row {
    keps: usize,
    ready: usize,
    /// Those that a person must look at, those with an exception, and those that are not in the tree.
    among: [usize; AMONG.len()],
}

/// What is told apart among all KEPs of a row.
const AMONG: [Readiness; 3] = [Readiness::Look, Readiness::Exception, Readiness::Absent];

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

fn table(caption: &str, key: &str, column: &str, rows: Vec<(&str, Row)>) -> String {
    let row = |(value, Row { keps, ready, among: [look, exceptions, absent] }): (&str, Row)| {
        let numbers = [keps, ready, keps - ready, look, exceptions, absent];
        overview::row(key, value, &escaped(overview::word(value)), &numbers)
    };
    let rows: String = rows.into_iter().map(row).collect();
    let columns = [column, "KEPs", "ready", "not ready", "to look at", "exceptions", "not in the tree"];
    overview::folded(caption, &columns, &rows)
}
