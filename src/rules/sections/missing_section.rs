//! A section that the template requires at the KEP's target stage is missing.
//!
//! ## Why
//!
//! Reviewers find answers by their headings. If a heading is missing, they ask a question that the author could have
//! answered before.
//!
//! Each gap is reported once: a missing section is reported without its subsections, and a section with text but none
//! of its required subsections is one finding that lists them, at most a warning. In a README without a title, missing
//! sections that have no place yet are one finding. It is also at most a warning if another
//! heading is probably the section, and at most advice if the text of a section around it answers for its subsections, or
//! if the text of the test plan names the tests.
//!
//! The fix inserts the heading and its required subheadings, with the template's guidance and form, after the section
//! that precedes it in the template; a question that is the first of its part goes above the text there, which may be its
//! answer. It is unsafe because the new section has no answer yet: it is then reported as
//! empty. There is no fix if the place is not certain, or if a similar heading may be the section.
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
mod lead;

use self::insertion::Inserter;
use crate::diagnostic::subject::Subject;
use crate::diagnostic::{Diagnostic, Safety, Severity, brief};
use crate::gap::{Gap, GapKind};
use crate::matching::matched::Match;
use crate::requirement::Requirement;
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
    summary: "a section required at the target stage is missing",
    severity: Ladder { provisional: Advice, active: Error, stale: Off, implemented: Off, closed: Off },
    fix: Some(Safety::Unsafe),
    reveals: false,
    is_gap: true,
    roles: &[],
    upstream: &[],
    source: include_str!("missing_section.rs"),
    checks: Checks::of_kep(check),
};

/// The label of a heading that may be the section.
pub const SIMILAR: &str = "similar heading";

fn check(ctx: &Ctx<'_>, out: &mut Sink<'_>) {
    let Some(readme) = ctx.readme else { return };
    let inserter = Inserter::new(ctx, readme);
    let without_place = without_place(ctx, readme);
    if let Some(first) = readme.gaps.iter().find(|gap| without_place.contains(&gap.section)) {
        report_together(ctx, readme, first, &without_place, out);
    }
    for gap in readme.gaps.iter().filter(|gap| !without_place.contains(&gap.section)) {
        match &gap.kind {
            GapKind::Missing => report_missing(ctx, readme, gap, &inserter, out),
            GapKind::MissingParts(parts) => report_parts(ctx, readme, gap, parts, out),
            _ => {}
        }
    }
}

/// The missing sections of a README without a title that have no section beside or around them: several of them are one
/// finding, because they have one cause and one place.
fn without_place(ctx: &Ctx<'_>, readme: Readme<'_>) -> Vec<TemplateId> {
    if readme.document.sections.title().is_some() {
        return Vec::new();
    }
    let missing = readme.gaps.iter().filter(|gap| matches!(gap.kind, GapKind::Missing)).map(|gap| gap.section);
    let missing: Vec<TemplateId> = missing.filter(|id| place(ctx, readme, *id).is_none()).collect();
    if missing.len() > 1 { missing } else { Vec::new() }
}

/// The heading that a missing section is reported at.
fn place<'a>(ctx: &Ctx<'_>, readme: Readme<'a>, id: TemplateId) -> Option<&'a Match> {
    let parent = ctx.template.ancestors(id).find_map(|around| readme.matching.place(around));
    let (_, beside) = where_it_goes(ctx, readme, id, parent);
    beside.or(parent)
}

fn report_together(ctx: &Ctx<'_>, readme: Readme<'_>, gap: &Gap, missing: &[TemplateId], out: &mut Sink<'_>) {
    let titles: Vec<&str> = missing.iter().map(|id| ctx.template.get(*id).title.text.as_str()).collect();
    let headings: Vec<String> = missing.iter().map(|id| heading(ctx, *id)).collect();
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let finding = out.report(readme.top(), format!("sections {} are missing", suggest::list(&titles, "and")));
    ctx.complete_gap(finding, gap);
    let gaps = readme.gaps.iter().filter(|gap| missing.contains(&gap.section));
    let covered =
        gaps.flat_map(|gap| if gap.covers.is_empty() { std::slice::from_ref(&gap.section) } else { &gap.covers });
    finding.covers = covered.map(|id| Subject::gap(&ctx.template.path(*id))).collect();
    // An ignore that names the first of them must not silence the others.
    finding.section = None;
    finding.help = Some(format!("add {}; {}", suggest::list(&headings, "and"), gap.requirement.reason()));
}

fn report_missing(ctx: &Ctx<'_>, readme: Readme<'_>, gap: &Gap, inserter: &Inserter<'_>, out: &mut Sink<'_>) {
    let wanted = ctx.template.get(gap.section);
    let parent = ctx.template.ancestors(gap.section).find_map(|around| readme.matching.place(around));
    let (place, beside) = where_it_goes(ctx, readme, gap.section, parent);
    let span = beside.or(parent).map_or_else(|| readme.top(), |beside| readme.span(beside.heading.clone()));
    let finding = out.report(span, format!("section `{}` is missing", wanted.title.text));
    let mut help = format!("add `{}`{place}; {}", heading(ctx, gap.section), gap.requirement.reason());
    ctx.complete_gap(finding, gap);
    if let Some(probable) = readme.matching.probable(ctx.template, readme.document, gap.section) {
        let section = readme.document.sections.get(probable);
        help = format!("did you mean `{}`? Otherwise {help}", brief(&section.title.text));
        finding.relate(readme.span(section.heading.clone()), SIMILAR);
        finding.at_most(Severity::Warning);
    } else {
        finding.fix = inserter.fix(gap.section);
    }
    finding.help = Some(help);
}

fn report_parts(ctx: &Ctx<'_>, readme: Readme<'_>, gap: &Gap, parts: &[TemplateId], out: &mut Sink<'_>) {
    let Some(place) = readme.matching.place(gap.section) else { return };
    let titles: Vec<&str> = parts.iter().map(|part| ctx.template.get(*part).title.text.as_str()).collect();
    let title = &ctx.template.get(gap.section).title.text;
    let noun = if titles.len() == 1 { "subsection" } else { "subsections" };
    let message = format!("`{title}` lacks the {noun} {}", suggest::list(&titles, "and"));
    let finding: &mut Diagnostic = out.report(readme.span(place.heading.clone()), message);
    let first = ctx.requirements.iter().find(|part| parts.contains(&part.section));
    let reason = first.map(Requirement::reason).unwrap_or_default();
    let headings = if titles.len() == 1 { "this heading" } else { "these headings" };
    finding.help = Some(format!("move its text under {headings}; {reason}"));
    ctx.complete_gap(finding, gap);
    // The section itself is filled.
    let words = ctx.template.path(gap.section).into_iter().chain(["subsections".to_owned()]);
    finding.subject = Subject::gap(&words.collect::<Vec<String>>());
    finding.requirement = first.map(Requirement::required_from);
}

fn heading(ctx: &Ctx<'_>, id: TemplateId) -> String {
    let wanted = ctx.template.get(id);
    format!("{} {}", "#".repeat(wanted.level.into()), wanted.title.text)
}

/// " after `### Dependencies`", and that section: after the nearest preceding section under the right parent.
fn where_it_goes<'a>(
    ctx: &Ctx<'_>,
    readme: Readme<'a>,
    id: TemplateId,
    parent: Option<&Match>,
) -> (String, Option<&'a Match>) {
    let wanted = ctx.template.get(id).parent;
    let siblings = ctx.template.iter().filter(|(_, other)| other.parent == wanted).filter_map(|(other, _)| {
        let place = readme.matching.place(other)?;
        let is_inside = parent.is_none_or(|parent| parent.subtree.contains(&place.heading.start));
        is_inside.then_some((other, place))
    });
    let (before, after): (Vec<_>, Vec<_>) = siblings.partition(|(other, _)| *other < id);
    let written = |(other, place): &(TemplateId, &Match)| heading_as_written(ctx, readme, *other, place);
    match (before.last(), parent, after.first()) {
        (Some(sibling), ..) => (format!(" after `{}`", written(sibling)), Some(sibling.1)),
        (None, Some(_), _) => {
            (wanted.map(|parent| format!(" under `{}`", heading(ctx, parent))).unwrap_or_default(), None)
        }
        (None, None, Some(sibling)) => (format!(" before `{}`", written(sibling)), None),
        (None, None, None) => (String::new(), None),
    }
}

/// A heading on one line with its `#` marks; a question in a list item as the template has it.
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
