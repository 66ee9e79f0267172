//! How many findings of a run are kept. Separate from `sink`, which limits those of one KEP: here the errors of one KEP
//! take the place of the advice of others, whichever is checked first.
//!
//! A finding is kept if fewer than [`MOST_FINDINGS_OF_RUN`] come before it: more severe ones, and equally severe ones of
//! KEPs whose path is before. More findings only push others out, so what is dropped early would also be dropped at the
//! end, and the order in which threads come changes nothing.

use super::KepReport;
use super::baseline::Baseline;
use crate::diagnostic::{Diagnostic, Failure, Safety, Severity};
use crate::rules::select::Selection;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// How many findings of a run are kept; the others are only counted. Each takes about 2 kB, and all together with their
/// texts about 200 MB. The whole of kubernetes/enhancements has about 2,000.
pub const MOST_FINDINGS_OF_RUN: usize = 50_000;

/// Findings of one rule and severity that are counted but not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unlisted {
    /// The rule that found them.
    pub rule: &'static str,
    /// How severe they are.
    pub severity: Severity,
    /// How many findings there are.
    pub count: usize,
    /// How many entries of a list they would be: one entry can stand for many findings.
    pub entries: usize,
    /// How many of the entries have a safe fix.
    pub safe: usize,
    /// How many of the entries have an unsafe fix.
    pub risky: usize,
}

impl Unlisted {
    /// Counts `found` in `list`.
    fn add(list: &mut Vec<Self>, found: &Diagnostic) {
        let Diagnostic { rule, severity, count, .. } = *found;
        let is_same = |it: &&mut Self| it.rule == rule && it.severity == severity;
        if !list.iter_mut().any(|it| is_same(&&mut *it)) {
            list.push(Self { rule, severity, count: 0, entries: 0, safe: 0, risky: 0 });
        }
        let Some(it) = list.iter_mut().find(is_same) else { return };
        it.count += count;
        it.entries += 1;
        match found.fix.as_ref().map(|fix| fix.safety) {
            Some(Safety::Safe) => it.safe += 1,
            Some(Safety::Unsafe) => it.risky += 1,
            None => {}
        }
    }
}

/// The number of a report among those of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket(usize);

/// The reports of a run, with the findings that are kept.
#[derive(Debug)]
pub struct Kept {
    most: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    reports: Vec<KepReport>,
    /// The reports with findings of each severity. What comes last is dropped first.
    order: BTreeSet<(Reverse<Severity>, String, usize)>,
    /// How many findings they have.
    count: usize,
    /// What is known of dropped findings, if the run is one that others are compared with.
    dropped: Option<(Baseline, Selection)>,
}

impl Kept {
    /// Keeps so many findings.
    pub fn new(most: usize) -> Self {
        Self { most, state: Mutex::default() }
    }

    /// The same for a run that others are compared with: the fingerprints of dropped findings are kept.
    pub fn for_comparison(most: usize, selection: Selection) -> Self {
        let state = State { dropped: Some((Baseline::default(), selection)), ..State::default() };
        Self { most, state: Mutex::new(state) }
    }

    /// Adds a report, and drops what there is no room for.
    pub fn put(&self, report: KepReport) -> Ticket {
        // Dropping a few more findings each time would search the order as often.
        let most = self.most + self.most / 4;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let number = state.reports.len();
        state.reports.push(report);
        state.enter(number);
        if state.count > most {
            state.reduce(self.most);
        }
        Ticket(number)
    }

    /// All reports, to read and take from them what is not a finding.
    pub fn reports(&mut self) -> &mut [KepReport] {
        &mut self.state.get_mut().unwrap_or_else(PoisonError::into_inner).reports
    }

    /// Drops what there is no room for, and then lets `change` add findings to each report.
    pub fn change_each(&mut self, change: impl Fn(&mut KepReport)) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        state.reduce(self.most);
        for number in 0..state.reports.len() {
            state.leave(number);
            state.reports.get_mut(number).into_iter().for_each(&change);
            state.enter(number);
            if state.count > self.most + self.most / 4 {
                state.reduce(self.most);
            }
        }
    }

    /// The reports in this order, with the findings that are kept; what is known of the others, for a comparison; and a
    /// failure if there are others.
    pub fn finish(
        self,
        tickets: impl IntoIterator<Item = Ticket>,
    ) -> (Vec<KepReport>, Option<Baseline>, Option<Failure>) {
        let most = self.most;
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.reduce(most);
        let failure = state.failure();
        let State { mut reports, dropped, .. } = state;
        let reports = tickets.into_iter().filter_map(|Ticket(number)| reports.get_mut(number).map(std::mem::take));
        (reports.collect(), dropped.map(|(baseline, _)| baseline), failure)
    }
}

impl State {
    /// Adds the findings of a report to the order.
    fn enter(&mut self, number: usize) {
        let keys = self.keys(number);
        self.order.extend(keys);
        self.count += self.reports.get(number).map_or(0, |report| report.diagnostics.len());
    }

    /// Takes them out of it.
    fn leave(&mut self, number: usize) {
        for key in self.keys(number) {
            self.order.remove(&key);
        }
        self.count -= self.reports.get(number).map_or(0, |report| report.diagnostics.len());
    }

    fn keys(&self, number: usize) -> Vec<(Reverse<Severity>, String, usize)> {
        let Some(report) = self.reports.get(number) else { return Vec::new() };
        let has = |severity: &Severity| report.diagnostics.iter().any(|found| found.severity == *severity);
        let severities = Severity::ALL.into_iter().filter(has);
        severities.map(|severity| (Reverse(severity), place(report), number)).collect()
    }

    /// Drops the last findings until `most` are left.
    fn reduce(&mut self, most: usize) {
        while let Some(surplus) = self.count.checked_sub(most).filter(|surplus| *surplus > 0) {
            let Some((Reverse(severity), place, number)) = self.order.pop_last() else { return };
            let Some(report) = self.reports.get_mut(number) else { return };
            let (dropped, is_left) = report.drop_last(severity, surplus);
            self.count -= dropped.len();
            if is_left {
                self.order.insert((Reverse(severity), place, number));
            }
            if let Some((baseline, selection)) = &mut self.dropped {
                baseline.add(&report.names, report.target, &dropped, selection);
            }
        }
    }

    fn failure(&self) -> Option<Failure> {
        let unlisted: usize = self.reports.iter().flat_map(|report| &report.unlisted).map(|it| it.count).sum();
        let listed: usize = self.reports.iter().flat_map(|report| &report.diagnostics).map(|found| found.count).sum();
        if unlisted == 0 {
            return None;
        }
        let (all, entries) = (unlisted + listed, self.count);
        let failure =
            Failure::new(format!("cannot list all {all} findings: a run lists at most {entries}, errors first"));
        Some(failure.help("fix those that are listed and run kep-lint again, or name fewer KEPs; all are counted"))
    }
}

impl KepReport {
    /// Whether it has no findings, listed or not.
    pub fn is_clean(&self) -> bool {
        self.diagnostics.is_empty() && self.unlisted.is_empty()
    }

    /// Drops the last findings of this severity, at most `surplus`, and the texts that only these are about. Returns them,
    /// and whether others of this severity are left.
    fn drop_last(&mut self, severity: Severity, surplus: usize) -> (Vec<Diagnostic>, bool) {
        let all = self.diagnostics.iter().filter(|found| found.severity == severity).count();
        let mut left = all.saturating_sub(surplus);
        let is_left = left > 0;
        let (kept, dropped) = std::mem::take(&mut self.diagnostics).into_iter().partition(|found| {
            let is_kept = found.severity != severity || left > 0;
            left -= usize::from(is_kept && found.severity == severity);
            is_kept
        });
        self.diagnostics = kept;
        self.diagnostics.shrink_to_fit();
        let dropped: Vec<Diagnostic> = dropped;
        dropped.iter().for_each(|found| Unlisted::add(&mut self.unlisted, found));
        self.drop_unused_texts();
        (dropped, is_left)
    }
}

/// What tells a report from the others, whichever thread made it: its directory and its first file.
fn place(report: &KepReport) -> String {
    let file = report.files.first().map(|file| file.path.as_str()).unwrap_or_default();
    format!("{}\0{file}", report.kep.as_deref().unwrap_or(file))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceFile;
    use crate::span::{FileId, Span};
    use std::sync::Arc;

    /// A report on a KEP with so many errors, warnings and advice findings.
    fn report(kep: &str, counts: [usize; 3]) -> KepReport {
        let severities = [Severity::Error, Severity::Warning, Severity::Advice].into_iter().zip(counts);
        let severities = severities.flat_map(|(severity, count)| std::iter::repeat_n(severity, count));
        let found =
            |(at, severity): (usize, Severity)| Diagnostic::new("rule", severity, Span::new(FileId(0), at..at), "x");
        KepReport {
            kep: Some(kep.to_owned()),
            files: vec![Arc::new(SourceFile::decode(format!("{kep}/README.md"), b"a text".to_vec()))],
            diagnostics: severities.enumerate().map(found).collect(),
            ..KepReport::default()
        }
    }

    /// The listed and all findings of each KEP by severity, errors first, after the reports came in this order.
    fn counts(most: usize, reports: &[KepReport]) -> Vec<(String, [usize; 3], [usize; 3])> {
        let kept = Kept::new(most);
        let tickets: Vec<Ticket> = reports.iter().map(|report| kept.put(report.clone())).collect();
        let (reports, ..) = kept.finish(tickets);
        let severities = [Severity::Error, Severity::Warning, Severity::Advice];
        let count = |report: &KepReport| {
            let listed = severities.map(|it| report.diagnostics.iter().filter(|found| found.severity == it).count());
            let unlisted = |it| report.unlisted.iter().filter(move |more| more.severity == it).map(|more| more.count);
            let all = [0, 1, 2].map(|at: usize| listed[at] + unlisted(severities[at]).sum::<usize>());
            (report.kep.clone().unwrap_or_default(), listed, all)
        };
        let mut counts: Vec<_> = reports.iter().map(count).collect();
        counts.sort();
        counts
    }

    #[test]
    fn the_most_severe_findings_are_kept_in_whatever_order_they_come() {
        let reports = [report("a", [0, 0, 30]), report("b", [1, 9, 0]), report("c", [3, 9, 9]), report("d", [2, 0, 0])];
        let expected = [
            ("a".to_owned(), [0, 0, 0], [0, 0, 30]),
            ("b".to_owned(), [1, 9, 0], [1, 9, 0]),
            ("c".to_owned(), [3, 1, 0], [3, 9, 9]),
            ("d".to_owned(), [2, 0, 0], [2, 0, 0]),
        ];
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2], [0, 2, 1, 3]] {
            let reports = order.map(|at: usize| reports[at].clone());
            assert_eq!(counts(16, &reports), expected, "{order:?}");
        }
    }

    #[test]
    fn up_to_the_bound_everything_is_kept() {
        let kept = Kept::new(12);
        let ticket = kept.put(report("a", [4, 4, 4]));
        let (reports, _, failure) = kept.finish([ticket]);
        assert_eq!((reports[0].diagnostics.len(), reports[0].unlisted.len(), failure), (12, 0, None));
    }

    #[test]
    fn a_run_that_passes_the_bound_says_so_and_drops_texts() {
        let kept = Kept::new(2);
        let tickets = [kept.put(report("a", [2, 0, 0])), kept.put(report("b", [0, 7, 1]))];
        let (reports, _, failure) = kept.finish(tickets);
        let failure = failure.expect("the bound is passed");
        assert_eq!(failure.message, "cannot list all 10 findings: a run lists at most 2, errors first");
        let texts: Vec<&str> = reports.iter().map(|report| report.files[0].text.as_str()).collect();
        assert_eq!(texts, ["a text", ""]);
    }

    #[test]
    fn findings_that_are_added_later_push_others_out() {
        let mut kept = Kept::new(10);
        let tickets = [kept.put(report("a", [0, 10, 0])), kept.put(report("b", [0, 0, 0]))];
        kept.change_each(|it| {
            let more = if it.kep.as_deref() == Some("b") { 3 } else { 0 };
            it.diagnostics.extend(report("", [more, 0, 0]).diagnostics);
        });
        let (reports, ..) = kept.finish(tickets);
        assert_eq!((reports[0].diagnostics.len(), reports[1].diagnostics.len()), (7, 3));
    }

    #[test]
    fn a_comparison_knows_what_was_dropped() {
        let mut all = report("a", [3, 0, 0]);
        super::super::fingerprint::stamp(&all.names, &all.files, &mut all.diagnostics);
        let kept = Kept::for_comparison(1, Selection::default());
        let ticket = kept.put(all.clone());
        let (_, dropped, _) = kept.finish([ticket]);
        let new = dropped.expect("it is a comparison").retain_new(&all.names, None, &mut all.diagnostics);
        assert_eq!((new, all.diagnostics.len()), (2, 1));
    }
}
