//! A field of a form is filled in, but its box is unchecked; or the box is checked, but all its fields are blank.
//!
//! ## Why
//!
//! Reviewers read the boxes to see how a feature is enabled and monitored. A box and its fields that disagree make them
//! ask.
//!
//! ## Bad
//!
//! ```markdown alpha
//! ###### How can this feature be enabled / disabled in a live cluster?
//!
//! - [ ] Feature gate (also fill in values in `kep.yaml`)
//!   - Feature gate name: PrefetchImages
//!   - Components depending on the feature gate: kubelet
//! ```
//!
//! ## Good
//!
//! ```markdown alpha
//! ###### How can this feature be enabled / disabled in a live cluster?
//!
//! - [x] Feature gate (also fill in values in `kep.yaml`)
//!   - Feature gate name: PrefetchImages
//!   - Components depending on the feature gate: kubelet
//! ```

use crate::gap::field::{self, State};
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "unticked-answer",
    summary: "the box of a form and its fields disagree",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    docs: docs!("unticked_answer.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Sections)
};

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    for item in readme.form_items(0..readme.text().len()) {
        let (label, message, help) = match (item.task.ticked, field::state(&item, readme.text(), ctx.template)) {
            (false, State::Filled(label)) => {
                let message = format!("box is unchecked, but `{}` is filled in", brief(&label));
                (label, message, "check the box")
            }
            (true, State::Blank(label)) => {
                let message = format!("box is checked, but `{}` is blank", brief(&label));
                (label, message, "fill in the fields, or uncheck the box")
            }
            _ => continue,
        };
        let span = readme.span(item.task.span);
        let Some(section) = ctx.section_at(span) else { continue };
        let state = if item.task.ticked { "blank" } else { "unchecked" };
        let finding = Diagnostic::at(span, message)
            .help(help.to_owned())
            .section(section)
            .subject(Subject::near(&format!("{label} {state}")));
        out.report(finding);
    }
}
