//! An open question is answered with a bare "No", "N/A" or "None".
//!
//! ## Why
//!
//! "What are other known failure modes?" is not answered by "None" alone: the reviewer will ask how you know. Under a
//! question that begins with "Does", "Will" or "Are", a "No" is a complete answer and is not reported.
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

use crate::diagnostic::subject::Subject;
use crate::rules::context::Ctx;
use crate::rules::rule::Level::{Advice, Off};
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;
use std::borrow::Cow;

/// The rule.
pub const RULE: Rule = Rule {
    name: "bare-answer",
    category: Category::Sections,
    summary: "an open question is answered with a bare \"No\", \"N/A\" or \"None\"",
    severity: Ladder { provisional: Off, active: Advice, stale: Off, implemented: Off, closed: Off },
    fix: None,
    reveals: false,
    is_gap: false,
    roles: &[],
    upstream: &[],
    source: include_str!("bare_answer.rs"),
    checks: Checks::of_kep(check),
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let is_removal = ctx.target.stage.is_some_and(|stage| stage.is_removal());
    let Some(readme) = ctx.readme.filter(|_| !is_removal) else { return };
    for requirement in ctx.requirements {
        let title = &ctx.template.get(requirement.section).title;
        let place = readme.matching.place(requirement.section);
        let Some(place) = place.filter(|_| title.is_open_question()) else { continue };
        let lines: Vec<Cow<'_, str>> = readme.document.visible_lines(readme.text, place.subtree.clone()).collect();
        let [only] = lines.as_slice() else { continue };
        let Some(span) = readme.document.visible_spans(readme.text, place.subtree.clone()).next() else { continue };
        let answer = only.trim_matches(|letter: char| !letter.is_alphanumeric());
        if ["no", "none", "n/a", "na"].iter().any(|bare| answer.eq_ignore_ascii_case(bare)) {
            let finding = out.report(readme.span(span), format!("`{answer}` alone does not answer `{}`", title.text));
            finding.help = Some("explain why in a sentence".to_owned());
            let path = ctx.template.path(requirement.section);
            finding.subject = Subject::named(&path);
            finding.section = Some(path);
        }
    }
}
