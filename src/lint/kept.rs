//! How many findings of a run are kept. Separate from `sink`, which limits those of one KEP: here the errors of one KEP
//! take the place of the advice of others, whichever is checked first.
//!
//! A finding is kept if fewer than `bounds::KEPT_FINDINGS_OF_RUN` come before it: more severe ones, and equally severe
//! ones of KEPs whose path is before. More findings only push others out, so what is dropped early would also be dropped at
//! the end, and the order in which threads come changes nothing.

use super::baseline::Baseline;
use crate::diagnostic::{Diagnostic, Failure, Safety, Severity};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Findings of one rule and severity that are counted but not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unlisted {
    pub rule: &'static str,
    pub severity: Severity,
    pub count: usize,
    /// How many entries of a list they would be: one entry can stand for many findings.
    pub entries: usize,
    /// How many of the entries have a safe fix.
    pub safe: usize,
    /// How many of the entries have an unsafe fix.
    pub risky: usize,
}

impl Unlisted {
    fn add(list: &mut Vec<Self>, finding: &Diagnostic) {
        let Diagnostic { rule, severity, count, .. } = *finding;
        let counts_it = |unlisted: &Self| unlisted.rule == rule && unlisted.severity == severity;
        if !list.iter().any(counts_it) {
            list.push(Self { rule, severity, count: 0, entries: 0, safe: 0, risky: 0 });
        }
        let Some(unlisted) = list.iter_mut().find(|unlisted| counts_it(unlisted)) else { return };
        unlisted.count += count;
        unlisted.entries += 1;
        match finding.fix.as_ref().map(|fix| fix.safety) {
            Some(Safety::Safe) => unlisted.safe += 1,
            Some(Safety::Unsafe) => unlisted.risky += 1,
            None => {}
        }
    }
}

/// A report whose findings may have to be dropped.
pub trait Reducible: Default {
    /// The findings that it lists, and those that it only counts.
    fn findings(&mut self) -> (&mut Vec<Diagnostic>, &mut Vec<Unlisted>);
    /// What tells it from the others, whichever thread made it.
    fn place(&self) -> String;
    /// Drops the texts that none of its findings is about.
    fn drop_unused_texts(&mut self);
    /// Adds findings that it had to a baseline.
    fn remember(&self, dropped: &[Diagnostic], baseline: &mut Baseline);
}

/// The number of a report among those of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket(usize);

/// The reports of a run, with the findings that are kept.
#[derive(Debug)]
pub struct Kept<R> {
    most: usize,
    state: Mutex<State<R>>,
}

/// A severity, what tells a report from the others, and its number.
type Key = (Reverse<Severity>, String, usize);

#[derive(Debug, Default)]
struct State<R> {
    reports: Vec<R>,
    /// The reports with findings of each severity. What comes last is dropped first.
    order: BTreeSet<Key>,
    count: usize,
    /// What is known of dropped findings, if the run is one that others are compared with.
    dropped: Option<Baseline>,
}

impl<R: Reducible> Kept<R> {
    pub fn new(most: usize) -> Self {
        Self { most, state: Mutex::new(State::default()) }
    }

    /// The same for a run that others are compared with: `dropped` gets the fingerprints of dropped findings.
    pub fn for_comparison(most: usize, dropped: Baseline) -> Self {
        let state = State { dropped: Some(dropped), ..State::default() };
        Self { most, state: Mutex::new(state) }
    }

    /// Adds a report, and drops what there is no room for.
    pub fn put(&self, report: R) -> Ticket {
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
    pub fn reports(&mut self) -> &mut [R] {
        &mut self.state.get_mut().unwrap_or_else(PoisonError::into_inner).reports
    }

    /// Drops what there is no room for, and then lets `change` add findings to each report.
    pub fn change_each(&mut self, change: impl Fn(&mut R)) {
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
    pub fn finish(self, tickets: impl IntoIterator<Item = Ticket>) -> (Vec<R>, Option<Baseline>, Option<Failure>) {
        let most = self.most;
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.reduce(most);
        let failure = state.failure();
        let State { mut reports, dropped, .. } = state;
        let reports = tickets.into_iter().filter_map(|Ticket(number)| reports.get_mut(number).map(std::mem::take));
        (reports.collect(), dropped, failure)
    }
}

impl<R: Reducible> State<R> {
    /// Adds the findings of a report to the order.
    fn enter(&mut self, number: usize) {
        let (keys, count) = self.keys(number);
        self.order.extend(keys);
        self.count += count;
    }

    fn leave(&mut self, number: usize) {
        let (keys, count) = self.keys(number);
        for key in keys {
            self.order.remove(&key);
        }
        self.count -= count;
    }

    /// The places of a report in the order, and how many findings it lists.
    fn keys(&mut self, number: usize) -> (Vec<Key>, usize) {
        let Some(report) = self.reports.get_mut(number) else { return (Vec::new(), 0) };
        let place = report.place();
        let (listed, _) = report.findings();
        let has = |severity: &Severity| listed.iter().any(|finding| finding.severity == *severity);
        let severities = Severity::ALL.into_iter().filter(has);
        (severities.map(|severity| (Reverse(severity), place.clone(), number)).collect(), listed.len())
    }

    /// Drops the last findings until `most` are left.
    fn reduce(&mut self, most: usize) {
        while let Some(surplus) = self.count.checked_sub(most).filter(|surplus| *surplus > 0) {
            let Some((Reverse(severity), place, number)) = self.order.pop_last() else { return };
            let Some(report) = self.reports.get_mut(number) else { return };
            let (dropped, is_left) = drop_last(report, severity, surplus);
            self.count -= dropped.len();
            if is_left {
                self.order.insert((Reverse(severity), place, number));
            }
            if let Some(baseline) = &mut self.dropped {
                report.remember(&dropped, baseline);
            }
        }
    }

    fn failure(&mut self) -> Option<Failure> {
        let (mut all, mut entries, mut is_whole) = (0, 0, true);
        for report in &mut self.reports {
            let (listed, unlisted) = report.findings();
            all += listed.iter().map(|finding| finding.count).sum::<usize>();
            all += unlisted.iter().map(|more| more.count).sum::<usize>();
            entries += listed.len();
            is_whole &= unlisted.is_empty();
        }
        if is_whole {
            return None;
        }
        let failure =
            Failure::new(format!("cannot list all {all} findings: a run lists at most {entries}, errors first"));
        Some(failure.help("fix those that are listed and run kep-lint again, or name fewer KEPs; all are counted"))
    }
}

/// Drops the last findings of this severity, at most `surplus`, and the texts that only these are about. Returns them, and
/// whether others of this severity are left.
fn drop_last(report: &mut impl Reducible, severity: Severity, surplus: usize) -> (Vec<Diagnostic>, bool) {
    let (listed, unlisted) = report.findings();
    let all = listed.iter().filter(|finding| finding.severity == severity).count();
    let mut left = all.saturating_sub(surplus);
    let is_left = left > 0;
    let (mut kept, dropped): (Vec<_>, Vec<_>) = std::mem::take(listed).into_iter().partition(|finding| {
        let is_kept = finding.severity != severity || left > 0;
        left -= usize::from(is_kept && finding.severity == severity);
        is_kept
    });
    kept.shrink_to_fit();
    *listed = kept;
    dropped.iter().for_each(|finding| Unlisted::add(unlisted, finding));
    report.drop_unused_texts();
    (dropped, is_left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::fingerprint::{Names, stamp};
    use crate::rules::select::Selection;
    use crate::span::{FileId, Span};

    #[derive(Clone, Default)]
    struct Report {
        kep: String,
        text: String,
        diagnostics: Vec<Diagnostic>,
        unlisted: Vec<Unlisted>,
    }

    impl Reducible for Report {
        fn findings(&mut self) -> (&mut Vec<Diagnostic>, &mut Vec<Unlisted>) {
            (&mut self.diagnostics, &mut self.unlisted)
        }

        fn place(&self) -> String {
            self.kep.clone()
        }

        fn drop_unused_texts(&mut self) {
            self.text.truncate(if self.diagnostics.is_empty() { 0 } else { usize::MAX });
        }

        fn remember(&self, dropped: &[Diagnostic], baseline: &mut Baseline) {
            baseline.add(&Names::default(), None, dropped);
        }
    }

    /// A report on a KEP with so many errors, warnings and advice findings.
    fn report(kep: &str, counts: [usize; 3]) -> Report {
        let severities = [Severity::Error, Severity::Warning, Severity::Advice].into_iter().zip(counts);
        let severities = severities.flat_map(|(severity, count)| std::iter::repeat_n(severity, count));
        let span = |at: usize| Span::new(FileId(0), at..at);
        let finding = |(at, severity): (usize, Severity)| Diagnostic::new("rule", severity, span(at), "x");
        let diagnostics = severities.enumerate().map(finding).collect();
        Report { kep: kep.to_owned(), text: "a text".to_owned(), diagnostics, unlisted: Vec::new() }
    }

    /// The listed and all findings of each KEP by severity, errors first, after the reports came in this order.
    fn counts(most: usize, reports: &[Report]) -> Vec<(String, [usize; 3], [usize; 3])> {
        let kept = Kept::new(most);
        let tickets: Vec<Ticket> = reports.iter().map(|report| kept.put(report.clone())).collect();
        let (kept_reports, ..) = kept.finish(tickets);
        let severities = [Severity::Error, Severity::Warning, Severity::Advice];
        let count = |report: &Report| {
            let listed =
                severities.map(|it| report.diagnostics.iter().filter(|finding| finding.severity == it).count());
            let unlisted = |it| report.unlisted.iter().filter(move |more| more.severity == it).map(|more| more.count);
            let all = [0, 1, 2].map(|index: usize| listed[index] + unlisted(severities[index]).sum::<usize>());
            (report.kep.clone(), listed, all)
        };
        let mut counts: Vec<_> = kept_reports.iter().map(count).collect();
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
            let reports = order.map(|index: usize| reports[index].clone());
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
        let texts: Vec<&str> = reports.iter().map(|report| report.text.as_str()).collect();
        assert_eq!(texts, ["a text", ""]);
    }

    #[test]
    fn findings_that_are_added_later_push_others_out() {
        let mut kept = Kept::new(10);
        let tickets = [kept.put(report("a", [0, 10, 0])), kept.put(report("b", [0, 0, 0]))];
        kept.change_each(|it| {
            let more = if it.kep == "b" { 3 } else { 0 };
            it.diagnostics.extend(report("", [more, 0, 0]).diagnostics);
        });
        let (reports, ..) = kept.finish(tickets);
        assert_eq!((reports[0].diagnostics.len(), reports[1].diagnostics.len()), (7, 3));
    }

    #[test]
    fn a_comparison_knows_what_was_dropped() {
        let mut all = report("a", [3, 0, 0]);
        stamp(&Names::default(), &[], &mut all.diagnostics);
        let kept = Kept::for_comparison(1, Baseline::new(Selection::default()));
        let ticket = kept.put(all.clone());
        let (_, dropped, _) = kept.finish([ticket]);
        let new = dropped.expect("it is a comparison").retain_new(&Names::default(), None, &mut all.diagnostics);
        assert_eq!((new, all.diagnostics.len()), (2, 1));
    }
}
