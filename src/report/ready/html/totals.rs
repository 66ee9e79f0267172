//! How many KEPs are ready, of all and by SIG and stage.

use super::subject::Subject;
use crate::ready::board::Board;
use crate::report::html::overview;
use crate::report::html::subject::NONE;
use crate::report::html::text::escaped;
use crate::stage::Stage;
use std::collections::BTreeMap;

/// The numbers, and the tables.
pub fn of(board: &Board, subjects: &[Subject<'_>]) -> String {
    let family = board.family;
    let all = subjects.len();
    let ready = subjects.iter().filter(|subject| subject.is_ready).count();
    let absent = subjects.iter().filter(|subject| !subject.is_in_tree()).count();
    let totals = [
        ("", if all == 1 { "KEP" } else { "KEPs" }.to_owned(), all),
        ("met", format!("ready: {}", family.met), ready),
        ("not-met", format!("not ready: {}", family.not_met), all - ready),
        ("not-met", "of them not in this tree".to_owned(), absent),
    ];
    let is_told = |(_, name, count): &(&str, String, usize)| *count > 0 || !name.starts_with("of them");
    let total = |(class, name, count): (&str, String, usize)| {
        let name = escaped(&name);
        format!("<div class=\"{class}\"><dt>{name}</dt><dd>{count}</dd></div>\n")
    };
    let totals: String = totals.into_iter().filter(is_told).map(total).collect();
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

/// A row of a table.
#[derive(Default)]
struct Row {
    keps: usize,
    ready: usize,
}

fn grouped<'a>(subjects: &'a [Subject<'a>], key: fn(&'a Subject<'a>) -> &'a str) -> BTreeMap<&'a str, Row> {
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    for subject in subjects {
        let row = rows.entry(key(subject)).or_default();
        row.keps += 1;
        row.ready += usize::from(subject.is_ready);
    }
    rows
}

fn table(caption: &str, key: &str, column: &str, rows: Vec<(&str, Row)>) -> String {
    let row = |(value, Row { keps, ready }): (&str, Row)| {
        overview::row(key, value, &escaped(overview::word(value)), &[keps, ready, keps - ready])
    };
    let rows: String = rows.into_iter().map(row).collect();
    overview::folded(caption, &[column, "KEPs", "ready", "not ready"], &rows)
}
