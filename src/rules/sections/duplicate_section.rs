//! A template heading appears twice under the same parents.
//!
//! ## Why
//!
//! Readers find the first of two sections with the same name and miss the second, and a link reaches only one of them.
//!
//! ## Bad
//!
//! ```markdown alpha
//! ## Drawbacks
//!
//! More disk space.
//!
//! ## Drawbacks
//!
//! More network traffic.
//! ```
//!
//! ## Good
//!
//! ```markdown alpha
//! ## Drawbacks
//!
//! More disk space and more network traffic.
//! ```

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "duplicate-section",
    summary: "a template heading appears twice under the same parents",
    severity: Ladder { provisional: Advice, active: Warning, stale: Off, implemented: Advice, closed: Off },
    docs: docs!("duplicate_section.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Sections)
};

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    for (id, heading) in &readme.matching().duplicates {
        let section = readme.sections.get(*heading);
        let message = format!("duplicate section `{}`", brief(&section.title.text));
        let first = readme.matching().place(*id).map(|first| &first.heading);
        let finding = Diagnostic::at(readme.span(section.heading.clone()), message)
            .help("merge the two sections, or rename this one")
            .of_section(ctx.template.path(*id))
            .related_others(first, "first occurrence");
        out.report(finding);
    }
}
