//! The form that chooses which KEPs are seen.

use super::subject::{self, Subject};
use crate::ready::board::Board;
use crate::report::html::filters::{framed, in_order, option, select};
use crate::report::html::overview::word;
use crate::stage::Stage;
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
    let stages = in_order(stages, Stage::ALL.map(Stage::name).as_slice());
    let fields = [
        select("sig", "SIG", &words(&sigs.into_iter().collect::<Vec<_>>())),
        select("stage", "Stage", &words(&stages)),
        select("ready", "Ready", &(option("yes", "ready") + &option("no", "not ready"))),
        select("approver", "Approver", &people(approvers)),
        select("prr", "PRR waits for", &people(reviewers)),
    ];
    framed("Filter KEPs", &fields.concat())
}
