//! How many findings of a run are kept: here the errors of one KEP take the place of the suggestions of
//! others.

use super::report::KepReport;
use crate::diagnostic::{Failure, Severity};

/// Keeps at most so many findings: the most severe ones, and of equally severe ones those of the first KEPs by path. The
/// others are only counted. More findings only push others out, so what is dropped of a part of the reports would also be
/// dropped at the end.
pub fn keep_most_severe<'a>(reports: impl Iterator<Item = &'a mut KepReport>, most: usize) {
    let mut reports: Vec<&mut KepReport> = reports.collect();
    if reports.iter().map(|report| report.diagnostics.len()).sum::<usize>() <= most {
        return;
    }
    reports.sort_by_cached_key(|report| report.place());
    let mut left = most;
    for severity in Severity::ALL.into_iter().rev() {
        for report in &mut reports {
            left -= report.keep_first(severity, left);
        }
    }
    for report in reports.into_iter().filter(|report| !report.unlisted.is_empty()) {
        report.diagnostics.shrink_to_fit();
        report.drop_unused_texts();
    }
}

/// Says that there are findings which are only counted, if there are.
pub fn failure(reports: &[KepReport]) -> Option<Failure> {
    if reports.iter().all(|report| report.unlisted.is_empty()) {
        return None;
    }
    let entries: usize = reports.iter().map(|report| report.diagnostics.len()).sum();
    let all: usize = reports.iter().flat_map(KepReport::counts).map(|(_, _, count)| count).sum();
    let failure = Failure::new(format!("cannot list all {all} findings: a run lists at most {entries}, errors first"));
    Some(failure.help("fix those that are listed and run kep-lint again, or name fewer KEPs; all are counted"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Diagnostic;
    use crate::source::SourceFile;
    use crate::span::{FileId, Span};
    use std::sync::Arc;

    /// A report on a KEP with so many errors, warnings and suggestions.
    fn report(kep: &str, counts: [usize; 3]) -> KepReport {
        let severities = [Severity::Error, Severity::Warning, Severity::Advice].into_iter().zip(counts);
        let severities = severities.flat_map(|(severity, count)| std::iter::repeat_n(severity, count));
        let span = Span::new(FileId(0), 0..1);
        let diagnostics = severities.map(|severity| Diagnostic::new("rule", severity, span, "x")).collect();
        let file = Arc::new(SourceFile::decode("README.md", b"a text".to_vec()));
        KepReport { kep: Some(kep.to_owned()), files: vec![file], diagnostics, ..KepReport::default() }
    }

    /// The listed and all findings of a report by severity, errors first.
    fn counts(report: &KepReport) -> ([usize; 3], [usize; 3]) {
        let severities = [Severity::Error, Severity::Warning, Severity::Advice];
        let listed = severities.map(|it| report.diagnostics.iter().filter(|finding| finding.severity == it).count());
        let unlisted =
            |it| report.unlisted.iter().filter(move |((_, severity), _)| *severity == it).map(|(_, count)| count);
        (listed, [0, 1, 2].map(|index: usize| listed[index] + unlisted(severities[index]).sum::<usize>()))
    }

    #[test]
    fn the_most_severe_findings_are_kept_in_whatever_order_they_come() {
        let reports = [report("a", [0, 0, 30]), report("b", [1, 9, 0]), report("c", [3, 9, 9]), report("d", [2, 0, 0])];
        let expected =
            [([0, 0, 0], [0, 0, 30]), ([1, 9, 0], [1, 9, 0]), ([3, 1, 0], [3, 9, 9]), ([2, 0, 0], [2, 0, 0])];
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2], [0, 2, 1, 3]] {
            let mut at_once = order.map(|index: usize| reports[index].clone());
            keep_most_severe(at_once.iter_mut(), 16);
            let mut in_parts = order.map(|index: usize| reports[index].clone());
            keep_most_severe(in_parts.iter_mut().take(2), 16);
            keep_most_severe(in_parts.iter_mut(), 16);
            for mut limited in [at_once, in_parts] {
                limited.sort_by_key(|report| report.kep.clone());
                assert_eq!(limited.each_ref().map(counts), expected, "{order:?}");
            }
        }
    }

    #[test]
    fn up_to_the_bound_everything_is_kept() {
        let mut reports = [report("a", [4, 4, 4])];
        keep_most_severe(reports.iter_mut(), 12);
        assert_eq!((reports[0].diagnostics.len(), failure(&reports)), (12, None));
        keep_most_severe(reports.iter_mut(), 11);
        assert_eq!(counts(&reports[0]), ([4, 4, 3], [4, 4, 4]));
        assert!(failure(&reports).is_some());
    }

    #[test]
    fn a_run_that_passes_the_bound_says_so_and_drops_texts() {
        let mut reports = [report("a", [2, 0, 0]), report("b", [0, 7, 1])];
        keep_most_severe(reports.iter_mut(), 2);
        let failure = failure(&reports).expect("the bound is passed");
        assert_eq!(failure.message, "cannot list all 10 findings: a run lists at most 2, errors first");
        let texts = reports.each_ref().map(|report| report.files[0].text.as_str());
        assert_eq!(texts, ["a text", ""]);
    }
}
