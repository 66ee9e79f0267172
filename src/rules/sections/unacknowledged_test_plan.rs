//! The line `[ ] I/we understand the owners…` of the test plan is missing or unchecked.
//!
//! ## Why
//!
//! Since v1.25 the template asks authors to acknowledge that component owners may require better tests before the
//! change is merged. Approvers look for the checked box.
//!
//! The fix adds a missing line, unchecked. It is unsafe because only you can make this promise: check the line when you have
//! read it.
//!
//! ## Bad
//!
//! ```markdown alpha
//! ### Test Plan
//!
//! [ ] I/we understand the owners of the involved components may require updates to
//! existing tests to make this code solid enough prior to committing the changes necessary
//! to implement this enhancement.
//!
//! Unit tests cover the new code.
//! ```
//!
//! ```yaml
//! status: implementable
//! stage: alpha
//! latest-milestone: "v1.37"
//! ```
//!
//! ## Good
//!
//! ```markdown alpha
//! ### Test Plan
//!
//! [x] I/we understand the owners of the involved components may require updates to
//! existing tests to make this code solid enough prior to committing the changes necessary
//! to implement this enhancement.
//!
//! Unit tests cover the new code.
//! ```
//!
//! ```yaml
//! status: implementable
//! stage: alpha
//! latest-milestone: "v1.37"
//! ```

use crate::gap::acknowledgment::{Acknowledgment, SINCE};
use crate::rules::prelude::*;
use crate::span::count_line_ends;

pub const RULE: Rule = Rule {
    name: "unacknowledged-test-plan",
    summary: "the test plan's acknowledgment is missing or unchecked",
    severity: Ladder { provisional: Advice, active: Warning, stale: Off, implemented: Off, closed: Off },
    fix: Some(Safety::Unsafe),
    roles: &[SectionRole::TestPlan],
    docs: docs!("unacknowledged_test_plan.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Sections)
};

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    let names_stage = ctx.kep.metadata.as_ref().is_some_and(|metadata| metadata.stage().is_some());
    if !names_stage || ctx.target.since.is_none_or(|release| release < SINCE) {
        return;
    }
    let Some((test_plan, place)) = readme.with_role(SectionRole::TestPlan) else { return };
    let (span, message, help) = match Acknowledgment::of(readme.document, place.subtree.clone()) {
        Acknowledgment::Checked => return,
        Acknowledgment::Unchecked(line) => {
            (line, "the test plan's acknowledgment is unchecked", "check it: `[x] I/we understand the owners…`")
        }
        Acknowledgment::Missing => (
            place.heading.clone(),
            "the test plan lacks the line `[x] I/we understand the owners…`",
            "add the template's line under the heading: `[x] I/we understand the owners of the involved components …`",
        ),
    };
    let is_missing = span == place.heading;
    // The repository's own template may not ask for it.
    let range = ctx.template.range(test_plan);
    let Acknowledgment::Unchecked(line) = Acknowledgment::of(&ctx.template.document, range) else { return };
    let section = if is_missing { place.section } else { None };
    let finding = Diagnostic::at(readme.span(span), message)
        .help(help)
        .of_section(ctx.template.path(test_plan))
        .fix(section.and_then(|section| insert(ctx, readme, section, line.start)));
    out.report(finding);
}

/// Inserts the paragraph of the template that begins at `start` below the heading, unchecked; `None` if that would be
/// in a list.
fn insert(ctx: &Ctx<'_>, readme: Readme<'_>, section: SectionId, start: usize) -> Option<Fix> {
    let heading = &readme.sections.get(section).heading;
    let before = readme.slice(..heading.start);
    if !slice(before, last_line_start(before)..).trim().is_empty() {
        return None;
    }
    let lines = slice(ctx.template.document.text(), start..).lines().take_while(|line| !line.trim().is_empty());
    let paragraph = lines.collect::<Vec<_>>().join("\n");
    let is_crowded = count_line_ends(readme.slice(heading.end..).split(|c: char| !c.is_whitespace()).next()?) < 2;
    let closing = if is_crowded { "\n" } else { "" };
    let text = format!("\n\n{paragraph}{closing}").replace('\n', line_end(readme.text(), heading.end));
    Some(Fix::write(Safety::Unsafe, "insert the line, unchecked", readme.span(heading.end..heading.end), text))
}
