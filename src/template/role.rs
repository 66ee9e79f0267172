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
    pub const ALL: [Self; 20] = [
        Self::Signoff,
        Self::Proposal,
        Self::Risks,
        Self::Design,
        Self::TestPlan,
        Self::UnitTests,
        Self::IntegrationTests,
        Self::EndToEndTests,
        Self::GraduationCriteria,
        Self::UpgradeStrategy,
        Self::VersionSkew,
        Self::Questionnaire,
        Self::Enablement,
        Self::Disablement,
        Self::EnablementTests,
        Self::UpgradeTests,
        Self::Objectives,
        Self::Metrics,
        Self::MissedObjectives,
        Self::History,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Signoff => "signoff",
            Self::Proposal => "proposal",
            Self::Risks => "risks",
            Self::Design => "design",
            Self::TestPlan => "test-plan",
            Self::UnitTests => "unit-tests",
            Self::IntegrationTests => "integration-tests",
            Self::EndToEndTests => "e2e-tests",
            Self::GraduationCriteria => "graduation-criteria",
            Self::UpgradeStrategy => "upgrade-strategy",
            Self::VersionSkew => "version-skew",
            Self::Questionnaire => "questionnaire",
            Self::Enablement => "enablement",
            Self::Disablement => "disablement",
            Self::EnablementTests => "enablement-tests",
            Self::UpgradeTests => "upgrade-tests",
            Self::Objectives => "objectives",
            Self::Metrics => "metrics",
            Self::MissedObjectives => "missed-objectives",
            Self::History => "history",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}
