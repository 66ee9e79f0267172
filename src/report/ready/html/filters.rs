//! The form that chooses which KEPs are seen.

use super::subject::{self, Subject};
use crate::ready::actor::Actor;
use crate::ready::board::Board;
use crate::ready::checklist::Readiness;
use crate::report::html::filters::{field, words};
use crate::report::html::template::rendered;
use crate::stage::{Stage, Status};
use minijinja::{Value, context};
use std::collections::BTreeSet;

/// The form, with the values that occur; PRR approvers also if nothing waits for them.
pub fn form(board: &Board, subjects: &[Subject<'_>]) -> String {
    let actors = Actor::ALL.into_iter().filter(|actor| subjects.iter().any(|subject| subject.actors.contains(actor)));
    let known = subject::reviewers(board);
    let reviewers = subjects.iter().flat_map(|subject| &subject.reviewers).chain(&known);
    let sigs = words(subjects.iter().map(|subject| subject.sig), &[]);
    let stages = words(subjects.iter().map(|subject| subject.stage), &Stage::ALL.map(Stage::name));
    let statuses = words(subjects.iter().map(|subject| subject.own_status()), &Status::ALL.map(Status::name));
    let fields = vec![
        field("sig", "SIG", sigs),
        field("stage", "Stage", stages),
        states(subjects),
        field("actor", "To act", actors.map(|actor| (actor.name(), actor.words()))),
        field("status", "Status", statuses),
        if_any("board", "Board", subjects.iter().map(|subject| &subject.status)),
        if_any("contact", "Contact", subjects.iter().flat_map(|subject| &subject.contacts)),
        field("approver", "Approver", people(subjects.iter().flat_map(|subject| &subject.approvers))),
        field("prr", "PRR waits for", people(reviewers)),
    ];
    rendered("filters.html", context! { label => "Filter KEPs", fields })
}

/// How far KEPs are. What is ready is folded away at first, if something is not.
fn states(subjects: &[Subject<'_>]) -> Value {
    let is_there = |readiness: &Readiness| subjects.iter().any(|subject| subject.readiness == *readiness);
    let there: Vec<Readiness> = Readiness::ALL.into_iter().filter(is_there).collect();
    let has_open = there.iter().any(|readiness| *readiness != Readiness::Ready);
    let mut options = Vec::new();
    if has_open {
        options.push((subject::OPEN, "open: all but ready"));
    }
    options.extend(there.iter().map(|readiness| (readiness.name(), readiness.words())));
    let usual = if has_open { subject::OPEN } else { "" };
    context! { usual, ..field("state", "State", options) }
}

/// A field that chooses one of the values that are not empty; hidden without any.
fn if_any<'a>(name: &str, label: &str, values: impl Iterator<Item = &'a String>) -> Value {
    let values: BTreeSet<&String> = values.filter(|value| !value.is_empty()).collect();
    let options = values.into_iter().map(|value| (value, value));
    context! { is_optional => true, ..field(name, label, options) }
}

fn people<'a>(names: impl Iterator<Item = &'a String>) -> Vec<(&'a String, String)> {
    let names: BTreeSet<&String> = names.collect();
    names.into_iter().map(|name| (name, format!("@{name}"))).collect()
}
