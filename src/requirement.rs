//! What a KEP owes now: the template's directives, read at the KEP's stage and milestone.

use crate::diagnostic::Severity;
use crate::stage::{Phase, Release, Stage};
use crate::template::{Template, TemplateId};

/// What a KEP is held to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The stage whose sections it owes; none: only what is owed at every stage.
    pub stage: Option<Stage>,
    /// How much is asked of it.
    pub phase: Phase,
    /// The release that a directive's `since` is compared with; none satisfies no `since`.
    pub release: Option<Release>,
}

/// A section that is due.
#[derive(Clone, Copy, Debug)]
pub struct Requirement {
    /// The section.
    pub section: TemplateId,
    /// How loud a gap there may be at most.
    pub cap: Severity,
    /// From which stage on it is owed; none: always.
    pub stage: Option<Stage>,
    /// Since which release KEPs owe it; none: ever since.
    pub since: Option<Release>,
}

impl Requirement {
    /// Who owes the section, for a help text: "KEPs owe it from beta on, since v1.21".
    pub fn reason(&self) -> String {
        self.reason_for("it")
    }

    /// The same with another word for the section: "them" for several.
    pub fn reason_for(&self, it: &str) -> String {
        let since = self.since.map(|since| format!(", since {since}")).unwrap_or_default();
        match self.stage {
            Some(stage) => format!("KEPs owe {it} from {stage} on{since}"),
            None => format!("every KEP owes {it}{since}"),
        }
    }
}

/// The sections that are due for `target`, in the template's order.
pub fn due(template: &Template, target: &Target) -> Vec<Requirement> {
    let due = template.iter().filter_map(|(section, wanted)| {
        let directive = template.directive(wanted.source).filter(|directive| directive.required)?;
        let is_reached = directive.stage.is_none_or(|stage| target.stage.is_some_and(|reached| reached >= stage));
        let is_known = directive.since.is_none_or(|since| target.release.is_some_and(|release| release >= since));
        let cap = directive.severity.unwrap_or(Severity::Error);
        (is_reached && is_known).then_some(Requirement { section, cap, stage: directive.stage, since: directive.since })
    });
    due.collect()
}
