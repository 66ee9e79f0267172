//! Who has to act next, so that a KEP becomes ready.

use super::answer::State;
use super::checklist::{Checklist, Entry};
use super::item::Kind;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Actor {
    /// The authors: their files are not as asked.
    Author,
    /// The approvers of the SIG: the KEP is provisional.
    SigApprover,
    /// The PRR approver whom a pull request asks.
    PrrApprover,
    /// The Release Team: files do not tell, or the tracking board says something else.
    ReleaseTeam,
}

impl Actor {
    pub const ALL: [Self; 4] = [Self::Author, Self::SigApprover, Self::PrrApprover, Self::ReleaseTeam];

    pub fn name(self) -> &'static str {
        match self {
            Self::Author => "author",
            Self::SigApprover => "sig-approver",
            Self::PrrApprover => "prr-approver",
            Self::ReleaseTeam => "release-team",
        }
    }

    pub fn words(self) -> &'static str {
        match self {
            Self::Author => "author",
            Self::SigApprover => "SIG approver",
            Self::PrrApprover => "PRR approver",
            Self::ReleaseTeam => "Release Team",
        }
    }

    /// Who has to act for a KEP; nobody if it is ready, and nothing is left to look at.
    pub fn all_of(checklist: &Checklist) -> Vec<Self> {
        Self::ALL.into_iter().filter(|actor| actor.has_to_act(checklist)).collect()
    }

    fn has_to_act(self, checklist: &Checklist) -> bool {
        let in_state = |state: State| checklist.of_kind(Kind::Verdict).filter(move |entry| entry.answer.state == state);
        let waits_for_sig = !checklist.waiting.sig.is_empty();
        // The approvers of the SIG make a KEP implementable.
        let is_for_sig = |entry: &Entry| waits_for_sig && entry.item.name == "status";
        match self {
            Self::Author => in_state(State::NotMet).any(|entry| !is_for_sig(entry)),
            Self::SigApprover => waits_for_sig,
            Self::PrrApprover => {
                let is_named = checklist.answer("prr").is_some_and(|answer| answer.state != State::NotMet);
                is_named && checklist.waiting.review.is_some()
            }
            Self::ReleaseTeam => {
                let contradicts = checklist.answer("board").is_some_and(|answer| answer.state == State::NotMet);
                in_state(State::Look).next().is_some() || contradicts
            }
        }
    }
}
