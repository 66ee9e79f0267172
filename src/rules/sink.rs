//! Collects the findings of rules. Separate from the rules because it limits, for any input, how many findings there
//! are and how long their messages are.

use crate::bounds::{self, FINDINGS_OF_RULE};
use crate::diagnostic::subject::Subject;
use crate::diagnostic::{Diagnostic, Severity};
use crate::span::{FileId, slice};
use std::collections::BTreeMap;

pub struct Sink {
    rule: &'static str,
    severity: Severity,
    listed: Vec<Diagnostic>,
    surplus: Surplus,
}

impl Sink {
    /// What a function of this rule reports, at most at this severity.
    pub fn collect(rule: &'static str, severity: Severity, check: impl FnOnce(&mut Self)) -> Vec<Diagnostic> {
        let mut sink = Self { rule, severity, listed: Vec::new(), surplus: Surplus::default() };
        check(&mut sink);
        sink.listed.extend(sink.surplus.0.into_values());
        sink.listed
    }

    pub fn report(&mut self, finding: Diagnostic) {
        let mut finding = Diagnostic { rule: self.rule, ..finding.at_most(self.severity) };
        if self.listed.len() == bounds::COLLECTED_FINDINGS_OF_RULE {
            self.surplus.add(&finding);
            return;
        }
        limit(&mut finding.message, bounds::MESSAGE_BYTES);
        finding.related.iter_mut().for_each(|related| limit(&mut related.message, bounds::MESSAGE_BYTES));
        finding.help.iter_mut().for_each(|help| limit(help, bounds::HELP_BYTES));
        finding.fix.iter_mut().for_each(|fix| limit(&mut fix.title, bounds::MESSAGE_BYTES));
        self.listed.push(finding);
    }
}

/// Findings that are counted but not listed: one in place of all of a rule, file and severity.
#[derive(Default)]
struct Surplus(BTreeMap<(&'static str, FileId, Severity), Diagnostic>);

impl Surplus {
    fn add(&mut self, finding: &Diagnostic) {
        let Diagnostic { rule, span, severity, .. } = *finding;
        let others = self.0.entry((rule, span.file, severity)).or_insert_with(|| Diagnostic {
            count: 0,
            subject: Subject::named(["more findings"]),
            ..Diagnostic::new(rule, severity, span, "").help("fix the listed findings first, and run kep-lint again")
        });
        others.count += finding.count;
        others.message = match others.count {
            1 => "1 more finding of this rule in this file".to_owned(),
            count => format!("{count} more findings of this rule in this file"),
        };
        others.upstream = others.upstream.or(finding.upstream);
        others.covered.extend_from_slice(finding.stands_for());
    }
}

/// Keeps the first findings of each rule and file, and counts the others. Returns whether there were any.
pub fn fold(diagnostics: &mut Vec<Diagnostic>) -> bool {
    if diagnostics.len() <= FINDINGS_OF_RULE {
        return false;
    }
    let mut listed: BTreeMap<(&'static str, FileId), usize> = BTreeMap::new();
    let mut surplus = Surplus::default();
    let mut left = bounds::FINDINGS_OF_KEP;
    diagnostics.retain(|finding| {
        let listed = listed.entry((finding.rule, finding.span.file)).or_default();
        let is_listed = *listed < FINDINGS_OF_RULE && left > 0 && finding.count == 1;
        if is_listed {
            (*listed, left) = (*listed + 1, left - 1);
        } else {
            surplus.add(finding);
        }
        is_listed
    });
    let has_surplus = !surplus.0.is_empty();
    diagnostics.extend(surplus.0.into_values());
    has_surplus
}

fn limit(text: &mut String, most: usize) {
    if text.len() > most {
        let kept = slice(text, ..text.floor_char_boundary(most)).len();
        text.truncate(kept);
        text.push('…');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    fn span(file: u32, at: usize) -> Span {
        Span::new(FileId(file), at..at + 1)
    }

    /// How many findings are listed, and how many are counted, of so many in each of these files.
    fn folded(files: u32, each: usize, more: usize) -> (usize, usize) {
        let mut diagnostics = Sink::collect("rule", Severity::Error, |sink| {
            for file in 0..files {
                (0..each).for_each(|at| sink.report(Diagnostic::at(span(file, at), "wrong")));
            }
            (0..more).for_each(|at| sink.report(Diagnostic::at(span(files, at), "wrong")));
        });
        let is_over = fold(&mut diagnostics);
        let counted: Vec<Diagnostic> = diagnostics.extract_if(.., |finding| finding.message != "wrong").collect();
        assert_eq!(is_over, !counted.is_empty());
        (diagnostics.len(), counted.iter().map(|finding| finding.count).sum())
    }

    #[test]
    fn at_a_limit_all_are_listed_and_one_above_it_is_counted() {
        assert_eq!((folded(1, 100, 0), folded(1, 101, 0)), ((100, 0), (100, 1)));
        assert_eq!((folded(20, 100, 0), folded(20, 100, 1)), ((2_000, 0), (2_000, 1)));
    }

    #[test]
    fn findings_over_the_limit_are_counted() {
        let mut diagnostics = Sink::collect("rule", Severity::Error, |sink| {
            for at in 0..FINDINGS_OF_RULE + 7 {
                sink.report(Diagnostic::at(span(0, at), "wrong").at_most(Severity::Warning));
            }
            sink.report(Diagnostic::at(span(1, 0), "wrong"));
        });
        assert_eq!(diagnostics.len(), FINDINGS_OF_RULE + 8);
        fold(&mut diagnostics);
        assert_eq!(diagnostics.len(), FINDINGS_OF_RULE + 2);
        let last = diagnostics.last().expect("there are some");
        assert_eq!(last.message, "7 more findings of this rule in this file");
        assert_eq!((last.severity, last.span, last.count), (Severity::Warning, span(0, FINDINGS_OF_RULE), 7));
    }

    #[test]
    fn findings_that_are_not_collected_are_counted() {
        let mut diagnostics = Sink::collect("rule", Severity::Error, |sink| {
            for at in 0..bounds::COLLECTED_FINDINGS_OF_RULE + 3 {
                sink.report(Diagnostic::at(span(0, at), "wrong").at_most(Severity::Advice));
            }
        });
        assert_eq!(diagnostics.len(), bounds::COLLECTED_FINDINGS_OF_RULE + 1);
        fold(&mut diagnostics);
        let last = diagnostics.last().expect("there are some");
        assert_eq!(
            (last.count, last.severity),
            (bounds::COLLECTED_FINDINGS_OF_RULE + 3 - FINDINGS_OF_RULE, Severity::Advice)
        );
    }

    #[test]
    fn findings_of_another_severity_are_counted_apart() {
        let mut diagnostics = Sink::collect("rule", Severity::Error, |sink| {
            for at in 0..FINDINGS_OF_RULE + 5 {
                let most = if at % 2 == 0 { Severity::Error } else { Severity::Advice };
                sink.report(Diagnostic::at(span(0, at), "wrong").at_most(most));
            }
        });
        fold(&mut diagnostics);
        let others: Vec<(Severity, usize)> =
            diagnostics.iter().skip(FINDINGS_OF_RULE).map(|finding| (finding.severity, finding.count)).collect();
        assert_eq!(others, [(Severity::Advice, 2), (Severity::Error, 3)]);
    }

    #[test]
    fn the_findings_of_a_kep_are_limited() {
        let mut diagnostics = Vec::new();
        for rule in ["a", "b"] {
            diagnostics.extend(Sink::collect(rule, Severity::Advice, |sink| {
                for file in 0..=30 {
                    (0..FINDINGS_OF_RULE).for_each(|at| sink.report(Diagnostic::at(span(file, at), "wrong")));
                }
            }));
        }
        fold(&mut diagnostics);
        let counted = diagnostics.iter().filter(|finding| finding.count > 1).count();
        assert_eq!(diagnostics.len(), bounds::FINDINGS_OF_KEP + counted);
        assert_eq!(counted, 31 - 20 + 31);
        assert_eq!(diagnostics.iter().map(|finding| finding.count).sum::<usize>(), 2 * 31 * FINDINGS_OF_RULE);
    }

    #[test]
    fn long_texts_are_cut() {
        let long = Diagnostic::at(span(0, 0), "é".repeat(9_000)).help("x".repeat(9_000));
        let diagnostics = Sink::collect("rule", Severity::Error, |sink| sink.report(long));
        let finding = &diagnostics[0];
        assert!(finding.message.len() <= bounds::MESSAGE_BYTES + "…".len() && finding.message.ends_with("é…"));
        assert_eq!(finding.help.as_ref().map(String::len), Some(bounds::HELP_BYTES + "…".len()));
    }
}
