//! What upstream's decoder (yaml.v3, based on libyaml) rejects or reads differently from the parser, which implements a
//! later version of YAML.

use std::borrow::Cow;

use super::causes::{control_character, problem};
use super::tree::{Node, Problem, Style, Value, Yaml};
use crate::diagnostic::brief;
use crate::span::{FileId, Span, slice};

const LINE_BREAKS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

/// `text` with a newline for everything that upstream reads as a line break, after spaces so that offsets stay the
/// same.
pub(super) fn with_newlines(text: &str) -> Cow<'_, str> {
    if !text.contains(LINE_BREAKS) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace('\u{85}', " \n").replace(['\u{2028}', '\u{2029}'], "  \n"))
}

pub(super) fn forbidden_character(file: FileId, text: &str) -> Option<Problem> {
    Some(problem(file, control_character(text, 0)?))
}

/// Half of a UTF-16 pair written as `\ud83c` in the double-quoted scalar at `span`: the parser joins the halves,
/// upstream's decoder rejects them.
pub(super) fn surrogate_escape(text: &str, span: Span) -> Option<Problem> {
    let source = slice(text, span.range());
    let mut escapes = source.match_indices('\\').map(|(at, _)| at).peekable();
    while let Some(at) = escapes.next() {
        let escape = source.get(at..at + r"\ud83c".len()).unwrap_or_default();
        let is_half = |code: u32| (0xd800..0xe000).contains(&code);
        let code = escape.strip_prefix(r"\u").and_then(|digits| u32::from_str_radix(digits, 16).ok());
        if code.is_some_and(is_half) {
            let range = span.start + at..span.start + at + escape.len();
            let message = format!("escape `{escape}` is half a character");
            let help = Some("write the character itself".to_owned());
            return Some(Problem { span: Span::new(span.file, range), message, help });
        }
        // The second of two backslashes does not begin an escape.
        escapes.next_if_eq(&(at + 1));
    }
    None
}

/// A tab between the dash of a list and its item at `span`, which upstream's decoder rejects.
pub(super) fn tab_after_dash(text: &str, span: Span) -> Option<Problem> {
    let before = slice(text, ..span.start);
    let dashes = before.trim_end_matches([' ', '\t']);
    let blanks = dashes.len()..span.start;
    if !dashes.ends_with('-') || !slice(text, blanks.clone()).contains('\t') {
        return None;
    }
    let line = dashes.trim_end_matches([' ', '-']);
    let is_rejected = line.is_empty() || line.ends_with(['\n', '\r']);
    let help = Some("use a space instead".to_owned());
    is_rejected.then(|| Problem { span: Span::new(span.file, blanks), message: "tab after `-`".to_owned(), help })
}

pub(super) fn anchor_name(name: &str, span: Span) -> Option<Problem> {
    let is_odd = |letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '-' | '_');
    // For upstream, these end the name, and what follows is a separate value.
    let odd = name.find(is_odd).filter(|at| *at == 0 || !slice(name, *at..).starts_with([':', '?']))?;
    let message = match slice(name, odd..).chars().next() {
        Some(letter) => format!("anchor name contains `{}`", brief(&letter.to_string())),
        None => return None,
    };
    Some(Problem { span, message, help: Some("use only letters, digits, `-` and `_`".to_owned()) })
}

/// The colon at `at` without a key before it, not even an empty key after `?`.
pub(super) fn keyless_colon(file: FileId, text: &str, at: usize) -> Option<Problem> {
    let is_keyless = slice(text, at..).starts_with(':') && !slice(text, ..at).trim_end().ends_with('?');
    let help = Some("write the key before it".to_owned());
    is_keyless.then(|| Problem { span: Span::new(file, at..at + 1), message: "colon without a key".to_owned(), help })
}

/// The first line that begins with a tab and is not within quotes, brackets or a block scalar.
pub(super) fn line_with_tab(file: FileId, text: &str, tree: &Yaml) -> Option<Problem> {
    let begins = |at: &usize| *at == 0 || slice(text, ..*at).ends_with(['\n', '\r']);
    let mut tabs = text.match_indices('\t').map(|(at, _)| at).filter(begins).peekable();
    tabs.peek()?;
    let mut spans = Vec::new();
    tree.root.iter().for_each(|root| free_of_indentation(root, text, &mut spans));
    let mut spans = spans.into_iter().peekable();
    for at in tabs {
        while spans.next_if(|span| span.end <= at).is_some() {}
        if spans.peek().is_none_or(|span| at < span.start) {
            let rest = slice(text, at..);
            let end = at + rest.len() - rest.trim_start_matches(['\t', ' ']).len();
            let (span, message) = (Span::new(file, at..end), "tab in the indentation".to_owned());
            return Some(Problem { span, message, help: Some("indent with spaces".to_owned()) });
        }
    }
    None
}

/// The spans below `node` in which lines may begin with anything, in the order of the text.
fn free_of_indentation(node: &Node, text: &str, spans: &mut Vec<Span>) {
    let is_flow = slice(text, node.span.range()).starts_with(['[', '{']);
    match &node.value {
        Value::Scalar(scalar) if scalar.style == Style::Plain => {}
        Value::Scalar(_) => spans.push(node.span),
        Value::Sequence(_) | Value::Mapping(_) if is_flow => spans.push(node.span),
        Value::Sequence(items) => items.iter().for_each(|item| free_of_indentation(item, text, spans)),
        Value::Mapping(entries) => {
            for entry in entries {
                free_of_indentation(&entry.key, text, spans);
                free_of_indentation(&entry.value, text, spans);
            }
        }
        Value::Alias(_) => {}
    }
}
