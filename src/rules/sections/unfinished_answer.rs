//! From beta on, the question whether upgrade and rollback were tested is answered with a plan or with "N/A".
//!
//! ## Why
//!
//! At alpha a plan is enough. Before beta, upgrade and rollback must be tested, and reviewers ask for the result. A plan
//! with numbered steps is at most advice: only its result is missing. A feature of `kubectl` alone may answer "N/A",
//! because it is not upgraded with the cluster.
//!
//! ## Bad
//!
//! ```markdown beta
//! ###### Were upgrade and rollback tested? Was the upgrade->downgrade->upgrade path tested?
//!
//! It will be tested before beta.
//! ```
//!
//! ## Good
//!
//! ```markdown beta
//! ###### Were upgrade and rollback tested? Was the upgrade->downgrade->upgrade path tested?
//!
//! Yes, by hand on a cluster with three nodes: v1.36, v1.37, v1.36 and v1.37
//! again. Pods kept running.
//! ```

use crate::gap::answer;
use crate::kep::components;
use crate::rules::prelude::*;
use crate::stage::Stage;

/// The rule.
pub const RULE: Rule = Rule {
    name: "unfinished-answer",
    category: Category::Sections,
    summary: "from beta on, upgrade and rollback are not tested yet",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    roles: &[SectionRole::UpgradeTests],
    docs: docs!("unfinished_answer.rs"),
    checks: Checks::of_kep(check),
    ..Rule::DEFAULT
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    if !ctx.target.stage.is_some_and(Stage::is_beta_or_stable) {
        return;
    }
    let Some(readme) = ctx.readme else { return };
    let Some(id) = ctx.template.with_role(SectionRole::UpgradeTests) else { return };
    let Some(place) = readme.filled(ctx.template, id) else { return };
    let text = readme.visible_text(place.subtree.clone());
    let Some(words) = answer::unfinished(&text) else { return };
    let is_client = ctx.kep.metadata.as_ref().is_some_and(|metadata| components::are_client(&metadata.feature_gates));
    if is_client && answer::begins_not_applicable(&text) {
        return;
    }
    let line = readme.visible_spans(place.subtree.clone()).next();
    let span = readme.span(line.unwrap_or_else(|| place.heading.clone()));
    let finding = if answer::has_steps(&text) {
        let finding = out.report(span, "the test of upgrade and rollback is planned, no result yet");
        finding.help = Some("write the result when the steps are done".to_owned());
        finding.at_most(Severity::Advice);
        finding
    } else {
        let finding = out.report(span, format!("`{}` reports no test of upgrade and rollback", brief(&words)));
        finding.help = Some("test them and write how, with the result, or write why that is not necessary".to_owned());
        finding
    };
    let path = ctx.template.path(id);
    finding.subject = Subject::named(&path);
    finding.section = Some(path);
    ctx.relate_stage(finding);
}
