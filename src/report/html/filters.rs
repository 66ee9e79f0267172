//! The form that chooses what is seen. It is hidden until its script runs: without it, everything is seen.

use super::overview::word;
use super::subject::Subject;
use super::text::escaped;
use crate::stage::{Stage, Status};
use std::collections::BTreeSet;

/// The form, with the values that occur.
pub fn form(subjects: &[Subject<'_>]) -> String {
    let keps = || subjects.iter().filter(|subject| subject.is_kep());
    let sigs: BTreeSet<&str> = keps().map(|subject| subject.sig).collect();
    let statuses: BTreeSet<&str> = keps().map(|subject| subject.status).collect();
    let stages: BTreeSet<&str> = keps().map(|subject| subject.stage).collect();
    let rules: BTreeSet<&str> =
        subjects.iter().flat_map(|subject| &subject.report.diagnostics).map(|finding| finding.rule).collect();
    let statuses = in_order(statuses, Status::ALL.map(Status::name).as_slice());
    let stages = in_order(stages, Stage::ALL.map(Stage::name).as_slice());
    let severities = [("advice", "any finding"), ("warning", "warnings and errors"), ("error", "errors")];
    let options = |values: Vec<&str>| values.into_iter().map(|value| option(value, word(value))).collect::<String>();
    let sigs = select("sig", "SIG", &options(sigs.into_iter().collect()));
    let statuses = select("status", "Status", &options(statuses));
    let stages = select("stage", "Stage", &options(stages));
    let rules = select("rule", "Rule", &options(rules.into_iter().collect()));
    let severities: String = severities.into_iter().map(|(value, words)| option(value, words)).collect();
    let severities = select("severity", "Findings", &severities);
    framed("Filter KEPs and findings", &[sigs, statuses, stages, rules, severities].concat())
}

/// The form with these fields, one for text, and the buttons.
pub fn framed(label: &str, fields: &str) -> String {
    format!(
        "<form id=\"filters\" role=\"search\" aria-label=\"{label}\" autocomplete=\"off\" hidden>\n{fields}<label>Text <input type=\"search\" name=\"text\" spellcheck=\"false\"></label>\n\
        <p class=\"buttons\"><button type=\"reset\">Show all</button> <button type=\"button\" id=\"open\">Open all</button> \
        <button type=\"button\" id=\"close\">Close all</button></p>\n</form>\n\
        <p id=\"shown\" role=\"status\"></p>\n"
    )
}

/// `values` in the order of `known`, the others last.
pub fn in_order<'a>(values: BTreeSet<&'a str>, known: &[&str]) -> Vec<&'a str> {
    let mut values: Vec<&str> = values.into_iter().collect();
    values.sort_by_key(|value| known.iter().position(|name| name == value).unwrap_or(usize::MAX));
    values
}

/// A field that chooses one of these options, or all.
pub fn select(name: &str, label: &str, options: &str) -> String {
    format!("<label>{label} <select name=\"{name}\">\n<option value=\"\">all</option>\n{options}</select></label>\n")
}

pub fn option(value: &str, words: &str) -> String {
    format!("<option value=\"{}\">{}</option>\n", escaped(value), escaped(words))
}
