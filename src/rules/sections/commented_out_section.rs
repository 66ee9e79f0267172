//! The heading of a required section exists only inside an HTML comment.
//!
//! ## Why
//!
//! Comments are not rendered, so readers do not see the section. Optional sections may be commented out. The
//! subsections of a reported section are not reported. At most a suggestion in a KEP whose feature is
//! stable, and at removal stages.
//!
//! ## Bad
//!
//! ```markdown alpha
//! ## Design Details
//!
//! A new field.
//!
//! <!--
//! ### Version Skew Strategy
//! -->
//! ```
//!
//! ## Good
//!
//! ```markdown alpha
//! ## Design Details
//!
//! A new field.
//!
//! ### Version Skew Strategy
//!
//! An old kubelet ignores the field.
//! ```

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "commented-out-section",
    summary: "a required section's heading exists only inside a comment",
    severity: Ladder { provisional: Advice, active: Error, stale: Off, implemented: Advice, closed: Off },
    is_gap: true,
    docs: docs!("commented_out_section.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Sections)
};

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    for gap in readme.gaps() {
        let GapKind::CommentedOut(heading) = &gap.kind else { continue };
        let title = &ctx.template.get(gap.section).title.text;
        let reason = gap.requirement.reason(ctx.template);
        let finding = Diagnostic::at(readme.span(heading.clone()), format!("section `{title}` is commented out"))
            .help(format!("move the heading out of the comment and fill in the section; {reason}"));
        out.report(ctx.complete_gap(finding, gap));
    }
}
