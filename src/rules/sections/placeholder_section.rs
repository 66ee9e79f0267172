//! A required section has only the template's blank form, or a word like TBD.
//!
//! ## Why
//!
//! Unchecked boxes, `<package>` and TODO are not an answer. A checked box, a filled-in field, or a sentence that
//! explains why the question does not apply is an answer. "Tests will be added for beta" is an answer in alpha, but not
//! from beta on. A short text that begins with TODO or TBD is at most a warning, and so is all of it in a KEP whose feature
//! is stable, and at removal stages: readers see it there as well. Of graduation criteria, those of the target stage must
//! be filled in.
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

use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "placeholder-section",
    summary: "a required section has only the template's blank form, or a word like TBD",
    severity: Ladder { provisional: Advice, active: Error, stale: Off, implemented: Advice, closed: Off },
    is_gap: true,
    docs: docs!("placeholder_section.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Sections)
};

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    for gap in readme.gaps().iter().filter(|gap| matches!(gap.kind, GapKind::Placeholder)) {
        let Some((heading, text)) = readme.place_of(gap) else { continue };
        let finding = Diagnostic::at(heading, format!("{} has only placeholder text", ctx.name_of(gap)))
            .help(gap.remedy(ctx.template))
            .related_others(&readme.visible_spans(text).next(), "placeholder");
        out.report(ctx.complete_gap(finding, gap));
    }
}
