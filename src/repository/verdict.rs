//! What the PRR file of a KEP says about a stage: the one judgement that rules, the readiness for a release and promotions
//! report. Apart from the PRR file itself, because who is an approver is known of the repository.

use super::Repository;
use crate::kep::Kep;
use crate::kep::field::Field;
use crate::kep::filter::Handle;
use crate::kep::review::Approval;
use crate::span::FileId;
use crate::stage::Stage;

#[derive(Clone, Copy, Debug)]
pub enum Verdict<'a> {
    NoFile,
    /// The file is in the directory of another SIG.
    Elsewhere(FileId),
    NoEntry,
    /// The file has no entry for the stage, but a mistake that may hide it.
    Unclear,
    NoApprover(&'a Approval),
    NotApprover {
        approver: &'a Field,
        meant: Option<&'a str>,
    },
    Approved {
        approver: &'a Field,
        name: &'a str,
    },
}

impl<'a> Verdict<'a> {
    /// The PRR approver that the entry names, in whatever spelling.
    pub fn approver(self) -> Option<(&'a Field, &'a str)> {
        match self {
            Self::Approved { approver, name } | Self::NotApprover { approver, meant: Some(name) } => {
                Some((approver, name))
            }
            _ => None,
        }
    }
}

impl Repository {
    /// What the PRR file of `kep`, which has its PRR files, says about `stage`.
    pub fn verdict<'a>(&'a self, kep: &'a Kep, stage: Stage) -> Verdict<'a> {
        let Some(review) = &kep.review else {
            return kep.stray_reviews.first().map_or(Verdict::NoFile, |stray| Verdict::Elsewhere(*stray));
        };
        match review.approval(stage) {
            None if review.could_be_typo_of(stage) => Verdict::Unclear,
            None => Verdict::NoEntry,
            Some(approval) => match approval.approver.as_ref().filter(|approver| !approver.text.is_empty()) {
                None => Verdict::NoApprover(approval),
                Some(approver) => self.verdict_on(approver),
            },
        }
    }

    /// Upstream compares the name exactly, but for one `@`.
    fn verdict_on<'a>(&'a self, approver: &'a Field) -> Verdict<'a> {
        let written = approver.text.strip_prefix('@').unwrap_or(&approver.text);
        if let Some(name) = self.prr_approvers.get(written) {
            return Verdict::Approved { approver, name };
        }
        let handle = Handle::of(&approver.text);
        let is_meant = |name: &&String| handle.is_some() && Handle::of(name) == handle;
        Verdict::NotApprover { approver, meant: self.prr_approvers.iter().find(is_meant).map(String::as_str) }
    }
}
