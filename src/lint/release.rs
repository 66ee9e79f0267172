//! Which release is meant, and where that is from: the one place that says it, for all commands.

use super::origin::ReleaseOrigin;
use crate::repository::Repository;
use crate::stage::Release;
use crate::stage::development::{Development, planned};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meant {
    pub release: Release,
    pub origin: ReleaseOrigin,
}

impl Meant {
    /// The release under development in a repository: what KEPs are checked against. What the user has `given`, and then
    /// what is `configured`, comes first.
    pub fn of(given: Option<Release>, configured: Option<Release>, repository: Option<&Repository>) -> Self {
        let told = repository.and_then(|repository| repository.development);
        let told = told.map(|Development { release, told_by }| Self { release, origin: told_by.into() });
        let given = given.map(|release| Self { release, origin: ReleaseOrigin::Given });
        let configured = configured.map(|release| Self { release, origin: ReleaseOrigin::Config });
        let built_in = Self { release: Release::CURRENT, origin: ReleaseOrigin::BuiltIn };
        given.or(configured).or(told).unwrap_or(built_in)
    }

    /// Whether somebody chose it, so that no repository tells it.
    pub fn is_chosen(self) -> bool {
        matches!(self.origin, ReleaseOrigin::Given | ReleaseOrigin::Config)
    }

    /// The release that a question about one KEP is about, which somebody names: its latest `milestone`, where that is
    /// later. Who has planned the KEP for the next release asks about that.
    pub fn for_kep(self, milestone: Option<Release>, repository: &Repository) -> Self {
        match planned(milestone, self.release, repository.has_groups) {
            Some(later) if self.origin != ReleaseOrigin::Given => Self { release: later, origin: ReleaseOrigin::Kep },
            _ => self,
        }
    }

    /// Why it is not the release that the KEPs of the tree name, as a sentence without a full stop; `None` if it is, or if
    /// somebody chose it.
    pub fn plan(self) -> Option<String> {
        let words = self.origin.words();
        (self.origin == ReleaseOrigin::Calendar).then(|| format!("planned for {}, the {words}", self.release))
    }

    /// The release that a KEP is planned for where the releases are those of Kubernetes: `on_day`, the one under
    /// development on the day of the plan, where that is later. The newest milestone may be that of a release that is out.
    pub fn on_day(self, on_day: Release) -> Self {
        if on_day > self.release && !self.is_chosen() {
            Self { release: on_day, origin: ReleaseOrigin::Calendar }
        } else {
            self
        }
    }
}
