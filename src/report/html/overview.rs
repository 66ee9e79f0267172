//! The state of the tree in tables: how many KEPs and findings there are by SIG, by status and by rule.

use super::subject::{NONE, Subject, UNKNOWN};
use super::text::{escaped, with_code};
use crate::report::Summary;
use crate::rules::ALL;
use crate::stage::Status;
use std::cmp::Reverse;
use std::collections::BTreeMap;

#[derive(Default)]
struct Row {
    keps: usize,
    counts: Summary,
}

pub fn tables(subjects: &[Subject<'_>]) -> String {
    let by_sig = grouped(subjects, |subject| subject.sig);
    let mut by_status: Vec<(&str, Row)> = grouped(subjects, |subject| subject.status).into_iter().collect();
    let place = |name: &str| Status::ALL.into_iter().position(|status| status.name() == name);
    by_status.sort_by_key(|(name, _)| place(name).unwrap_or(usize::MAX));
    let mut by_rule: Vec<(&str, Row)> = by_rule(subjects).into_iter().collect();
    by_rule.sort_by_key(|(_, row)| Reverse(row.counts));
    table("By SIG", "sig", "SIG", by_sig, |name| escaped(word(name)))
        + &table("By status", "status", "Status", by_status, |name| escaped(word(name)))
        + &table("By rule", "rule", "Rule", by_rule, rule_cell)
}

fn grouped<'a>(subjects: &'a [Subject<'a>], key: fn(&'a Subject<'a>) -> &'a str) -> BTreeMap<&'a str, Row> {
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    for subject in subjects.iter().filter(|subject| subject.is_kep()) {
        let row = rows.entry(key(subject)).or_default();
        row.keps += 1;
        row.counts = row.counts.plus(subject.counts);
    }
    rows
}

fn by_rule<'a>(subjects: &'a [Subject<'a>]) -> BTreeMap<&'a str, Row> {
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    for subject in subjects {
        let mut seen: Vec<&str> = Vec::new();
        let listed = subject.report.diagnostics.iter().map(|finding| (finding.rule, finding.severity, finding.count));
        let unlisted = subject.report.unlisted.iter().map(|more| (more.rule, more.severity, more.count));
        for (rule, severity, count) in listed.chain(unlisted) {
            let row = rows.entry(rule).or_default();
            *row.counts.count_mut(severity) += count;
            if subject.is_kep() && !seen.contains(&rule) {
                seen.push(rule);
                row.keps += 1;
            }
        }
    }
    rows
}

/// The words for a value that KEPs are filtered by.
pub fn word(value: &str) -> &str {
    match value {
        NONE => "(none)",
        UNKNOWN => "(unknown)",
        _ => value,
    }
}

fn rule_cell(name: &str) -> String {
    let summary = ALL.iter().find(|rule| rule.name == name).map_or("", |rule| rule.summary);
    format!("{}<br><small>{}</small>", escaped(name), with_code(summary))
}

fn table<'a>(
    caption: &str,
    key: &str,
    column: &str,
    rows: impl IntoIterator<Item = (&'a str, Row)>,
    cell: impl Fn(&str) -> String,
) -> String {
    let row = |(value, Row { keps, counts }): (&str, Row)| {
        row(key, value, &cell(value), &[keps, counts.error, counts.warning, counts.advice])
    };
    let rows: String = rows.into_iter().map(row).collect();
    folded(caption, &[column, "KEPs", "errors", "warnings", "advice"], &rows)
}

/// A row of a table: a value that KEPs are filtered by, as the HTML `cell`, and numbers.
pub fn row(key: &str, value: &str, cell: &str, numbers: &[usize]) -> String {
    let numbers: String = numbers.iter().map(|number| format!("<td>{number}</td>")).collect();
    let value = escaped(value);
    format!("<tr><th scope=\"row\" data-key=\"{key}\" data-value=\"{value}\">{cell}</th>{numbers}</tr>\n")
}

/// A table that a reader opens; nothing without rows.
pub fn folded(caption: &str, columns: &[&str], rows: &str) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let columns: String = columns.iter().map(|column| format!("<th scope=\"col\">{column}</th>")).collect();
    format!(
        "<details class=\"overview\">\n<summary><h3>{caption}</h3></summary>\n<table>\n<thead><tr>{columns}</tr></thead>\n\
        <tbody>\n{rows}</tbody>\n</table>\n</details>\n"
    )
}
