//! Collects the findings of rules. Separate from the rules because it limits, for any input, how many findings there
//! are and how long their messages are.

use crate::bounds::{self, FINDINGS_OF_RULE};
use crate::diagnostic::script::Script;
use crate::diagnostic::subject::Subject;
use crate::diagnostic::{Diagnostic, Severity};
use crate::span::{FileId, Span, slice};
use std::collections::BTreeMap;

/// Collects the findings of one rule and adds its name and severity.
pub struct Sink<'a> {
    rule: &'static str,
    severity: Severity,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// How many of the rule's findings there are in each file.
    listed: BTreeMap<FileId, usize>,
    surplus: BTreeMap<FileId, Surplus>,
    /// The last finding that is only counted; the rule may still lower its severity.
    last: Option<Diagnostic>,
    first: usize,
}

/// Findings of one file that are counted but not listed.
struct Surplus {
    count: usize,
    span: Span,
    severity: Option<Severity>,
    /// The script of kubernetes/enhancements that fails because of one of them.
    upstream: Option<Script>,
}

impl<'a> Sink<'a> {
    /// A sink for the findings of `rule`, which have this severity unless the rule lowers it.
    pub fn new(rule: &'static str, severity: Severity, diagnostics: &'a mut Vec<Diagnostic>) -> Self {
        let first = diagnostics.len();
        let (listed, surplus) = (BTreeMap::new(), BTreeMap::new());
        Self { rule, severity, diagnostics, listed, surplus, last: None, first }
    }

    /// Reports `message` at `span`. Returns the finding, so that the rule can add to it or lower its severity.
    pub fn report(&mut self, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.note_severity();
        let finding = Diagnostic::new(self.rule, self.severity, span, message);
        let listed = self.listed.entry(span.file).or_default();
        if *listed < bounds::KEPT_FINDINGS_OF_RULE && self.diagnostics.len() < bounds::KEPT_FINDINGS_OF_KEP {
            *listed += 1;
            self.diagnostics.push(finding);
            return self.diagnostics.last_mut().expect("one was just pushed");
        }
        self.surplus.entry(span.file).or_insert(Surplus { count: 0, span, severity: None, upstream: None }).count += 1;
        self.last.insert(finding)
    }

    /// Completes the findings: adds how many are not listed, and cuts long texts.
    pub fn finish(mut self) {
        self.note_severity();
        for (_, Surplus { count, span, severity, upstream }) in std::mem::take(&mut self.surplus) {
            let others = counted(self.rule, severity.unwrap_or(self.severity), span, count);
            self.diagnostics.push(Diagnostic { upstream, ..others });
        }
        for finding in self.diagnostics.iter_mut().skip(self.first) {
            limit(&mut finding.message, bounds::MESSAGE_BYTES);
            finding.related.iter_mut().for_each(|related| limit(&mut related.message, bounds::MESSAGE_BYTES));
            finding.help.iter_mut().for_each(|help| limit(help, bounds::HELP_BYTES));
            finding.fix.iter_mut().for_each(|fix| limit(&mut fix.title, bounds::MESSAGE_BYTES));
        }
    }

    /// Adds the final severity and the mark of the last finding that is only counted.
    fn note_severity(&mut self) {
        let Some(last) = self.last.take() else { return };
        if let Some(surplus) = self.surplus.get_mut(&last.span.file) {
            surplus.severity = surplus.severity.max(Some(last.severity));
            surplus.upstream = surplus.upstream.or(last.upstream);
        }
    }
}

/// One finding in place of `count` findings that are not listed, the first of them at `span`.
fn counted(rule: &'static str, severity: Severity, span: Span, count: usize) -> Diagnostic {
    let message = match count {
        1 => "1 more finding of this rule in this file".to_owned(),
        count => format!("{count} more findings of this rule in this file"),
    };
    let help = Some("fix the listed findings first, and run kep-lint again".to_owned());
    let subject = Subject::named(["more findings"]);
    Diagnostic { help, count, subject, ..Diagnostic::new(rule, severity, span, message) }
}

/// Keeps the first findings of each rule and file, and counts the others of each severity, whose fingerprints remain.
/// Returns whether there were others.
pub fn fold(diagnostics: &mut Vec<Diagnostic>) -> bool {
    if diagnostics.len() <= FINDINGS_OF_RULE {
        return false;
    }
    let mut listed: BTreeMap<(&'static str, FileId), usize> = BTreeMap::new();
    let mut surplus: BTreeMap<(&'static str, FileId, Severity), Diagnostic> = BTreeMap::new();
    let mut left = bounds::FINDINGS_OF_KEP;
    diagnostics.retain_mut(|finding| {
        let key = (finding.rule, finding.span.file);
        let listed = listed.entry(key).or_default();
        let is_listed = *listed < FINDINGS_OF_RULE && left > 0 && finding.count == 1;
        if is_listed {
            (*listed, left) = (*listed + 1, left - 1);
        } else {
            let &mut Diagnostic { rule, span, severity, .. } = finding;
            let others = surplus.entry((rule, span.file, severity)).or_insert_with(|| counted(rule, severity, span, 0));
            let upstream = others.upstream.or(finding.upstream);
            let mut covered = std::mem::take(&mut others.covered);
            covered.extend_from_slice(finding.stands_for());
            let counted = counted(rule, severity, others.span, others.count + finding.count);
            *others = Diagnostic { covered, upstream, ..counted };
        }
        is_listed
    });
    let has_surplus = !surplus.is_empty();
    diagnostics.extend(surplus.into_values());
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

    fn span(file: u32, at: usize) -> Span {
        Span::new(FileId(file), at..at + 1)
    }

    #[test]
    fn findings_over_the_limit_are_counted() {
        let mut diagnostics = Vec::new();
        let mut sink = Sink::new("rule", Severity::Error, &mut diagnostics);
        for at in 0..FINDINGS_OF_RULE + 7 {
            sink.report(span(0, at), "wrong").at_most(Severity::Warning);
        }
        sink.report(span(1, 0), "wrong");
        sink.finish();
        assert_eq!(diagnostics.len(), FINDINGS_OF_RULE + 8);
        fold(&mut diagnostics);
        assert_eq!(diagnostics.len(), FINDINGS_OF_RULE + 2);
        let last = diagnostics.last().expect("there are some");
        assert_eq!(last.message, "7 more findings of this rule in this file");
        assert_eq!((last.severity, last.span, last.count), (Severity::Warning, span(0, FINDINGS_OF_RULE), 7));
    }

    #[test]
    fn findings_that_are_not_kept_are_counted() {
        let mut diagnostics = Vec::new();
        let mut sink = Sink::new("rule", Severity::Error, &mut diagnostics);
        for at in 0..bounds::KEPT_FINDINGS_OF_RULE + 3 {
            sink.report(span(0, at), "wrong").at_most(Severity::Advice);
        }
        sink.finish();
        assert_eq!(diagnostics.len(), bounds::KEPT_FINDINGS_OF_RULE + 1);
        fold(&mut diagnostics);
        let last = diagnostics.last().expect("there are some");
        assert_eq!(
            (last.count, last.severity),
            (bounds::KEPT_FINDINGS_OF_RULE + 3 - FINDINGS_OF_RULE, Severity::Advice)
        );
    }

    #[test]
    fn findings_of_another_severity_are_counted_apart() {
        let mut diagnostics = Vec::new();
        let mut sink = Sink::new("rule", Severity::Error, &mut diagnostics);
        for at in 0..FINDINGS_OF_RULE + 5 {
            let most = if at % 2 == 0 { Severity::Error } else { Severity::Advice };
            sink.report(span(0, at), "wrong").at_most(most);
        }
        sink.finish();
        fold(&mut diagnostics);
        let others: Vec<(Severity, usize)> =
            diagnostics.iter().skip(FINDINGS_OF_RULE).map(|finding| (finding.severity, finding.count)).collect();
        assert_eq!(others, [(Severity::Advice, 2), (Severity::Error, 3)]);
    }

    #[test]
    fn the_findings_of_a_kep_are_limited() {
        let mut diagnostics = Vec::new();
        for rule in ["a", "b"] {
            let mut sink = Sink::new(rule, Severity::Advice, &mut diagnostics);
            (0..=30).for_each(|file| {
                (0..FINDINGS_OF_RULE).for_each(|at| drop(sink.report(span(file, at), "wrong").help.take()));
            });
            sink.finish();
        }
        fold(&mut diagnostics);
        let counted = diagnostics.iter().filter(|finding| finding.count > 1).count();
        assert_eq!(diagnostics.len(), bounds::FINDINGS_OF_KEP + counted);
        assert_eq!(counted, 31 - 20 + 31);
        assert_eq!(diagnostics.iter().map(|finding| finding.count).sum::<usize>(), 2 * 31 * FINDINGS_OF_RULE);
    }

    #[test]
    fn long_texts_are_cut() {
        let mut diagnostics = Vec::new();
        let mut sink = Sink::new("rule", Severity::Error, &mut diagnostics);
        sink.report(span(0, 0), "é".repeat(9_000)).help = Some("x".repeat(9_000));
        sink.finish();
        let finding = &diagnostics[0];
        assert!(finding.message.len() <= bounds::MESSAGE_BYTES + "…".len() && finding.message.ends_with("é…"));
        assert_eq!(finding.help.as_ref().map(String::len), Some(bounds::HELP_BYTES + "…".len()));
    }
}
