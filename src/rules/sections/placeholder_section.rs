//! A required section holds only blanks of the template's form, or a word like TBD.
//!
//! ## Why
//!
//! Unticked boxes, `<package>` and TODO look like an answer from afar. A ticked box or a filled-in field is one; so is
//! a sentence that says why the question does not apply.
//!
//! ## Bad
//!
//! ```markdown alpha
//! ###### How can this feature be enabled / disabled in a live cluster?
//!
//! - [ ] Feature gate (also fill in values in `kep.yaml`)
//!   - Feature gate name:
//!   - Components depending on the feature gate:
//! ```
//!
//! ## Good
//!
//! ```markdown alpha
//! ###### How can this feature be enabled / disabled in a live cluster?
//!
//! - [x] Feature gate (also fill in values in `kep.yaml`)
//!   - Feature gate name: ImagePrefetch
//!   - Components depending on the feature gate: kubelet
//! ```

use crate::gap::GapKind;
use crate::rules::context::Ctx;
use crate::rules::rule::Level::{Advice, Error, Off, Warning};
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;

/// The rule.
pub const RULE: Rule = Rule {
    name: "placeholder-section",
    category: Category::Sections,
    summary: "a required section holds only the template's blanks, or a word like TBD",
    severity: Ladder { provisional: Advice, active: Error, stale: Off, implemented: Warning, closed: Off },
    fix: None,
    reveals: false,
    is_gap: true,
    upstream: &[],
    source: include_str!("placeholder_section.rs"),
    checks: Checks::of_kep(check),
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(readme) = ctx.readme else { return };
    for gap in readme.gaps.iter().filter(|gap| matches!(gap.kind, GapKind::Placeholder)) {
        let Some(place) = readme.matching.place(gap.section) else { continue };
        let title = &ctx.template.get(gap.section).title.text;
        let message = format!("section `{title}` holds nothing but a placeholder");
        let finding = out.report(readme.span(place.heading.clone()), message);
        finding.help = Some(format!("fill it in, or say why it does not apply: {}", gap.requirement.reason()));
        let blank = readme.document.visible_spans(readme.text, place.subtree.clone()).next();
        if let Some(blank) = blank {
            finding.relate(readme.span(blank), "still to be filled in");
        }
        ctx.describe_gap(finding, gap);
    }
}
