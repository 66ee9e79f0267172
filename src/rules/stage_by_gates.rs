//! Where a KEP is that planned a stage for a release which is out: the one judgement that `missed-milestone`
//! and `outdated-status` report, by the milestones and, where the code has them, by the feature gates.

use super::context::Ctx;
use crate::gates::Gates;
use crate::kep::field::Field;
use crate::kep::metadata::Metadata;
use crate::repository::code::{InCode, Meant, Standing};
use crate::stage::{Phase, Release, Stage, Status};

/// A stage of an implementable KEP whose release is out; or that of a provisional one which its gates have reached.
pub struct PastPlan<'a> {
    pub stage: Stage,
    /// The milestone of the stage, or `latest-milestone` where that is missing.
    pub milestone: &'a Field<Release>,
    /// Where the feature gates are in the newest release.
    pub standing: Standing<'a>,
    /// The rule that says that nothing is known of the gates, if it says so.
    pub yields_to: Option<&'static str>,
}

impl PastPlan<'_> {
    /// Whether the feature is stable, so that the KEP is implemented; a provisional one is in no release.
    pub fn is_done(&self, metadata: &Metadata) -> bool {
        let is_said = || metadata.stage() == Some(self.stage) && metadata.milestone_of(self.stage).is_some();
        match self.standing {
            Standing::Below(_) => false,
            Standing::Reached(..) => self.stage == Stage::Stable || metadata.status() == Some(Status::Provisional),
            Standing::Unclear => self.stage == Stage::Stable && is_said(),
        }
    }
}

impl Ctx<'_> {
    /// Whether it is known which releases are out: of other projects, it is only what their proposals name.
    pub fn knows_releases(&self) -> bool {
        let is_told = !self.repository.told.milestones.is_empty() || self.current != Release::CURRENT;
        is_told || self.layout().is_of_keps() || self.repository.has_releases_of_kubernetes()
    }

    /// The last stage of the KEP whose release is out.
    pub fn past_plan(&self) -> Option<PastPlan<'_>> {
        let metadata = self.kep.metadata.as_ref()?;
        let is_provisional = metadata.status() == Some(Status::Provisional);
        // `stage-not-raised` reports another one.
        let is_open = is_provisional || metadata.status() == Some(Status::Implementable);
        if !is_open || !self.knows_releases() || self.stage_not_raised().is_some() {
            return None;
        }
        let own = metadata.stage()?;
        let begun = metadata.milestone_of(own).filter(|field| field.value.is_some());
        let planned = begun.or(metadata.latest_milestone.as_ref());
        let begun_in = begun.and_then(|field| field.value);
        // `milestone-order` reports a milestone that is before that of the KEP's stage.
        let is_missed =
            |release: Release| release.is_out(self.current) && begun_in.is_none_or(|first| release >= first);
        let missed = metadata
            .milestones
            .iter()
            .filter(|(stage, field)| !is_provisional && stage.comes_after(own) && field.value.is_some_and(is_missed));
        let later = missed.max_by_key(|(stage, _)| *stage).map(|(stage, field)| (*stage, field));
        let code = self.in_code();
        let last = code.as_ref().map(|code| self.last_known(code.list));
        // When other projects release, nobody knows but their lists.
        let is_listed = |release: Release| !self.repository.has_groups && Some(release) <= last;
        let is_out = |release: Release| release.is_out(self.current) || is_listed(release);
        let is_past = |field: &&Field<Release>| field.value.is_some_and(is_out);
        let (stage, milestone) = later.or_else(|| Some((own, planned.filter(is_past)?)))?;
        let standing = match (&code, last) {
            (Some(code), Some(last)) if milestone.value <= Some(last) => code.standing(stage, last),
            _ => Standing::Unclear,
        };
        if is_provisional && !matches!(standing, Standing::Reached(..)) {
            return None;
        }
        let yields_to = code.filter(|code| self.has_absent(code)).map(|_| "unknown-feature-gate");
        Some(PastPlan { stage, milestone, standing, yields_to })
    }

    /// The feature gates of the KEP beside those of the code, unless the KEP is for a later release than the
    /// list, or than the one that is meant.
    pub fn in_code(&self) -> Option<InCode<'_>> {
        let metadata = self.kep.metadata.as_ref()?;
        let is_later = metadata.milestone().is_some_and(|latest| latest > self.current);
        let is_known = !is_later || !self.repository.has_groups;
        self.repository.in_code(self.kep).filter(|code| is_known && code.covers(metadata))
    }

    /// The newest release of the list that is out in the release that is meant. When other projects release,
    /// nobody knows but their lists.
    pub fn last_known(&self, list: &Gates) -> Release {
        let before = Release { minor: self.current.minor.saturating_sub(1), ..self.current };
        if self.repository.has_groups { list.last_final.min(before) } else { list.last_final }
    }

    /// What is meant by each gate of kep.yaml that the code does not have.
    pub fn meant_gates<'c>(&self, code: &InCode<'c>) -> Vec<(&'c Field, Meant)> {
        code.meant(&self.gates_of_readme(), self.last_known(code.list))
    }

    /// Whether a gate is reported that the code does not have if nobody knows which one is meant: its release
    /// is out, and the KEP is worked on.
    pub fn reports_absent_gates(&self, code: &InCode<'_>) -> bool {
        let known = code.list.first..=self.last_known(code.list);
        code.milestone.is_some_and(|latest| known.contains(&latest)) && self.target.phase != Phase::Stale
    }

    fn has_absent(&self, code: &InCode<'_>) -> bool {
        self.reports_absent_gates(code) && self.meant_gates(code).iter().any(|(_, meant)| *meant == Meant::Unknown)
    }
}
