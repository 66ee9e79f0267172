//! A required section has a heading but no content.
//!
//! ## Why
//!
//! An empty section looks like a mistake: a reviewer cannot tell whether it does not apply or was forgotten. Comments,
//! link definitions, footnotes and subheadings do not count. A section whose subsections are all empty is reported
//! without them.
//!
//! It is a suggestion where `Design Details` has only the template's subsections, and the proposal has
//! neither a section of its
//! own nor code nor 500 words. Of graduation criteria, those of the target stage must be filled in.
//!
//! At most a warning if the text is probably there: under the author's own headings at the same level, or under the next
//! section of the template. At most a suggestion if the text of a section around it answers for its
//! subsections: a reason
//! after "N/A", or only a link to another KEP. At most a suggestion as well if the questionnaire is only
//! such a link, in a KEP whose feature is stable, and at removal stages.
//!
//! ## Bad
//!
//! ```markdown alpha
//! ## Summary
//!
//! <!-- What the KEP is about. -->
//!
//! ## Motivation
//!
//! Pods start slowly.
//! ```
//!
//! ## Good
//!
//! ```markdown alpha
//! ## Summary
//!
//! Images are pulled ahead of time.
//!
//! ## Motivation
//!
//! Pods start slowly.
//! ```

use crate::gap::Emptiness;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "empty-section",
    summary: "a required section has a heading but no content",
    severity: Ladder { provisional: Advice, active: Error, stale: Off, implemented: Off, closed: Off },
    is_gap: true,
    docs: docs!("empty_section.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Sections)
};

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    for gap in readme.gaps() {
        let GapKind::Empty(emptiness) = &gap.kind else { continue };
        let Some((heading, text)) = readme.place_of(gap) else { continue };
        let title = &ctx.template.get(gap.section).title.text;
        let reason = gap.requirement.reason(ctx.template);
        let (message, help) = match emptiness {
            Emptiness::SubsectionsBeside => (
                format!("section `{title}` is empty: its subsections are at the same heading level"),
                format!("make the headings that belong to it one level deeper; {reason}"),
            ),
            Emptiness::TextInNext(next) => {
                let next = &ctx.template.get(*next).title.text;
                (
                    format!("section `{title}` is empty: its text is under `{next}`"),
                    format!("move its text above the heading `{next}`; {reason}"),
                )
            }
            Emptiness::WithSubsections => (
                format!("section `{title}` and its subsections are empty"),
                format!("fill them in, or write why they do not apply; {reason}"),
            ),
            Emptiness::OnlySubsections => (
                format!("`{title}` has no text of its own"),
                format!("write how it is built above its subsections; {reason}"),
            ),
            Emptiness::Unexplained => {
                let is_hidden = !ctx.layout().is_of_keps() && has_comment(ctx, readme, &text);
                let only = if is_hidden { "has only a comment, which the page does not show" } else { "is empty" };
                (format!("{} {only}", ctx.name_of(gap)), gap.remedy(ctx.template))
            }
        };
        let finding = Diagnostic::at(heading, message).help(help);
        out.report(ctx.complete_gap(finding, gap));
    }
}

/// Whether a comment is in `text` that is not the template's.
fn has_comment(ctx: &Ctx<'_>, readme: Readme<'_>, text: &Range<usize>) -> bool {
    let comments = readme.document.comments.iter().filter(|comment| text.contains(&comment.span.start));
    let mut lines = comments.flat_map(|comment| comment.body(readme.text()).lines()).map(str::trim);
    lines.any(|line| !ctx.template.document.text().contains(line))
}
