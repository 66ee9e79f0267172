//! From beta on, tests are only planned, or upgrade and rollback were not tested.
//!
//! ## Why
//!
//! At alpha a plan is enough. Before beta, upgrade and rollback must be tested, and reviewers ask for the result. A plan
//! with numbered steps is at most a suggestion: only its result is missing. A feature of `kubectl` alone
//! may answer "N/A", because it is not upgraded with the cluster.
//!
//! Unit, integration and e2e tests, and those that enable and disable the feature, are written by beta as well. A sentence
//! such as "e2e tests will be added" is then either out of date, or a gap: a suggestion, and at stable a
//! warning if no test is linked in the section. "Tests
//! will cover it" is a suggestion, and only where no test is named. A plan for a later stage is fine. All
//! such places of a KEP are one finding, and upgrade and rollback another one.
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

use crate::gap::announced::{Announcement, announced};
use crate::gap::linked;
use crate::kep::components;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "unfinished-answer",
    summary: "from beta on, tests are only planned",
    severity: Ladder { provisional: Off, active: Warning, stale: Off, implemented: Off, closed: Off },
    roles: &[
        SectionRole::UnitTests,
        SectionRole::IntegrationTests,
        SectionRole::EndToEndTests,
        SectionRole::EnablementTests,
        SectionRole::UpgradeTests,
    ],
    docs: docs!("unfinished_answer.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Sections)
};

/// Parts of addresses that lead to tests or their results, and not to a page called "latest".
const TESTS: [&str; 4] = ["/test", "_test.", "testgrid", "triage"];

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    let Some(stage) = ctx.target.stage.filter(|stage| stage.is_beta_or_stable()) else { return };
    report(ctx, upgrade(ctx, readme).as_slice(), out);
    report(ctx, &planned(ctx, readme, stage), out);
}

/// Reports these places as one finding, at the first one.
fn report(ctx: &Ctx<'_>, places: &[Place], out: &mut Sink) {
    let Some((first, others)) = places.split_first() else { return };
    let most = places.iter().map(|place| place.most).max().unwrap_or(first.most);
    let mut finding = Diagnostic::at(first.span, &first.message)
        .help(first.help.to_owned())
        .at_most(most)
        .of_section(ctx.template.path(first.section));
    for other in others.iter().take(bounds::RELATED_PLACES) {
        finding.relate(other.span, &other.message);
    }
    let mut sections: Vec<TemplateId> = places.iter().map(|place| place.section).collect();
    sections.dedup();
    finding.covers = sections.into_iter().map(|section| Subject::named(ctx.template.path(section))).collect();
    out.report(ctx.relate_stage(finding));
}

struct Place {
    section: TemplateId,
    span: Span,
    message: String,
    help: &'static str,
    most: Severity,
}

fn planned(ctx: &Ctx<'_>, readme: Readme<'_>, stage: Stage) -> Vec<Place> {
    let roles = [
        SectionRole::UnitTests,
        SectionRole::IntegrationTests,
        SectionRole::EndToEndTests,
        SectionRole::EnablementTests,
    ];
    let is_due = stage == Stage::Stable && !ctx.target.is_record();
    let most = if is_due { Severity::Warning } else { Severity::Advice };
    let (mut places, mut hints) = (Vec::new(), Vec::new());
    for section in roles.into_iter().filter_map(|role| ctx.template.with_role(role)) {
        let Some(place) = readme.filled(section) else { continue };
        let text = readme.matching().text_of(place);
        let mut links = linked::own_links(readme.document, text.clone(), ctx.template);
        let has_tests = links.any(|link| {
            // In a sentence, it may be what will be extended.
            let line = readme.slice(last_line_start(readme.slice(..link.span.start))..link.span.start);
            let begins_line = !line.contains(char::is_alphanumeric);
            begins_line && !linked::is_root(&link.target) && TESTS.iter().any(|part| link.target.contains(part))
        });
        for announcement in announced(readme.document, text, ctx.template, stage) {
            let Announcement { line, sentence, is_hint } = announcement;
            let sentence = quotation(&sentence);
            let (message, help) = if has_tests {
                let help = "remove it if the linked tests do this; otherwise write and link those that are missing";
                (format!("{sentence} may be out of date: tests are linked here"), help)
            } else {
                let help = "write which tests there are, with links, or for which later stage this is planned";
                (format!("{sentence} is still a plan at {stage}"), help)
            };
            let plan = Place {
                section,
                span: readme.span(line),
                message,
                help,
                most: if is_hint || has_tests { Severity::Advice } else { most },
            };
            if is_hint { hints.push(plan) } else { places.push(plan) }
        }
    }
    places.extend(hints);
    places
}

fn upgrade(ctx: &Ctx<'_>, readme: Readme<'_>) -> Option<Place> {
    let section = ctx.template.with_role(SectionRole::UpgradeTests)?;
    let place = readme.filled(section)?;
    let text = readme.visible_text(place.subtree.clone());
    let words = answer::unfinished(&text)?;
    let is_client = ctx.kep.metadata.as_ref().is_some_and(|metadata| components::are_client(&metadata.feature_gates));
    if is_client && answer::begins_not_applicable(&text) {
        return None;
    }
    let (message, help) = if answer::has_steps(&text) {
        let message = "the test of upgrade and rollback is planned, no result yet".to_owned();
        (message, "write the result when the steps are done")
    } else {
        let message = if answer::is_bare(&text) {
            format!("the answer on upgrade and rollback says only {}", quotation(&words))
        } else {
            format!("{} reports no test of upgrade and rollback", quotation(&words))
        };
        (message, "test them and write how, with the result, or write why that is not necessary")
    };
    let line = readme.visible_spans(place.subtree.clone()).next();
    let span = readme.span(line.unwrap_or_else(|| place.heading.clone()));
    Some(Place { section, span, message, help, most: Severity::Advice })
}

/// A sentence for a message, without a piece of code of which a part is cut off.
fn quotation(sentence: &str) -> String {
    let words = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
    let brief = brief(&words);
    quoted(&match (brief.split_once('`'), brief.rsplit_once('`')) {
        _ if brief.matches('`').count().is_multiple_of(2) => brief,
        (Some((_, rest)), _) if brief.starts_with('…') && !brief.ends_with('…') => format!("…{rest}").into(),
        (_, Some((rest, _))) => format!("{}…", rest.trim_end()).into(),
        _ => brief,
    })
}
