//! Whom a KEP waits for: the approver of its production readiness review, and the approvers of its SIG.
use super::answer::{Answer, State};
use super::approval;
use super::case::Case;
use crate::kep::filter::Handle;
use crate::repository::verdict::Verdict;
use crate::stage::{Stage, Status};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// Whether somebody is to approve production readiness.
    pub prr: bool,
    /// The approver that the entry for the stage names; `None` if it is for any of the PRR approvers.
    pub prr_approver: Option<Handle>,
    /// The approvers in kep.yaml, as long as the KEP is provisional.
    pub sig: Vec<Handle>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    Review,
    Sig,
}

impl Cause {
    pub fn words(self) -> &'static str {
        match self {
            Self::Review => "PRR",
            Self::Sig => "SIG approval",
        }
    }
}

impl Waiting {
    /// Whom the KEP of `case` waits for, by the answer about its PRR, if that is asked. What is wrong with the files is for
    /// the authors to correct, so that nobody else is waited for.
    pub(super) fn of(case: &Case<'_>, review: Option<&Answer>) -> Self {
        let Some(metadata) = case.metadata() else { return Self::default() };
        let is_open = review.is_some_and(|answer| answer.state == State::NotMet && answer.lines.is_some());
        let is_asked = review.is_some_and(|answer| answer.state != State::NotMet) && is_asked(case);
        // A status that is missing or unknown is no approval either.
        let is_provisional = metadata.status().is_none_or(|status| status == Status::Provisional);
        let is_over = !is_provisional && !metadata.status().is_some_and(Status::is_reviewed);
        let approvers = metadata.approvers.items.iter().filter_map(|item| Handle::of(&item.text));
        let prr = (is_open || is_asked) && !is_over;
        Self {
            prr,
            prr_approver: named(case).and_then(|(_, name)| Handle::of(name)).filter(|_| prr),
            sig: if is_provisional { approvers.collect() } else { Vec::new() },
        }
    }

    /// Why the KEP waits for the person with this handle; `is_reviewer` says whether that is a PRR approver.
    pub fn causes(&self, person: &Handle, is_reviewer: bool) -> Vec<Cause> {
        let mut causes = Vec::new();
        if self.prr && self.prr_approver.as_ref().map_or(is_reviewer, |named| named == person) {
            causes.push(Cause::Review);
        }
        if self.sig.contains(person) {
            causes.push(Cause::Sig);
        }
        causes
    }
}

fn is_asked(case: &Case<'_>) -> bool {
    named(case).is_some_and(|(stage, name)| approval::is_asked(case, stage, name))
}

/// The stage, and the PRR approver that its entry names.
fn named<'a>(case: &Case<'a>) -> Option<(Stage, &'a str)> {
    let stage = case.stage?;
    let (_, name) = case.ctx.repository.verdict(case.kep(), stage).approver()?;
    Some((stage, name))
}

/// The approver that the PRR file names for the stage that is asked about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Approver {
    /// The handle, without @, as it is in `OWNERS_ALIASES` or else as written.
    pub name: String,
    pub role: Role,
}

/// What it means that a PRR file names somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// They approve it: the entry is merged.
    Approves,
    /// They are asked: the entry is only in an open pull request.
    Asked,
    NotApprover,
}

impl Approver {
    pub(super) fn of(case: &Case<'_>) -> Option<Self> {
        let stage = case.stage?;
        let verdict = case.ctx.repository.verdict(case.kep(), stage);
        if let Some((_, name)) = verdict.approver() {
            let role = if approval::is_asked(case, stage, name) { Role::Asked } else { Role::Approves };
            return Some(Self { name: name.to_owned(), role });
        }
        let Verdict::NotApprover { approver, .. } = verdict else { return None };
        let is_named = case.kep().review.as_ref().is_some_and(|review| review.is_approved(stage));
        let name = approver.text.trim().trim_start_matches('@').to_owned();
        is_named.then_some(Self { name, role: Role::NotApprover })
    }
}
