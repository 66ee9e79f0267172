//! The gates that the Release Team closes on a release: what each of its boxes stands for, and whether a KEP meets it.
//!
//! A comment to the authors goes out by this, and takes a KEP out of the release. It quotes the status of the KEP at the
//! gate; a box is ticked if its items are met.

use super::answer::{Answer, State, Status};
use super::board::Board;
use super::calendar::{Deadline, Family};
use super::checklist::{Checklist, Pull};
use super::tracked::{Standing, Tracked};
use crate::diagnostic::{brief, capitalized};
use crate::kep::filter::Sig;
use crate::yaml::plain;
use serde::Deserialize;
use std::sync::LazyLock;

/// When the team looks at all KEPs of a release, and comments on each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gate {
    pub name: &'static str,
    /// Whether it is about the deadline before the enhancements freeze.
    pub is_deadline: bool,
    /// Whether the day is over: a KEP that is not in time is removed. Before, what is open is a reminder.
    pub is_party: bool,
}

impl Gate {
    pub const ALL: [Self; 4] = [Self::DEADLINE, Self::DEADLINE_PARTY, Self::ENHANCEMENTS, Self::ENHANCEMENTS_PARTY];
    pub const DEADLINE: Self = Self { name: "deadline", is_deadline: true, is_party: false };
    pub const DEADLINE_PARTY: Self = Self { name: "deadline-party", is_deadline: true, is_party: true };
    pub const ENHANCEMENTS: Self = Self { name: "enhancements", is_deadline: false, is_party: false };
    pub const ENHANCEMENTS_PARTY: Self = Self { name: "enhancements-party", is_deadline: false, is_party: true };

    /// What the team checks, in the order of its boxes.
    pub fn checks(self) -> &'static [Check] {
        if self.is_deadline { &COMMENT_NAMES.deadline_boxes } else { &COMMENT_NAMES.enhancements_boxes }
    }

    /// The headings under which the team's file may have the templates for it, those of `family` first.
    pub fn headings(self, family: &Family) -> Vec<String> {
        let all = if self.is_deadline { &COMMENT_NAMES.deadline } else { &COMMENT_NAMES.enhancements };
        let is_own = |name: &&String| family.deadline.as_ref().is_some_and(|own| own.name.eq_ignore_ascii_case(name));
        let (first, others): (Vec<&String>, Vec<&String>) = all.iter().partition(is_own);
        let party = if self.is_party { " Party" } else { "" };
        first.into_iter().chain(others).map(|name| format!("{name}{party} Templates")).collect()
    }

    pub fn status(self, family: &Family, is_met: bool) -> Option<String> {
        let deadline = family.deadline.as_ref().map(|deadline| (&deadline.met, &deadline.not_met));
        let (met, not_met) = if self.is_deadline { deadline? } else { (&family.met, &family.not_met) };
        let not_met = if self.is_party { &COMMENT_NAMES.removed } else { not_met };
        Some(capitalized(if is_met { met } else { not_met }))
    }
}

pub struct Assessment<'a> {
    pub gate: Gate,
    pub checklist: &'a Checklist,
    pub status: Status,
}

impl<'a> Assessment<'a> {
    pub fn of(gate: Gate, checklist: &'a Checklist) -> Self {
        let mut status = match &checklist.deadline {
            Some(deadline) if gate.is_deadline => deadline.status.clone(),
            _ => checklist.outcome.clone(),
        };
        // What is only in a pull request must be merged, and the PRR approver whom it asks must approve it.
        if checklist.is_proposed && !gate.is_deadline {
            let asked = Some("prr").filter(|_| checklist.only_asks());
            let open = ["tree"].into_iter().chain(asked).chain(status.open).collect();
            status = Status { state: State::NotMet, open };
        }
        Self { gate, checklist, status }
    }

    pub fn is_ticked(&self, check: &Check) -> bool {
        let is_known = if check.items == ["pulls"] {
            self.checklist.answer("pulls").is_some()
        } else {
            self.checklist.kep.is_some()
        };
        is_known && !check.items.iter().any(|item| self.status.open.contains(&item.as_str()))
    }

    /// Why nobody should be told that the KEP is removed, or is in, without a person who looks first.
    pub fn doubt(&self, board: &Board) -> Option<String> {
        let checklist = self.checklist;
        let tracked = checklist.tracked.as_ref();
        let pulls = || checklist.pulls.iter().flatten();
        let is_changed = board.snapshot.as_ref().is_some_and(|snapshot| snapshot.is_changed);
        let is_about_another = |own: &Tracked| milestone(own, checklist).or_else(|| stage(own, checklist)).is_some();
        let is_unjudged = |pull: &&Pull| pull.checklist.is_none() && Some(pull.number) != checklist.own_pull;
        let is_of_other_stage =
            |pull: &Pull| pull.checklist.as_ref().is_some_and(|other| other.stage != checklist.stage);
        let looked_at = checklist.open(&self.status).filter(|entry| entry.answer.state == State::Look);
        let looked_at: Vec<&str> = looked_at.map(|entry| entry.item.title).collect();
        let others = checklist.answer("pulls").filter(|_| !self.gate.is_deadline);
        Some(if tracked.is_some_and(|tracked| tracked.standing() == Some(Standing::Exception)) {
            "the tracking board has an exception for it".to_owned()
        } else if !board.failures.is_empty() {
            "not everything could be read".to_owned()
        } else if board.is_unmerged {
            "the commit that was judged is not merged".to_owned()
        } else if is_changed {
            "some of the files that were judged are not committed".to_owned()
        } else if tracked.is_some_and(is_about_another) {
            "the tracking board has another stage or milestone".to_owned()
        } else if checklist.answer("pulls").is_some_and(|answer| answer.state == State::Look) {
            "not all open pull requests are known".to_owned()
        } else if checklist.pulls.is_none() {
            "its open pull requests are not known".to_owned()
        } else if let Some(pull) = pulls().find(is_unjudged) {
            format!("the open pull request {} was not judged", pull.number)
        } else if !self.status.is_met() && self.gate.is_deadline && pulls().any(is_of_other_stage) {
            "its open pull requests are about different stages".to_owned()
        } else if let Some(answer) = others.filter(|answer| answer.state == State::NotMet) {
            format!("another pull request is open: {}", answer.words)
        } else if !looked_at.is_empty() {
            format!("a person must look first: {}", looked_at.join(", "))
        } else {
            return None;
        })
    }
}

/// Whether the files say what the board says; `None` if it says nothing that files say too.
pub fn compare(tracked: &Tracked, checklist: &Checklist) -> Option<Answer> {
    if tracked.is_empty() || checklist.kep.is_none() {
        return None;
    }
    let contradictions = [status, sig, milestone, stage].map(|difference| difference(tracked, checklist));
    let contradictions: Vec<String> = contradictions.into_iter().flatten().collect();
    let is_compared = tracked.standing().is_some() || tracked.sig.is_some() || tracked.milestone.is_some();
    if !contradictions.is_empty() {
        return Some(Answer::not_met(contradictions.join("; ")));
    }
    is_compared.then(|| Answer::met("it says what the files say"))
}

fn status(tracked: &Tracked, checklist: &Checklist) -> Option<String> {
    let status = tracked.status.as_deref()?;
    let is_one = |words: &str| status.trim().eq_ignore_ascii_case(words);
    let has_it = |deadline: &Deadline| is_one(&deadline.met) || is_one(&deadline.not_met);
    let is_about_deadline = checklist.family.deadline.as_ref().is_some_and(has_it);
    let (is_ready, ready) = match &checklist.deadline {
        Some(in_time) if is_about_deadline => (in_time.met, "in time for it"),
        _ => (checklist.is_ready, "ready"),
    };
    let not = match tracked.standing()? {
        Standing::Tracked if !is_ready => "not ",
        Standing::AtRisk if is_ready => "",
        _ => return None,
    };
    Some(format!("the status is `{}`, but the files are {not}{ready}", brief(status)))
}

fn sig(tracked: &Tracked, checklist: &Checklist) -> Option<String> {
    let (board, own) = (Sig::of(tracked.sig.as_deref()?)?, checklist.sig.as_deref()?);
    let differs = !is_same_sig(board.name(), own);
    differs.then(|| format!("the SIG is `{}`, but the KEP's is `{}`", brief(board.name()), brief(own)))
}

fn milestone(tracked: &Tracked, checklist: &Checklist) -> Option<String> {
    let milestone = tracked.milestone.as_deref()?.trim();
    let differs = tracked.release()? != checklist.release;
    differs.then(|| format!("the milestone is `{}`, not {}", brief(milestone), checklist.release))
}

fn stage(tracked: &Tracked, checklist: &Checklist) -> Option<String> {
    let (board, own) = (tracked.stage?, checklist.facts.stage?);
    (board != own).then(|| format!("the stage is {board}, but kep.yaml has {own}"))
}

/// Whether both are names of one SIG: a board may leave out `sig-`, or write it with a blank.
fn is_same_sig(board: &str, own: &str) -> bool {
    let plain = |name: &str| {
        let name = name.to_lowercase().replace([' ', '_', '/'], "-");
        name.strip_prefix("sig-").unwrap_or(&name).to_owned()
    };
    plain(board) == plain(own)
}

pub static COMMENT_NAMES: LazyLock<CommentNames> = LazyLock::new(|| {
    let data = include_str!("../../templates/comment-names.yaml");
    plain::read(data).expect("a test reads the built-in names")
});

#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CommentNames {
    /// The names of the deadline before the freeze in headings.
    pub deadline: Vec<String>,
    pub enhancements: Vec<String>,
    pub removed: String,
    /// Words that make no difference in any box.
    pub any_words: String,
    pub deadline_boxes: Vec<Check>,
    pub enhancements_boxes: Vec<Check>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// The names of the items that answer it.
    pub items: Vec<String>,
    /// It has one of the words of each list.
    pub keys: Vec<Vec<String>>,
    pub words: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::Release;

    #[test]
    fn each_gate_has_its_headings_and_status() {
        let family = |minor| Family::of(Release { major: 1, minor });
        assert_eq!(
            Gate::DEADLINE.headings(family(38)).first().map(String::as_str),
            Some("KEP Readiness Deadline Templates")
        );
        let party = Gate::DEADLINE_PARTY.headings(family(37));
        assert!(party.contains(&"PRR Freeze Party Templates".to_owned()), "{party:?}");
        assert_eq!(Gate::ENHANCEMENTS.headings(family(37)), ["Enhancements Freeze Templates"]);
        let status = |gate: Gate, minor, is_met| gate.status(family(minor), is_met).unwrap_or_default();
        assert_eq!(status(Gate::DEADLINE, 37, false), "At risk for PRR freeze");
        assert_eq!(status(Gate::DEADLINE_PARTY, 38, true), "Tracked for KEP readiness");
        assert_eq!(status(Gate::ENHANCEMENTS_PARTY, 37, false), "Removed from Milestone");
        assert_eq!(status(Gate::ENHANCEMENTS, 37, true), "Tracked for enhancements freeze");
        assert_eq!(Gate::DEADLINE.status(family(34), true), None);
        let names = &COMMENT_NAMES.deadline;
        for deadline in (35..40).filter_map(|minor| family(minor).deadline.as_ref()) {
            assert!(names.iter().any(|name| name.eq_ignore_ascii_case(&deadline.name)), "{}", deadline.name);
        }
    }

    #[test]
    fn every_item_of_a_check_is_one() {
        for check in Gate::ALL.iter().flat_map(|gate| gate.checks()) {
            for name in check.items.iter().filter(|name| *name != "pulls") {
                assert!(crate::ready::items::ALL.iter().any(|item| item.name == *name), "{name}");
            }
        }
    }

    #[test]
    fn a_sig_has_several_spellings() {
        assert!(is_same_sig("SIG Node", "sig-node") && is_same_sig("api machinery", "sig-api-machinery"));
        assert!(!is_same_sig("node", "sig-network"));
    }
}
