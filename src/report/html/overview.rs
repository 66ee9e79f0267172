//! The state of the tree in tables, by SIG, by status and by rule; and the form that chooses what is seen,
//! which is hidden until its script runs: without it, everything is seen.

use super::subject::{Subject, UNKNOWN};
use crate::kep::layout::Layout;
use crate::report::{NONE, Summary};
use crate::rules::ALL;
use crate::stage::{Stage, Status};
use minijinja::{Value, context};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
struct Row {
    keps: usize,
    counts: Summary,
}

pub fn tables(subjects: &[Subject<'_>], layout: &Layout) -> Vec<Value> {
    let mut by_status: Vec<(&str, Row)> = grouped(subjects, |subject| subject.status).into_iter().collect();
    by_status.sort_by_key(|(name, _)| place_in(&Status::ALL.map(Status::name), name));
    let mut by_rule: Vec<(&str, Row)> = by_rule(subjects).into_iter().collect();
    by_rule.sort_by_key(|(_, row)| Reverse(row.counts));
    vec![
        table(layout, "sig", layout.group(), grouped(subjects, |subject| subject.sig)),
        table(layout, "status", "status", by_status),
        table(layout, "rule", "rule", by_rule),
    ]
}

/// The place of `name` among the names that are `known`; last if it is none of them.
pub fn place_in(known: &[&str], name: &str) -> usize {
    known.iter().position(|known| *known == name).unwrap_or(known.len())
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
        for (rule, severity, count) in subject.report.counts() {
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

fn table<'a>(
    layout: &Layout,
    key: &str,
    column: &'static str,
    rows: impl IntoIterator<Item = (&'a str, Row)>,
) -> Value {
    let mut shown = Vec::new();
    for (value, Row { keps, counts }) in rows {
        let rule = ALL.iter().find(|rule| key == "rule" && rule.name == value);
        let mut summary = rule.map(|rule| rule.summary.to_owned());
        summary.iter_mut().for_each(|summary| layout.say(summary));
        shown.push(context! {
            value,
            words => word(value),
            summary,
            numbers => vec![keps, counts.error, counts.warning, counts.suggestion],
        });
    }
    let caption = format!("By {column}");
    context! { caption, key, columns => vec![column, "checked", "errors", "warnings", "suggestions"], rows => shown }
}

/// The fields of the form, with the values that occur.
pub fn fields(subjects: &[Subject<'_>], group: &str) -> Vec<Value> {
    let keps: Vec<&Subject<'_>> = subjects.iter().filter(|subject| subject.is_kep()).collect();
    let findings = subjects.iter().flat_map(|subject| &subject.report.diagnostics);
    let severities = [("suggestion", "any finding"), ("warning", "warnings and errors"), ("error", "errors")];
    vec![
        field("sig", group, words(keps.iter().map(|kep| kep.sig), &[])),
        field("status", "Status", words(keps.iter().map(|kep| kep.status), &Status::ALL.map(Status::name))),
        field("stage", "Stage", words(keps.iter().map(|kep| kep.stage), &Stage::ALL.map(Stage::name))),
        field("rule", "Rule", words(findings.map(|finding| finding.rule), &[])),
        field("severity", "Findings", severities),
    ]
}

/// A field that chooses one of these options, each a value with its words, or all.
pub fn field(name: &str, label: &str, options: impl IntoIterator<Item = impl Into<Value>>) -> Value {
    context! { name, label, options => options.into_iter().collect::<Value>() }
}

/// The values with their words, each once, in the order of `known` and then by name.
pub fn words<'a>(values: impl Iterator<Item = &'a str>, known: &[&str]) -> Vec<(&'a str, &'a str)> {
    let values: BTreeSet<&str> = values.collect();
    let mut words: Vec<(&str, &str)> = values.into_iter().map(|value| (value, word(value))).collect();
    words.sort_by_key(|(value, _)| place_in(known, value));
    words
}
