//! What a section of the template means to the rules that look into it: a template of one's own names its sections as
//! it likes.

/// What a section means to a rule; the directive's key `role`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SectionRole {
    /// The boxes that others tick: only those marked `(R)` count, and nobody fills the section in.
    Signoff,
    /// The test plan, whose owners acknowledge that more tests may be required.
    TestPlan,
    /// What has to be true to reach each stage.
    GraduationCriteria,
    /// How the feature is enabled, with the names of its feature gates.
    Enablement,
    /// How an operator sees that the feature is healthy, with the names of its metrics.
    Metrics,
}

impl SectionRole {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Signoff, Self::TestPlan, Self::GraduationCriteria, Self::Enablement, Self::Metrics];

    /// The word for it in directives.
    pub fn name(self) -> &'static str {
        match self {
            Self::Signoff => "signoff",
            Self::TestPlan => "test-plan",
            Self::GraduationCriteria => "graduation-criteria",
            Self::Enablement => "enablement",
            Self::Metrics => "metrics",
        }
    }

    /// Reads [`SectionRole::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}
