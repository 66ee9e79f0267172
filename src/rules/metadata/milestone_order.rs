//! The milestone of a stage is before the milestone of an earlier stage.
//!
//! ## Why
//!
//! A feature is alpha before it is beta, and beta before it is stable. Milestones in another order are a mistake: most
//! often, one of them was not updated when the plan changed. Equal milestones are fine: stages can be skipped.
//!
//! ## Bad
//!
//! ```yaml
//! status: implementable
//! stage: alpha
//! latest-milestone: "v1.37"
//! milestone:
//!   alpha: "v1.37"
//!   beta: "v1.36"
//! ```
//!
//! ## Good
//!
//! ```yaml
//! status: implementable
//! stage: alpha
//! latest-milestone: "v1.37"
//! milestone:
//!   alpha: "v1.37"
//!   beta: "v1.38"
//! ```

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "milestone-order",
    summary: "a stage's milestone is before the milestone of an earlier stage",
    severity: Ladder { provisional: Warning, active: Error, stale: Warning, implemented: Warning, closed: Off },
    docs: docs!("milestone_order.rs"),
    checks: &[Check::Metadata(check)],
    ..Rule::of(Category::Metadata)
};

fn check(_: &Ctx<'_>, metadata: &Metadata, out: &mut Sink) {
    let mut before: Option<(Stage, Release, &Field<Release>)> = None;
    for stage in [Stage::Alpha, Stage::Beta, Stage::Stable] {
        let Some(field) = metadata.milestone_of(stage) else { continue };
        let Some(release) = field.value.filter(|release| !release.is_unknown()) else { continue };
        if let Some((earlier, _, other)) = before.filter(|(_, earlier, _)| release < *earlier) {
            let message = format!("the {stage} milestone `{}` is before the {earlier} milestone", field.shown());
            let finding = Diagnostic::at(field.span, message)
                .help("correct one of the two milestones")
                .related(other.span, format!("the {earlier} milestone"));
            out.report(finding);
        }
        before = Some((stage, release, field));
    }
}
