//! A section that the template requires at the KEP's stage has no heading.
//!
//! ## Why
//!
//! Reviewers find their way through a KEP by its headings. Where one is missing, so is the answer they look for, and
//! the KEP comes back with a question that the author could have answered the first time.
//!
//! Each gap is reported once: a missing section speaks for its subsections too, and a section with text but none of
//! its required subsections is one finding that lists them.
//!
//! The fix inserts the heading, with the template's guidance and form, behind the section that the template has before
//! it, and the owed sections below it as well. It is unsafe because nobody has answered anything by it: the finding
//! becomes one about an empty section. Where the place is not certain, or a heading may be the section in other words,
//! there is none.
//!
//! ## Bad
//!
//! ```markdown alpha
//! ## Design Details
//!
//! A new field of the pod.
//!
//! ### Graduation Criteria
//!
//! Alpha: behind a feature gate.
//! ```
//!
//! ## Good
//!
//! ```markdown alpha
//! ## Design Details
//!
//! A new field of the pod.
//!
//! ### Graduation Criteria
//!
//! Alpha: behind a feature gate.
//!
//! ### Version Skew Strategy
//!
//! An old kubelet ignores the field.
//! ```

mod insertion;

use self::insertion::Inserter;
use crate::diagnostic::{Diagnostic, Safety, Severity, brief};
use crate::gap::{Gap, GapKind};
use crate::matching::matched::Match;
use crate::rules::context::{Ctx, Readme};
use crate::rules::rule::Level::{Advice, Error, Off};
use crate::rules::rule::{Category, Checks, Ladder, Rule};
use crate::rules::sink::Sink;
use crate::suggest;
use crate::template::TemplateId;
use std::borrow::Cow;

/// The rule.
pub const RULE: Rule = Rule {
    name: "missing-section",
    category: Category::Sections,
    summary: "a section the template requires at this stage has no heading",
    severity: Ladder { provisional: Advice, active: Error, stale: Off, implemented: Off, closed: Off },
    fix: Some(Safety::Unsafe),
    reveals: false,
    is_gap: true,
    upstream: &[],
    source: include_str!("missing_section.rs"),
    checks: Checks::of_kep(check),
};

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(readme) = ctx.readme else { return };
    let inserter = Inserter::new(ctx, readme);
    for gap in readme.gaps {
        match &gap.kind {
            GapKind::Missing => report_missing(ctx, readme, gap, &inserter, out),
            GapKind::MissingParts(parts) => report_parts(ctx, readme, gap, parts, out),
            _ => {}
        }
    }
}

fn report_missing(ctx: &Ctx<'_>, readme: Readme<'_>, gap: &Gap, inserter: &Inserter<'_>, out: &mut Sink<'_>) {
    let wanted = ctx.template.get(gap.section);
    let parent = ctx.template.ancestors(gap.section).find_map(|around| readme.matching.place(around));
    let span = parent.map_or_else(|| readme.top(), |parent| readme.span(parent.heading.clone()));
    let finding = out.report(span, format!("section `{}` is missing", wanted.title.text));
    let place = where_it_goes(ctx, readme, gap.section, parent);
    let mut help = format!("add `{}`{place}: {}", heading(ctx, gap.section), gap.requirement.reason());
    ctx.describe_gap(finding, gap);
    let likely = readme.matching.likely(ctx.template, readme.document, gap.section);
    if likely.is_some() {
        finding.at_most(Severity::Warning);
    }
    let similar = likely.or_else(|| readme.matching.similar(ctx.template, readme.document, gap.section));
    if let Some(similar) = similar {
        let section = readme.document.sections.get(similar);
        help = format!("did you mean `{}`? Else {help}", brief(&section.title.text));
        finding.relate(readme.span(section.heading.clone()), "this heading is worded alike");
    } else {
        finding.fix = inserter.fix(gap.section);
    }
    finding.help = Some(help);
}

fn report_parts(ctx: &Ctx<'_>, readme: Readme<'_>, gap: &Gap, parts: &[TemplateId], out: &mut Sink<'_>) {
    let Some(place) = readme.matching.place(gap.section) else { return };
    let titles: Vec<&str> = parts.iter().map(|part| ctx.template.get(*part).title.text.as_str()).collect();
    let title = &ctx.template.get(gap.section).title.text;
    let message = format!("section `{title}` has none of its subsections {}", suggest::list(&titles, "and"));
    let finding: &mut Diagnostic = out.report(readme.span(place.heading.clone()), message);
    let parts = ctx.requirements.iter().filter(|part| parts.contains(&part.section));
    let reason = parts.map(|part| part.reason_for("them")).next().unwrap_or_default();
    finding.help = Some(format!("sort its text under those headings: {reason}"));
    ctx.describe_gap(finding, gap);
}

fn heading(ctx: &Ctx<'_>, id: TemplateId) -> String {
    let wanted = ctx.template.get(id);
    format!("{} {}", "#".repeat(wanted.level.into()), wanted.title.text)
}

/// " after `### Dependencies`": behind the nearest section before it that stands under the right parent.
fn where_it_goes(ctx: &Ctx<'_>, readme: Readme<'_>, id: TemplateId, parent: Option<&Match>) -> String {
    let wanted = ctx.template.get(id).parent;
    let siblings = ctx.template.iter().filter(|(_, other)| other.parent == wanted).filter_map(|(other, _)| {
        let place = readme.matching.place(other)?;
        let is_inside = parent.is_none_or(|parent| parent.subtree.contains(&place.heading.start));
        is_inside.then(|| (other, heading_as_written(ctx, readme, other, place)))
    });
    let (before, behind): (Vec<_>, Vec<_>) = siblings.partition(|(other, _)| *other < id);
    match (before.last(), parent, behind.first()) {
        (Some((_, sibling)), ..) => format!(" after `{sibling}`"),
        (None, Some(_), _) => wanted.map(|parent| format!(" below `{}`", heading(ctx, parent))).unwrap_or_default(),
        (None, None, Some((_, sibling))) => format!(" before `{sibling}`"),
        (None, None, None) => String::new(),
    }
}

/// A heading on one line with its hashes; a question of a list as the template has it.
fn heading_as_written(ctx: &Ctx<'_>, readme: Readme<'_>, id: TemplateId, place: &Match) -> String {
    let wanted = &ctx.template.get(id).title;
    match place.section.map(|section| readme.document.sections.get(section)) {
        Some(section) => {
            let title = &section.title.text;
            let title = if *title == wanted.text { Cow::Borrowed(title.as_str()) } else { brief(title) };
            format!("{} {title}", "#".repeat(section.level.into()))
        }
        None => wanted.text.clone(),
    }
}
