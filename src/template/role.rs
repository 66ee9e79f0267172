//! What a section of the template means to the rules that check its contents. Rules find sections by role because a
//! custom template may use other titles.

/// What a section means to a rule: the value of `role` in a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectionRole {
    /// The release signoff checklist: only boxes marked `(R)` count, and there is nothing to fill in.
    Signoff,
    Proposal,
    Risks,
    Design,
    /// The test plan, in which authors acknowledge that more tests may be required.
    TestPlan,
    UnitTests,
    IntegrationTests,
    EndToEndTests,
    GraduationCriteria,
    UpgradeStrategy,
    VersionSkew,
    /// The questionnaire: its sections are only looked for inside it.
    Questionnaire,
    /// How to enable the feature, with the names of its feature gates.
    Enablement,
    Disablement,
    EnablementTests,
    UpgradeTests,
    Objectives,
    /// How an operator monitors the feature, with the names of its metrics.
    Metrics,
    MissedObjectives,
    History,
}

impl SectionRole {
    const NAMES: [(Self, &'static str); 20] = [
        (Self::Signoff, "signoff"),
        (Self::Proposal, "proposal"),
        (Self::Risks, "risks"),
        (Self::Design, "design"),
        (Self::TestPlan, "test-plan"),
        (Self::UnitTests, "unit-tests"),
        (Self::IntegrationTests, "integration-tests"),
        (Self::EndToEndTests, "e2e-tests"),
        (Self::GraduationCriteria, "graduation-criteria"),
        (Self::UpgradeStrategy, "upgrade-strategy"),
        (Self::VersionSkew, "version-skew"),
        (Self::Questionnaire, "questionnaire"),
        (Self::Enablement, "enablement"),
        (Self::Disablement, "disablement"),
        (Self::EnablementTests, "enablement-tests"),
        (Self::UpgradeTests, "upgrade-tests"),
        (Self::Objectives, "objectives"),
        (Self::Metrics, "metrics"),
        (Self::MissedObjectives, "missed-objectives"),
        (Self::History, "history"),
    ];

    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::NAMES.into_iter().map(|(_, name)| name)
    }

    pub fn name(self) -> &'static str {
        Self::NAMES.into_iter().find(|(role, _)| *role == self).map(|(_, name)| name).unwrap_or_default()
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|(_, known)| *known == name).map(|(role, _)| role)
    }
}
