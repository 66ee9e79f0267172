//! Names of feature gates and metrics, as authors write them into the fields of the template.

use crate::markdown::Document;
use crate::search;
use crate::span::{is_invisible, slice};
use std::collections::HashSet;
use std::ops::Range;

/// General metrics, one a line, below a comment that says how the list is made.
const GENERAL_METRICS: &str = include_str!("../../templates/metrics.txt");

pub(super) const MARKUP: [char; 7] = ['`', '*', '"', '\'', '[', '(', '<'];

/// Bytes of the feature gates in the fields `Feature gate name:` within `range`, each once.
pub fn gates(document: &Document, range: Range<usize>) -> Vec<Range<usize>> {
    let lines = document.filled_in(range, "Feature gate name").into_iter();
    each_once(document, lines.flat_map(|line| leading_gates(document.text(), line)))
}

/// Bytes of the metrics in the fields `Metric name:` within `range`, each once.
pub fn metrics(document: &Document, range: Range<usize>) -> Vec<Range<usize>> {
    let lines = document.filled_in(range, "Metric name").into_iter();
    each_once(document, lines.flat_map(|line| first_metrics(document.text(), line)))
}

fn each_once(document: &Document, names: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut seen = HashSet::new();
    names.filter(|name| seen.insert(document.slice(name.clone()))).collect()
}

/// The name of the metric at the start of an item of `metrics` in kep.yaml: `a_b` of `a_b{c="d"}`.
pub fn metric_at_start(item: &str) -> Option<&str> {
    let first = words(item, 0..item.len()).next()?;
    Some(slice(item, identifier(item, &first))).filter(|name| is_metric(name))
}

/// Whether an item of `metrics` in kep.yaml is a name as Prometheus has it, maybe with labels in braces.
pub fn is_metric_entry(item: &str) -> bool {
    let (name, is_closed) = match item.split_once('{') {
        Some((name, labels)) => (name, labels.trim_end().ends_with('}')),
        None => (item, true),
    };
    let name = name.trim();
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | ':');
    is_closed
        && !name.is_empty()
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name.chars().all(is_part)
}

/// Whether a metric is a general one of Kubernetes, so that it does not tell how a single feature is.
pub fn is_general_metric(name: &str) -> bool {
    GENERAL_METRICS.lines().any(|line| line == name)
}

/// Whether `name` occurs in `text` as a whole word, at least `least` times.
pub fn occurs(text: &str, name: &str, least: usize) -> bool {
    places(text, name).take(least).count() == least
}

/// Where `name` is a whole word in `text`.
pub fn places<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = Range<usize>> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let is_whole = move |place: &Range<usize>| {
        let before = slice(text, ..place.start).chars().next_back();
        let after = slice(text, place.end..).chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    };
    search::words(text, name).map(|at| at..at + name.len()).filter(is_whole)
}

/// The first metric of a line, and those that are listed right after it. Labels in braces are not metrics.
fn first_metrics(text: &str, line: Range<usize>) -> Vec<Range<usize>> {
    let mut metrics = Vec::new();
    let mut is_in_braces = false;
    for word in words(text, line) {
        let name = identifier(text, &word);
        let (opening, closing) = (slice(text, word.clone()).rfind('{'), slice(text, word.clone()).rfind('}'));
        let was_in_braces = is_in_braces;
        is_in_braces = if opening == closing { is_in_braces } else { opening > closing };
        if was_in_braces {
            continue;
        }
        if is_metric(slice(text, name.clone())) {
            metrics.push(name);
        } else if !metrics.is_empty() && !is_conjunction(slice(text, word)) {
            break;
        }
    }
    metrics
}

/// The gates at the start of a line: from the first other word on, it is a sentence about them.
pub(super) fn leading_gates(text: &str, line: Range<usize>) -> Vec<Range<usize>> {
    let mut gates = Vec::new();
    for word in words(text, line) {
        let name = identifier(text, &word);
        let is_pattern = slice(text, name.end..).starts_with(['{', '<']);
        if is_gate(slice(text, name.clone())) && !is_pattern {
            gates.push(name);
        } else if !is_conjunction(slice(text, word)) {
            break;
        }
    }
    gates
}

pub(super) fn is_conjunction(word: &str) -> bool {
    matches!(word, "and" | "&" | "+" | "/" | "or")
}

/// The people that `text` names, if it only lists several handles: `@ann, @bob`.
pub fn people(text: &str) -> Vec<&str> {
    if search::bytes(text, b'@').nth(1).is_none() {
        return Vec::new();
    }
    let words = text.split(|letter: char| letter.is_whitespace() || ",;/&+".contains(letter));
    let words = words.map(|word| word.trim_matches(['"', '\'', '`'])).filter(|word| !["", "and", "or"].contains(word));
    let people: Vec<&str> = words.collect();
    if people.iter().all(|person| person.len() > 1 && person.starts_with('@')) { people } else { Vec::new() }
}

pub(super) fn words(text: &str, line: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    const SEPARATORS: [char; 3] = [' ', '\t', ','];
    let mut end = line.start;
    let words = slice(text, line).split_inclusive(SEPARATORS).map(move |word| {
        let start = end;
        end += word.len();
        start..start + word.trim_end_matches(SEPARATORS).len()
    });
    words.filter(|word| !word.is_empty())
}

/// The identifier in a word, without the markup around it and the text after it; empty if there is no identifier.
fn identifier(text: &str, word: &Range<usize>) -> Range<usize> {
    let body = slice(text, word.clone()).trim_start_matches(MARKUP);
    let is_unseen = |letter| is_invisible(letter) && !letter.is_whitespace();
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || is_unseen(letter);
    let length = body.trim_start_matches(is_part).len();
    let length = slice(body, ..body.len() - length).trim_end_matches(is_unseen).len();
    let start = word.end - body.len();
    let has_more = body.len() > length + 1 && slice(body, length..).starts_with(['/', '-', ':', '.']);
    start..start + if has_more { 0 } else { length }
}

pub fn is_gate(name: &str) -> bool {
    let capitals = name.bytes().filter(u8::is_ascii_uppercase).count();
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && capitals > 1
        && name.contains(|letter: char| letter.is_ascii_lowercase())
        && !name.contains('_')
}

fn is_metric(name: &str) -> bool {
    let mut parts = name.split('_');
    name.contains('_')
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && parts.all(|part| !part.is_empty() && !part.contains(|letter: char| letter.is_ascii_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gates_of(text: &str) -> Vec<&str> {
        let document = Document::of_text(text);
        gates(&document, 0..text.len()).into_iter().map(|gate| &text[gate]).collect()
    }

    fn metrics_of(text: &str) -> Vec<&str> {
        let document = Document::of_text(text);
        metrics(&document, 0..text.len()).into_iter().map(|metric| &text[metric]).collect()
    }

    #[test]
    fn gates_are_at_the_start_of_a_field() {
        assert_eq!(
            gates_of("- Feature gate name: `DefaultPod`, EnvFiles and `DefaultPod`\n"),
            ["DefaultPod", "EnvFiles"]
        );
        assert_eq!(gates_of("- Feature gate names:\n  - [EnvFiles](https://x)\n  - **IdentifyPodOS**.\n").len(), 2);
        assert_eq!(gates_of("- Feature gate name: EnvFiles (with KubeletConfiguration)\n"), ["EnvFiles"]);
        for none in ["N/A", "None", "Kubelet", "CSIMigration{vendor}", "The ConfigMap decides", ""] {
            assert!(gates_of(&format!("- Feature gate name: {none}\n")).is_empty(), "{none}");
        }
    }

    #[test]
    fn metrics_are_in_snake_case() {
        assert_eq!(metrics_of("- Metric name: latency (`a_b{c_d=\"e\"}`)\n"), ["a_b"]);
        assert_eq!(metrics_of("- Metric name: `a_b`, `c_d` and `a_b`\n  - e_f: labels `g_h`\n"), ["a_b", "c_d"]);
        assert_eq!(metrics_of("- Metric name: `a_b{c_d=\"e\", f_g=\"h\"}`, i_j\n"), ["a_b", "i_j"]);
        assert_eq!(metrics_of("- Metric name:\n  - a_b with label `g_h`\n  - c_d\n"), ["a_b", "c_d"]);
        for none in ["workqueue with name=\"resource_claim\"", "https://x/a_b", "`MetricName`", "file_name.go"] {
            assert!(metrics_of(&format!("- Metric name: {none}\n")).is_empty(), "{none}");
        }
        assert_eq!(metric_at_start("a_b{c=\"d\"}"), Some("a_b"));
        assert_eq!(metric_at_start("latency of a_b"), None);
    }

    #[test]
    fn an_entry_is_a_name_and_labels() {
        for entry in ["a_b", "a", ":a:b_2", "a_b{c=\"d e\"}", " a_b {c} "] {
            assert!(is_metric_entry(entry), "{entry}");
        }
        for entry in ["", "a b", "a_b[c=d]", "a/b", "a_*", "2a", "a_b{c", "`a_b`", "a_b, c_d", "{}", "a_b (in c)"] {
            assert!(!is_metric_entry(entry), "{entry}");
        }
    }

    #[test]
    fn a_name_occurs_only_as_a_whole_word() {
        assert!(occurs("`a_b` and a_b.", "a_b", 2));
        assert!(!occurs("a_b a_bc xa_b", "a_b", 2));
        assert_eq!(places("beta, beta\nbetas alphabeta (beta)", "beta").count(), 3);
        assert_eq!(places("éa a", "a").next(), Some(4..5));
    }
}
