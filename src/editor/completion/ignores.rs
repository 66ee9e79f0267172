//! Ignores: the word, and the rules that it names.

use super::{Choice, Completions, Kind};
use crate::rules::ALL;
use crate::rules::rule::Category;
use crate::span::slice;
use crate::suppress::ignore::{FILE_WORD, NAME, WORD};

/// What can be written after `typed`, the text of a comment from byte `start` on up to the place. The rules that are `found`
/// come first.
pub fn at(typed: &str, start: usize, found: &[&str]) -> Option<Completions> {
    let content = typed.trim_start();
    let end = start + typed.len();
    if !content.is_empty() && WORD.starts_with(content) && content.len() >= 3 || content == NAME {
        let words = [(WORD, "ignores findings in what follows"), (FILE_WORD, "ignores findings in the whole file")];
        let choices = words.map(|(word, detail)| Choice::new(Kind::Rule, word).text(format!("{word} ")).detail(detail));
        return Some(Completions { range: end - content.len()..end, choices: choices.into() });
    }
    let names = content.strip_prefix(FILE_WORD).or_else(|| content.strip_prefix(WORD))?;
    // After the colon is the reason, which nobody else knows.
    if !names.starts_with([' ', '\t']) || names.contains([':', '(']) {
        return None;
    }
    let last = names.rsplit([',', ' ', '\t', '\n']).next().unwrap_or_default();
    let others = slice(names, ..names.len() - last.len());
    let is_separated = others.trim().is_empty() || others.trim_end().ends_with(',');
    if !is_separated {
        return None;
    }
    let others: Vec<&str> = others.split(',').map(str::trim).collect();
    let rules = ALL.iter().filter(|rule| rule.category != Category::Ignores && !others.contains(&rule.name));
    let (first, rest): (Vec<_>, Vec<_>) = rules.partition(|rule| found.contains(&rule.name));
    let choices = first.into_iter().chain(rest).map(|rule| Choice::new(Kind::Rule, rule.name).detail(rule.summary));
    Some(Completions { range: end - last.len()..end, choices: choices.collect() })
}
