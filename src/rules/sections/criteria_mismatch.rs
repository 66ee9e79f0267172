//! The graduation criteria ask for more releases in a stage than the milestones in kep.yaml give it.
//!
//! ## Why
//!
//! "In beta for two releases" and milestones that are one release apart cannot both be the plan. Approvers compare them when
//! the KEP graduates, and then it is late. Only criteria below a heading or label for beta or GA are compared, and only if
//! kep.yaml has the milestones of both stages.
//!
//! ## Bad
//!
//! ```markdown beta
//! ### Graduation Criteria
//!
//! #### GA
//!
//! - In beta for two releases
//! ```
//!
//! ```yaml
//! status: implementable
//! stage: beta
//! latest-milestone: "v1.37"
//! milestone:
//!   beta: "v1.37"
//!   stable: "v1.38"
//! ```
//!
//! ## Good
//!
//! ```markdown beta
//! ### Graduation Criteria
//!
//! #### GA
//!
//! - In beta for two releases
//! ```
//!
//! ```yaml
//! status: implementable
//! stage: beta
//! latest-milestone: "v1.37"
//! milestone:
//!   beta: "v1.37"
//!   stable: "v1.39"
//! ```

use crate::gap::criteria::waits;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "criteria-mismatch",
    summary: "the graduation criteria ask for more releases in a stage than kep.yaml plans",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    roles: &[SectionRole::GraduationCriteria],
    docs: docs!("criteria_mismatch.rs"),
    checks: &[Check::Kep(check)],
    ..Rule::of(Category::Sections)
};

fn check(ctx: &Ctx<'_>, out: &mut Sink) {
    let (Some(readme), Some(metadata)) = (ctx.readme, &ctx.kep.metadata) else { return };
    if ctx.target.is_record() {
        return;
    }
    let Some((id, place)) = readme.with_role(SectionRole::GraduationCriteria) else { return };
    for (before, stage) in [(Stage::Alpha, Stage::Beta), (Stage::Beta, Stage::Stable)] {
        let milestone = |of| metadata.milestone_of(of).and_then(|field| Some((field.span, field.value?)));
        let (Some((_, begun)), Some((span, planned))) = (milestone(before), milestone(stage)) else { continue };
        // `milestone-order` reports a stage before the one that it comes after.
        let is_passed = ctx.target.stage.is_some_and(|reached| reached > stage);
        if is_passed || begun.is_unknown() || planned < begun {
            continue;
        }
        let waits = waits(readme.document, place.subtree.clone(), stage);
        let Some(wait) = waits.into_iter().find(|wait| begun.plus(wait.releases) > planned) else { continue };
        let releases = wait.releases;
        let message = format!(
            "the criteria ask for {releases} releases before {stage}, but {before} is {begun} and {stage} {planned}"
        );
        let finding = Diagnostic::at(readme.span(wait.line), message)
            .help(format!("plan {stage} for {}, or change the criterion", begun.plus(releases)))
            .related(span, format!("the {stage} milestone"))
            .subject(Subject::named(["releases before", stage.name()]))
            .section(ctx.template.path(id));
        out.report(finding);
    }
}
