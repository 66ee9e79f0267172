//! Names of feature gates and metrics, as authors write them into the fields of the template.

use crate::markdown::Document;
use crate::span::slice;
use std::collections::HashSet;
use std::ops::Range;

/// Markup that may surround a name.
const MARKUP: [char; 7] = ['`', '*', '"', '\'', '[', '(', '<'];

/// Bytes of the feature gates in the fields `Feature gate name:` within `range`, each once.
pub fn gates(document: &Document, text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let filled = document.filled_in(text, range, "Feature gate name");
    let mut seen = HashSet::new();
    let gates = filled.into_iter().flat_map(|line| leading_gates(text, line));
    gates.filter(|gate| seen.insert(slice(text, gate.clone()))).collect()
}

/// Bytes of the first metric in the fields `Metric name:` within `range`.
pub fn metric(document: &Document, text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let filled = document.filled_in(text, range, "Metric name");
    let words = filled.into_iter().flat_map(|line| words(text, line));
    words.map(|word| identifier(text, &word)).find(|name| is_metric(slice(text, name.clone())))
}

/// The gates at the start of a line: from the first other word on, it is a sentence about them.
fn leading_gates(text: &str, line: Range<usize>) -> Vec<Range<usize>> {
    let mut gates = Vec::new();
    for word in words(text, line) {
        let name = identifier(text, &word);
        let is_pattern = slice(text, name.end..).starts_with(['{', '<']);
        if is_gate(slice(text, name.clone())) && !is_pattern {
            gates.push(name);
        } else if !matches!(slice(text, word), "and" | "&" | "+" | "/" | "or") {
            break;
        }
    }
    gates
}

/// The words of a line, separated by spaces, tabs and commas.
fn words(text: &str, line: Range<usize>) -> impl Iterator<Item = Range<usize>> {
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
    let length = body.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(body.len());
    let start = word.end - body.len();
    let has_more = body.len() > length + 1 && slice(body, length..).starts_with(['/', '-', ':', '.']);
    start..start + if has_more { 0 } else { length }
}

/// Whether it is in CamelCase.
fn is_gate(name: &str) -> bool {
    let capitals = name.bytes().filter(u8::is_ascii_uppercase).count();
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && capitals > 1
        && name.contains(|letter: char| letter.is_ascii_lowercase())
        && !name.contains('_')
}

/// Whether it is in snake_case.
fn is_metric(name: &str) -> bool {
    let mut parts = name.split('_');
    name.contains('_')
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && parts.all(|part| !part.is_empty() && !part.contains(|letter: char| letter.is_ascii_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::{FileId, LineIndex};

    fn gates_of(text: &str) -> Vec<&str> {
        let document = Document::parse(FileId(0), text, &LineIndex::new(text));
        gates(&document, text, 0..text.len()).into_iter().map(|gate| &text[gate]).collect()
    }

    fn metric_of(text: &str) -> Option<&str> {
        let document = Document::parse(FileId(0), text, &LineIndex::new(text));
        metric(&document, text, 0..text.len()).map(|metric| &text[metric])
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
    fn a_metric_is_in_snake_case() {
        assert_eq!(metric_of("- Metric name: latency (`a_b{c_d=\"e\"}`)\n"), Some("a_b"));
        for none in ["workqueue with name=\"resource_claim\"", "https://x/a_b", "`MetricName`", "file_name.go"] {
            assert_eq!(metric_of(&format!("- Metric name: {none}\n")), None, "{none}");
        }
    }
}
