//! The gates that the Release Team closes on a release: what each of its boxes stands for, and whether a KEP meets it.
//!
//! A comment to the authors goes out by this, and takes a KEP out of the release, so that nothing counts as met that was not
//! checked. Evidence is for people: against a KEP, it only makes one look.

use super::answer::State;
use super::approval::only_asks;
use super::board::{Board, Changes};
use super::calendar::{Family, comment_names};
use super::checklist::{Checklist, Entry, Pull, Strictness};
use super::contradiction::is_about_another;
use super::item::Kind;
use super::tracked::Standing;
use std::iter;

/// When the team looks at all KEPs of a release, and comments on each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gate {
    /// Before the deadline: what is open is a reminder.
    Deadline,
    /// After the deadline: a KEP that is not in time is removed.
    DeadlineParty,
    Enhancements,
    EnhancementsParty,
}

impl Gate {
    /// All of them, in the order of a release.
    pub const ALL: [Self; 4] = [Self::Deadline, Self::DeadlineParty, Self::Enhancements, Self::EnhancementsParty];

    pub fn name(self) -> &'static str {
        match self {
            Self::Deadline => "deadline",
            Self::DeadlineParty => "deadline-party",
            Self::Enhancements => "enhancements",
            Self::EnhancementsParty => "enhancements-party",
        }
    }

    /// Whether it is about the deadline before the enhancements freeze.
    pub fn is_deadline(self) -> bool {
        matches!(self, Self::Deadline | Self::DeadlineParty)
    }

    /// Whether KEPs that do not meet it are removed.
    pub fn is_party(self) -> bool {
        matches!(self, Self::DeadlineParty | Self::EnhancementsParty)
    }

    /// What the team checks, in the order of its boxes.
    pub fn checks(self) -> &'static [Check] {
        if self.is_deadline() {
            &[Check::Questionnaire, Check::Metadata, Check::Reviewer]
        } else {
            &[
                Check::Template,
                Check::Status,
                Check::Graduation,
                Check::ReviewAsked,
                Check::ReviewDone,
                Check::PullRequests,
            ]
        }
    }

    /// The headings under which the team's file may have the templates for it, those of `family` first.
    pub fn headings(self, family: &Family) -> Vec<String> {
        let names = comment_names();
        let all = if self.is_deadline() { &names.deadline } else { &names.enhancements };
        let is_own = |name: &&String| family.deadline.as_ref().is_some_and(|own| own.name.eq_ignore_ascii_case(name));
        let (first, others): (Vec<&String>, Vec<&String>) = all.iter().partition(is_own);
        let party = if self.is_party() { " Party" } else { "" };
        first.into_iter().chain(others).map(|name| format!("{name}{party} Templates")).collect()
    }

    /// The status that the team's board has for a KEP; `None` if the release has no such deadline.
    pub fn status(self, family: &Family, is_met: bool) -> Option<String> {
        let deadline = family.deadline.as_ref().map(|deadline| (&deadline.met, &deadline.not_met));
        let (met, not_met) = if self.is_deadline() { deadline? } else { (&family.met, &family.not_met) };
        let not_met = if self.is_party() { &comment_names().removed } else { not_met };
        let mut letters = if is_met { met } else { not_met }.chars();
        Some(letters.next()?.to_uppercase().chain(letters).collect())
    }
}

/// The item about open pull requests, which is answered from a list of them.
const PULLS: &str = "pulls";

/// What a box of the team asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    Questionnaire,
    /// kep.yaml has the stage and its milestones.
    Metadata,
    /// The PRR file names an approver for the stage.
    Reviewer,
    /// The README follows the template, and is merged.
    Template,
    /// kep.yaml is valid, and has the status and the milestones.
    Status,
    /// The README has graduation criteria for the stage.
    Graduation,
    /// An approver is asked for the PRR.
    ReviewAsked,
    ReviewDone,
    /// No other open pull request changes the KEP.
    PullRequests,
}

impl Check {
    /// The items of the checklist that answer it.
    fn items(self) -> &'static [&'static str] {
        match self {
            Self::Questionnaire => &[],
            Self::PullRequests => &[PULLS],
            Self::Metadata => &["latest-milestone", "stage", "stage-milestone"],
            Self::Reviewer | Self::ReviewAsked | Self::ReviewDone => &["prr"],
            Self::Template => &["tree", "toc", "signoff", "sections", "template"],
            Self::Status => &["metadata", "status", "latest-milestone", "stage", "stage-milestone"],
            Self::Graduation => &["graduation"],
        }
    }

    /// Whether what is only proposed in a pull request counts.
    fn accepts_proposals(self) -> bool {
        matches!(self, Self::Questionnaire | Self::Metadata | Self::Reviewer | Self::ReviewAsked)
    }
}

/// What is known of a check, or of a gate; the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Met,
    Unchecked,
    Look,
    NotMet,
}

/// What is to be done, or to be looked at.
pub struct Open<'a> {
    pub needs_look: bool,
    pub what: What<'a>,
}

pub enum What<'a> {
    Answer(&'a Entry),
    /// What no item says, in one clause.
    Words(String),
}

pub struct Assessment<'a> {
    pub gate: Gate,
    /// What is known of each of its checks.
    pub checks: Vec<(Check, Outcome)>,
    /// What is known of the gate: the worst of them.
    pub outcome: Outcome,
    pub open: Vec<Open<'a>>,
    /// The number of the pull request that the KEP is judged in.
    judged_in: Option<u64>,
    /// What makes the files that were judged others than those that are merged, or not all of them.
    whole: Result<(), &'static str>,
}

impl<'a> Assessment<'a> {
    pub fn of(gate: Gate, board: &Board, checklist: &'a Checklist) -> Self {
        let judged_in = checklist.own_pull;
        let whole = whole(board);
        let subject = Subject { checklist, strictness: board.strictness, judged_in, whole };
        let mut assessment =
            Self { gate, checks: Vec::new(), outcome: Outcome::Met, open: Vec::new(), judged_in, whole };
        for check in gate.checks() {
            let outcome = subject.outcome(*check);
            assessment.checks.push((*check, outcome));
            if outcome != Outcome::Met {
                subject.open(*check).into_iter().for_each(|open| assessment.add(open));
            }
        }
        let others = subject.others(gate);
        let other = others.iter().map(|entry| subject.outcome_of(entry)).max();
        let worst = assessment.checks.iter().map(|(_, outcome)| *outcome).chain(other).max();
        assessment.outcome = worst.unwrap_or(Outcome::Unchecked);
        others.into_iter().for_each(|entry| assessment.add(subject.answer(entry)));
        assessment
    }

    /// What is known of one of its checks.
    pub fn outcome_of(&self, check: Check) -> Outcome {
        let found = self.checks.iter().find(|(known, _)| *known == check);
        found.map_or(Outcome::Unchecked, |(_, outcome)| *outcome)
    }

    /// Why nobody should be told that the KEP is removed, or is in, without a person who looks first.
    pub fn doubt(&self, checklist: &Checklist) -> Option<String> {
        if checklist.tracked.as_ref().is_some_and(|tracked| tracked.standing() == Some(Standing::Exception)) {
            return Some("the tracking board has an exception for it".to_owned());
        }
        if let Err(reason) = self.whole {
            return Some(reason.to_owned());
        }
        if checklist.tracked.as_ref().is_some_and(|tracked| is_about_another(tracked, checklist)) {
            return Some("the tracking board has another stage or milestone".to_owned());
        }
        if checklist.answer("pulls").is_some_and(|answer| answer.state == State::Look) {
            return Some("not all open pull requests are known".to_owned());
        }
        match &checklist.pulls {
            None => return Some("its open pull requests are not known".to_owned()),
            Some(pulls) => {
                let is_unjudged = |pull: &&Pull| pull.checklist.is_none() && Some(pull.number) != self.judged_in;
                if let Some(pull) = pulls.iter().find(is_unjudged) {
                    return Some(format!("the open pull request {} was not judged", pull.number));
                }
            }
        }
        let pulls = checklist.pulls.iter().flatten().filter_map(|pull| pull.checklist.as_deref());
        if self.outcome == Outcome::NotMet
            && self.gate.is_deadline()
            && pulls.into_iter().any(|it| it.stage != checklist.stage)
        {
            return Some("its open pull requests are about different stages".to_owned());
        }
        // Of a KEP that is not met anyway, evidence makes no difference, but what the files do not tell might.
        let decides = |open: &&Open<'_>| match &open.what {
            What::Answer(entry) => self.outcome < Outcome::NotMet || entry.item.kind == Kind::Verdict,
            What::Words(_) => self.outcome < Outcome::NotMet,
        };
        let looked_at: Vec<&str> = self.open.iter().filter(|open| open.needs_look).filter(decides).map(name).collect();
        (!looked_at.is_empty()).then(|| format!("a person must look first: {}", looked_at.join(", ")))
    }

    fn add(&mut self, open: Open<'a>) {
        let is_same = |other: &Open<'_>| match (&other.what, &open.what) {
            (What::Answer(one), What::Answer(other)) => one.item.name == other.item.name,
            (What::Words(one), What::Words(other)) => one == other,
            _ => false,
        };
        if !self.open.iter().any(is_same) {
            self.open.push(open);
        }
    }
}

/// Whether all that was judged could be read, and is committed.
fn whole(board: &Board) -> Result<(), &'static str> {
    if !board.failures.is_empty() {
        return Err("not everything could be read");
    }
    if board.is_unmerged {
        return Err("the commit that was judged is not merged");
    }
    let is_changed = board.snapshot.as_ref().is_some_and(|snapshot| snapshot.changes == Changes::Uncommitted);
    if is_changed { Err("some of the files that were judged are not committed") } else { Ok(()) }
}

fn name<'b>(open: &'b Open<'_>) -> &'b str {
    match &open.what {
        What::Answer(entry) => entry.item.title,
        What::Words(words) => words,
    }
}

struct Subject<'a> {
    checklist: &'a Checklist,
    strictness: Strictness,
    /// The number of the pull request that it is judged in.
    judged_in: Option<u64>,
    /// What makes the files that were judged others than those that are merged, or not all of them.
    whole: Result<(), &'static str>,
}

impl<'a> Subject<'a> {
    /// What is known of a check: of the merged files and the open pull requests, the best where those count.
    fn outcome(&self, check: Check) -> Outcome {
        let pulls = self.checklist.pulls.iter().flatten().filter(|_| check.accepts_proposals());
        // One that is judged for another stage says nothing of this one.
        let asked = |checklist: &Checklist| (checklist.stage, checklist.release);
        let others = pulls.filter_map(|pull| pull.checklist.as_deref());
        let others = others.filter(|other| asked(other) == asked(self.checklist));
        let all = iter::once(self.checklist).chain(others).map(|checklist| self.outcome_in(check, checklist));
        all.min().unwrap_or(Outcome::Unchecked)
    }

    /// The same in one version of the KEP.
    fn outcome_in(&self, check: Check, checklist: &Checklist) -> Outcome {
        if checklist.kep.is_none() && check != Check::PullRequests {
            return Outcome::NotMet;
        }
        let items = || {
            let entries = checklist.entries.iter().filter(|entry| check.items().contains(&entry.item.name));
            entries.map(|entry| self.outcome_of(entry)).max().unwrap_or(Outcome::Unchecked)
        };
        match check {
            // People judge whether an answer is one.
            Check::Questionnaire if checklist.has_open_questions => Outcome::Look,
            Check::Questionnaire => Outcome::Met,
            Check::Template if checklist.is_proposed => Outcome::NotMet,
            Check::Template if self.whole.is_err() => items().max(Outcome::Look),
            Check::Template if checklist.open_sections > 0 => items().max(Outcome::Look),
            Check::ReviewDone if checklist.answer("prr").is_some_and(only_asks) => Outcome::NotMet,
            Check::PullRequests => match &checklist.pulls {
                None => Outcome::Unchecked,
                Some(_) if self.other_pulls().next().is_some() => Outcome::Look,
                // The list may be cut.
                Some(_) if checklist.answer("pulls").is_some_and(|answer| answer.state != State::Met) => Outcome::Look,
                Some(_) => Outcome::Met,
            },
            _ => items(),
        }
    }

    /// What an answer means for a check. That nothing is asked yet is no matter.
    fn outcome_of(&self, entry: &Entry) -> Outcome {
        let decides = entry.item.kind == Kind::Verdict || self.strictness == Strictness::Evidence;
        match entry.answer.state {
            State::Met | State::Info => Outcome::Met,
            State::NotMet if decides => Outcome::NotMet,
            State::Look | State::NotMet => Outcome::Look,
        }
    }

    /// The open pull requests that change the KEP, but for the one that it is judged in.
    fn other_pulls(&self) -> impl Iterator<Item = &'a Pull> {
        let judged_in = self.judged_in;
        let pulls = self.checklist.pulls.iter().flatten();
        pulls.filter(move |pull| pull.changes_kep() && Some(pull.number) != judged_in)
    }

    /// What no box of the gate stands for, but must be met as well.
    fn others(&self, gate: Gate) -> Vec<&'a Entry> {
        let checklist = self.checklist;
        let asks = checklist.family.deadline.as_ref().map(|deadline| deadline.asks.as_slice()).unwrap_or_default();
        let is_in_box = |entry: &Entry| gate.checks().iter().any(|check| check.items().contains(&entry.item.name));
        let is_asked = |entry: &Entry| !gate.is_deadline() || asks.iter().any(|name| name == entry.item.name);
        let entries = checklist.entries.iter().filter(|entry| !is_in_box(entry) && is_asked(entry));
        let decides = |entry: &&Entry| {
            self.outcome_of(entry) == Outcome::NotMet
                || (entry.item.kind == Kind::Verdict && self.outcome_of(entry) != Outcome::Met)
        };
        entries.filter(decides).collect()
    }

    /// What is open of a check that is not met.
    fn open(&self, check: Check) -> Vec<Open<'a>> {
        let checklist = self.checklist;
        if checklist.kep.is_none() && check != Check::PullRequests {
            return checklist.entries.iter().map(|entry| self.answer(entry)).collect();
        }
        let words = |needs_look: bool, words: &str| Open { needs_look, what: What::Words(words.to_owned()) };
        let entries = checklist.entries.iter().filter(|entry| check.items().contains(&entry.item.name));
        let entries: Vec<&Entry> = entries.collect();
        let mut open = Vec::new();
        match check {
            Check::Questionnaire => {
                let stage = checklist.stage.map_or("the stage", |stage| stage.name());
                open.push(words(true, &format!("PRR questionnaire: questions that {stage} requires have no answer")));
            }
            Check::PullRequests => return vec![words(true, &self.other_pulls_words())],
            Check::Template if checklist.is_proposed => {
                open.push(words(false, "README: it is in an open pull request, which is not merged"));
            }
            Check::ReviewDone => {
                let asks = checklist.answer("prr").filter(|answer| only_asks(answer));
                open.extend(asks.map(|answer| words(false, &format!("PRR: {}", answer.words))));
            }
            _ => {}
        }
        let answers = entries.iter().filter(|entry| self.outcome_of(entry) != Outcome::Met);
        open.extend(answers.map(|entry| self.answer(entry)));
        if open.is_empty() {
            let what = match check {
                Check::Graduation => "the graduation criteria",
                Check::Reviewer | Check::ReviewAsked | Check::ReviewDone => "the PRR",
                Check::Template => "the sections of the README",
                _ => "kep.yaml",
            };
            open.push(words(true, what));
        }
        open
    }

    fn answer(&self, entry: &'a Entry) -> Open<'a> {
        Open { needs_look: self.outcome_of(entry) == Outcome::Look, what: What::Answer(entry) }
    }

    fn other_pulls_words(&self) -> String {
        let numbers: Vec<String> = self.other_pulls().map(|pull| pull.number.to_string()).collect();
        match numbers.as_slice() {
            [] => "no other open pull request changes the README or kep.yaml".to_owned(),
            [only] => format!("the open pull request {only} changes the README or kep.yaml"),
            several => format!("the open pull requests {} change the README or kep.yaml", several.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::Release;

    #[test]
    fn each_gate_has_its_headings_and_status() {
        let family = |minor| Family::of(Release { major: 1, minor });
        assert_eq!(
            Gate::Deadline.headings(family(38)).first().map(String::as_str),
            Some("KEP Readiness Deadline Templates")
        );
        let party = Gate::DeadlineParty.headings(family(37));
        assert!(party.contains(&"PRR Freeze Party Templates".to_owned()), "{party:?}");
        assert_eq!(Gate::Enhancements.headings(family(37)), ["Enhancements Freeze Templates"]);
        let status = |gate: Gate, minor, is_met| gate.status(family(minor), is_met).unwrap_or_default();
        assert_eq!(status(Gate::Deadline, 37, false), "At risk for PRR freeze");
        assert_eq!(status(Gate::DeadlineParty, 38, true), "Tracked for KEP readiness");
        assert_eq!(status(Gate::EnhancementsParty, 37, false), "Removed from Milestone");
        assert_eq!(status(Gate::Enhancements, 37, true), "Tracked for enhancements freeze");
        assert_eq!(Gate::Deadline.status(family(34), true), None);
        let names = &comment_names().deadline;
        for deadline in (35..40).filter_map(|minor| family(minor).deadline.as_ref()) {
            assert!(names.iter().any(|name| name.eq_ignore_ascii_case(&deadline.name)), "{}", deadline.name);
        }
    }

    #[test]
    fn every_item_of_a_check_is_one() {
        for check in Gate::ALL.iter().flat_map(|gate| gate.checks()) {
            for name in check.items().iter().filter(|name| **name != PULLS) {
                assert!(crate::ready::ALL.iter().any(|item| item.name == *name), "{name}");
            }
        }
    }
}
