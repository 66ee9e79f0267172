//! Template headings are hidden in a code block or comment that is not closed.
//!
//! ## Why
//!
//! If a fence is closed with the wrong indentation, or not at all, the rest of the document is code: the sections are
//! in the file, but not on the page.
//!
//! ## Bad
//!
//! ````markdown alpha
//! ## Design Details
//!
//! - An example:
//!   ```yaml
//!   kind: Pod
//! ```
//!
//! ### Version Skew Strategy
//!
//! An old kubelet ignores the field.
//! ````
//!
//! ## Good
//!
//! ````markdown alpha
//! ## Design Details
//!
//! - An example:
//!   ```yaml
//!   kind: Pod
//!   ```
//!
//! ### Version Skew Strategy
//!
//! An old kubelet ignores the field.
//! ````

use crate::diagnostic::subject::Subject;
use crate::markdown::hidden::{HiddenHeading, Hiding};
use crate::rules::context::{Ctx, Readme};
use crate::rules::rule::Level::{Error, Warning};
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;
use crate::span::slice;
use crate::template::TemplateId;

/// The rule.
pub const RULE: Rule = Rule {
    name: "swallowed-heading",
    category: Category::Sections,
    summary: "template headings are hidden in a code block or comment that is not closed",
    severity: Ladder { provisional: Error, active: Error, stale: Error, implemented: Error, closed: Warning },
    fix: None,
    reveals: true,
    is_gap: false,
    roles: &[],
    upstream: &[],
    source: include_str!("swallowed_heading.rs"),
    checks: Checks::of_kep(check),
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(readme) = ctx.readme else { return };
    let swallowed: Vec<(TemplateId, &HiddenHeading)> = readme
        .document
        .hidden
        .iter()
        .filter(|hidden| hidden.by != Hiding::Comment)
        .filter_map(|hidden| Some((owner(ctx, readme, hidden)?, hidden)))
        .collect();
    for block in swallowed.chunk_by(|(_, one), (_, other)| one.within == other.within) {
        let Some((section, first)) = block.first() else { continue };
        let what = if first.by == Hiding::RunawayComment { "comment" } else { "code block" };
        let count = match block.len() {
            1 => "1 template heading".to_owned(),
            count => format!("{count} template headings"),
        };
        let opening = slice(readme.text, first.within.clone()).lines().next().unwrap_or_default().trim_end();
        let span = readme.span(first.within.start..first.within.start + opening.len());
        let finding = out.report(span, format!("{what} hides {count}"));
        finding.help = Some(match first.by {
            Hiding::RunawayComment => "close the comment with `-->` before the first hidden heading".to_owned(),
            _ => {
                "indent the closing fence like the opening fence, or add it before the first hidden heading".to_owned()
            }
        });
        let path = ctx.template.path(*section);
        finding.subject = Subject::named(&path);
        finding.section = Some(path);
        finding.covers = block.iter().map(|(section, _)| Subject::named(ctx.template.path(*section))).collect();
        finding.relate(readme.span(first.span.clone()), "first hidden heading");
    }
}

/// The template section that a hidden heading matches, if no visible heading matches it.
fn owner(ctx: &Ctx<'_>, readme: Readme<'_>, hidden: &HiddenHeading) -> Option<TemplateId> {
    let mut absent = ctx.template.iter().filter(|(id, _)| readme.matching.place(*id).is_none());
    absent.find(|(_, section)| section.has_wording(&hidden.title)).map(|(id, _)| id)
}
