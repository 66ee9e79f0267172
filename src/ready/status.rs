//! The answer for a gate: whether a KEP meets it, by the items that decide there. It is given once; formats, comments, boxes
//! and the exit status quote it. What else people should know of a KEP are remarks, which never decide.
use super::answer::State;
use serde::{Deserialize, Serialize};

/// Whether a KEP meets a gate; with the names of the items that are open there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Status {
    #[default]
    Met,
    NotMet(Vec<&'static str>),
    /// No item is not met, but a person must look at these.
    Look(Vec<&'static str>),
}

impl Status {
    pub fn of(open: Vec<(&'static str, State)>) -> Self {
        let worst = open.iter().map(|(_, state)| *state).max();
        let names = open.into_iter().map(|(name, _)| name).collect();
        match worst {
            None => Self::Met,
            Some(State::NotMet) => Self::NotMet(names),
            Some(State::Met | State::Info | State::Look) => Self::Look(names),
        }
    }

    pub fn is_met(&self) -> bool {
        *self == Self::Met
    }

    pub fn open(&self) -> &[&'static str] {
        match self {
            Self::Met => &[],
            Self::NotMet(items) | Self::Look(items) => items,
        }
    }

    pub fn words(&self) -> &'static str {
        match self {
            Self::Met => "ready",
            Self::NotMet(_) => "not ready",
            Self::Look(_) => "to look at",
        }
    }

    pub fn state(&self) -> State {
        match self {
            Self::Met => State::Met,
            Self::NotMet(_) => State::NotMet,
            Self::Look(_) => State::Look,
        }
    }
}

/// Where a KEP is on its way into the release: its status at the enhancements freeze, and what people tell apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Readiness {
    Ready,
    /// It is ready, but some of the required sections are open.
    SectionsOpen,
    Look,
    #[default]
    NotReady,
    /// It is not ready, and the tracking board says that an exception is asked for or granted.
    Exception,
    Absent,
}

impl Readiness {
    pub const ALL: [Self; 6] =
        [Self::Ready, Self::SectionsOpen, Self::Look, Self::NotReady, Self::Exception, Self::Absent];

    pub fn words(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::SectionsOpen => "ready with open sections",
            Self::Look => "to look at",
            Self::NotReady => "not ready",
            Self::Exception => "exception",
            Self::Absent => "not in the tree",
        }
    }
}

/// Who has to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
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

    pub fn words(self) -> &'static str {
        match self {
            Self::Author => "author",
            Self::SigApprover => "SIG approver",
            Self::PrrApprover => "PRR approver",
            Self::ReleaseTeam => "Release Team",
        }
    }
}
