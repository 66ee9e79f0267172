//! From beta on, the integration tests or e2e tests are described, but not linked.
//!
//! ## Why
//!
//! For alpha, planned tests are enough. From beta on, the tests exist, and reviewers look at them and at their results. A
//! link, a path, a package or the name of a test is enough, and so are a reason why there are no such tests, or a reference
//! to where they are described. The directory of all tests, such as `test/e2e`, a link within the page, or one of the
//! template is none. `unfinished-answer` reports tests that are only planned.
//!
//! ## Bad
//!
//! ```markdown beta
//! ##### e2e tests
//!
//! A pod starts on a node that has pulled its image ahead of time.
//! ```
//!
//! ## Good
//!
//! ```markdown beta
//! ##### e2e tests
//!
//! - [image prefetch](https://testgrid.k8s.io/sig-node-presubmits#prefetch): a pod
//!   starts on a node that has pulled its image ahead of time.
//! ```

use crate::gap::announced::announced;
use crate::gap::linked;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "unlinked-tests",
    summary: "from beta on, integration or e2e tests are described without a link",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    roles: &[SectionRole::IntegrationTests, SectionRole::EndToEndTests],
    docs: docs!("unlinked_tests.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Sections)
};

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    let Some(stage) = ctx.target.stage.filter(|stage| stage.is_beta_or_stable()) else { return };
    for (role, what) in
        [(SectionRole::IntegrationTests, "integration tests"), (SectionRole::EndToEndTests, "e2e tests")]
    {
        let Some(id) = ctx.template.with_role(role) else { continue };
        let Some(place) = readme.filled(id) else { continue };
        let lines = readme.visible_lines(place.subtree.clone());
        let own = lines.filter(|line| !Content::is_of_template(line, ctx.template));
        let text = own.collect::<Vec<_>>().join("\n");
        let mut links = linked::own_links(readme.document, place.subtree.clone(), ctx.template);
        let has_link = links.any(|link| !link.target.starts_with('#') && !linked::is_root(&link.target));
        let mut inside = readme.sections.iter().filter(|(_, section)| place.has_inside(section));
        let has_named_heading = inside.any(|(_, section)| linked::names_tests(&section.title.text));
        if has_link || has_named_heading || linked::names_tests(&text) || answer::gives_reason(&text) {
            continue;
        }
        // Tests that are only planned have no link.
        let plans = announced(readme.document, readme.matching().text_of(place), ctx.template, stage);
        let finding =
            Diagnostic::at(readme.span(place.heading.clone()), format!("{what} are described without a link"))
                .help("link the tests and their results, or write why there are none")
                .unless(plans.first().map(|_| "unfinished-answer"))
                .of_section(ctx.template.path(id));
        out.report(ctx.relate_stage(finding));
    }
}
