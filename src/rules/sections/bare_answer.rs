//! What needs a reason is answered with a bare "No", "N/A" or "None".
//!
//! ## Why
//!
//! "What are other known failure modes?" is not answered by "None", "Unknown" or "No known failure modes" alone:
//! the reviewer will ask how you know. Under a
//! question that begins with "Does", "Will" or "Are", a "No" is a complete answer and is not reported.
//!
//! The summary, the goals, the design, the criteria and sections about risks, upgrades, version skew and tests need a reason as
//! well, and from beta on the question whether tests enable and disable a feature that has a feature gate. When a feature is
//! removed, a bare answer is enough. Of proposals that are no KEPs, only such questions are read: what else needs a reason is
//! for their template to say.
//!
//! Where there are no objectives for the quality of service, there is nothing to do if they are not met: the two questions
//! are one finding, and none if the first one says why it does not apply.
//!
//! ## Bad
//!
//! ```markdown beta
//! ###### What are other known failure modes?
//!
//! N/A
//! ```
//!
//! ## Good
//!
//! ```markdown beta
//! ###### What are other known failure modes?
//!
//! None: the feature only reads a file that the kubelet has read already.
//! ```

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "bare-answer",
    summary: "what needs a reason is answered with a bare \"No\", \"N/A\" or \"None\"",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    roles: &[
        SectionRole::Design,
        SectionRole::Risks,
        SectionRole::UnitTests,
        SectionRole::IntegrationTests,
        SectionRole::EndToEndTests,
        SectionRole::GraduationCriteria,
        SectionRole::UpgradeStrategy,
        SectionRole::VersionSkew,
        SectionRole::EnablementTests,
        SectionRole::Objectives,
        SectionRole::MissedObjectives,
    ],
    docs: docs!("bare_answer.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Sections)
};

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    if ctx.target.stage.is_some_and(Stage::is_removal) {
        return;
    }
    let (objectives, missed) = (SectionRole::Objectives, SectionRole::MissedObjectives);
    let missed = if lacks_objectives(ctx, readme) { ctx.template.with_role(missed) } else { None };
    for requirement in ctx.requirements.iter().filter(|requirement| Some(requirement.section) != missed) {
        let section = ctx.template.get(requirement.section);
        let Some((span, answer)) = bare(ctx, readme, requirement.section) else { continue };
        let title = &section.title.text;
        let message = if section.is_question() {
            format!("`{answer}` alone does not answer `{title}`")
        } else {
            format!("section `{title}` says only `{answer}`")
        };
        let mut finding = Diagnostic::at(readme.span(span), message)
            .help("explain why in a sentence")
            .of_section(ctx.template.path(requirement.section));
        if section.role == Some(objectives)
            && let Some(missed) = missed
            && let Some((also, _)) = bare(ctx, readme, missed)
        {
            finding.relate(readme.span(also), "follows from it");
            finding.covers = vec![finding.subject, Subject::named(ctx.template.path(missed))];
        }
        out.report(finding);
    }
}

/// The place and the words of an answer that is only "No", "None" or "N/A", if `id` needs a reason.
fn bare(ctx: &Ctx<'_>, readme: Readme<'_>, id: TemplateId) -> Option<(Range<usize>, String)> {
    if !needs_reason(ctx, id) {
        return None;
    }
    let place = readme.matching().place(id)?;
    let (span, line) = only_one(readme.visible(place.subtree.clone()))?;
    let words = line.replace('*', "");
    let words = words.trim_matches(|letter: char| !letter.is_alphanumeric());
    // "What happens if …?" has "Nothing" for an answer.
    let title = &ctx.template.get(id).title.text;
    let is_answer = title.starts_with("What happens") && words.eq_ignore_ascii_case("nothing");
    (answer::is_bare(words) && !is_answer).then(|| (span, words.to_owned()))
}

fn needs_reason(ctx: &Ctx<'_>, id: TemplateId) -> bool {
    let section = ctx.template.get(id);
    let is_of_keps = ctx.layout().is_of_keps();
    match section.role.filter(|_| is_of_keps) {
        Some(SectionRole::Risks | SectionRole::UpgradeStrategy | SectionRole::VersionSkew) => true,
        Some(SectionRole::UnitTests | SectionRole::IntegrationTests | SectionRole::EndToEndTests) => true,
        Some(SectionRole::Design | SectionRole::GraduationCriteria) => true,
        // At alpha tests are still to be written, and without a gate there is nothing to turn off.
        Some(SectionRole::EnablementTests) => {
            let gates = ctx.kep.metadata.iter().flat_map(|metadata| &metadata.feature_gates);
            ctx.target.stage.is_some_and(Stage::is_beta_or_stable) && gates.into_iter().any(|gate| !gate.is_none())
        }
        _ if is_of_keps && ["summary", "goals"].contains(&section.title.key.as_str()) => true,
        _ => section.title.is_open_question(),
    }
}

fn lacks_objectives(ctx: &Ctx<'_>, readme: Readme<'_>) -> bool {
    let Some((id, place)) = readme.with_role(SectionRole::Objectives) else { return false };
    let text = readme.visible_text(place.subtree.clone());
    bare(ctx, readme, id).is_some() || answer::begins_not_applicable(&text)
}
