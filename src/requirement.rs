//! Which sections a KEP must have now: the template's directives, applied to the KEP's stage and milestone.

use crate::diagnostic::Severity;
use crate::stage::{Phase, Release, Stage};
use crate::template::{Template, TemplateId};

/// The stage, phase and release a KEP is checked against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The stage whose sections are required; `None`: only sections required at every stage.
    pub stage: Option<Stage>,
    /// Decides the severity of findings.
    pub phase: Phase,
    /// The release that a directive's `since` is compared with; `None`: sections with a `since` are not required.
    pub release: Option<Release>,
}

/// A required section.
#[derive(Clone, Copy, Debug)]
pub struct Requirement {
    /// The section.
    pub section: TemplateId,
    /// The highest severity of a finding about a gap in it.
    pub cap: Severity,
    /// From which stage on it is required; `None`: always.
    pub stage: Option<Stage>,
    /// The first release whose KEPs must have it; `None`: all releases.
    pub since: Option<Release>,
}

impl Requirement {
    /// When the section is required, for a help text: "required from beta, since v1.21".
    pub fn reason(&self) -> String {
        let since = self.since.map(|since| format!(", since {since}")).unwrap_or_default();
        match self.stage {
            Some(stage) => format!("required from {stage}{since}"),
            None => format!("required in every KEP{since}"),
        }
    }
}

/// The sections required for `target`, in the template's order.
pub fn for_target(template: &Template, target: &Target) -> Vec<Requirement> {
    let requirements = template.iter().filter_map(|(section, wanted)| {
        // No heading of a KEP can match a title without letters.
        let is_titled = !wanted.title.key.is_empty();
        let directive = template.directive(wanted.source).filter(|directive| directive.required && is_titled)?;
        let is_reached = directive.stage.is_none_or(|stage| target.stage.is_some_and(|reached| reached >= stage));
        let is_known = directive.since.is_none_or(|since| target.release.is_some_and(|release| release >= since));
        let cap = directive.severity.unwrap_or(Severity::Error);
        (is_reached && is_known).then_some(Requirement { section, cap, stage: directive.stage, since: directive.since })
    });
    requirements.collect()
}
