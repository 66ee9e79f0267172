//! The form that chooses which KEPs are seen.

use super::subject::{self, Subject};
use crate::ready::actor::Actor;
use crate::ready::board::Board;
use crate::ready::checklist::Readiness;
use crate::report::html::filters::{framed, in_order, option, select};
use crate::report::html::overview::word;
use crate::stage::{Stage, Status};
use std::collections::BTreeSet;

/// The form, with the values that occur; PRR approvers also if nothing waits for them.
pub fn form(board: &Board, subjects: &[Subject<'_>]) -> String {
    let sigs: BTreeSet<&str> = subjects.iter().map(|subject| subject.sig).collect();
    let stages: BTreeSet<&str> = subjects.iter().map(|subject| subject.stage).collect();
    let approvers: BTreeSet<&str> =
        subjects.iter().flat_map(|subject| &subject.approvers).map(String::as_str).collect();
    let known = subject::reviewers(board);
    let waiting = subjects.iter().flat_map(|subject| &subject.reviewers);
    let reviewers: BTreeSet<&str> = waiting.chain(&known).map(String::as_str).collect();
    let words = |values: &[&str]| values.iter().map(|value| option(value, word(value))).collect::<String>();
    let people =
        |names: BTreeSet<&str>| names.into_iter().map(|name| option(name, &format!("@{name}"))).collect::<String>();
    let statuses: BTreeSet<&str> = subjects.iter().map(|subject| subject.own_status()).collect();
    let actors = Actor::ALL.into_iter().filter(|actor| subjects.iter().any(|subject| subject.actors.contains(actor)));
    let stages = in_order(stages, Stage::ALL.map(Stage::name).as_slice());
    let fields = [
        select("sig", "SIG", &words(&sigs.into_iter().collect::<Vec<_>>())),
        select("stage", "Stage", &words(&stages)),
        states(subjects),
        select("actor", "To act", &actors.map(|actor| option(actor.name(), actor.words())).collect::<String>()),
        select("status", "Status", &words(&in_order(statuses, Status::ALL.map(Status::name).as_slice()))),
        if_any("board", "Board", subjects.iter().map(|subject| subject.status.as_str())),
        if_any("contact", "Contact", subjects.iter().flat_map(|subject| &subject.contacts).map(String::as_str)),
        select("approver", "Approver", &people(approvers)),
        select("prr", "PRR waits for", &people(reviewers)),
    ];
    framed("Filter KEPs", &fields.concat())
}

/// How far KEPs are. What is ready is folded away at first, if something is not.
fn states(subjects: &[Subject<'_>]) -> String {
    let is_there = |readiness: &Readiness| subjects.iter().any(|subject| subject.readiness == *readiness);
    let there: Vec<Readiness> = Readiness::ALL.into_iter().filter(is_there).collect();
    let options: String = there.iter().map(|readiness| option(readiness.name(), readiness.words())).collect();
    let has_open = there.iter().any(|readiness| *readiness != Readiness::Ready);
    let usual = if has_open { subject::OPEN } else { "" };
    format!(
        "<label>State <select name=\"state\" data-usual=\"{usual}\">\n<option value=\"\">all</option>\n\
        {}{options}</select></label>\n",
        if has_open { option(subject::OPEN, "open: all but ready") } else { String::new() }
    )
}

/// A field that chooses one of the values that are not empty; nothing without any.
fn if_any<'a>(name: &str, label: &str, values: impl Iterator<Item = &'a str>) -> String {
    let values: BTreeSet<&str> = values.filter(|value| !value.is_empty()).collect();
    let options: String = values.iter().map(|value| option(value, value)).collect();
    if options.is_empty() {
        format!("<input type=\"hidden\" name=\"{name}\">\n")
    } else {
        select(name, label, &options)
    }
}
