//! A required section has only the template's guidance as visible text.
//!
//! ## Why
//!
//! The template's guidance for authors is not an answer. Guidance of former templates is recognized too. Graduation
//! criteria that keep the template's bullets are reported only if they still have its examples ("complete features A,
//! B, C").
//!
//! ## Bad
//!
//! ```markdown alpha
//! ## Alternatives
//!
//! What other approaches did you consider, and why did you rule them out? These do
//! not need to be as detailed as the proposal, but should include enough
//! information to express the idea and why it was not acceptable.
//! ```
//!
//! ## Good
//!
//! ```markdown alpha
//! ## Alternatives
//!
//! A proxy in the cluster: it is one more thing to operate.
//! ```

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "template-text",
    summary: "a required section has only the template's guidance as visible text",
    severity: Ladder { provisional: Advice, active: Warning, stale: Off, implemented: Advice, closed: Off },
    is_gap: true,
    docs: docs!("template_text.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Sections)
};

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    for gap in readme.gaps().iter().filter(|gap| matches!(gap.kind, GapKind::TemplateText)) {
        let Some((heading, text)) = readme.place_of(gap) else { continue };
        let finding = Diagnostic::at(heading, format!("{} has only the template's guidance", ctx.name_of(gap)))
            .help(format!("replace it with text about this KEP; {}", gap.requirement.reason(ctx.template)))
            .related_others(&readme.visible_spans(text).next(), "template text");
        out.report(ctx.complete_gap(finding, gap));
    }
}
