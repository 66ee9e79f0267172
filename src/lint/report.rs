//! What was found in one KEP, in one file that belongs to none, or in a template.

#![warn(missing_docs)]

use super::about::About;
use super::baseline::Baseline;
use super::fingerprint::{self, Names};
use crate::diagnostic::{Diagnostic, Failure, Severity};
use crate::kep::layout::Layout;
use crate::markdown::anchor::AnchorSet;
use crate::requirement::Target;
use crate::rules::run::OutgoingLinks;
use crate::rules::sink;
use crate::source::SourceFile;
use crate::span::FileId;
use crate::stage::Status;
use crate::suppress::Ignores;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The report on a KEP, or why it could not be checked.
pub type Checked = Result<KepReport, Failure>;

/// The result of linting one KEP, one other file of a repository, or one template.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct KepReport {
    /// The KEP's directory, as given on the command line and extended; `None` for a template.
    pub kep: Option<String>,
    /// The files that spans point into: `FileId(n)` is `files[n]`. After a run, a text ends some lines after
    /// the last place that something points to, and is empty if nothing does.
    pub files: Vec<Arc<SourceFile>>,
    /// How many of them were read for the KEP: all, but for a template none.
    pub documents: usize,
    /// The stage, phase and release that the KEP was checked against; `None` for a template.
    pub target: Option<Target>,
    /// Which KEP it is; `None` for a template.
    pub about: Option<About>,
    /// Whether a run with a given stage has nothing to say about this KEP, which is already past it.
    pub is_left_out: bool,
    /// How many findings the configuration silences.
    pub silenced: usize,
    /// Of how many findings the configuration lowers the severity.
    pub lowered: usize,
    /// The findings, by path, offset and rule.
    pub diagnostics: Vec<Diagnostic>,
    /// How many findings there are for which the run has no room, by rule and severity.
    pub unlisted: BTreeMap<(&'static str, Severity), usize>,
    /// How many findings are not reported because an earlier version has them.
    pub known: usize,
    /// How many findings its ignores silence.
    pub ignored: usize,
    /// Its ignores.
    pub(crate) ignores: Ignores,
    /// What fingerprints call the KEP and its files.
    pub(crate) names: Names,
    /// What could not be read of it. In a run, these are among the failures of the run.
    pub(crate) failures: Vec<Failure>,
    /// Its Markdown files: the path from `keps` on, and the anchors.
    pub(crate) pages: Vec<(String, AnchorSet)>,
    /// The path of its directory, from `keps` on, and its status.
    pub(crate) status: Option<(String, Status)>,
    /// How the proposals of its repository lie.
    pub(crate) layout: Layout,
    /// Its links to anchors in the documents of other KEPs, and the KEPs that it replaces.
    pub(crate) outgoing: OutgoingLinks,
}

impl KepReport {
    /// Whether it has no findings, listed or not.
    pub fn is_clean(&self) -> bool {
        self.diagnostics.is_empty() && self.unlisted.is_empty()
    }

    /// How many findings of a rule and severity there are, listed or not.
    pub fn counts(&self) -> impl Iterator<Item = (&'static str, Severity, usize)> {
        let listed = self.diagnostics.iter().map(|finding| (finding.rule, finding.severity, finding.count));
        listed.chain(self.unlisted.iter().map(|(&(rule, severity), count)| (rule, severity, *count)))
    }

    /// Drops the findings that are ignored, and gives the others their fingerprints, which do not depend on
    /// ignores.
    pub(super) fn silence(&mut self, findings: &mut Vec<Diagnostic>) {
        fingerprint::settle(&self.names, &self.files, findings);
        self.ignored += self.ignores.silence(findings);
    }

    /// Adds findings that are not ignored: gives them their fingerprints, drops those that are known, and
    /// sorts them.
    pub(super) fn add(&mut self, mut findings: Vec<Diagnostic>, earlier: Option<&Baseline>) {
        fingerprint::settle(&self.names, &self.files, &mut findings);
        if let Some(earlier) = earlier {
            self.known += earlier.retain_new(&self.names, self.target, &mut findings);
        }
        findings.iter_mut().for_each(|finding| finding.texts().for_each(|text| self.layout.say(text)));
        let is_first = self.diagnostics.is_empty();
        self.diagnostics.append(&mut findings);
        if !is_first {
            fingerprint::settle(&self.names, &self.files, &mut self.diagnostics);
        }
    }

    /// Limits how many findings are listed; the others are only counted.
    pub(super) fn fold(&mut self) {
        if sink::fold(&mut self.diagnostics) {
            fingerprint::settle(&self.names, &self.files, &mut self.diagnostics);
        }
    }

    /// What a run keeps of it, after the KEP is fixed, if it is to be fixed at all.
    #[must_use]
    pub(crate) fn reduced(mut self) -> Self {
        self.fold();
        self.drop_unused_texts();
        self
    }

    /// Keeps the first findings of this severity, at most so many, and only counts the others. Returns how
    /// many are kept.
    pub(super) fn keep_first(&mut self, severity: Severity, most: usize) -> usize {
        let mut kept = 0;
        let unlisted = &mut self.unlisted;
        self.diagnostics.retain(|finding| {
            if finding.severity != severity {
                return true;
            }
            if kept == most {
                *unlisted.entry((finding.rule, severity)).or_default() += finding.count;
                return false;
            }
            kept += 1;
            true
        });
        kept
    }

    /// The directory of a KEP; the path of another file.
    pub fn path(&self) -> &str {
        self.kep.as_deref().unwrap_or_else(|| self.file())
    }

    fn file(&self) -> &str {
        self.files.first().map(|file| file.path.as_str()).unwrap_or_default()
    }

    /// Drops the texts that nothing points into, and what follows the last place of the others, so that the
    /// memory of a run grows with its findings, not its input.
    pub(super) fn drop_unused_texts(&mut self) {
        let findings = self.diagnostics.iter().flat_map(Diagnostic::spans);
        let outgoing = self.outgoing.links.iter().map(|link| link.span);
        let outgoing = outgoing.chain(self.outgoing.replaced.iter().map(|replaced| replaced.span));
        let mut ends: BTreeMap<FileId, usize> = BTreeMap::new();
        for span in findings.chain(outgoing) {
            let end = ends.entry(span.file).or_default();
            *end = span.end.max(*end);
        }
        for (id, file) in (0..).map(FileId::at).zip(&mut self.files) {
            let needed = match ends.get(&id) {
                Some(end) => file.until(*end),
                None => Some(SourceFile::decode(file.path.as_str(), Vec::new())),
            };
            if let Some(needed) = needed {
                *file = Arc::new(needed);
            }
        }
    }
}

/// Keeps at most so many findings of a run: the most severe ones, and of equally severe ones those of the first KEPs by path.
/// The others are only counted. More findings only push others out, so what is dropped of a part of the reports would also be
/// dropped at the end.
pub fn keep_most_severe<'a>(reports: impl Iterator<Item = &'a mut KepReport>, most: usize) {
    let mut reports: Vec<&mut KepReport> = reports.collect();
    if reports.iter().map(|report| report.diagnostics.len()).sum::<usize>() <= most {
        return;
    }
    reports.sort_by_cached_key(|report| format!("{}\0{}", report.path(), report.file()));
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
pub(super) fn unlisted_failure(reports: &[KepReport]) -> Option<Failure> {
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
    use crate::span::Span;

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
        assert_eq!((reports[0].diagnostics.len(), unlisted_failure(&reports)), (12, None));
        keep_most_severe(reports.iter_mut(), 11);
        assert_eq!(counts(&reports[0]), ([4, 4, 3], [4, 4, 4]));
        assert!(unlisted_failure(&reports).is_some());
    }

    #[test]
    fn a_run_that_passes_the_bound_says_so_and_drops_texts() {
        let mut reports = [report("a", [2, 0, 0]), report("b", [0, 7, 1])];
        keep_most_severe(reports.iter_mut(), 2);
        let failure = unlisted_failure(&reports).expect("the bound is passed");
        assert_eq!(failure.message, "cannot list all 10 findings: a run lists at most 2, errors first");
        let texts = reports.each_ref().map(|report| report.files[0].text.as_str());
        assert_eq!(texts, ["a text", ""]);
    }
}
