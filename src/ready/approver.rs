//! Who approves the production readiness of a KEP.

use super::approval;
use super::case::Case;
use crate::repository::verdict::Verdict;
use serde::Serialize;

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
    /// The approver of the KEP of `case`; `None` if nobody is named.
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
