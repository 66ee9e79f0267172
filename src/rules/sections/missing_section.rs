//! A section that the template requires at the KEP's target stage is missing.
//!
//! ## Why
//!
//! Reviewers find answers by their headings. If a heading is missing, they ask a question that the author could have
//! answered before.
//!
//! Each gap is reported once: a missing section is reported without its subsections, and a section with text but none
//! of its required subsections is one finding that lists them. In a README without a title, missing sections that have no
//! place yet are one finding, and so are four or more of a proposal with another layout.
//!
//! At most a warning if only the subsections of a text are missing, but not all of a design that names none of them; if
//! several subsections of the section are there, if another heading or a line in bold is probably the section, or if its
//! text is probably elsewhere: the design in the proposal, or from beta on the proposal in the design. At most a suggestion if the text of a section
//! around it answers for its
//! subsections, if the text of the test plan names the tests, if the questionnaire is only a link to another KEP, in a KEP
//! whose feature is stable, and at removal stages.
//!
//! A heading that only the repository's own template has, without a directive, is asked for as a
//! suggestion, and with a
//! warning in a KEP that the change at hand adds or takes to another stage. With `sections: required` in the
//! configuration it is an error.
//!
//! The fix inserts the heading and its required subheadings, with the template's guidance and form, after the section
//! that precedes it in the template, or above its subsections; a question that is the first of its part goes above the
//! text there, which may be its answer. It is unsafe because the new section has no answer yet: it is then reported as
//! empty. A line in bold that has the words of the heading becomes the heading. There is no fix if the place is not
//! certain, or if a similar heading or other text may be the section.
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

mod bold;
mod insertion;
mod place;

use self::insertion::Inserter;
use self::place::{heading, heading_as_written, where_it_goes};
use crate::gap::Gap;
use crate::gap::absence::Absence;
use crate::requirement::Requirement;
use crate::rules::prelude::*;

pub const RULE: Rule = Rule {
    name: "missing-section",
    summary: "a section required at the target stage is missing",
    severity: Ladder { provisional: Advice, active: Error, stale: Off, implemented: Off, closed: Off },
    fix: Some(Safety::Unsafe),
    is_gap: true,
    settings: &["groups"],
    docs: docs!("missing_section.rs"),
    checks: &[Check::Readme(check)],
    ..Rule::of(Category::Sections)
};

pub const SIMILAR: &str = "similar heading";

pub const ELSEWHERE: &str = "its text seems to be here";

fn check(ctx: &Ctx<'_>, readme: Readme<'_>, out: &mut Sink) {
    let inserter = Inserter::new(ctx, readme);
    if ctx.target.scope != Scope::Certain {
        report_absent(ctx, readme, &inserter, out);
        return;
    }
    // A document beside proposals may be none.
    if ctx.lacks_front_matter() && !ctx.template.iter().any(|(id, _)| readme.matching().place(id).is_some()) {
        return;
    }
    let together = together(ctx, readme);
    if let Some(first) = readme.gaps().iter().find(|gap| together.contains(&gap.section)) {
        report_together(ctx, readme, first, &together, out);
    }
    for gap in readme.gaps().iter().filter(|gap| !together.contains(&gap.section)) {
        match &gap.kind {
            GapKind::Missing(absence) => report_missing(ctx, readme, gap, *absence, &inserter, out),
            GapKind::MissingParts(parts) => report_parts(ctx, readme, gap, parts, out),
            _ => {}
        }
    }
}

/// Every section that is nowhere, but below one that is missing. Samples come with what is around them.
fn absent(ctx: &Ctx<'_>, readme: Readme<'_>) -> Vec<Gap> {
    let has_heading = |id: TemplateId| readme.matching().place(id).and_then(|place| place.section).is_some();
    let is_missing =
        |id: TemplateId| !has_heading(id) && ctx.requirements.iter().any(|requirement| requirement.section == id);
    let missing = ctx.requirements.iter().filter(|Requirement { section, .. }| {
        let is_part = ctx.template.ancestors(*section).any(is_missing);
        is_missing(*section) && !is_part && !ctx.template.get(*section).is_sample()
    });
    let gap = |requirement: &Requirement| {
        let kind = GapKind::Missing(Absence::default());
        Gap { section: requirement.section, requirement: *requirement, kind, covers: Vec::new(), part: None }
    };
    missing.map(gap).collect()
}

/// Reports the missing headings of sections whose text is there, and once all of these have one, the others.
fn report_absent(ctx: &Ctx<'_>, readme: Readme<'_>, inserter: &Inserter<'_>, out: &mut Sink) {
    let (mut without_text, mut has_text) = (Vec::new(), false);
    // Of one that is hidden, another rule says what hides it.
    for gap in absent(ctx, readme).into_iter().filter(|gap| inserter.hidden(gap.section).is_none()) {
        let item = readme.matching().place(gap.section).map(|place| place.heading.start);
        let words = item.or_else(|| Some(bold::find(ctx, readme, gap.section)?.line.start));
        let line = words.map(|start| last_line_start(readme.slice(..start)));
        if let Some((line, fix)) = line.and_then(|line| Some((line, inserter.above_line(gap.section, line)?))) {
            let message = format!("section `{}` has no heading", ctx.template.get(gap.section).title.text);
            let finding = ctx.complete_gap(Diagnostic::at(readme.span(line..line), message), &gap);
            out.report(finding.help(fix.title.clone()).fix(fix));
            has_text = true;
        } else if item.is_none() {
            without_text.push(gap);
        }
    }
    if has_text {
        return;
    }
    // A new section may end the one before it, where a deeper one would go.
    let level = |gap: &Gap| ctx.template.get(gap.section).level;
    let has_fix = |gap: &&Gap| inserter.insertion(gap.section, None).is_some();
    let first = without_text.iter().filter(has_fix).map(level).min();
    for gap in without_text.iter().filter(|gap| first.is_none_or(|first| level(gap) <= first)) {
        report_missing(ctx, readme, gap, Absence::default(), inserter, out);
    }
}

/// The missing sections that are one finding because they have one cause: many of a proposal that is no KEP, or those of a
/// README without a title that have no section beside or around them.
fn together(ctx: &Ctx<'_>, readme: Readme<'_>) -> Vec<TemplateId> {
    const MANY: usize = 4;
    let missing = readme.gaps().iter().filter(|gap| matches!(gap.kind, GapKind::Missing(_))).map(|gap| gap.section);
    let mut missing: Vec<TemplateId> = missing.collect();
    let is_many = !ctx.layout().is_of_keps() && missing.len() >= MANY;
    let has_title = readme.sections.title().is_some();
    missing.retain(|id| is_many || !has_title && where_it_goes(ctx, readme, *id, None).heading.is_none());
    if missing.len() > 1 { missing } else { Vec::new() }
}

fn report_together(ctx: &Ctx<'_>, readme: Readme<'_>, gap: &Gap, missing: &[TemplateId], out: &mut Sink) {
    let titles = missing.iter().map(|id| &ctx.template.get(*id).title.text);
    let headings = missing.iter().map(|id| heading(ctx, *id));
    let reason = gap.requirement.reason(ctx.template);
    let finding = Diagnostic::at(readme.top(), format!("sections {} are missing", suggest::list(titles, "and")))
        .help(format!("add {}; {reason}", suggest::list(headings, "and")));
    let gaps = readme.gaps().iter().filter(|other| missing.contains(&other.section));
    let covered = gaps
        .flat_map(|other| if other.covers.is_empty() { std::slice::from_ref(&other.section) } else { &other.covers });
    let covers = covered.map(|id| Subject::gap(&ctx.template.path(*id))).collect();
    // An ignore that names the first of them must not silence the others.
    out.report(Diagnostic { section: None, covers, ..ctx.complete_gap(finding, gap) });
}

fn report_missing(
    ctx: &Ctx<'_>,
    readme: Readme<'_>,
    gap: &Gap,
    absence: Absence,
    inserter: &Inserter<'_>,
    out: &mut Sink,
) {
    let title = &ctx.template.get(gap.section).title.text;
    let first_child = absence.first_subsection.or_else(|| first_child(ctx, readme, gap.section));
    let (fix, place) = match inserter.insertion(gap.section, absence.first_subsection) {
        Some((fix, place)) => (Some(fix), place),
        None => (None, where_it_goes(ctx, readme, gap.section, first_child)),
    };
    let span = place.heading.map_or_else(|| readme.top(), |heading| readme.span(heading));
    let mut finding = Diagnostic::at(span, format!("section `{title}` is missing"));
    finding = ctx.complete_gap(finding, gap);
    let marks = "#".repeat(place.level.into());
    let heading = format!("{marks} {title}");
    let reason = gap.requirement.reason(ctx.template);
    let level_of = |id: TemplateId| Some(readme.sections.get(readme.matching().place(id)?.section?).level);
    let is_beside = first_child.and_then(level_of).is_some_and(|level| level <= place.level);
    let deeper = if is_beside { ", and make its subsections one level deeper" } else { "" };
    // The message has the question already.
    let what =
        if ctx.template.get(gap.section).is_question() { format!("it as `{marks}`") } else { format!("`{heading}`") };
    let insertion = format!("add {what}{}{deeper}; {reason}", place.words);
    let bold = if ctx.target.scope == Scope::Certain { bold::find(ctx, readme, gap.section) } else { None };
    if let Some(bold) = bold {
        finding.help = Some(format!("make this line a heading: `{heading}`; {reason}"));
        finding.span = readme.span(bold.line.clone());
        finding.fix =
            if bold.leaves_answer(ctx, readme, gap.section) { Some(bold.fix(readme, place.level)) } else { None };
        if bold.has_text(readme) {
            finding = finding.at_most(Severity::Warning);
        }
    } else if let Some(probable) = readme.matching().probable(ctx.template, readme.document, gap.section) {
        let section = readme.sections.get(probable);
        finding.help = Some(format!("did you mean `{}`? Otherwise {insertion}", brief(&section.title.text)));
        finding.relate(readme.span(section.heading.clone()), SIMILAR);
        finding = finding.at_most(Severity::Warning);
        finding.fix = if ctx.target.scope == Scope::Certain { None } else { fix };
    } else if let Some((other, other_place)) =
        absence.text_in.and_then(|other| Some((other, readme.matching().place(other)?)))
    {
        let written = heading_as_written(ctx, readme, other, other_place);
        finding.message += &format!(": its text seems to be under `{}`", written.trim_start_matches(['#', ' ']));
        finding.help = Some(format!("add `{heading}`{}, and move its text there; {reason}", place.words));
        finding.relate(readme.span(other_place.heading.clone()), ELSEWHERE);
        // A new heading has the subsections that follow it, and is empty without them.
        finding.fix = if absence.first_subsection.is_some() { fix } else { None };
    } else {
        let hidden = inserter.hidden(gap.section).map(|hidden| &hidden.span);
        finding = finding.help(insertion).fix(fix).related_others(hidden, "no heading on the page");
    }
    out.report(finding);
}

/// The first subsection of a section of another project, if that has the level of the section, and all that the template
/// has before the section is before it.
fn first_child(ctx: &Ctx<'_>, readme: Readme<'_>, id: TemplateId) -> Option<TemplateId> {
    let heading = |of: TemplateId| Some(readme.sections.get(readme.matching().place(of)?.section?));
    let (child, first) = ctx.template.children(id).find_map(|(child, _)| Some((child, heading(child)?)))?;
    let mut earlier = ctx.template.iter().filter(|(other, _)| *other < id).filter_map(|(other, _)| heading(other));
    let is_in_order = earlier.all(|before| before.heading.start < first.heading.start);
    let is_beside = ctx.template.is_of_others && first.level == ctx.template.get(id).level;
    (is_beside && is_in_order).then_some(child)
}

fn report_parts(ctx: &Ctx<'_>, readme: Readme<'_>, gap: &Gap, parts: &[TemplateId], out: &mut Sink) {
    let Some(place) = readme.matching().place(gap.section) else { return };
    let titles: Vec<&str> = parts.iter().map(|part| ctx.template.get(*part).title.text.as_str()).collect();
    let title = &ctx.template.get(gap.section).title.text;
    let noun = if titles.len() == 1 { "subsection" } else { "subsections" };
    let message = format!("`{title}` lacks the {noun} {}", suggest::list(&titles, "and"));
    let mut finding = Diagnostic::at(readme.span(place.heading.clone()), message);
    let first = ctx.requirements.iter().find(|part| parts.contains(&part.section));
    let reason = first.map(|requirement| requirement.reason(ctx.template)).unwrap_or_default();
    let headings = if titles.len() == 1 { "this heading" } else { "these headings" };
    let mut lines = readme.visible(place.subtree.clone());
    let (only, more) = (lines.next().map(|(_, line)| line), lines.next());
    let bare = only.filter(|line| more.is_none() && answer::is_bare(line));
    finding.help = Some(match bare {
        Some(bare) => {
            let bare = brief(bare.trim_start_matches(['-', '*', ' '])).into_owned();
            let say = "answer them, or write in a sentence why none applies";
            format!("{say}: its text says only `{bare}`; {reason}")
        }
        // Its text may be right where it is.
        None if ctx.template.is_of_others => format!("add {headings}; {reason}"),
        None => format!("move its text under {headings}; {reason}"),
    });
    finding = ctx.complete_gap(finding, gap);
    // The section itself is filled.
    let words = ctx.template.path(gap.section).into_iter().chain(["subsections".to_owned()]);
    finding.subject = Subject::gap(&words.collect::<Vec<String>>());
    finding.requirement = first.map(Requirement::required_from);
    out.report(finding);
}
