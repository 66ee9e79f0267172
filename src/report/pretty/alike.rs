//! Mistakes of one habit, such as names without quotes: people read of all of them at once.

use crate::bounds;
use crate::diagnostic::Diagnostic;
use crate::lint::Run;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The run in which the first of several findings that are alike stands for all of them.
pub fn told_once(run: &Run) -> Cow<'_, Run> {
    let of_habits = |diagnostics: &[Diagnostic]| diagnostics.iter().filter(|finding| finding.alike.is_some()).count();
    if run.reports.iter().all(|report| of_habits(&report.diagnostics) < 2) {
        return Cow::Borrowed(run);
    }
    let mut told = run.clone();
    told.reports.iter_mut().for_each(|report| join(&mut report.diagnostics));
    Cow::Owned(told)
}

fn join(diagnostics: &mut Vec<Diagnostic>) {
    let mut places = BTreeMap::new();
    let mut joined: Vec<Diagnostic> = Vec::with_capacity(diagnostics.len());
    for finding in diagnostics.drain(..) {
        let Some(alike) = finding.alike else {
            joined.push(finding);
            continue;
        };
        let Diagnostic { rule, span, severity, upstream, .. } = finding;
        let safety = finding.fix.as_ref().map(|fix| fix.safety);
        let kind = (rule, span.file, alike, severity, upstream, safety);
        let (place, others) = places.entry(kind).or_insert((joined.len(), 0));
        match joined.get_mut(*place) {
            Some(first) => {
                *others += 1;
                take_in(first, finding, *others);
            }
            None => joined.push(finding),
        }
    }
    *diagnostics = joined;
}

/// Adds the place and the fix of another finding, which has this number, to the first.
fn take_in(first: &mut Diagnostic, other: Diagnostic, number: usize) {
    if let (Some(own), Some(fix)) = (&mut first.fix, other.fix) {
        own.edits.extend(fix.edits);
    }
    let words = other.help.filter(|help| first.help.as_ref() != Some(help)).unwrap_or(other.message);
    if first.related.len() < bounds::RELATED_PLACES {
        first.relate(other.span, words);
    } else if let Some(last) = first.related.last_mut() {
        last.message = format!("and {} more: `--format full` shows all", number - bounds::RELATED_PLACES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Fix, Safety, Severity};
    use crate::span::{FileId, Span};

    fn mistake(file: u32, at: usize, cause: Option<&str>, has_fix: bool) -> Diagnostic {
        let span = Span::new(FileId(file), at..at + 1);
        let finding = Diagnostic::new("rule", Severity::Error, span, format!("wrong at {at}")).alike(cause);
        if has_fix { finding.fix(Fix::write(Safety::Safe, "write it", span, "x")) } else { finding }
    }

    #[test]
    fn the_first_of_several_that_are_alike_stands_for_all() {
        let causes = [Some("a"), None, Some("b"), Some("a"), None, Some("a")];
        let mut diagnostics: Vec<Diagnostic> =
            causes.into_iter().enumerate().map(|(at, cause)| mistake(0, at, cause, true)).collect();
        diagnostics.extend([mistake(0, 6, Some("a"), false), mistake(1, 7, Some("a"), true)]);
        join(&mut diagnostics);
        let messages: Vec<&str> = diagnostics.iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(messages, ["wrong at 0", "wrong at 1", "wrong at 2", "wrong at 4", "wrong at 6", "wrong at 7"]);
        let first = &diagnostics[0];
        let related: Vec<&str> = first.related.iter().map(|related| related.message.as_str()).collect();
        assert_eq!(related, ["wrong at 3", "wrong at 5"]);
        assert_eq!(first.fix.as_ref().map(|fix| fix.edits.len()), Some(3));
    }

    #[test]
    fn of_many_the_last_that_is_shown_says_how_many_there_are() {
        let mut diagnostics: Vec<Diagnostic> =
            (0..bounds::RELATED_PLACES + 10).map(|at| mistake(0, at, Some("a"), false)).collect();
        join(&mut diagnostics);
        let related = &diagnostics[0].related;
        assert_eq!((diagnostics.len(), related.len()), (1, bounds::RELATED_PLACES));
        assert_eq!(related[bounds::RELATED_PLACES - 1].message, "and 9 more: `--format full` shows all");
    }
}
