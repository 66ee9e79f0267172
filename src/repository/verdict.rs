//! Where the PRR file of a KEP is, and what it says about a stage: the one judgement that rules, the readiness for a release
//! and promotions report. Apart from the PRR file itself, because who is an approver is known of the repository.

use super::{Repository, ReviewFile};
use crate::kep::Kep;
use crate::kep::field::Field;
use crate::kep::filter::Handle;
use crate::kep::number::without_zeros;
use crate::kep::review::Approval;
use crate::span::FileId;
use crate::stage::Stage;
use std::sync::Arc;

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
    /// Attaches the PRR files with the number of a KEP, except those of another KEP with the same number.
    pub fn attach_reviews(&self, kep: &mut Kep) {
        kep.metadata.iter_mut().for_each(|metadata| self.vocabulary.explain(metadata));
        let number = kep.metadata.as_ref().and_then(|metadata| Some(metadata.number.as_ref()?.text.clone()));
        let Some(number) = number else { return };
        let reviews = self.reviews_of(&number);
        self.attach(kep, &number, reviews);
    }

    /// Attaches these PRR files, all that there are with this `number`, in the place of those in the repository.
    pub fn attach_these(&self, kep: &mut Kep, number: &str, reviews: &[ReviewFile]) {
        let written = kep.metadata.as_ref().and_then(|metadata| metadata.number.as_ref());
        if written.is_some_and(|written| without_zeros(&written.text) == number) {
            self.attach(kep, number, reviews);
        } else {
            self.attach_reviews(kep);
        }
    }

    fn attach(&self, kep: &mut Kep, number: &str, reviews: &[ReviewFile]) {
        let Some(written) = kep.owner.clone() else { return };
        let owner = self.owner(&written, kep.texts.sig(), reviews).to_owned();
        kep.owner = Some(owner.clone());
        for review in reviews {
            let is_of_other_kep = kep.texts.sig() != Some(&review.sig) && self.has_kep(&review.sig, number);
            if review.sig == owner || !is_of_other_kep {
                kep.add_review(&review.sig, &review.name, Arc::clone(&review.file));
            }
        }
    }

    /// The SIG that a KEP belongs to whose `owning-sig` is `written`: that of its `directory` while the other is unknown,
    /// and has no PRR file for the KEP.
    fn owner<'a>(&self, written: &'a str, directory: Option<&'a str>, reviews: &[ReviewFile]) -> &'a str {
        let is_known = |sig: &str| self.groups.contains(sig) || self.is_retired_group(sig);
        let has_review = || reviews.iter().any(|review| review.sig == written);
        match directory {
            Some(sig) if self.has_groups && self.groups.contains(sig) => {
                if written.is_empty() || is_known(written) || has_review() { written } else { sig }
            }
            _ => written,
        }
    }

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
        if let Some(name) = self.aliases.prr_approvers.get(written) {
            return Verdict::Approved { approver, name };
        }
        let handle = Handle::of(&approver.text);
        let is_meant = |name: &&String| handle.is_some() && Handle::of(name) == handle;
        let meant = self.aliases.prr_approvers.iter().find(is_meant);
        Verdict::NotApprover { approver, meant: meant.map(String::as_str) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceFile;

    #[test]
    fn a_kep_with_an_unknown_sig_belongs_to_that_of_its_directory() {
        let mut repository = Repository::default();
        let owner = |known: &Repository, written: &str, directory: Option<&str>| {
            known.owner(written, directory, known.reviews_of("1")).to_owned()
        };
        let node = Some("sig-node");
        assert_eq!(owner(&repository, "node", node), "sig-node");
        // What is known, or was, may be right.
        assert_eq!(owner(&repository, "sig-apps", node), "sig-apps");
        assert_eq!(owner(&repository, "sig-usability", node), "sig-usability");
        assert_eq!(owner(&repository, "", node), "");
        assert_eq!(owner(&repository, "node", Some("sig-nodes")), "node");
        assert_eq!(owner(&repository, "node", None), "node");
        let review = || SourceFile::decode("1.yaml", Vec::new());
        repository.add_review("sig-node".to_owned(), "1".to_owned(), review());
        assert_eq!(owner(&repository, "node", node), "sig-node");
        repository.add_review("node".to_owned(), "1".to_owned(), review());
        assert_eq!(owner(&repository, "node", node), "node");
        assert_eq!(owner(&Repository { has_groups: false, ..Repository::default() }, "node", node), "node");
    }
}
