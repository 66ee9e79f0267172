//! Presets: which rules run at which level, unless single rules are given another one. Apart from the levels, so that
//! rules can ask what a run is about.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preset {
    #[default]
    Recommended,
    /// The same, and rules that are off in every phase run as suggestions.
    Strict,
    /// What the scripts of kubernetes/enhancements fail on, as errors in every phase, and nothing else. Only findings
    /// with the mark [`Diagnostic::upstream`](crate::diagnostic::Diagnostic::upstream) are kept; levels, caps and
    /// comments that ignore findings do not count.
    Upstream,
}

impl Preset {
    pub const ALL: [Self; 3] = [Self::Recommended, Self::Strict, Self::Upstream];

    pub fn name(self) -> &'static str {
        match self {
            Self::Recommended => "recommended",
            Self::Strict => "strict",
            Self::Upstream => "upstream",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed() {
        assert!(Preset::ALL.iter().all(|preset| Preset::from_name(preset.name()) == Some(*preset)));
        assert_eq!(Preset::from_name("Upstream"), None);
    }
}
