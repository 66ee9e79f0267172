//! Who has to act next, so that a KEP becomes ready.

use serde::Serialize;

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
}
