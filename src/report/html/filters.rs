//! The form that chooses what is seen. It is hidden until its script runs: without it, everything is seen.

use super::overview::{place_in, word};
use super::subject::Subject;
use crate::stage::{Stage, Status};
use minijinja::{Value, context};
use std::collections::BTreeSet;

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
